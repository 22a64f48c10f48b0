// A player's rating over their last matches, as points of a small graph.

import type { Played } from '@parlor/client';

/** The rating after each of the last rated matches in one game, oldest first; the last one is the rating now. */
export function ratingSteps(matches: readonly Played[], game: string, now: number): number[] {
  const steps = [now];
  // Newest first: what a match gave is taken back to know what was before it. Nobody falls below zero.
  for (const { points } of matches.filter((match) => match.game === game && match.points !== null))
    steps.push(Math.max(0, steps.at(-1)! - points!));
  return steps.reverse();
}

/** The same as the `points` of a line in a box; nothing for fewer than two. */
export function graphPoints(steps: readonly number[], width: number, height: number): string {
  if (steps.length < 2) return '';
  const [low, high] = [Math.min(...steps), Math.max(...steps)];
  const x = (n: number) => (n / (steps.length - 1)) * width;
  const y = (value: number) => (high === low ? height / 2 : height - ((value - low) / (high - low)) * height);
  return steps.map((value, n) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}
