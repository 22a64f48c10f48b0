// The game's words in English. The other languages must have every key of these.

import { wordsOf } from '$shell/lib/i18n/index.svelte.ts';

const en = {
  messages: {
    title: 'Sharing',
    line: 'call, and share or not',
    how: 'On your turn draw a card, lay one open, or call. A call scores a card of your hand; everybody who shows at least as many symbols as you scores one too, and then you draw. Most points win.',
    symbols: { one: '{n} symbol', other: '{n} symbols' },
    worth: '{symbols}, scores {n}',
    'log.card': '{who}: drew {what}',
    'log.drew': '{who}: drew a card',
    'log.order': 'Order of play: {order}',
    'log.laid': '{who}: laid {what} open',
    'log.called': '{who}: called, nobody shares',
    'log.shared': '{who}: called, shared by {others}',
    'log.scored': '{who}: scored {what}',
  },
  phrases: {
    'most points': 'most points win',
  },
};
export default en;

/** A text of this game in the language that is read. */
export const w = wordsOf(en);
