// The score of hearts, deal by deal, from what was told as each ended.

import type { Event, View } from './types.ts';

/** As a deal ends: who took how many points, everybody's total, and who took them all. */
export type Scored = Extract<Event, { type: 'scored' }>;
export const isScored = (event: Event): event is Scored => event.type === 'scored';

export interface Deal {
  /** Counted from 1; none for what was before the first that is known. */
  readonly n: number | undefined;
  /** What it cost each seat. */
  readonly cost: readonly number[];
  readonly moon: number | undefined;
}

const ALL = 26;
/** Whoever has taken everything pays nothing, and the others pay it all. */
const costOf = ({ points, moon }: Scored): number[] =>
  points.map((n, seat) => (typeof moon === 'number' ? (seat === moon ? 0 : ALL) : n));

/**
 * All deals that are over. Of those that this page was never told there is one row together: the totals must come out.
 */
export function dealsOf(scored: readonly Scored[], over: number): Deal[] {
  const first = scored[0];
  const known = scored.map((each, n): Deal => ({
    n: over - scored.length + n + 1,
    cost: costOf(each),
    moon: each.moon ?? undefined,
  }));
  const before = first ? first.scores.map((sum, seat) => sum - known[0].cost[seat]) : [];
  return before.some((sum) => sum !== 0) ? [{ n: undefined, cost: before, moon: undefined }, ...known] : known;
}

const TRICKS = 13;
/**
 * Where a match is, as people count. The view counts the deals that are over: after the last of a match there is no
 * other.
 */
export function whereOf({ deal, passing, tricks }: Pick<View, 'deal' | 'passing' | 'tricks'>): {
  readonly deal: number;
  readonly trick?: number;
} {
  if (tricks >= TRICKS) return { deal };
  return passing ? { deal: deal + 1 } : { deal: deal + 1, trick: tricks + 1 };
}
