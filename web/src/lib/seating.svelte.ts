// A free seat at a table where players come and go. The frame of a table says here whether the viewer may take one;
// plates of seats offer it, and where a table has none the frame does.

import { getContext, setContext, untrack } from 'svelte';
import type { CatalogGame } from '@parlor/client';
import type { LiveTable } from './live.svelte.ts';
import type { TableModel } from './model.ts';

/** How players take seats while a table runs. */
export type OpenSeating = NonNullable<CatalogGame['openSeating']>;

const KEY = Symbol('seating');

export class Seating {
  readonly #model: TableModel & Partial<LiveTable>;
  readonly #ask: (seat: number | undefined) => void;
  /** Plates that offer their free seat. */
  #offers = $state(0);

  constructor(model: TableModel & Partial<LiveTable>, ask: (seat: number | undefined) => void) {
    this.#model = model;
    this.#ask = ask;
  }

  /** Whether nobody sits there, at a table where somebody may. */
  isFree(seat: number): boolean {
    return this.#model.openSeating !== undefined && this.#model.state.seats[seat]?.name === '';
  }

  get free(): number {
    return this.#model.state.seats.filter((_, seat) => this.isFree(seat)).length;
  }

  /** Whether the viewer may take a free seat. */
  get mayTake(): boolean {
    const { status, over } = this.#model.state;
    return !!this.#model.spectator && !this.#model.past && status === 'live' && over === undefined;
  }

  /** Whether a plate offers a seat: then nobody else has to. */
  get offered(): boolean {
    return this.#offers > 0;
  }

  /** A plate offers its seat as long as it stands. */
  offer(): () => void {
    // Whoever offers must not come to depend on how many do.
    untrack(() => (this.#offers += 1));
    return () => untrack(() => (this.#offers -= 1));
  }

  /** The viewer wants this seat, or any. */
  ask(seat?: number): void {
    this.#ask(seat);
  }
}

export const provideSeating = (seating: Seating): Seating => setContext(KEY, seating);
/** The seating of the table around; none in a replay. */
export const seatingAround = (): Seating | undefined => getContext<Seating | undefined>(KEY);

/** An amount as it was typed: a whole number between the limits, or nothing. */
export function amountIn(typed: string | number | null | undefined, min: number, max: number): number | undefined {
  const amount = typeof typed === 'number' ? typed : Number(String(typed ?? '').trim() || Number.NaN);
  return Number.isSafeInteger(amount) && amount >= min && amount <= max ? amount : undefined;
}

/** What is proposed: as much as is allowed and owned. */
export const proposed = (min: number, max: number, owned: number | undefined): number =>
  Math.max(min, Math.min(max, owned ?? max));
