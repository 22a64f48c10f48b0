import { describe, expect, it } from 'vitest';
import { type Box, route } from '../../src/lib/ruleset/route.ts';

const card = (x: number, y: number): Box => ({ x, y, w: 52, h: 66 });
/** The corners of a path, with points between them close enough to see whatever it crosses. */
function points(d: string): [number, number][] {
  const numbers = [...d.matchAll(/([MLQ])([^MLQ]+)/g)].map(([, kind, rest]) => ({
    kind,
    at: rest.trim().split(/\s+/).map(Number),
  }));
  const all: [number, number][] = [];
  for (const { kind, at } of numbers) {
    const from = all[all.length - 1] ?? [at[0], at[1]];
    const [mx, my, x, y] = kind === 'Q' ? at : [(from[0] + at[0]) / 2, (from[1] + at[1]) / 2, at[0], at[1]];
    for (let n = 1; n <= 40; n++) {
      const t = n / 40;
      all.push([
        (1 - t) ** 2 * from[0] + 2 * t * (1 - t) * mx + t * t * x,
        (1 - t) ** 2 * from[1] + 2 * t * (1 - t) * my + t * t * y,
      ]);
    }
  }
  return all;
}
const crosses = (d: string, box: Box): boolean =>
  points(d).some(([x, y]) => Math.abs(x - box.x) < box.w && Math.abs(y - box.y) < box.h);
const onEdge = ([x, y]: [number, number], box: Box): boolean =>
  Math.abs(Math.abs(x - box.x) - box.w) < 1.5 || Math.abs(Math.abs(y - box.y) - box.h) < 1.5;

describe('the way of an arrow', () => {
  const rows = [190, 350].flatMap((y) => [265, 383, 501].map((x) => card(x, y)));
  const item: Box = { x: 874, y: 190, w: 106, h: 40 };

  it('is a bow where nothing is between', () => {
    expect(
      route(
        rows[0],
        rows[3],
        rows.filter((_, n) => n !== 0 && n !== 3),
        [],
      ),
    ).toMatch(/^M[\d. ]+Q[\d. ]+$/);
  });

  it('goes around every other card, from anything to anything', () => {
    const all = [...rows, item];
    for (const from of all) {
      for (const to of all.filter((each) => each !== from)) {
        const others = all.filter((each) => each !== from && each !== to);
        const d = route(from, to, others, []);
        for (const other of others)
          expect(crosses(d, other), `${d} from ${from.x},${from.y} to ${to.x},${to.y} over ${other.x},${other.y}`).toBe(
            false,
          );
        expect(onEdge(points(d).at(-1)!, to), 'and ends at the edge of its target').toBe(true);
        expect(onEdge(points(d)[0], from), 'having begun at that of its source').toBe(true);
      }
    }
  });

  it('goes around words too where it can, and through them where they stand across the whole table', () => {
    const name: Box = { x: 383, y: 270, w: 380, h: 8 };
    const label: Box = { x: 600, y: 270, w: 40, h: 8 };
    const others = rows.filter((_, n) => n !== 5);
    expect(crosses(route(item, rows[5], others, [label]), label)).toBe(false);
    const d = route(
      rows[2],
      rows[3],
      rows.filter((_, n) => n !== 2 && n !== 3),
      [name],
    );
    for (const other of rows.filter((_, n) => n !== 2 && n !== 3)) expect(crosses(d, other)).toBe(false);
  });

  it('comes to an end where cards lie upon each other', () => {
    const heap = Array.from({ length: 12 }, (_, n) => card(120 + n * 30, 190));
    expect(route(heap[0], heap[11], heap.slice(1, 11), [])).toMatch(/^M/);
  });
});
