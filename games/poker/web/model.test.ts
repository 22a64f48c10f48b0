import { describe, expect, it } from 'vitest';
import {
  betsOf,
  debtOf,
  decimal,
  handsToBigBlind,
  lastDone,
  mayShow,
  placesOf,
  presetsOf,
  typed,
  withNames,
  wonBy,
} from './model.ts';
import type { View } from './types.ts';

const seats = (count: number) => Array.from({ length: count }, () => ({ cards: '' })) as unknown as View['seats'];

describe('chips', () => {
  it.each([
    [7525, 2, '75.25'],
    [7500, 2, '75'],
    [5, 2, '0.05'],
    [-150, 2, '-1.50'],
    [300, 0, '300'],
  ])('%i with %i decimals is written %s', (chips, decimals, text) => {
    expect(decimal(chips, decimals)).toBe(text);
  });

  it.each([
    ['75.25', 2, 7525],
    ['75,2', 2, 7520],
    ['75', 2, 7500],
    [' 300 ', 0, 300],
    ['300.0', 0, 300],
    ['75.255', 2, undefined],
    ['3e5', 0, undefined],
    ['', 0, undefined],
    ['-5', 0, undefined],
  ])('%s with %i decimals is read as %s', (text, decimals, chips) => {
    expect(typed(text, decimals)).toBe(chips);
  });
});

it('two to ten seats have a place each, as many on the left as on the right', () => {
  for (let count = 2; count <= 10; count++) {
    const places = placesOf(count);
    expect(places).toHaveLength(count);
    expect(places[0].side).toBe('self');
    const on = (side: string) => places.filter((place) => place.side === side).length;
    expect(on('left')).toBe(on('right'));
    expect(on('top')).toBeLessThanOrEqual(3);
  }
});

describe('what was done', () => {
  const after = (variant: string, actions: string[], count = 3) =>
    lastDone({ variant, seats: seats(count), notation: { actions, seats: [1, 2, 3] } }).map((did) => did?.what);

  it('is by street, but for those who have folded', () => {
    const before = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 6', 'p1 f', 'p2 cc'];
    expect(after('NT', before)).toEqual(['fold', 'call', 'raise']);
    expect(after('NT', [...before, 'd db 2c3d4h'])).toEqual(['fold', undefined, undefined]);
    expect(after('NT', [...before, 'd db 2c3d4h', 'p2 cc #171', 'p3 cbr 10'])).toEqual(['fold', 'check', 'bet']);
  });

  it('counts the cards that were exchanged, and forgets them with the next bet', () => {
    const drawn = ['p1 cc', 'p2 cc', 'p3 cc', 'p1 sd ??????', 'p2 sd'];
    const done = lastDone({ variant: 'F2L3D', seats: seats(3), notation: { actions: drawn, seats: [1, 2, 3] } });
    expect(done[0]).toEqual({ what: 'draw', count: 3 });
    expect(done[1]).toEqual({ what: 'draw', count: 0 });
    expect(done[2]).toBeUndefined();
  });
});

describe('bets', () => {
  const request = (meta: object) =>
    ({ title: 'Your turn', inputId: 1, kind: 'request', choices: [{ title: 'Fold' }], meta }) as never;

  it('are sized by the pot after a call, within what is allowed, none twice', () => {
    const bets = betsOf(request({ call: 2400, bringIn: null, raise: { min: 4800, max: 43_200 } }));
    expect(bets.fold).toBe(true);
    expect(presetsOf(bets, 13_500, 0)).toEqual([
      { name: 'min', to: 4800 },
      { name: 'third', to: 7700 },
      { name: 'half', to: 10_350 },
      { name: 'threeQuarters', to: 14_325 },
      { name: 'pot', to: 18_300 },
      { name: 'max', to: 43_200 },
    ]);
    const short = betsOf(request({ call: 2400, raise: { min: 4000, max: 4000 } }));
    expect(presetsOf(short, 13_500, 0)).toEqual([{ name: 'min', to: 4000 }]);
    expect(presetsOf(betsOf(request({ call: 5 })), 10, 0)).toEqual([]);
  });
});

it('the big blind comes after everybody between who plays', () => {
  const player = (state: string) => ({ state, bought: 0, hands: 0 });
  const view = {
    blinds: [0, 1] as [number, number],
    seats: seats(5),
    players: [player('playing'), player('playing'), player('playing'), player('paused'), null] as View['players'],
  };
  expect(handsToBigBlind(view, 3)).toBe(2);
  expect(handsToBigBlind({ ...view, blinds: null }, 3)).toBeUndefined();
});

it('a debt is a small blind, a big blind, or both', () => {
  const stakes = { smallBlind: 50, bigBlind: 100 } as View['stakes'];
  expect(debtOf({ deadBlinds: 50 }, stakes)).toEqual({ small: 50, big: 0, total: 50 });
  expect(debtOf({ deadBlinds: 150 }, stakes)).toEqual({ small: 50, big: 100, total: 150 });
});

it('whoever won without a showdown may show, and nobody else', () => {
  const award = (seat: number, chips: number) => ({ pot: 0, run: 0, low: false, seat, chips });
  const ended = { awards: [award(1, 40), award(1, 2)] } as View['ended'];
  const alone = { ended, seats: [{ cards: '' }, { cards: 'AsKd' }] as View['seats'] };
  expect(wonBy(alone)).toEqual([0, 42]);
  expect([mayShow(alone, 1), mayShow(alone, 0), mayShow(alone, undefined)]).toEqual([true, false, false]);
  expect(mayShow({ ended, seats: [{ cards: '????' }, { cards: 'AsKd' }] as View['seats'] }, 1)).toBe(false);
});

it('a text about a hand has names where it had seats', () => {
  const name = (seat: number) => ['Ada', 'Bo "B"'][seat] ?? '';
  expect(withNames("players = ['seat 1', 'seat 2', 'seat 3']", name, true)).toBe(
    'players = ["Ada", "Bo \\"B\\"", "seat 3"]',
  );
  expect(withNames('Seat 1: seat 1 (100 in chips)', name, false)).toBe('Seat 1: Ada (100 in chips)');
});
