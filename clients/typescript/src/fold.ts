/** What a message makes of a state: the change, or what is wrong with it. Nothing here knows of connections. */

import { viewHash } from './canonical.ts';
import type { Snapshot, Update } from './generated/wire.ts';
import { patched } from './patch.ts';
import type { Desync, Heard, TableState } from './types.ts';

/** Chat lines and events that are kept. */
const KEPT_MAX = 200;

export type Folded<View, Event> = { readonly change: Partial<TableState<View, Event>> } | { readonly desync: Desync };

export function kept<T>(all: readonly T[], more: readonly T[]): readonly T[] {
  return more.length > 0 ? [...all, ...more].slice(-KEPT_MAX) : all;
}

export function withSnapshot<View, Event>(message: Snapshot): Folded<View, Event> {
  const { v, branchId, matchNo, view, requests, seats, clocks = [], commitment, paused, over } = message;
  const hash = viewHash(view);
  if (hash !== message.viewHash) return { desync: { v, why: 'hash', expected: message.viewHash, got: hash } };
  const players = seats.map((seat) => seat.name).filter((name) => name !== '');
  const change = {
    v,
    branchId,
    matchNo,
    view: view as View,
    viewHash: hash,
    requests,
    seats,
    clocks,
    players,
    commitment,
    paused,
    over,
  };
  return { change: { ...change, status: 'live', room: undefined } };
}

/** The view is checked against the server's after each update (000-16). */
export function withUpdate<View, Event>(state: TableState<View, Event>, message: Update): Folded<View, Event> {
  const { v, branchId } = message;
  let view: unknown;
  try {
    view = patched(state.view, message.patch);
  } catch (error) {
    return { desync: { v, why: 'patch', expected: message.viewHash, got: String((error as Error).message) } };
  }
  const hash = viewHash(view);
  if (hash !== message.viewHash) return { desync: { v, why: 'hash', expected: message.viewHash, got: hash } };
  const heard: Heard<Event>[] = message.events.map((event) => ({ v, event: event as Event }));
  return {
    change: {
      v,
      branchId,
      view: view as View,
      viewHash: hash,
      requests: message.requests ?? state.requests,
      clocks: message.clocks ?? state.clocks,
      over: message.over ?? state.over,
      events: kept(state.events, heard),
      // A match that is over waits for nothing.
      paused: message.over ? undefined : state.paused,
    },
  };
}
