// The game's words in English. The other languages must have every key of these.

import { wordsOf } from '$shell/lib/i18n/index.svelte.ts';

const en = {
  messages: {
    'opt.until': 'Length',
    'opt.one': 'One deal',
    'opt.to': 'To {n}',
    title: 'Hearts',
    line: 'thirteen tricks, fewest points',
    how: 'Pass three cards, then play thirteen tricks. Follow the suit that was led if you can; the highest card of that suit takes the trick. Every heart is one point, the queen of spades thirteen. Fewest points win; whoever takes all 26 gives them to the others.',
    pass: 'Pass three cards to {who}',
    passNote: 'You get three from {who}. All four passes are shown at once.',
    passN: { one: 'Pass {n} card', other: 'Pass {n} cards' },
    passing: 'Cards are being passed',
    waitPass: 'Waiting for the others to pass',
    takeBack: 'chosen, press to take back',
    enough: 'You have chosen three. Take one back first.',
    follow: 'Follow suit: {suit}',
    'suit.c': 'clubs',
    'suit.d': 'diamonds',
    'suit.s': 'spades',
    'suit.h': 'hearts',
    led: '{who} led {card}.',
    broken: 'Hearts are broken.',
    notBroken: 'Hearts are not broken.',
    play: 'Play {card}',
    choose: 'Play',
    chooseFirst: 'Choose a card first.',
    highest: 'highest',
    trick: 'Trick',
    sub: { one: '+{n} point', other: '+{n} points' },
    scores: 'Scores, lowest wins',
    total: 'Total',
    thisDeal: 'this deal',
    deal: 'Deal',
    earlier: 'before',
    moon: '{who} took all 26',
    'why.follow': 'You must follow the suit that was led, {suit}: {cards}',
    'why.first': 'You cannot play hearts or the queen of spades in the first trick.',
    'why.broken': 'You cannot lead a heart until one has been played.',
    at: 'Deal {n} · trick {trick}',
    toLeft: 'to {who}, on your left',
    toRight: 'to {who}, on your right',
    toAcross: 'to {who}, across the table',
    got: '{who} passed you {cards}',
    new: 'new in your hand',
    takes: 'takes it',
    takesN: 'takes it, +{n}',
    'log.deal': 'Deal {n}',
    'log.passed': 'Passed to {who}: {cards}',
    'log.leads': 'Leads: {who}',
    'log.trick': { one: '{who}: trick, {n} point', other: '{who}: trick, {n} points' },
    'log.moon': '{who} took all 26 points: they count for the others',
  },
  phrases: {
    'fewest points': 'fewest points win',
  },
};
export default en;

/** A text of this game in the language that is read. */
export const w = wordsOf(en);
