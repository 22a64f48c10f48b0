// The game's words in Japanese.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ja: Translation<typeof en> = {
  messages: {
    'opt.packs': 'パック数',
    title: 'キューブドラフト',
    line: '選んで回し、デッキを作る',
    how: 'パックから一枚取り、残りを隣へ回します。パックがなくなったら、取ったカードでデッキを組みます。カードの数字が強さで、同じ色の二枚組ごとに 1 増えます。一番強いデッキが勝ちです。',
    waiting: '次のパックを待っています',
    done: 'デッキが公開されました',
    hint: { other: 'パックは {n} 枚。残りは隣へ回ります' },
    has: { other: '{n} 枚' },
    pack: 'パック',
    pool: '取ったカード',
    openOf: '{who}: パック、灰色は取ったカード',
    nothingYet: 'まだありません',
    noPack: '目の前にパックがありません',
    take: '{card} を取る',
    choose: '取る',
    build: { other: '{n} 枚で組む' },
    enough: 'デッキは {n} 枚です。先に一枚外してください。',
    gallery: 'パックはデッキが公開されるまで観客には見えません。',
    strength: '強さ {n}',
    'log.round': '第 {n} ラウンド',
    'log.took': '{who}: 一枚',
  },
  phrases: {
    'Draft a card': '一枚取る',
    'Build your deck': 'デッキを組む',
    'strongest deck': '最も強いデッキの勝ち',
    'Round {round} begins': '第 {round} ラウンド開始',
    'You took {card}': '{card} を取った',
    'Seat {seat} took a card': '席 {seat} が一枚取った',
  },
};
export default ja;
