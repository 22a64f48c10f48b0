// One slow clock for every ring on the page. It runs only while somebody looks at it.

import { untrack } from 'svelte';

class Clock {
  now = $state(Date.now());
  /** Milliseconds since the page was there; whatever is done to the clock of the machine, it goes on evenly. */
  steady = $state(performance.now());
  #watchers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Fixtures stand still: their pictures must come out the same every time. */
  #frozen = false;

  watch(): () => void {
    if (++this.#watchers === 1 && !this.#frozen) {
      this.#tick();
      this.#timer = setInterval(() => this.#tick(), 200);
    }
    return () => {
      if (--this.#watchers === 0) clearInterval(this.#timer);
    };
  }

  #tick(): void {
    this.now = Date.now();
    this.steady = performance.now();
  }

  /** Whether it stands still, as in pictures. */
  get still(): boolean {
    return this.#frozen;
  }

  /** The time of the wall, without watching it. */
  at(): number {
    return this.#frozen ? this.now : Date.now();
  }

  /** The steady time, without watching it. */
  steadyAt(): number {
    return this.#frozen ? untrack(() => this.steady) : performance.now();
  }

  freeze(at: number): void {
    clearInterval(this.#timer);
    this.#frozen = true;
    this.now = at;
  }
}

export const clock = new Clock();

/** What is left of a time that ends at `deadline`, of which the last `bankMs` are taken from a bank. */
export interface Left {
  /** Of the free time, in milliseconds. */
  readonly free: number;
  readonly bank: number;
  /** Whether the free time is used up, and the bank runs. */
  readonly banking: boolean;
  /** Of whichever runs. */
  readonly seconds: number;
}
export function leftOf(deadline: number, bankMs: number, now: number): Left {
  const all = Math.max(0, deadline - now);
  const free = Math.max(0, all - bankMs);
  const bank = Math.min(all, bankMs);
  const banking = bankMs > 0 && free === 0;
  return { free, bank, banking, seconds: Math.ceil((banking ? bank : free) / 1000) };
}

/** Lengths that clocks usually have: a ring that is first seen half way through still starts from a round number. */
const LADDER = [5_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 3_600_000];
const seen = new Map<string, number>();

/** The whole length of a clock that runs out at `deadline`, as far as a client can know it. */
export function baseMs(key: string, leftMs: number): number {
  const known = seen.get(key);
  if (known !== undefined && known >= leftMs) return known;
  const base = LADDER.find((length) => length >= leftMs - 400) ?? leftMs;
  seen.set(key, base);
  return base;
}
