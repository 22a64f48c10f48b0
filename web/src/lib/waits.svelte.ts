// Who is waited for, and for how long, as far as this page can know it. Where everybody may know it, the server has a
// clock for each seat. Elsewhere nobody is told another player's deadline. What is known then: who is waited for, where
// the game's own view says so; since when, from what this page has seen itself; and the viewer's own deadline, which is
// everybody's whom the same question asks in the same moment.

import type { Prompt, SeatClock } from '@parlor/client';
import { clock } from './clock.svelte.ts';
import type { TableModel } from './model.ts';

/** Somebody's time: until when, or since when. Neither, where they were waited for before this page was there. */
export interface Wait {
  readonly deadline?: number;
  /** The part of it, at its end, that is taken from their bank. */
  readonly bankMs?: number;
  /** In milliseconds of the page's own steady clock. */
  readonly since?: number;
  /** One for each stretch of waiting. */
  readonly of: string;
}

/** Somebody who is waited for, by what everybody may know. */
export interface Waited {
  readonly seat: number;
  /** Which question it is: another one, another stretch. */
  readonly question: string | number;
  /** When their time is over, where that was told. */
  readonly deadline?: number | undefined;
  readonly bankMs?: number | undefined;
}

/** Pure: who is waited for, with the clocks that everybody is told. A seat without one stays as it is. */
export function withClocks(waited: readonly Waited[], clocks: readonly SeatClock[]): Waited[] {
  const told = clocks.filter((each) => each.deadlineTs !== undefined);
  const has = (seat: number) => told.some((each) => each.seat === seat);
  return [
    ...waited.filter(({ seat }) => !has(seat)),
    ...told.map(({ seat, until, deadlineTs, bankMs }) => ({
      seat,
      question: `until ${until}`,
      deadline: deadlineTs,
      bankMs,
    })),
  ];
}

/** The viewer's own time for a request, with their bank where a clock tells it. */
export interface OwnTime {
  readonly deadline: number;
  readonly of: string;
  readonly bankMs?: number;
}
export function timeOf(model: TableModel, request: Prompt | undefined): OwnTime | null {
  if (!request?.deadlineTs) return null;
  const { seat, clocks } = model.state;
  const own = clocks.find((each) => each.seat === seat && each.until === request.until);
  return {
    deadline: request.deadlineTs,
    of: `${model.id}:${request.inputId}`,
    ...(own?.bankMs !== undefined && { bankMs: own.bankMs }),
  };
}

/** Pure: the waits that follow from those before. The first look at a table knows of nobody since when. */
export function follow(
  before: ReadonlyMap<number, Wait> | undefined,
  now: readonly Waited[],
  id: string,
  at: number,
): Map<number, Wait> {
  return new Map(
    now.map(({ seat, question, deadline, bankMs }) => {
      const of = `${id}:${seat}:${question}`;
      const known = before?.get(seat);
      const since = known?.of === of ? known.since : before ? at : undefined;
      return [
        seat,
        {
          of,
          ...(since !== undefined && { since }),
          ...(deadline !== undefined && { deadline }),
          ...(bankMs !== undefined && { bankMs }),
        },
      ];
    }),
  );
}

/** Several who are asked together: as long as they only get fewer, it is the same question. */
export interface Group {
  readonly seats: readonly number[];
  readonly question: number;
}
export function grouped(before: Group | undefined, seats: readonly number[], told: number): Group {
  const fewer =
    before !== undefined && seats.length < before.seats.length && seats.every((seat) => before.seats.includes(seat));
  return { seats, question: fewer ? before.question : told };
}

/** The last thing that was told: where turns follow each other, the question is another one with it. */
export const lastTold = (model: TableModel): number => model.state.events[model.state.events.length - 1]?.v ?? -1;

export class Waits {
  #now: ReadonlyMap<number, Wait> | undefined = $state.raw();

  /** While a layout stands: `who` says who is waited for beside the viewer. */
  constructor(model: TableModel, who: () => readonly Waited[]) {
    let kept: ReadonlyMap<number, Wait> | undefined;
    let live = false;
    $effect.pre(() => {
      const { seat: me, over, status, clocks } = model.state;
      const waited = model.past || over ? [] : withClocks(who(), clocks).filter(({ seat }) => seat !== me);
      // What passed while nobody was connected was not seen.
      const before = status === 'live' && live ? kept : undefined;
      live = status === 'live';
      kept = follow(
        model.waitedMs === undefined ? before : new Map(),
        waited,
        model.id,
        clock.steadyAt() - (model.waitedMs ?? 0),
      );
      this.#now = kept;
    });
  }

  of(seat: number): Wait | undefined {
    return this.#now?.get(seat);
  }
}

/** Minutes and seconds, as a stopwatch has them. */
export const stopwatch = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
