import { describe, expect, it } from 'vitest';
import { dealsOf, type Scored, whereOf } from './model.ts';

const scored = (points: Scored['points'], scores: Scored['scores'], moon: number | null = null): Scored => ({
  type: 'scored',
  points,
  scores,
  moon,
});

describe('the score of each deal', () => {
  it('is what it cost: whoever shot the moon pays nothing, the others everything', () => {
    expect(dealsOf([scored([5, 13, 4, 4], [5, 13, 4, 4]), scored([0, 26, 0, 0], [31, 13, 30, 30], 1)], 2)).toEqual([
      { n: 1, cost: [5, 13, 4, 4], moon: undefined },
      { n: 2, cost: [26, 0, 26, 26], moon: 1 },
    ]);
  });

  it('has one row for all that was before the first that was told', () => {
    expect(dealsOf([scored([6, 1, 1, 18], [11, 16, 22, 29])], 3)).toEqual([
      { n: undefined, cost: [5, 15, 21, 11], moon: undefined },
      { n: 3, cost: [6, 1, 1, 18], moon: undefined },
    ]);
    expect(dealsOf([], 0)).toEqual([]);
  });
});

describe('where a match is', () => {
  it('is counted from one, and after the last trick it is still the last deal', () => {
    expect(whereOf({ deal: 0, passing: true, tricks: 0 })).toEqual({ deal: 1 });
    expect(whereOf({ deal: 4, passing: false, tricks: 1 })).toEqual({ deal: 5, trick: 2 });
    expect(whereOf({ deal: 10, passing: false, tricks: 13 })).toEqual({ deal: 10 });
  });
});
