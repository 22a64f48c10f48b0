import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tell } from '$shell/lib/tell.ts';
import { ANIMALS, symbolsOf, valueOf } from './animals.ts';

it('the animals are those of the game', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/animal.rs'), 'utf8');
  const [, list] = /const NAMES: [^=]*= \[([^;]*)\];/.exec(source)!;
  expect(ANIMALS).toEqual([...list.matchAll(/"(\w+)"/g)].map(([, name]) => name));
  expect(source).toContain('self.0 as u32 % 3 + 1');
  expect(source).toContain('self.0 as u32 % 5 + 1');
  expect(['Ant', 'Deer', 'Zyzzyva'].map((name) => [symbolsOf(name), valueOf(name)])).toEqual([
    [1, 1],
    [1, 4],
    [2, 2],
  ]);
});

describe('the log of sharing', () => {
  const log = (event: object, own?: number) =>
    tell('sharing', event, (seat) => `P${seat}`, own).map((line) => line.text);

  it('tells a drawn card once, to its player by its name', () => {
    const drawn = [
      { type: 'card', card: 'Deer' },
      { type: 'drew', seat: 0 },
    ];
    expect(drawn.flatMap((event) => log(event, 0))).toEqual(['P0: drew Deer']);
    expect(drawn.slice(1).flatMap((event) => log(event, 2))).toEqual(['P0: drew a card']);
  });

  it('says who shares in a call', () => {
    expect(log({ type: 'called', seat: 1, sharing: [2, 0] })).toEqual(['P1: called, shared by P2, P0']);
    expect(log({ type: 'called', seat: 1, sharing: [] })).toEqual(['P1: called, nobody shares']);
    expect(log({ type: 'order', order: [2, 0, 1] })).toEqual(['Order of play: P2, P0, P1']);
    expect(log({ type: 'turn', seat: 0 })).toEqual([]);
  });
});
