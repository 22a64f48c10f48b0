import { describe, expect, it } from 'vitest';
import { leftOf } from '../../src/lib/clock.svelte.ts';
import { follow, grouped, stopwatch, withClocks } from '../../src/lib/waits.svelte.ts';

const asked = (seat: number, question: number, deadline?: number) => [{ seat, question, deadline }];

describe('how long somebody is waited for', () => {
  it('counts from what this page saw itself, and from nothing where it came too late', () => {
    const first = follow(undefined, asked(2, 1), 't', 1000);
    expect(first.get(2)?.since).toBeUndefined();
    expect(follow(first, asked(2, 1), 't', 9000).get(2)?.since, 'still the same question').toBeUndefined();
    const next = follow(first, asked(2, 7), 't', 9000);
    expect(next.get(2)?.since, 'the same player, another question').toBe(9000);
    expect(follow(next, asked(2, 7), 't', 12_000).get(2)?.since).toBe(9000);
    expect(follow(next, asked(3, 8), 't', 12_000)).toEqual(new Map([[3, { of: 't:3:8', since: 12_000 }]]));
  });

  it('has a deadline only where one was told', () => {
    expect(follow(new Map(), asked(1, 1, 5000), 't', 10).get(1)).toEqual({ of: 't:1:1', since: 10, deadline: 5000 });
    expect(follow(new Map(), asked(1, 1), 't', 10).get(1)).not.toHaveProperty('deadline');
  });

  it('goes on for those who are left of a group, and begins anew for everybody else', () => {
    const all = grouped(undefined, [0, 1, 2], 4);
    expect(grouped(all, [1, 2], 5).question).toBe(4);
    expect(grouped(all, [0, 1, 2], 5).question, 'all of them, once more').toBe(5);
    expect(grouped(grouped(all, [1], 5), [2], 6).question).toBe(6);
  });

  it('is by the clock that everybody is told, and as before for a seat without one', () => {
    const clocks = [
      { seat: 1, until: 500, bankMs: 30_000, deadlineTs: 9000 },
      { seat: 3, until: 700, deadlineTs: 8000 },
      { seat: 4, until: 800 },
    ];
    expect(withClocks([...asked(1, 7), ...asked(2, 7), ...asked(4, 7)], clocks)).toEqual([
      ...asked(2, 7),
      ...asked(4, 7),
      { seat: 1, question: 'until 500', deadline: 9000, bankMs: 30_000 },
      { seat: 3, question: 'until 700', deadline: 8000, bankMs: undefined },
    ]);
    const waits = follow(new Map(), withClocks([], clocks.slice(0, 1)), 't', 10);
    expect(waits.get(1)).toEqual({ of: 't:1:until 500', since: 10, deadline: 9000, bankMs: 30_000 });
  });

  it('is the free time first, and then the bank', () => {
    expect(leftOf(50_000, 30_000, 8_000)).toEqual({ free: 12_000, bank: 30_000, banking: false, seconds: 12 });
    expect(leftOf(50_000, 30_000, 26_000)).toEqual({ free: 0, bank: 24_000, banking: true, seconds: 24 });
    expect(leftOf(50_000, 0, 46_500)).toEqual({ free: 3500, bank: 0, banking: false, seconds: 4 });
    expect(leftOf(50_000, 0, 60_000)).toMatchObject({ banking: false, seconds: 0 });
    expect(leftOf(50_000, 30_000, 60_000)).toMatchObject({ banking: true, seconds: 0 });
  });

  it('is written as on a stopwatch', () => {
    expect([0, 5400, 61_000, 725_000].map(stopwatch)).toEqual(['0:00', '0:05', '1:01', '12:05']);
  });
});
