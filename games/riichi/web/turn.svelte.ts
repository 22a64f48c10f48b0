// One question at the table and what its player has opened of it: riichi as a choice in two steps, the ways to make a
// call. It belongs to one request: with another one it is closed.

import type { TableModel } from '$shell/lib/model.ts';
import { Turn } from '$shell/lib/turn.svelte.ts';
import { type Asked, type Call, type Way, askedOf, discardOf, waysOf } from './model.ts';
import type { Event, View } from './types.ts';

/** What is being chosen; nothing, while every button is there. */
export type Mode = '' | 'riichi' | 'chi' | 'pon' | 'kan';

export class RiichiTurn extends Turn {
  readonly #table: TableModel<View, Event>;
  #opened: { id: number; mode: Mode } = $state.raw({ id: -1, mode: '' });

  constructor(model: TableModel<View, Event>) {
    super(model);
    this.#table = model;
  }

  get asked(): Asked {
    return this.#table.past ? '' : askedOf(this.request);
  }

  get mode(): Mode {
    return this.#opened.id === this.request?.inputId ? this.#opened.mode : '';
  }
  set mode(mode: Mode) {
    this.clear();
    this.#opened = { id: this.request?.inputId ?? -1, mode };
  }

  ways(call: Call): Way[] {
    return waysOf(this.request, call);
  }

  /** A call that can be made in one way is made; of several one is chosen. */
  call(call: Call): void {
    const ways = this.ways(call);
    if (ways.length === 1) this.take(ways[0].path);
    else if (ways.length > 1 && (call === 'chi' || call === 'pon' || call === 'kan')) this.mode = call;
  }

  /** The choice behind a tile of the hand; none where it cannot be discarded now. */
  discard(tile: number): string | undefined {
    return discardOf(this.request, tile, this.mode === 'riichi');
  }

  /** Passes, or discards what was drawn. */
  letGo(): void {
    if (this.asked === 'call') return this.call('pass');
    const drawn = this.#table.state.view.own?.drawn;
    const path =
      this.asked === 'turn' && this.mode === '' && typeof drawn === 'number' ? this.discard(drawn) : undefined;
    if (path !== undefined) this.take(path);
  }
}
