// The rules on one page.

import { defineHelp, said } from '$shell/lib/help.ts';

export default defineHelp(() => [
  {
    title: said({ en: 'The match', ja: '対局の流れ', ru: 'Партия' }),
    lines: [
      {
        name: said({ en: 'Pick', ja: '取る', ru: 'Выбор' }),
        text: said({
          en: 'Everybody opens a pack, takes one card and passes the rest on, until the packs are empty. Then the next packs are opened, and passed the other way.',
          ja: '全員がパックを開け、一枚取って残りを隣へ渡します。なくなるまで続け、次のパックは逆方向に回します。',
          ru: 'Каждый открывает набор, берёт одну карту и передаёт остальные, пока наборы не опустеют. Следующие наборы идут в другую сторону.',
        }),
      },
      {
        name: said({ en: 'Build', ja: '組む', ru: 'Колода' }),
        text: said({
          en: 'Choose the cards of your deck from your picks. Nobody sees it before all have chosen.',
          ja: '取ったカードからデッキを選びます。全員が選び終わるまで、互いに見えません。',
          ru: 'Соберите колоду из взятых карт. Её не увидят, пока не выберут все.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'The strength of a deck', ja: 'デッキの強さ', ru: 'Сила колоды' }),
    lines: [
      {
        name: said({ en: 'Each card', ja: 'カード', ru: 'Каждая карта' }),
        worth: '1–9',
        text: said({ en: 'The number on it.', ja: '書かれた数字。', ru: 'Число на ней.' }),
      },
      {
        name: said({ en: 'Each pair of one color', ja: '同じ色の二枚組', ru: 'Каждая пара одного цвета' }),
        worth: '+1',
        text: said({
          en: 'Four cards of one color are two pairs.',
          ja: '同じ色が四枚なら二組です。',
          ru: 'Четыре карты одного цвета — две пары.',
        }),
      },
    ],
  },
]);
