// A view of any game as things to draw: facts, zones of cards or words, and numbers that belong to seats. It only reads
// shapes: a list as long as there are seats belongs to them, a list of texts is a zone, a plain value is a fact.

import type { Json } from '@parlor/client';
import { face } from '../art/cards.ts';

export interface Zone {
  readonly name: string;
  readonly items: readonly string[];
  /** Whether all of it are playing cards. */
  readonly cards: boolean;
}

export interface Shown {
  readonly facts: [string, string | number | boolean][];
  readonly zones: Zone[];
  readonly perSeat: [string, (string | number)[]][];
  readonly seatZones: Zone[][];
  /** Whose turn it is, where the view says so. */
  readonly active: number | undefined;
}

const TURN = ['turn', 'active', 'current', 'player', 'mover'];
/** Kept by the screen in other places. */
const SKIPPED = ['log', 'seat'];
const ZONES_ITEMS_MAX = 60;

const plain = (value: Json): value is string | number | boolean => value !== null && typeof value !== 'object';
const texts = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const zone = (name: string, items: readonly string[]): Zone => ({
  name,
  items: items.slice(0, ZONES_ITEMS_MAX),
  cards: items.length > 0 && items.every((item) => face(item) !== null),
});

export function zonesOf(view: Json, seats: number): Shown {
  const shown: Shown = {
    facts: [],
    zones: [],
    perSeat: [],
    seatZones: Array.from({ length: seats }, () => []),
    active: undefined,
  };
  let active: number | undefined;
  const object =
    view !== null && typeof view === 'object' && !Array.isArray(view) ? (view as { [key: string]: Json }) : {};
  for (const [key, value] of Object.entries(object)) {
    if (SKIPPED.includes(key) || value === null) continue;
    if (TURN.includes(key) && typeof value === 'number' && value < seats) active = value;
    else if (plain(value)) shown.facts.push([key, value]);
    else if (
      Array.isArray(value) &&
      value.length === seats &&
      seats > 1 &&
      value.every((item) => typeof item === 'number')
    ) {
      shown.perSeat.push([key, value]);
    } else if (
      Array.isArray(value) &&
      value.length === seats &&
      value.every((item) => item !== null && typeof item === 'object' && !Array.isArray(item))
    ) {
      ofSeats(value as { [key: string]: Json }[], shown);
    } else if (texts(value)) shown.zones.push(zone(key, value));
    else if (Array.isArray(value) && value.length === seats && value.every(texts)) {
      (value as string[][]).forEach((items, seat) => shown.seatZones[seat].push(zone(key, items)));
    }
  }
  return { ...shown, active };
}

/** One object for each seat: its numbers beside the name, its lists as zones. */
function ofSeats(rows: { [key: string]: Json }[], shown: Shown): void {
  for (const key of Object.keys(rows[0] ?? {})) {
    const values = rows.map((row) => row[key] ?? null);
    if (values.every((value) => typeof value === 'number' || typeof value === 'string'))
      shown.perSeat.push([key, values]);
    else values.forEach((value, seat) => texts(value) && shown.seatZones[seat].push(zone(key, value)));
  }
}
