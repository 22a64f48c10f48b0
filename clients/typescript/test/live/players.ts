/** People who answer whatever they are asked, and how their answers are accounted for. */

import { expect } from 'vitest';

import {
  boundsOf,
  type Api,
  type Choice,
  type Prompt,
  type PickInput,
  type Result,
  type TableClient,
  type TableState,
} from '../../src/index.ts';

/** Luck that is the same on every run. */
export function luck(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks that a request takes, as few as it lets one. */
export function picks(of: Pick<Prompt, 'choices' | 'min' | 'max' | 'count'>, random: () => number): PickInput[] {
  const open = (of.choices ?? []).filter((choice) => !choice.whyNot && !choice.extra);
  const [min] = boundsOf(of);
  const shuffled = open
    .map((choice) => [random(), choice] as const)
    .sort(([a], [b]) => a - b)
    .map(([, choice]) => choice);
  return shuffled
    .slice(0, min)
    .map((choice: Choice) =>
      choice.choices?.length
        ? { title: choice.title, ...(choice.id !== undefined && { id: choice.id }), selection: picks(choice, random) }
        : choice,
    );
}

/** Waits for a state, which will not come where the client has given up. */
export async function open<View, Event>(
  table: TableClient<View, Event>,
  is: (state: TableState<View, Event>) => boolean,
): Promise<TableState<View, Event>> {
  const state = await table.until((state) => state.status === 'closed' || is(state));
  if (state.closed) throw new Error(`closed: ${state.closed.code}, ${state.closed.message}`);
  return state;
}

/** Plays until the match is over; every result, in order. `meanwhile` runs before each answer. */
export async function playOut<View, Event>(
  table: TableClient<View, Event>,
  random: () => number = Math.random,
  meanwhile: (request: Prompt) => Promise<void> | void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  const asked = () => table.state.requests.find(({ kind }) => kind === 'request');
  for (;;) {
    const state = await open(
      table,
      ({ over, status, pending, paused }) =>
        over !== undefined || (status === 'live' && !pending && !paused && asked() !== undefined),
    );
    if (state.over) return results;
    const request = asked()!;
    await meanwhile(request);
    const result = await table.answer(request, ...picks(request, random));
    // Refused before it was sent: these picks are the test's own mistake.
    if (!result.accepted && result.requestKey === '') throw new Error(`${result.message}: ${JSON.stringify(request)}`);
    results.push(result);
  }
}

/** What the client has put together is what the server shows it. */
export async function sameAsServer<View, Event>(api: Api, table: TableClient<View, Event>): Promise<void> {
  const { token, tableId } = table.state;
  const { snapshot } = await (token === undefined ? api : api.as(token)).match(tableId);
  // What the server has said by then may still be on its way.
  await open(table, (state) => state.v >= snapshot!.v);
  const { v, branchId, matchNo, view, viewHash, requests } = table.state;
  const timeless = (all: readonly Prompt[]) => all.map(({ deadlineTs: _, ...rest }) => rest);
  expect({ branchId, matchNo, view, viewHash, requests: timeless(requests) }).toEqual({
    branchId: snapshot!.branchId,
    matchNo: snapshot!.matchNo,
    view: snapshot!.view,
    viewHash: snapshot!.viewHash,
    requests: timeless(snapshot!.requests),
  });
  expect(v).toBe(snapshot!.v);
}
