// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.pcards.own, .pdock',
  hints: [
    {
      at: '.pcards.own',
      text: {
        en: 'Your cards: only you see those that lie face up here. Your best hand, and your chips, stand beside them.',
        ja: 'あなたのカードです。ここに見えているカードは自分だけが見えます。今の役とチップは隣に出ます。',
        ru: 'Ваши карты: их видите только вы. Рядом — ваша лучшая комбинация и фишки.',
      },
    },
    {
      at: '.pkmid',
      text: {
        en: 'In the middle lie the pot and, in most games, cards that count for everybody.',
        ja: '中央にはポットがあり、多くのゲームでは全員が使えるカードも並びます。',
        ru: 'В центре банк и, в большинстве игр, карты, общие для всех.',
      },
    },
    {
      at: '.pdealer',
      text: {
        en: 'The dealer button moves on with every hand. The two players after it post the blinds before the cards are dealt.',
        ja: 'ディーラーボタンはハンドごとに次の人へ移ります。その次の二人が、配られる前にブラインドを出します。',
        ru: 'Фишка дилера с каждой раздачей переходит дальше. Двое после неё ставят блайнды ещё до раздачи карт.',
      },
    },
    {
      at: '.pdock',
      text: {
        en: 'On your turn you act here: fold, call what was bet, or raise. The size is a button, the slider, or a number you type.',
        ja: '自分の番にはここで、フォールド、コール、レイズを選びます。額はボタン、スライダー、入力で決められます。',
        ru: 'В свой ход решайте здесь: сбросить карты, уравнять ставку или повысить. Размер задают кнопки, ползунок или число.',
      },
    },
    {
      text: {
        en: 'You may sit out or leave between hands. Blinds you miss are owed only if you come back before your big blind.',
        ja: 'ハンドの合間に休憩したり席を立ったりできます。過ぎたブラインドは、自分のビッグブラインドより早く戻るときだけ払います。',
        ru: 'Между раздачами можно взять паузу или уйти. Пропущенные блайнды платят, только если вернуться раньше своего большого.',
      },
    },
  ],
});
