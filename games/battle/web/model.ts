// What the battle's cards do to each other, in words: the same table as the rules, read from the players' side.

import type { Card } from './types.ts';

/** A card, or nothing. */
export type Slot = Card | null;

export const CARDS: readonly Card[] = ['attack', 'defense', 'heal', 'counter'];
/** The colour of each card. */
export const TONES: Readonly<Record<Card, string>> = {
  attack: 'var(--p-red)',
  defense: 'var(--p-blue)',
  heal: 'var(--p-green)',
  counter: 'var(--p-violet)',
};
export const SLOTS = 3;
export const MAX_HP = 10;

const hurts = (mine: Slot, theirs: Slot): boolean =>
  mine === 'attack' && theirs === 'counter' ? true : theirs === 'attack' && mine !== 'defense' && mine !== 'counter';

/** HP after one step, for both. */
export function resolve([a, b]: [Slot, Slot], [ha, hb]: [number, number]): [number, number] {
  const after = (mine: Slot, theirs: Slot, hp: number) =>
    Math.max(0, (mine === 'heal' ? Math.min(MAX_HP, hp + 1) : hp) - (hurts(mine, theirs) ? 2 : 0));
  return [after(a, b, ha), after(b, a, hb)];
}

/** How a step can come out: each has its words. */
export type Effect = 'both' | 'counter' | 'defense' | 'healHit' | 'hit' | 'heal' | 'nothing';
/** Why the step came out as it did. */
export function effect([a, b]: [Slot, Slot]): Effect {
  const pair = new Set([a, b]);
  if (a === 'attack' && b === 'attack') return 'both';
  if (pair.has('attack')) {
    if (pair.has('counter')) return 'counter';
    if (pair.has('defense')) return 'defense';
    if (pair.has('heal')) return 'healHit';
    return 'hit';
  }
  if (pair.has('heal')) return 'heal';
  return 'nothing';
}

/** HP at the start of a round, from what was turned over in it: steps are undone one by one by playing them forward. */
export function hpBefore(shown: readonly [Slot, Slot][], now: [number, number]): [number, number][] {
  // HP are capped, so a step cannot be inverted alone; a start that leads to `now` is looked for instead.
  for (let a = MAX_HP; a >= 0; a--) {
    for (let b = MAX_HP; b >= 0; b--) {
      const path: [number, number][] = [[a, b]];
      for (const step of shown)
        path.push(
          path[path.length - 1].some((hp) => hp === 0) ? path[path.length - 1] : resolve(step, path[path.length - 1]),
        );
      const end = path[path.length - 1];
      if (end[0] === now[0] && end[1] === now[1]) return path;
    }
  }
  return [now];
}
