// Hands and people in words.

import { t, type Key } from '$shell/lib/i18n/index.svelte.ts';
import { cardsOf, ranksOf } from './model.ts';
import type { Made } from './types.ts';
import { w } from './words.en.ts';

const SIGNS: Record<string, string> = { c: '♣', d: '♦', h: '♥', s: '♠' };
/** `AsTd` as texts that are drawn as cards: `A♠ 10♦`. */
export const cardText = (cards: string): string =>
  cardsOf(cards)
    .map((card) => (card === '??' ? '·' : card[0].replace('T', '10') + SIGNS[card[1]]))
    .join(' ');

type Rank = 'many.2';
const many = (rank: string | undefined): string => (rank ? w(`many.${rank}` as Rank) : '');
const one = (rank: string | undefined): string => (rank ? t(`rank.${rank}` as Key) : '');
type Class = 'made.pair';

function nameOf(made: Made): string {
  const ranks = ranksOf(made);
  if (made.kind === 'badugi') return w('made.badugi', { n: ranks.length, ranks: ranks.join('-') });
  if (made.kind === 'low' && made.class === 'highCard') return w('made.low', { ranks: ranks.join('-') });
  if (made.class === 'straightFlush' && ranks[0] === 'A') return w('made.royal');
  return w(`made.${made.class}` as Class, { one: one(ranks[0]), many: many(ranks[0]), more: many(ranks[1]) });
}

/** What a hand is called: `Two pair, aces and jacks`; the high half before the low one. */
export function handName(made: readonly Made[]): string {
  if (made.length < 2) return made[0] ? nameOf(made[0]) : '';
  return w('made.both', { high: nameOf(made[0]), low: nameOf(made[1]) });
}

type Game = 'game.NT';
export const gameName = (variant: string): string => w(`game.${variant}` as Game);

/** The name of a hand inside of a sentence: ranks, as in `A-K-9 low`, stay as they are. */
export const inSentence = (hand: string): string =>
  hand.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
