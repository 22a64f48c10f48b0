// The game's words in Japanese.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ja: Translation<typeof en> = {
  messages: {
    title: '三目並べ',
    line: '三つ並べる',
    how: '交互にマスを取ります。縦、横、斜めに三つ並べると勝ちです。',
    board: '盤',
    cell: '{cell}、{what}',
    free: '空き',
    cross: 'バツ',
    ring: 'マル',
    hint: 'マスを押してください',
  },
  phrases: {
    'Take a cell': 'マスを取る',
    'three in a row': '三つ並びました',
    'the board is full': '盤が埋まりました',
  },
};
export default ja;
