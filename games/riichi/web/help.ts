// The rules on one page: what a hand is, what one may call, and what makes it a win.

import { defineHelp, said } from '$shell/lib/help.ts';
import { w } from './words.en.ts';

/** Tiles as a line of text has them: `tiles('234m 77z')`. */
const tiles = (hand: string): string =>
  hand
    .split(' ')
    .map((group) => [...group.slice(0, -1)].map((n) => `⟦${n}${group.at(-1)}⟧`).join(''))
    .join(' ');

type Yaku = 'yaku.riichi';
/** A yaku with what it is worth closed and, where it may be open, open. */
const yaku = (name: string, hand: string, han: number, open = han) => ({
  name: w(`yaku.${name}` as Yaku),
  ...(hand && { show: tiles(hand) }),
  worth: open === han ? w('han', { n: han }) : open ? `${open}–${w('han', { n: han })}` : `${w('han', { n: han })} *`,
});

export default defineHelp(() => [
  {
    title: said({ en: 'A hand that can win', ja: '和了の形', ru: 'Рука для победы' }),
    lines: [
      {
        show: tiles('234m 678p 345s 777z 99p'),
        text: said({
          en: 'Four sets and a pair: runs of one suit, or three of a kind. Winds and dragons make no runs.',
          ja: '四つの面子と雀頭。面子は同じ種類の順子か刻子です。字牌では順子を作れません。',
          ru: 'Четыре набора и пара: ряды одной масти или три одинаковые. Ветры и драконы рядов не образуют.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'Calls', ja: '鳴き', ru: 'Объявления' }),
    lines: [
      {
        name: said({ en: 'Chi', ja: 'チー', ru: 'Чи' }),
        show: tiles('456s'),
        text: said({
          en: 'The discard of the player to your left completes a run.',
          ja: '上家の捨て牌で順子を作ります。',
          ru: 'Сброс игрока слева завершает ряд.',
        }),
      },
      {
        name: said({ en: 'Pon, kan', ja: 'ポン、カン', ru: 'Пон, кан' }),
        show: tiles('555z'),
        text: said({
          en: 'Anybody’s discard completes three or four of a kind.',
          ja: '誰の捨て牌でも、三枚目または四枚目を取れます。',
          ru: 'Чей угодно сброс завершает тройку или четвёрку.',
        }),
      },
      {
        name: said({ en: 'Ron, tsumo', ja: 'ロン、ツモ', ru: 'Рон, цумо' }),
        text: said({
          en: 'Win on a discard, which its player pays for, or on your own draw, which all pay for.',
          ja: '捨て牌で和了れば放銃した人が、自分のツモで和了れば全員が支払います。',
          ru: 'Победа со сброса — платит сбросивший; со своего взятия — платят все.',
        }),
      },
      {
        name: said({ en: 'Furiten', ja: 'フリテン', ru: 'Фуритэн' }),
        text: said({
          en: 'You have discarded a tile that would complete your hand, or let one go by: ron is out, tsumo is not.',
          ja: '待ち牌を自分で切っているか見逃した状態。ロンはできませんが、ツモはできます。',
          ru: 'Вы сбросили или пропустили кость, завершающую руку: рон закрыт, цумо — нет.',
        }),
      },
    ],
  },
  {
    title: said({
      en: 'Yaku: a win needs one (* closed hands only)',
      ja: '役: 和了には一つ必要(* は門前のみ)',
      ru: 'Яку: нужен хотя бы один (* — только закрытая рука)',
    }),
    lines: [
      yaku('riichi', '', 1, 0),
      yaku('menzen_tsumo', '', 1, 0),
      yaku('tanyao', '234m 456p 678s 555p 22s', 1),
      yaku('pinfu', '234m 567m 345p 678s 99p', 1, 0),
      yaku('white', '555z', 1),
      yaku('round_east', '111z', 1),
      yaku('iipeikou', '223344p', 1, 0),
      yaku('seven_pairs', '1155m 3388p 2299s 66z', 2, 0),
      yaku('toitoi', '222m 555p 888s 333z 11z', 2),
      yaku('sanankou', '222m 555p 888s', 2),
      yaku('sanshoku_doujun', '345m 345p 345s', 2, 1),
      yaku('ittsu', '123456789p', 2, 1),
      yaku('chanta', '123m 789p 999s 111z 44z', 2, 1),
      yaku('honitsu', '123m 567m 999m 222z 66z', 3, 2),
      yaku('ryanpeikou', '223344m 667788s 55p', 3, 0),
      yaku('chinitsu', '11123456678899s', 6, 5),
      { ...yaku('kokushi', '19m 19p 19s 1234567z', 13, 0), worth: w('limit.yakuman') },
      { ...yaku('daisangen', '555z 666z 777z', 13), worth: w('limit.yakuman') },
    ],
  },
]);
