// The rules on one page.

import { defineHelp, said } from '$shell/lib/help.ts';
import { CARDS } from './model.ts';
import { w } from './words.en.ts';

export default defineHelp(() => [
  {
    title: w('rules'),
    lines: CARDS.map((card) => ({ name: w(card), text: w(`beats.${card}`) })),
  },
  {
    title: said({ en: 'A round', ja: 'ラウンドの流れ', ru: 'Раунд' }),
    lines: [
      {
        text: said({
          en: 'Both fill up to three slots and confirm. Then the first cards meet, the second, and the third. A slot may stay empty.',
          ja: '三つの枠に伏せて確定すると、一枚目どうし、二枚目どうし、三枚目どうしが順に開きます。枠は空でもかまいません。',
          ru: 'Оба занимают до трёх слотов и подтверждают. Затем встречаются первые карты, вторые и третьи. Слот можно оставить пустым.',
        }),
      },
    ],
  },
]);
