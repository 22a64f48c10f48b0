// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.pool',
  hints: [
    {
      at: '.shelf',
      text: {
        en: 'Your pack. Take one card; the rest goes to your neighbor while you get the pack of the other one.',
        ja: 'あなたのパックです。一枚取ると残りは隣の人へ渡り、反対側の人のパックが回ってきます。',
        ru: 'Ваш набор. Возьмите одну карту: остальные уйдут соседу, а вам достанется набор другого соседа.',
      },
    },
    {
      at: '.shelf .wcard',
      text: {
        en: 'The number is the strength of a card. Every two cards of one color in your deck add 1.',
        ja: '数字はカードの強さです。デッキに同じ色が二枚あるごとに、強さが 1 増えます。',
        ru: 'Число — сила карты. Каждые две карты одного цвета в колоде добавляют 1.',
      },
    },
    {
      at: '.pool',
      text: {
        en: 'Your picks: only you see them. When the packs are empty, you build your deck from these.',
        ja: '取ったカードです。見えるのは自分だけ。パックがなくなったら、ここからデッキを組みます。',
        ru: 'Ваш выбор: его видите только вы. Когда наборы опустеют, из этих карт вы соберёте колоду.',
      },
    },
    {
      at: '.dseats .seat',
      text: {
        en: 'How many cards each player has taken. You wait for whoever has the fewest. The strongest deck wins.',
        ja: '各自が取った枚数です。いちばん少ない人を待ちます。最後に最も強いデッキの勝ちです。',
        ru: 'Сколько карт взял каждый. Ждут того, у кого меньше всех. Побеждает самая сильная колода.',
      },
    },
  ],
});
