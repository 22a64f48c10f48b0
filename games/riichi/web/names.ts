// Tiles and rounds in words.

import { w } from './words.en.ts';

/** A tile in words. */
export function tileName(code: string): string {
  if (code === 'back') return w('back');
  if (code[1] === 'z') return w(`honour.${code[0]}` as 'honour.1');
  const red = code[0] === '0';
  const name = w(`suit.${code[1]}` as 'suit.m', { n: red ? '5' : code[0] });
  return red ? w('red', { tile: name }) : name;
}

const WINDS = ['east', 'south', 'west', 'north'] as const;
/** East 1, East 2, … */
export const roundName = (kyoku: number): string =>
  w('round', { wind: w(`wind.${WINDS[Math.floor(kyoku / 4) % 4]}`), n: String((kyoku % 4) + 1) });
