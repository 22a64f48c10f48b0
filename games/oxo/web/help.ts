// The rules on one page.

import { defineHelp, said } from '$shell/lib/help.ts';

export default defineHelp(() => [
  {
    title: said({ en: 'The match', ja: '対局の流れ', ru: 'Партия' }),
    lines: [
      {
        name: said({ en: 'Turns', ja: '手番', ru: 'Ходы' }),
        text: said({
          en: 'Cross begins. Each turn you take one free cell, and it stays yours.',
          ja: 'バツが先手です。交互に空いたマスを一つ取り、取ったマスはずっと自分のものです。',
          ru: 'Начинает крестик. Каждый ход вы занимаете одну свободную клетку, и она остаётся вашей.',
        }),
      },
      {
        name: said({ en: 'The win', ja: '勝ち', ru: 'Победа' }),
        text: said({
          en: 'Three of your marks in one row, column or diagonal.',
          ja: '縦・横・斜めのどれか一列に、自分の印を三つ並べます。',
          ru: 'Три ваших знака в одном ряду, столбце или по диагонали.',
        }),
      },
      {
        name: said({ en: 'A tie', ja: '引き分け', ru: 'Ничья' }),
        text: said({
          en: 'All nine cells are taken, and nobody has three in a row.',
          ja: '九マスが埋まって、どちらも三つ並んでいなければ引き分けです。',
          ru: 'Все девять клеток заняты, а трёх в ряд нет ни у кого.',
        }),
      },
      {
        name: said({ en: 'A move back', ja: '待った', ru: 'Ход назад' }),
        text: said({
          en: 'You can ask to take a move back. It happens when your opponent agrees.',
          ja: '一手戻したいと頼めます。相手が同意すれば戻ります。',
          ru: 'Можно попросить вернуть ход. Это случится, если соперник согласен.',
        }),
      },
    ],
  },
]);
