// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.hand',
  hints: [
    {
      at: '.hand',
      text: {
        en: 'Your hand. Make four sets and a pair: a set is a run like ⟦3m⟧⟦4m⟧⟦5m⟧ or three of a kind like ⟦7z⟧⟦7z⟧⟦7z⟧.',
        ja: 'あなたの手牌です。⟦3m⟧⟦4m⟧⟦5m⟧ のような順子か ⟦7z⟧⟦7z⟧⟦7z⟧ のような刻子を四つ、それに雀頭を一つ揃えます。',
        ru: 'Ваша рука. Соберите четыре набора и пару. Набор — это ряд, как ⟦3m⟧⟦4m⟧⟦5m⟧, или три одинаковые кости, как ⟦7z⟧⟦7z⟧⟦7z⟧.',
      },
    },
    {
      at: '.rii > .prompt',
      text: {
        en: 'You draw a tile and discard one, turn after turn. What you can do stands here; a struck-out button tells you why not.',
        ja: '一枚引いて一枚切る、これを繰り返します。できることはここに出ます。線で消されたボタンは、できない理由を教えてくれます。',
        ru: 'Каждый ход вы берёте кость и одну сбрасываете. Здесь видно, что можно сделать; зачёркнутая кнопка объяснит, почему нельзя.',
      },
    },
    {
      at: '.board',
      text: {
        en: 'Discards lie in front of their player. When somebody’s discard completes a set for you, you are asked: chi, pon, kan, ron, or pass.',
        ja: '捨て牌はそれぞれの前に並びます。誰かの捨て牌で面子や和了ができるときは、チー・ポン・カン・ロンかパスを選びます。',
        ru: 'Сброс лежит перед каждым игроком. Если чужая кость завершает ваш набор, вас спросят: чи, пон, кан, рон или пас.',
      },
    },
    {
      at: '.rwaits',
      text: {
        en: 'To win, the hand needs at least one yaku. The easiest is riichi: make no calls, and declare it when one tile is missing.',
        ja: '和了には役が一つ以上必要です。いちばん簡単なのはリーチ。鳴かずに進め、あと一枚になったら宣言します。',
        ru: 'Для победы нужен хотя бы один яку. Самый простой — риичи: не берите чужих костей и объявите его, когда не хватает одной.',
      },
    },
    {
      at: '.dora .tiles',
      text: {
        en: 'The dora indicator: each tile of the next number in your winning hand is worth a han more. So is each red five.',
        ja: 'ドラ表示牌です。次の数の牌がドラで、和了ると一枚につき一翻増えます。赤五も一枚で一翻です。',
        ru: 'Индикатор доры: следующая по порядку кость — дора. Каждая такая в победной руке даёт ещё один хан, и каждая красная пятёрка тоже.',
      },
    },
  ],
});
