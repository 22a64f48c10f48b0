import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tell } from '$shell/lib/tell.ts';
import { COLOURS, KINDS, power, strength } from './model.ts';

const source = readFileSync(join(import.meta.dirname, '../src/cube.rs'), 'utf8');
const names = (list: string) =>
  [...new RegExp(`const ${list}: [^=]*= \\[([^;]*)\\];`).exec(source)![1].matchAll(/"(\w+)"/g)].map(
    (match) => match[1],
  );

it('the cube is the one of the game, card for card', () => {
  expect(COLOURS).toEqual(names('COLOURS'));
  expect(KINDS).toEqual(names('KINDS'));
  expect(source).toContain('(self.0 as u32 * 7 + 3) % 9 + 1');
  expect(source).toContain('COLOURS[self.colour()], KINDS[usize::from(self.0) / COLOURS.len()]');
  // The first card, and one from the middle, by hand.
  expect([power('White Adder'), power('Black Hawk'), power('Joker')]).toEqual([4, ((37 * 7 + 3) % 9) + 1, undefined]);
});

it('a deck is as strong as its cards and its pairs of a colour', () => {
  expect(strength(['White Adder', 'White Bear', 'White Crane'])).toBe(
    power('White Adder')! + power('White Bear')! + power('White Crane')! + 1,
  );
});

describe('the log of a draft', () => {
  const log = (events: readonly object[], own?: number) =>
    events.flatMap((event) => tell('draft', event, (seat) => `P${seat}`, own)).map((line) => line.text);
  const picks = [
    { type: 'picked', card: 'Red Fox' },
    { type: 'took', seat: 1 },
    { type: 'took', seat: 2 },
  ];

  it('tells a pick once', () => {
    expect(log(picks, 1)).toEqual(['P1: Red Fox', 'P2: a card']);
    expect(log(picks.slice(1))).toEqual(['P1: a card', 'P2: a card']);
  });
});
