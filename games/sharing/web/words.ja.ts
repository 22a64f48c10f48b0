// The game's words in Japanese.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ja: Translation<typeof en> = {
  messages: {
    title: 'シェアリング',
    line: '宣言して、分け合うかどうか',
    how: '手番では、一枚引く、一枚表に置く、宣言する、のどれかをします。宣言すると手札の一枚が得点になります。あなた以上の印を見せている人も得点し、その場合あなたは一枚引きます。点の多い人が勝ちです。',
    symbols: { other: '印 {n}' },
    worth: '{symbols}、{n} 点',
    'log.card': '{who}: {what} を引いた',
    'log.drew': '{who}: 一枚引いた',
    'log.order': '順番: {order}',
    'log.laid': '{who}: {what} を表に置いた',
    'log.called': '{who}: 宣言、分け合う人なし',
    'log.shared': '{who}: 宣言、{others} も得点',
    'log.scored': '{who}: {what} を得点',
  },
  phrases: {
    'Lay your first card': '最初のカードを置く',
    'Your turn': 'あなたの番',
    'Lay a card': 'カードを置く',
    'Score a card': 'カードを得点にする',
    draw: '引く',
    lay: '置く',
    call: '宣言する',
    'most points': '点の最も多い人の勝ち',
    symbols: '印',
  },
};
export default ja;
