// The viewer's own seat: what it may do beside the hand, and saying it.

import type { Json, Prompt } from '@parlor/client';
import type { TableModel } from '$shell/lib/model.ts';
import type { Event, OwnView, SeatView, View } from './types.ts';

/** The title of the offer in which a seat says what it wants. */
const OFFER = 'At the table';
/** How long what a player wants is said again, and how often. */
const WANTED_MS = 5000;
const AGAIN_MS = 50;

export class Seat {
  readonly #model: TableModel<View, Event>;
  /** What was wanted last. */
  #wish: symbol | undefined;

  constructor(model: TableModel<View, Event>) {
    this.#model = model;
  }

  get offer(): Prompt | undefined {
    if (this.#model.past) return undefined;
    return this.#model.state.requests.find((request) => request.kind === 'offer' && request.title === OFFER);
  }

  /** As everybody sees it. */
  get own(): SeatView | undefined {
    const { seat, view } = this.#model.state;
    return seat === undefined ? undefined : (view.seats[seat] ?? undefined);
  }

  /** What only its player knows. */
  get mine(): OwnView | undefined {
    return this.#model.state.view.own ?? undefined;
  }

  get busy(): boolean {
    const { pending, status, paused } = this.#model.state;
    return pending !== undefined || status !== 'live' || paused !== undefined;
  }

  /** Whether the table has this: a straddle, a second board. */
  has(action: string): boolean {
    const actions = this.offer?.allowsAction;
    return Array.isArray(actions) && actions.includes(action);
  }

  /**
   * 0 play, 1 wait for the big blind, 2 pause, 3 leave. It is said until it is taken, or something else is wanted:
   * between two hands nothing is asked, and what is said may come too late for a hand.
   */
  async want(intent: number): Promise<void> {
    const wish = (this.#wish = Symbol(String(intent)));
    const until = Date.now() + WANTED_MS;
    while (this.#wish === wish && Date.now() < until) {
      const said =
        this.offer && !this.busy ? await this.#model.submit(this.offer, { type: 'intent', intent }) : undefined;
      if (said && (said.accepted || !said.conflict)) return;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }

  say(answer: { readonly type: string } & { readonly [key: string]: Json }): void {
    if (this.offer && !this.busy) void this.#model.submit(this.offer, answer);
  }
}
