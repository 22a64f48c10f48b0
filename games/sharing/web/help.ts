// The rules on one page.

import { defineHelp, said } from '$shell/lib/help.ts';

export default defineHelp(() => [
  {
    title: said({ en: 'The start', ja: '始まり', ru: 'Начало' }),
    lines: [
      {
        text: said({
          en: 'Everybody draws two cards and lays one open. The player whose open card comes first in the alphabet begins.',
          ja: '全員が二枚引き、一枚を開きます。開いたカードの名前がアルファベット順で最初の人から始めます。',
          ru: 'Каждый берёт две карты и одну открывает. Начинает тот, чья открытая карта первая по алфавиту.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'Your turn: one of these', ja: '手番: どれか一つ', ru: 'Ход: одно из трёх' }),
    lines: [
      {
        name: said({ en: 'Draw', ja: '引く', ru: 'Взять' }),
        text: said({
          en: 'Take a card into your hand.',
          ja: '一枚を手札に加えます。',
          ru: 'Возьмите карту в руку.',
        }),
      },
      {
        name: said({ en: 'Lay', ja: '開く', ru: 'Открыть' }),
        text: said({
          en: 'Lay a card open in front of you. Its symbols count from now on.',
          ja: '一枚を自分の前に開きます。その印がこれから効きます。',
          ru: 'Откройте карту перед собой. Её знаки теперь считаются.',
        }),
      },
      {
        name: said({ en: 'Call', ja: 'コール', ru: 'Объявить' }),
        text: said({
          en: 'Score a card of your hand. Everybody who shows at least as many symbols as you scores one too, and then you draw a card.',
          ja: '手札の一枚を得点にします。開いた印があなた以上の人も一枚ずつ得点にし、そのときあなたは一枚引きます。',
          ru: 'Засчитайте карту из руки. Каждый, у кого открыто не меньше знаков, засчитывает тоже, а вы берёте карту.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'The end', ja: '終わり', ru: 'Конец' }),
    lines: [
      {
        text: said({
          en: 'Everybody has the same number of turns. Then the most points win.',
          ja: '全員が同じ回数の手番を終えたら、点の多い人の勝ちです。',
          ru: 'У всех поровну ходов. Затем побеждает тот, у кого больше очков.',
        }),
      },
    ],
  },
]);
