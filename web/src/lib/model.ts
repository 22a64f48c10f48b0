// What a table's screen is given: the same for a live table, a replay and a fixture. The screen keeps no truth of its
// own.

import type { Json, Prompt, Result, TableState } from '@parlor/client';
import type { LogLine } from './log.ts';

/** Whatever a game shows or tells: only its own screen knows the shape. */
export type View = unknown;

/** A table of a game with these views and events. */
export interface TableModel<V = View, E = View> {
  readonly id: string;
  /** The name of the game; empty while it is not known. */
  readonly game: string;
  /** With a view: before there is one, no screen of a game is shown. */
  readonly state: TableState<V, E> & { readonly view: V };
  readonly log: readonly LogLine[];
  /** What was told and is looked up for the whole match: how each part of it ended. */
  readonly lasting?: readonly E[];
  /** Shows a moment of the past: nothing can be pressed. */
  readonly past?: boolean;
  /** In pictures: for how long whoever is waited for has been. */
  readonly waitedMs?: number;
  /** All views of one moment, by seat, where everything may be seen. */
  readonly open?: readonly (V | undefined)[];
  submit(request: Prompt, answer: Json): Promise<Result | undefined>;
}

/** The seat that looks; in a replay the one whose eyes are borrowed. */
export const seatOf = (model: TableModel): number | undefined => model.state.seat;

/** Names by seat, with `you` where it is the viewer's own. */
export function namesOf(model: TableModel, you: string): string[] {
  return model.state.seats.map((seat, n) => (n === model.state.seat && !model.past ? you : seat.name || `${n + 1}`));
}

/** A long name where there is little room: its first word, or its beginning. */
export function shortName(name: string): string {
  if ([...name].length <= 8) return name;
  const first = name.split(/[\s_-]/)[0] ?? '';
  const short = [...first].length >= 2 ? first : name;
  return [...short].length > 10 ? `${[...short].slice(0, 9).join('')}…` : short;
}

/** Seats in the order in which a player sees them: their own first, then to their left. */
export function around(seats: number, from: number | undefined): number[] {
  return Array.from({ length: seats }, (_, n) => ((from ?? 0) + n) % seats);
}

/** Who is waited for: beside the question, until they have answered. */
export interface Who {
  readonly name: string;
  readonly seat: number;
  readonly bot: boolean;
}
export const whoOf = (model: TableModel, names: readonly string[], seat: number): Who => ({
  name: names[seat] ?? '',
  seat,
  bot: !!model.state.seats[seat]?.isBot,
});

/** What happened last, while somebody else is waited for. */
export function lastOf(model: TableModel): string {
  const line = model.past ? undefined : model.log[model.log.length - 1];
  return line && !line.section && !line.undone ? line.text : '';
}
