import { expect, test } from 'vitest';
import { CODES, tileShapes } from './art.ts';

const missing = () =>
  CODES.filter((code) =>
    [true, false].some((index) => tileShapes(code, index).some((shape) => shape.as === 'path' && shape.d === '')),
  );

test('the lobby has the characters of the tiles that it draws, and a table has all', async () => {
  const lobby = ['2m', '3m', '4m', '0p', '6z', '7z'];
  expect(missing().filter((code) => lobby.includes(code))).toEqual([]);
  expect(missing()).toContain('1z');
  await import('./glyphs.rest.ts');
  expect(missing()).toEqual([]);
});
