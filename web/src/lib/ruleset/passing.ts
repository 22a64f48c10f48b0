// Cards that come to a zone and leave it in the same moment, such as the last card of a trick: no view ever has them
// there. What was told has: from it follows what lay together before it went.

import { type Moved, type Told, moveOf, movesSince } from './moves.ts';

export interface Passed {
  /** The version that told of it. */
  readonly v: number;
  /** What lay in each zone that no player owns, as views name cards. */
  readonly zones: ReadonlyMap<string, readonly { readonly id: string; readonly card: string; readonly by?: number }[]>;
  /** What came to such a zone since: it is not drawn together with what went before. */
  readonly since: ReadonlySet<string>;
  /** From there to wherever it went. */
  readonly moves: readonly Moved[];
}

/** The last time that something passed, as far as it is still known. */
export function passedBy(events: readonly Told[], titleOf: (card: string) => string): Passed | undefined {
  const told = events.flatMap((heard) => {
    const move = moveOf(heard.event);
    return move?.card?.id && move.card.card
      ? [{ v: heard.v, id: move.card.id, card: move.card.card, from: move.from, to: move.to }]
      : [];
  });
  const shared = told.filter(({ to }) => to.seat === undefined);
  for (let n = shared.length - 1; n >= 0; n--) {
    const { v } = shared[n];
    const moment = told.filter((move) => move.v === v);
    const passes = (zone: string) =>
      moment.some(
        (came, at) =>
          came.to.zone === zone &&
          came.to.seat === undefined &&
          moment.slice(at).some((went) => went.id === came.id && went.from.zone === zone),
      );
    const zones = [...new Set(moment.filter(({ to }) => to.seat === undefined).map(({ to }) => to.zone))].filter(
      passes,
    );
    if (!zones.length) {
      while (n > 0 && shared[n - 1].v === v) n--;
      continue;
    }
    const left = (zone: string) => moment.filter(({ from }) => from.zone === zone && from.seat === undefined);
    const by = (id: string, zone: string) =>
      shared.findLast((move) => move.id === id && move.to.zone === zone && move.v <= v)?.from.seat;
    return {
      v,
      zones: new Map(
        zones.map((zone) => [
          zone,
          left(zone).map(({ id, card }) => {
            const seat = by(id, zone);
            return { id, card, ...(seat !== undefined && { by: seat }) };
          }),
        ]),
      ),
      since: new Set(shared.filter((move) => move.v > v).map((move) => move.id)),
      moves: [
        ...zones.flatMap((zone) =>
          left(zone).map(({ id, card, from, to }) => ({ card: id, title: titleOf(card), from, to })),
        ),
        ...movesSince(events, v, titleOf),
      ],
    };
  }
  return undefined;
}
