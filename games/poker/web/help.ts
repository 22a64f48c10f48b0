// The rules on one page: which hand beats which, and what a player may do.

import { defineHelp, said } from '$shell/lib/help.ts';

export default defineHelp(() => [
  {
    title: said({ en: 'Hands, the best first', ja: '役(強い順)', ru: 'Комбинации, от старшей' }),
    lines: [
      {
        show: 'A♠ K♠ Q♠ J♠ 10♠',
        name: said({ en: 'Royal flush', ja: 'ロイヤルフラッシュ', ru: 'Роял-флеш' }),
      },
      {
        show: '9♥ 8♥ 7♥ 6♥ 5♥',
        name: said({ en: 'Straight flush', ja: 'ストレートフラッシュ', ru: 'Стрит-флеш' }),
      },
      { show: 'Q♠ Q♥ Q♦ Q♣ 3♠', name: said({ en: 'Four of a kind', ja: 'フォーカード', ru: 'Каре' }) },
      { show: 'J♠ J♦ J♣ 8♥ 8♠', name: said({ en: 'Full house', ja: 'フルハウス', ru: 'Фулл-хаус' }) },
      { show: 'A♦ J♦ 8♦ 6♦ 2♦', name: said({ en: 'Flush', ja: 'フラッシュ', ru: 'Флеш' }) },
      { show: '10♣ 9♥ 8♠ 7♦ 6♣', name: said({ en: 'Straight', ja: 'ストレート', ru: 'Стрит' }) },
      { show: '7♠ 7♥ 7♣ K♦ 2♠', name: said({ en: 'Three of a kind', ja: 'スリーカード', ru: 'Тройка' }) },
      { show: 'K♠ K♦ 4♥ 4♣ 9♠', name: said({ en: 'Two pair', ja: 'ツーペア', ru: 'Две пары' }) },
      { show: '10♥ 10♣ A♠ 6♦ 3♥', name: said({ en: 'Pair', ja: 'ワンペア', ru: 'Пара' }) },
      { show: 'A♣ J♥ 9♦ 5♠ 3♣', name: said({ en: 'High card', ja: 'ハイカード', ru: 'Старшая карта' }) },
    ],
  },
  {
    title: said({ en: 'Your turn', ja: '自分の番', ru: 'Ваш ход' }),
    lines: [
      {
        name: said({ en: 'Fold', ja: 'フォールド', ru: 'Фолд' }),
        text: said({
          en: 'Give the hand up. What you have bet stays in the pot.',
          ja: '勝負を降ります。賭けた分はポットに残ります。',
          ru: 'Сбросить карты. Поставленное остаётся в банке.',
        }),
      },
      {
        name: said({ en: 'Check or call', ja: 'チェック、コール', ru: 'Чек или колл' }),
        text: said({
          en: 'Stay in: for nothing, or for what others have bet.',
          ja: '勝負を続けます。誰も賭けていなければ無料、賭けていれば同額を出します。',
          ru: 'Остаться: бесплатно или сравняв чужую ставку.',
        }),
      },
      {
        name: said({ en: 'Bet or raise', ja: 'ベット、レイズ', ru: 'Бет или рейз' }),
        text: said({
          en: 'Set a higher price. Everybody else must call it, raise again, or fold.',
          ja: '額を上げます。ほかの人はコールするか、さらに上げるか、降りるしかありません。',
          ru: 'Поднять цену. Остальные уравнивают, повышают ещё или сбрасывают.',
        }),
      },
      {
        name: said({ en: 'All in', ja: 'オールイン', ru: 'Олл-ин' }),
        text: said({
          en: 'You never need more chips than you have. A player who has fewer can win no more from each than they put in.',
          ja: '手持ち以上は要りません。チップの少ない人が一人から取れるのは、自分が出した額までです。',
          ru: 'Больше, чем у вас есть, не нужно. Кто поставил меньше, выиграет у каждого не больше своей ставки.',
        }),
      },
    ],
  },
]);
