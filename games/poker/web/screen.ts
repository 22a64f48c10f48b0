// Poker, as the shell finds it.

import type { LogLine } from '$shell/lib/log.ts';
import { section } from '$shell/lib/log.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import { cardsOf } from './model.ts';
import { money } from './money.svelte.ts';
import { cardText, gameName } from './naming.ts';
import type { Event, View } from './types.ts';
import en, { w } from './words.en.ts';

const line = (text: string): LogLine => ({ text });
const n = (chips: number): string => money.plain(chips);

/** The stakes in short: `50/100`. */
function stakesOf({ stakes }: View): string {
  const [low, high] = stakes.smallBlind ? [stakes.smallBlind, stakes.bigBlind] : [stakes.smallBet, stakes.bigBet];
  return `${money.plain(low, stakes.decimals)}/${money.plain(high, stakes.decimals)}`;
}
/** The street of cards that come to a board, by how many lie there before. */
function streetOf(cards: string, lay: number): string {
  if (lay === 0 && cardsOf(cards).length === 3) return w('street.flop');
  if (lay === 3) return w('street.turn');
  return lay === 4 ? w('street.river') : '';
}

type Wants = 'wants.0';
type Because = 'why.removed';

export default defineScreen<View, Event>({
  words: en,
  options: () => [
    {
      key: 'format',
      label: w('opt.format'),
      values: [
        ['ring', w('opt.ring')],
        ['sitAndGo', w('opt.sng')],
      ],
    },
  ],
  art: Art,
  table: () => import('./Table.svelte'),
  side: () => import('./Side.svelte'),
  bar: () => import('./Bar.svelte'),
  at: (view) => {
    money.decimals = view.stakes.decimals;
    return w('at', { stakes: stakesOf(view), game: gameName(view.variant), n: view.hand });
  },
  keys: () => [
    ['F', w('key.fold')],
    ['C', w('key.call')],
    ['R', w('key.raise')],
    ['↓ ↑', w('key.size')],
    ['1 – 6', w('key.preset')],
  ],
  log: {
    sat: (e, name) => line(w('log.sat', { who: name(e.seat), n: n(e.chips) })),
    left: (e, name) => line(w('log.left', { who: name(e.seat) })),
    wants: (e, name) => line(w(`wants.${e.intent}` as Wants, { who: name(e.seat) })),
    written: (e, name) => line(w(`why.${e.because}` as Because, { who: name(e.seat) })),
    toppedUp: (e, name) => line(w('log.topUp', { who: name(e.seat), n: n(e.chips) })),
    handStarted: (e, _, __, memory) => {
      memory.bet = false;
      return section(w('log.hand', { n: e.number, game: gameName(e.variant) }));
    },
    dead: (e, name) => line(w('log.dead', { who: name(e.seat), n: n(e.chips) })),
    blind: (e, name, _, memory) => {
      memory.bet = true;
      return line(w('log.blind', { who: name(e.seat), n: n(e.chips) }));
    },
    holeCards: (e) => line(w('log.yours', { cards: cardText(e.cards) })),
    dealt: (e, name, _, memory) => {
      if (!e.cards.replaceAll('?', '')) return null;
      memory.bet = false;
      return line(w('log.up', { who: name(e.seat), cards: cardText(e.cards) }));
    },
    board: (e, _, __, memory) => {
      memory.bet = false;
      return { text: cardText(e.cards), at: streetOf(e.cards, e.lay) };
    },
    folded: (e, name) => line(w('log.fold', { who: name(e.seat) })),
    called: (e, name) =>
      line(e.chips ? w('log.call', { who: name(e.seat), n: n(e.chips) }) : w('log.check', { who: name(e.seat) })),
    // The first chips of a street are a bet, whatever comes on top of them is a raise.
    raised: (e, name, _, memory) => {
      const said = { who: name(e.seat), n: n(e.to) };
      const first = memory.bet === false;
      memory.bet = true;
      return line(first ? w('log.bet', said) : w('log.raise', said));
    },
    broughtIn: (e, name, _, memory) => {
      memory.bet = true;
      return line(w('log.bringIn', { who: name(e.seat), n: n(e.chips) }));
    },
    drew: (e, name, _, memory) => {
      memory.bet = false;
      return line(e.count ? w('log.drew', { who: name(e.seat), n: e.count }) : w('log.pat', { who: name(e.seat) }));
    },
    shown: (e, name) => line(w('log.shows', { who: name(e.seat), cards: cardText(e.cards) })),
    mucked: (e, name) => line(w('log.mucks', { who: name(e.seat) })),
    turn: () => null,
    preActionDropped: () => line(w('log.dropped')),
    uncalled: (e, name) => line(w('log.uncalled', { who: name(e.seat), n: n(e.chips) })),
    won: (e, name) => line(w('log.wins', { who: name(e.seat), n: n(e.chips) })),
    handOver: (e) => (e.rake ? line(w('log.rake', { n: n(e.rake) })) : null),
    timeAdded: () => null,
    own: () => null,
    presence: (e, name) => line(w(e.away ? 'log.away' : 'log.back', { who: name(e.seat) })),
    clocks: () => null,
    levelUp: (e) => section(w('log.level', { n: e.level + 1 })),
    prize: (e, name) => (e.tokens ? line(w('log.prize', { who: name(e.seat), place: e.place, n: e.tokens })) : null),
    handEnd: (e) => (e.closed ? line(w('log.closed')) : null),
  },
});
