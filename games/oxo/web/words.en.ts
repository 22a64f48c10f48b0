// The game's words in English. The other languages must have every key of these.

import { wordsOf } from '$shell/lib/i18n/index.svelte.ts';

const en = {
  messages: {
    title: 'Oxo',
    line: 'three in a row',
    how: 'Take cells in turn. Three in a row wins, in any direction.',
    board: 'Board',
    cell: '{cell}, {what}',
    free: 'free',
    cross: 'Cross',
    ring: 'Ring',
    hint: 'Press a cell',
  },
  phrases: {},
};
export default en;

/** A text of this game in the language that is read. */
export const w = wordsOf(en);
