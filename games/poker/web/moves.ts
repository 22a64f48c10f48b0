// How chips move: a bet goes to the pots when its street is over, and what is won comes from there.

import type { TransitionConfig } from 'svelte/transition';

/** Milliseconds; a page that should not move has none. */
const MOVE_MS = 350;

function path(node: Element): { x: number; y: number; ms: number } {
  const pots = node.closest('.pfelt')?.querySelector('.pkmid');
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!pots || still) return { x: 0, y: 0, ms: 0 };
  const [from, to] = [node.getBoundingClientRect(), pots.getBoundingClientRect()];
  return {
    x: to.left + to.width / 2 - from.left - from.width / 2,
    y: to.top + to.height / 3 - from.top - from.height / 2,
    ms: MOVE_MS,
  };
}

/** Leaves towards the pots. */
export function toPot(node: Element): TransitionConfig {
  const { x, y, ms } = path(node);
  return {
    duration: ms,
    css: (t, u) => `transform: translate(${x * u}px, ${y * u}px); opacity: ${Math.min(1, t * 3)}`,
  };
}

/** Comes from the pots. */
export const fromPot = toPot;
