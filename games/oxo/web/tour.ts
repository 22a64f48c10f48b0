// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.bseats',
  hints: [
    {
      at: '.grid',
      text: {
        en: 'The board. On your turn, press a free cell to take it. Three of yours in a row win, in any direction.',
        ja: '盤です。自分の番に空いたマスを押すと取れます。縦・横・斜めに三つ並べれば勝ちです。',
        ru: 'Поле. В свой ход нажмите на свободную клетку. Три ваших в ряд в любом направлении — победа.',
      },
    },
    {
      at: '.bseats .seat',
      text: {
        en: 'Cross begins. The player whose turn it is has a frame around their name.',
        ja: 'バツが先手です。手番の人は名前に枠が付きます。',
        ru: 'Начинает крестик. Имя того, чей сейчас ход, обведено рамкой.',
      },
    },
  ],
});
