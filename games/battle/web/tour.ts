// What a newcomer is told at their first table.

import { defineTour } from '$shell/lib/tour.ts';

export default defineTour({
  hand: '.bhand',
  hints: [
    {
      at: '.bhand',
      text: {
        en: 'Your cards. An attack takes 2 HP, a defense stops it, a counter sends it back, a heal gives you 1 HP.',
        ja: 'あなたのカードです。攻撃は HP を 2 減らし、防御は防ぎ、反撃は返し、回復は HP を 1 増やします。',
        ru: 'Ваши карты. Атака снимает 2 HP, защита её держит, контра возвращает, лечение даёт 1 HP.',
      },
    },
    {
      at: '.lane.own',
      text: {
        en: 'Press a card to place it in the next slot, or drag it there. Your opponent cannot see it, and you can take it back.',
        ja: 'カードを押すと次の枠に置かれます。引きずって置くこともできます。相手には見えず、戻すこともできます。',
        ru: 'Нажмите на карту, и она ляжет в следующий слот; можно и перетащить. Соперник её не видит, и её можно забрать.',
      },
    },
    {
      at: '.blow > .prompt',
      text: {
        en: 'Confirm when you are done. When the time runs out, what lies in the slots counts.',
        ja: '決まったら確定します。時間が切れると、枠にあるカードがそのまま使われます。',
        ru: 'Закончив, подтвердите. Если время выйдет, сыграет то, что лежит в слотах.',
      },
    },
    {
      at: '.lane.opp',
      text: {
        en: 'Then both sides are revealed slot by slot: your first card against their first, and so on.',
        ja: 'そのあと、両者の枠が一つずつ公開されます。一枚目どうし、二枚目どうしがぶつかります。',
        ru: 'Затем слоты открываются по очереди: ваша первая карта против их первой, и так далее.',
      },
    },
    {
      at: '.fig',
      text: {
        en: 'Whoever has no HP left loses. After the last round, more HP wins.',
        ja: 'HP がなくなると負けです。最後のラウンドが終わると、HP の多いほうが勝ちます。',
        ru: 'Кто остался без HP, проиграл. После последнего раунда побеждает тот, у кого HP больше.',
      },
    },
  ],
});
