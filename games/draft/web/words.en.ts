// The game's words in English. The other languages must have every key of these.

import { wordsOf } from '$shell/lib/i18n/index.svelte.ts';

const en = {
  messages: {
    'opt.packs': 'Packs',
    title: 'Cube draft',
    line: 'pick, pass, build a deck',
    how: 'Take one card from the pack and pass the rest on until the packs are empty. Then build a deck from your picks. The number on a card is its strength, and every pair of one color adds 1: the strongest deck wins.',
    waiting: 'Waiting for the next pack',
    done: 'The decks are revealed',
    hint: { one: '{n} card in the pack', other: 'Take one of {n}; the rest is passed on' },
    has: { one: '{n} card', other: '{n} cards' },
    pack: 'The pack',
    pool: 'Your picks',
    openOf: '{who}: pack, then picks in grey',
    nothingYet: 'Nothing yet',
    noPack: 'No pack in front of you',
    take: 'Take {card}',
    choose: 'Take',
    build: { one: 'Build with {n} card', other: 'Build with {n} cards' },
    enough: 'The deck has {n} cards. Take one out first.',
    gallery: 'Packs are hidden from spectators until the decks are revealed.',
    strength: 'strength {n}',
    'log.round': 'Round {n}',
    'log.took': '{who}: a card',
  },
  phrases: {
    'strongest deck': 'the strongest deck wins',
  },
};
export default en;

/** A text of this game in the language that is read. */
export const w = wordsOf(en);
