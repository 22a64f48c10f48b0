import { describe, expect, it } from 'vitest';
import { type Scored, dealsOf } from '../../src/lib/hearts.ts';

const scored = (points: number[], scores: number[], moon: number | null = null): Scored => ({ type: 'scored', points, scores, moon });

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
