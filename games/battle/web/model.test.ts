import { describe, expect, it } from 'vitest';
import { CARDS, effect, hpBefore, resolve, type Slot } from './model.ts';

describe('the battle', () => {
  it('every pair comes out as in the rules', () => {
    const table: [Slot, Slot, number, number][] = [
      ['attack', 'attack', -2, -2],
      ['attack', 'defense', 0, 0],
      ['attack', 'heal', 0, -1],
      ['attack', 'counter', -2, 0],
      ['attack', null, 0, -2],
      ['defense', 'heal', 0, 1],
      ['counter', null, 0, 0],
      ['heal', 'heal', 1, 1],
      ['counter', 'counter', 0, 0],
      ['defense', 'counter', 0, 0],
    ];
    for (const [a, b, da, db] of table) {
      expect(resolve([a, b], [5, 5]), `${a} ${b}`).toEqual([5 + da, 5 + db]);
      expect(resolve([b, a], [5, 5]), `${b} ${a}`).toEqual([5 + db, 5 + da]);
    }
    expect(resolve(['heal', 'attack'], [10, 10]), 'a heal at full HP is lost').toEqual([8, 10]);
  });

  it('the way to the present HP is found again from what was turned over', () => {
    for (const a of [...CARDS, null])
      for (const b of [...CARDS, null]) {
        const steps: [Slot, Slot][] = [
          [a, b],
          ['attack', b],
          [a, 'attack'],
        ];
        const now = steps.reduce<[number, number]>((hp, step) => resolve(step, hp), [8, 7]);
        const path = hpBefore(steps, now);
        expect(path.at(-1)).toEqual(now);
        expect(path).toHaveLength(4);
      }
  });

  it('an effect has the same words from both sides', () => {
    for (const a of [...CARDS, null]) for (const b of [...CARDS, null]) expect(effect([a, b])).toBe(effect([b, a]));
  });
});
