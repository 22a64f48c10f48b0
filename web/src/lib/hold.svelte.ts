// What was just over stays on the table for a moment: nobody should miss the last of it. In a replay it stays for as
// long as its moment is looked at, and in pictures for good.

import { clock } from './clock.svelte.ts';
import type { TableModel } from './model.ts';

const HOLD_MS = 1400;
/** Whoever is asked with new things on the table needs to see those. */
const HOLD_ASKED_MS = 750;

export class Hold {
  #looked = $state(-1);
  readonly #model: TableModel;
  readonly #told: () => number;

  /**
   * While a layout stands: `told` is the version that told of it, -1 for nothing; `asked` whether it is in the viewer's
   * way.
   */
  constructor(model: TableModel, told: () => number, asked: () => boolean) {
    this.#model = model;
    this.#told = told;
    let since = { v: -1, at: 0 };
    $effect(() => {
      const v = told();
      const long = asked() ? HOLD_ASKED_MS : HOLD_MS;
      if (v < 0 || model.past || clock.still) return;
      if (since.v !== v) since = { v, at: performance.now() };
      const timer = setTimeout(() => (this.#looked = v), Math.max(0, since.at + long - performance.now()));
      return () => clearTimeout(timer);
    });
  }

  /** Whether it is to be seen. */
  get on(): boolean {
    const v = this.#told();
    return v >= 0 && (this.#model.past ? v === this.#model.state.v : v > this.#looked);
  }
}
