// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.fan',
  hints: [
    {
      at: '.fan',
      text: {
        en: 'Your hand. Every heart you take counts one point, the queen of spades thirteen. The fewest points win.',
        ja: 'あなたの手札です。取ったハートは一枚一点、スペードのクイーンは十三点。点の少ない人が勝ちです。',
        ru: 'Ваша рука. Каждая взятая черва — очко, дама пик — тринадцать. Побеждает тот, у кого очков меньше.',
      },
    },
    {
      at: '.hts > .prompt',
      text: {
        en: 'What you are asked stands here. Before most deals you pass three cards: give away what would take points.',
        ja: '何をするかはここに出ます。たいていの回は最初に三枚渡します。点を取らされそうな札を渡しましょう。',
        ru: 'Здесь видно, что от вас нужно. Перед большинством сдач вы передаёте три карты: отдайте те, что возьмут очки.',
      },
    },
    {
      at: '.hmid',
      text: {
        en: 'Each plays one card, and must follow the suit that was led if they can. The highest card of that suit takes all four.',
        ja: '一人一枚ずつ出します。リードされたスートがあれば必ず出します。そのスートで一番強い札が四枚を取ります。',
        ru: 'Каждый кладёт по карте, по возможности в масть первой. Старшая карта этой масти забирает все четыре.',
      },
    },
    {
      at: '.hfelt .seat',
      text: {
        en: 'Next to each name: the points so far, and below them those of this deal.',
        ja: '名前の横がこれまでの点、その下が今回の点です。',
        ru: 'Рядом с именем — все очки, под ними очки этой сдачи.',
      },
    },
    {
      text: {
        en: 'One thing turns it around: whoever takes all 26 points gets none, and everybody else gets 26.',
        ja: '例外が一つ。二十六点をすべて取った人は零点になり、ほかの全員に二十六点が付きます。',
        ru: 'Одно исключение: кто взял все 26 очков, не получает ни одного, а остальные получают по 26.',
      },
    },
  ],
});
