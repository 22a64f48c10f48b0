// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.gform',
  hints: [
    {
      at: '.gmid',
      text: {
        en: 'A card has symbols, which count while it lies open, and points, which count once it is scored.',
        ja: 'カードには、開いて置いている間に効く印と、得点にしたときに入る点があります。',
        ru: 'У карты есть знаки — они считаются, пока она открыта, — и очки: они считаются, когда она засчитана.',
      },
    },
    {
      at: '.gform',
      text: {
        en: 'On your turn you do one thing: draw a card, lay one open, or call.',
        ja: '自分の番にできることは一つ。一枚引く、一枚開く、コールする、のどれかです。',
        ru: 'В свой ход вы делаете одно: берёте карту, открываете карту или объявляете.',
      },
    },
    {
      at: '.gseats .seat',
      text: {
        en: 'When you call, you score a card. So does everybody who shows at least as many symbols as you: look before you call.',
        ja: 'コールすると一枚を得点にします。開いた印があなた以上の人も得点にできるので、よく見てからコールしましょう。',
        ru: 'Объявив, вы засчитываете карту. То же сделает каждый, у кого открыто не меньше знаков: сначала посмотрите.',
      },
    },
  ],
});
