// How browser tests are run: two at a time, some alone, and what failed once more.

import { expect, test } from 'vitest';
import { runPool, runTwice } from '../browser/pool.mjs';

/** Jobs that take a while, and note how many ran beside each of them. */
function watched() {
  let running = 0;
  const begun: string[] = [];
  const beside = new Map<string, number>();
  const run = async (job: string) => {
    begun.push(job);
    running++;
    for (const other of [...beside.keys(), job])
      if (!ended.has(other)) beside.set(other, Math.max(beside.get(other) ?? 0, running));
    await new Promise((done) => setTimeout(done, 5));
    running--;
    ended.add(job);
    return job.toUpperCase();
  };
  const ended = new Set<string>();
  return { run, begun, beside };
}

test('jobs begin in their order, two at a time, and results keep it', async () => {
  const { run, begun, beside } = watched();
  expect(await runPool(['a', 'b', 'c', 'd', 'e'], 2, run)).toEqual(['A', 'B', 'C', 'D', 'E']);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(Math.max(...beside.values())).toBe(2);
});

test('a job that must be alone runs when all others have ended', async () => {
  const { run, begun, beside } = watched();
  expect(await runPool(['a', 'b', 'c', 'd'], 2, run, (job) => job === 'a' || job === 'c')).toEqual([
    'A',
    'B',
    'C',
    'D',
  ]);
  expect(begun).toEqual(['b', 'd', 'a', 'c']);
  expect([beside.get('a'), beside.get('c')]).toEqual([1, 1]);
});

test('what failed is run once more, alone, and is flaky if it passes then', async () => {
  const times = new Map<string, number>();
  let running = 0;
  const run = async (job: string) => {
    const n = (times.get(job) ?? 0) + 1;
    times.set(job, n);
    running++;
    await new Promise((done) => setTimeout(done, 5));
    if (n === 2) expect(running).toBe(1);
    running--;
    return job === 'good' || (job === 'shaky' && n === 2);
  };
  expect(await runTwice(['bad', 'good', 'shaky'], 2, run)).toEqual(['failed', 'ok', 'flaky']);
  expect([...times.entries()].sort()).toEqual([
    ['bad', 2],
    ['good', 1],
    ['shaky', 2],
  ]);
});
