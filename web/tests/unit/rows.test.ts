import { expect, test } from 'vitest';
import type { MatchRow, Played } from '@parlor/client';
import { graphPoints, ratingSteps } from '../../src/lib/rating.ts';
import { playersText, resultText } from '../../src/lib/rows.ts';

const ended = (players: readonly (string | null)[], places: number[], scores?: number[]) =>
  ({ players, result: { places, reason: 'points', ...(scores && { scores }) } }) as Pick<
    MatchRow,
    'players' | 'result'
  >;

test('a list of tables says who plays and who won with what', () => {
  expect(playersText({ players: ['Ann', null, 'Bob', null] })).toBe('Ann, Bob, 2 bots');
  expect(playersText({ players: [null, null] })).toBe('');
  expect(playersText({})).toBe('');
  expect(playersText({ players: ['Ann', null, 'Bob'], scores: [26500, 25000, null] })).toBe('Ann: 26,500, Bob, 1 bot');
  expect(resultText(ended(['Ann', 'Bob'], [2, 1]))).toBe('Bob won · Ann');
  expect(resultText(ended(['Ann', 'Bob', 'Cy'], [2, 1, 3], [7, 9, -1]))).toBe('Bob won · Bob: 9, Ann: 7, Cy: -1');
  expect(resultText(ended(['Ann', 'Bob', 'Cy'], [1, 1, 3]))).toBe('Ann and Bob won · Cy');
  expect(resultText(ended(['Ann', 'Bob'], [1, 1]))).toBe('A tie · Ann, Bob');
  // The other seat has no name here, and still lost.
  expect(resultText(ended(['Ann', null], [1, 2]))).toBe('Ann won');
  // Both have lost: nobody has the first place.
  expect(resultText(ended(['Ann', 'Bob'], [2, 2]))).toBe('A tie · Ann, Bob');
  expect(resultText({ players: ['Ann'] })).toBe('');
});

test('a rating is followed back through the matches that changed it', () => {
  const match = (game: string, points: number | null) => ({ game, points }) as Played;
  const newestFirst = [match('battle', 5), match('hearts', null), match('battle', -2), match('draft', 9)];
  expect(ratingSteps(newestFirst, 'battle', 12)).toEqual([9, 7, 12]);
  expect(ratingSteps([match('battle', 5)], 'battle', 3)).toEqual([0, 3]);
  expect(ratingSteps(newestFirst, 'poker', 4)).toEqual([4]);
  expect(graphPoints([4], 10, 10)).toBe('');
  expect(graphPoints([0, 5, 10], 100, 20)).toBe('0.0,20.0 50.0,10.0 100.0,0.0');
  expect(graphPoints([3, 3], 100, 20)).toBe('0.0,10.0 100.0,10.0');
});
