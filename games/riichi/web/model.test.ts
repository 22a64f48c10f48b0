import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES, tileShapes } from './art.ts';
import { calledBy } from './called.svelte.ts';
import {
  byPlace,
  codeOf,
  codeOfKind,
  doraOf,
  kindOfCode,
  meldParts,
  paceOf,
  paymentsOf,
  rowsOf,
  rulesOf,
  type Thrown,
  thrownOf,
  turnOf,
  waysOf,
  readyOf,
} from './model.ts';
import { UNVERIFIED } from './sources.ts';
import type { Event, TableMeld, View, WinResult } from './types.ts';

const thrown = (tile: number): Thrown => ({ tile, tsumogiri: false, riichi: false, calledBy: null });

describe('tiles', () => {
  it('are written by rank and suit, a red five as a zero', () => {
    expect([0, 16, 17, 52, 108, 135].map((tile) => codeOf(tile, true))).toEqual(['1m', '0m', '5m', '0p', '1z', '7z']);
    expect(codeOf(16, false)).toBe('5m');
    expect(kindOfCode('0s')).toBe(kindOfCode('5s'));
  });

  it('follow each other in a circle as dora', () => {
    const next = (code: string) => codeOfKind(doraOf(kindOfCode(code)));
    expect(['9m', '1p', '9s', '4z', '7z', '5z'].map(next)).toEqual(['1m', '2p', '1s', '1z', '5z', '6z']);
  });

  it('have a drawing each, with and without an index', () => {
    expect(CODES).toHaveLength(37);
    for (const code of CODES)
      for (const index of [true, false]) expect(tileShapes(code, index).length, code).toBeGreaterThan(2);
  });
});

describe('the board', () => {
  it('reads a river from numbers', () => {
    expect(thrownOf(135)).toEqual(thrown(135));
    expect(thrownOf(7 + 256)).toEqual({ ...thrown(7), tsumogiri: true });
    expect(thrownOf(512 + 1024 * 4)).toEqual({ ...thrown(0), riichi: true, calledBy: 3 });
  });

  it('plays by its preset where the view says nothing else', () => {
    const of = (settings: object, pace: object) => ({ settings, pace }) as unknown as View;
    expect(rulesOf(of({ preset: 'tenhou' }, {}))).toMatchObject({ uma: [20, 10, -10, -20], kiriage_mangan: false });
    expect(rulesOf(of({ preset: 'ronin', riichi_cost: 500 }, {})).riichi_cost).toBe(500);
    expect(paceOf(of({}, { profile: 'standard' }), 'turnBaseMs')).toBe(5000);
    expect(paceOf(of({}, { profile: 'standard', turnBaseMs: 9 }), 'turnBaseMs')).toBe(9);
  });

  it('has rivers of three rows, the last as long as it must be', () => {
    expect(rowsOf(Array.from({ length: 21 }, (_, n) => thrown(n))).map((row) => row.length)).toEqual([6, 6, 9]);
    expect(rowsOf([])).toEqual([]);
  });

  // 0, 4 and 8 are the 1, 2 and 3 of characters.
  const meld = (from: number, added: number | null = null): TableMeld => ({
    meld: added === null ? ['pon', [1, 2, 3]] : ['kakan', [0, 1, 2, 3]],
    from,
    called: 2,
    added,
  });
  it.each([
    [3, 0],
    [2, 1],
    [1, 2],
  ])('a tile fed by seat %i to seat 0 is turned at place %i', (from, place) => {
    const parts = meldParts(meld(from), 0);
    expect(parts.map((part) => !!part.side).indexOf(true)).toBe(place);
    expect(parts[place].tile).toBe(2);
  });

  it('lays an added tile on the turned one', () => {
    expect(meldParts(meld(3, 0), 0)[0]).toEqual({ tile: 2, side: true, added: 0 });
  });

  it('hides the outer tiles of a closed kan', () => {
    const kan: TableMeld = { meld: ['ankan', [0, 1, 2, 3]], from: 0, called: null, added: null };
    expect(meldParts(kan, 0).map((part) => part.tile)).toEqual([null, 1, 2, null]);
  });

  it('knows on which turn a tile was discarded', () => {
    expect(turnOf([thrown(0), thrown(4), thrown(8)], [1])).toEqual({ tile: 4, turn: 2 });
    expect(turnOf([thrown(0)], [5])).toBeUndefined();
  });
});

describe('what is asked', () => {
  const choices = [
    { title: 'Pass', id: 'pass', kind: 'pass' },
    { title: 'Chi', id: 'chi:4:9', kind: 'chi' },
    { title: 'Chi', id: 'chi:9:16', kind: 'chi' },
    { title: 'Kan', id: 'closed_kan:31', kind: 'closed_kan' },
  ];
  const request = { inputId: 1, kind: 'request', type: 'select', title: 'x', choices } as never;

  it('has each way to call with its tiles', () => {
    expect(waysOf(request, 'chi')).toEqual([
      { path: '1', id: 'chi:4:9', tiles: [4, 9] },
      { path: '2', id: 'chi:9:16', tiles: [9, 16] },
    ]);
    expect(waysOf(request, 'kan')[0].tiles).toEqual([124, 125, 126, 127]);
    expect(waysOf(request, 'ron')).toEqual([]);
  });
});

describe('payments', () => {
  const view = { settings: { honba_points: 100, riichi_cost: 1000 } } as unknown as View;
  const win = (change: Partial<WinResult>): WinResult =>
    ({
      who: 1,
      from: null,
      honba: 1,
      sticks: 2,
      liable: null,
      deltas: [-2100, 6300, -1100, -1100],
      ...change,
    }) as WinResult;

  it('are taken apart into hand, honba and sticks', () => {
    const rows = paymentsOf(win({ deltas: [-2100, 6300, -1100, -1100] }), view);
    expect(rows[0]).toEqual({ seat: 0, hand: -2000, honba: -100, sticks: 0, sum: -2100 });
    expect(rows[1]).toEqual({ seat: 1, hand: 4000, honba: 300, sticks: 2000, sum: 6300 });
  });

  it('on a discard, one seat pays all honba', () => {
    const rows = paymentsOf(win({ from: 3, deltas: [0, 6300, 0, -4300] }), view);
    expect(rows.map((row) => row.honba)).toEqual([0, 300, 0, -300]);
  });

  it('go by place at the end', () => {
    expect(byPlace([3, 1, 4, 2])).toEqual([1, 3, 0, 2]);
  });
});

// Cites 003/R14.
describe('the rules of a table', () => {
  it('say what no written source confirms, as RULES.md does', () => {
    const text = readFileSync(new URL('../RULES.md', import.meta.url), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    const marked = (place: number) =>
      rows
        .map((line) => line.split('|').map((cell) => cell.trim()))
        .filter((row) => /^u$|!$/.test(row[6]?.split(' ')[place] ?? ''))
        .map((row) => (row[1] ?? '').replaceAll('`', ''));
    const presets = ['ronin', 'tenhou', 'soul', 'ema'];
    for (const [place, preset] of presets.entries()) expect(UNVERIFIED[preset] ?? [], preset).toEqual(marked(place));
    expect(marked(2).length).toBeGreaterThan(0);
  });
});

describe('what is called out', () => {
  const said = (event: unknown) => calledBy(event as Event);

  it('is a call, a riichi, and every win', () => {
    expect(said({ type: 'meld', seat: 2, kind: 'pon' })).toEqual([{ seat: 2, word: 'pon' }]);
    expect(said({ type: 'meld', seat: 0, kind: 'ankan' })).toEqual([{ seat: 0, word: 'kan' }]);
    expect(said({ type: 'discard', seat: 1, tile: 4, riichi: true })).toEqual([{ seat: 1, word: 'riichi' }]);
    const wins = [
      { who: 1, from: 3 },
      { who: 2, from: 3 },
    ];
    expect(said({ type: 'round_end', result: { wins } })).toEqual([
      { seat: 1, word: 'ron' },
      { seat: 2, word: 'ron' },
    ]);
    expect(said({ type: 'round_end', result: { wins: [{ who: 0, from: null }] } })).toEqual([
      { seat: 0, word: 'tsumo' },
    ]);
  });

  it('is no discard, and no draw', () => {
    expect(said({ type: 'discard', seat: 1, tile: 4, riichi: false })).toEqual([]);
    expect(said({ type: 'round_end', result: { draw: { kind: 'exhaustive' } } })).toEqual([]);
  });
});

describe('who has confirmed', () => {
  const clocks = [{ seat: 0 }, { seat: 2 }];

  it('is counted with the one who looks: "3 of 3" would say that nobody is waited for', () => {
    expect(readyOf(clocks, 4)).toEqual({ n: 2, of: 4 });
    expect(readyOf([{ seat: 0 }], 4)).toEqual({ n: 3, of: 4 });
  });

  it('is not known where no clock runs', () => {
    expect(readyOf([], 4)).toBeUndefined();
  });
});
