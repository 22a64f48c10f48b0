// A match that is over, as a list of moments. Where marks and headings come from, and how to step between them.

import type { ReplayStep } from '@parlor/client';
import { type LogLine, type Mark, joined } from './log.ts';
import { t } from './i18n/index.svelte.ts';
import { tell } from './tell.ts';

export interface Moment {
  readonly lines: readonly LogLine[];
  /** Begins a new part of the match: a deal, a round. */
  readonly section: string;
  /** Somebody thought for so long before it, in milliseconds; 0 for an ordinary move. */
  readonly thought: number;
  /** What its lines say is worth one. */
  readonly mark: Mark | undefined;
}

/** From here on a pause is worth a mark. */
const LONG_THINK_MS = 8_000;

/** Something that was taken back leads to a moment that was there before, and tells nothing. */
function wentBack(steps: readonly ReplayStep[], n: number): boolean {
  const seen = (at: number) => JSON.stringify(steps[at].view);
  if (n === 0 || (steps[n].events ?? []).length > 0 || seen(n) === seen(n - 1)) return false;
  return steps.slice(0, n - 1).some((_, at) => seen(at) === seen(n));
}

/** The moments of a match as the player at `own` saw it, or as everybody may see it now. */
export function momentsOf(
  game: string,
  steps: readonly ReplayStep[],
  name: (seat: number) => string,
  own?: number,
): Moment[] {
  const memory = {};
  return steps.map((step, n) => {
    const told = (step.events ?? []).reduce<LogLine[]>(
      (log, event) => joined(log, tell(game, event, name, own, memory)),
      [],
    );
    const lines = told.length === 0 && wentBack(steps, n) ? [{ text: t('log.undone') }] : told;
    const before = n > 0 ? (steps[n - 1].at ?? 0) : 0;
    const pause = (step.at ?? 0) - before;
    return {
      lines,
      section: lines.find((line) => line.section)?.text ?? '',
      thought: n > 0 && pause >= LONG_THINK_MS ? pause : 0,
      mark: lines.find((line) => line.mark)?.mark,
    };
  });
}

/** The last line that a moment comes to, for lists. */
export const lineOf = (moment: Moment): string =>
  moment.lines
    .filter((line) => !line.section)
    .map((line) => line.text)
    .join(' ');

/** The place of the section before or after a place; the ends where there is none. */
export function sectionFrom(moments: readonly Moment[], at: number, step: 1 | -1): number {
  for (let n = at + step; n > 0 && n < moments.length; n += step) if (moments[n].section) return n;
  return step > 0 ? moments.length - 1 : 0;
}

export const clamp = (at: number, steps: number): number =>
  Math.max(0, Math.min(steps - 1, Number.isFinite(at) ? Math.trunc(at) : 0));
