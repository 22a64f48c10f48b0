// The game's words in English. The other languages must have every key of these.

const en = {
  messages: {
    title: 'Sharing',
    line: 'call, and share or not',
    how: 'On your turn draw a card, lay one open, or call. A call scores a card of your hand; everybody who shows at least as many symbols as you scores one too, and then you draw. Most points win.',
  },
  phrases: {
    'most points': 'most points win',
  },
};
export default en;
