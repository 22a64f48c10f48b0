/** A spectator's wish for a seat: one at a time, until the server has said yes or no to it. */

import type { Link, Sent } from './link.ts';
import type { KeptSeat, SeatResult, SitOrder } from './types.ts';

type Wish =
  | { readonly kind: 'keep'; readonly done: (result: SeatResult<KeptSeat>) => void }
  | { readonly kind: 'sit'; readonly order: SitOrder; readonly done: (result: SeatResult<Seated>) => void };
type Seated = { readonly seat: number | undefined };

export class Seating {
  readonly #link: Link;
  #wish: Wish | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  /** The seat that is being taken: a new connection goes on with that, since nobody knows how far it came. */
  get sitting(): SitOrder | undefined {
    return this.#wish?.kind === 'sit' ? this.#wish.order : undefined;
  }

  keep(seat: number | undefined): Promise<SeatResult<KeptSeat>> {
    return new Promise((done) =>
      this.#launch({ kind: 'keep', done }, { type: 'reserve_seat', ...(seat !== undefined && { seat }) }),
    );
  }

  sit(order: SitOrder): Promise<SeatResult<Seated>> {
    return new Promise((done) => this.#launch({ kind: 'sit', order, done }, { type: 'sit_down', ...fields(order) }));
  }

  kept(seat: KeptSeat): void {
    if (this.#wish?.kind === 'keep') this.#end(this.#wish.done, { accepted: true, ...seat });
  }

  seated(seat: number | undefined): void {
    if (this.#wish?.kind === 'sit') this.#end(this.#wish.done, { accepted: true, seat });
  }

  /** Says no to whatever is wished; whether there was anything. */
  refuse(code: string, message: string): boolean {
    if (!this.#wish) return false;
    this.#end(this.#wish.done, { accepted: false, code, message });
    return true;
  }

  /** The connection is gone. What is only kept for us is no more; what was bought may be ours. */
  lost(): void {
    clearTimeout(this.#timer);
    if (this.#wish?.kind === 'keep') this.refuse(...NOT_CONNECTED);
  }

  #launch(wish: Wish, message: Sent): void {
    if (this.#wish) return wish.done({ accepted: false, code: 'pending', message: 'a wish is on its way already' });
    this.#wish = wish;
    if (!this.#link.send(message)) return void this.refuse(...NOT_CONNECTED);
    this.#timer = setTimeout(() => this.#link.again('no result'), this.#link.timing.resultMs);
  }

  #end<Given>(done: (result: SeatResult<Given>) => void, result: SeatResult<Given>): void {
    clearTimeout(this.#timer);
    this.#wish = undefined;
    done(result);
  }
}

const NOT_CONNECTED = ['not_connected', 'there is no connection'] as const;

/** A wish in the server's words. */
export const fields = ({ seat, buyIn }: SitOrder): { seat?: number; buy_in?: number } => ({
  ...(seat !== undefined && { seat }),
  ...(buyIn !== undefined && { buy_in: buyIn }),
});
