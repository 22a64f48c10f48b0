// A long clock of the table, counted down between two words of the server: it is never ahead by more than one of them.

import { clock } from '$shell/lib/clock.svelte.ts';
import { stopwatch } from '$shell/lib/waits.svelte.ts';
import type { ClockView } from './types.ts';

export class Countdown {
  #seen: { leftMs: number; at: number } | undefined = $state.raw();

  /** While a screen stands. */
  constructor(of: () => ClockView | undefined) {
    $effect(() => clock.watch());
    $effect.pre(() => {
      const leftMs = of()?.leftMs;
      this.#seen = leftMs === undefined ? undefined : { leftMs, at: clock.steadyAt() };
    });
  }

  get ms(): number | undefined {
    return this.#seen && Math.max(0, this.#seen.leftMs - (clock.steady - this.#seen.at));
  }

  /** Minutes and seconds; nothing where no clock runs. */
  get text(): string {
    return this.ms === undefined ? '' : stopwatch(this.ms);
  }
}
