import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementLine } from '@parlor/client';
import { describe, expect, it } from 'vitest';
import type { TableModel } from '../../src/lib/model.ts';
import { Seating, amountIn, proposed } from '../../src/lib/seating.svelte.ts';
import { LINES_PER_PAGE, reasonText, withPage } from '../../src/lib/statement.ts';

describe('a free seat', () => {
  const model = (more: object, state: object = {}) =>
    ({
      spectator: true,
      openSeating: { startWith: 2, buyInMin: 40, buyInMax: 200, money: 'play' },
      state: { status: 'live', over: undefined, seats: [{ name: 'Ada' }, { name: '' }, { name: '' }], ...state },
      ...more,
    }) as unknown as TableModel;
  const seating = (more: object = {}, state: object = {}) => new Seating(model(more, state), () => undefined);

  it('is one without a name, where players come and go', () => {
    expect([0, 1, 2, 3].map((seat) => seating().isFree(seat))).toEqual([false, true, true, false]);
    expect(seating().free).toBe(2);
    expect(seating({ openSeating: undefined }).free).toBe(0);
  });

  it('is offered to spectators while the table runs, and to nobody else', () => {
    expect(seating().mayTake).toBe(true);
    expect(seating({ spectator: false }).mayTake).toBe(false);
    expect(seating({ past: true }).mayTake).toBe(false);
    expect(seating({}, { status: 'reconnecting' }).mayTake).toBe(false);
    expect(seating({}, { over: {} }).mayTake).toBe(false);
  });

  it('is offered by the frame only as long as no plate does', () => {
    const table = seating();
    expect(table.offered).toBe(false);
    const [first, second] = [table.offer(), table.offer()];
    first();
    expect(table.offered).toBe(true);
    second();
    expect(table.offered).toBe(false);
  });

  it('is asked for by its number, or any', () => {
    const asked: (number | undefined)[] = [];
    const table = new Seating(model({}), (seat) => asked.push(seat));
    table.ask(2);
    table.ask();
    expect(asked).toEqual([2, undefined]);
  });
});

describe('what somebody sits down with', () => {
  it('is a whole number between the limits, or nothing yet', () => {
    expect([40, 200, '120', ' 80 '].map((typed) => amountIn(typed, 40, 200))).toEqual([40, 200, 120, 80]);
    const wrong = [39, 201, 40.5, '', ' ', 'all', null, undefined, Number.NaN];
    expect(wrong.map((typed) => amountIn(typed, 0, 200)).slice(3)).toEqual(Array(6).fill(undefined));
    expect(wrong.map((typed) => amountIn(typed, 40, 200))).toEqual(Array(9).fill(undefined));
  });

  it('is proposed as much as is allowed and owned, and never too little', () => {
    expect([undefined, 1000, 90, 3].map((owned) => proposed(40, 200, owned))).toEqual([200, 200, 90, 40]);
  });
});

describe('a statement', () => {
  const line = (no: number): StatementLine => ({
    no,
    at: 0,
    balance: 0,
    change: 1,
    currency: 'tokens',
    game_id: null,
    reason: 'stake',
    with: 'table',
  });
  const lines = (from: number, count: number) => Array.from({ length: count }, (_, n) => line(from - n));

  it('grows by a page of older lines, none of them twice', () => {
    const first = withPage([], lines(90, LINES_PER_PAGE));
    expect(first).toMatchObject({ more: true, lines: { length: LINES_PER_PAGE } });
    const second = withPage(first.lines, lines(41, 3));
    expect(second.more).toBe(false);
    expect(second.lines.map(({ no }) => no)).toEqual(lines(90, LINES_PER_PAGE + 2).map(({ no }) => no));
  });

  it('has words of its own for every reason of the store', () => {
    const ledger = readFileSync(join(import.meta.dirname, '../../../crates/parlor-store/src/ledger.rs'), 'utf8');
    const reasons = [...ledger.matchAll(/Self::\w+ => "([a-z_]+)",/g)].map(([, word]) => word);
    expect(reasons).toContain('cash_out');
    expect(reasons.filter((reason) => reason !== 'other' && reasonText(reason) === reasonText('other'))).toEqual([]);
  });

  it('has words for a reason that this page does not know', () => {
    expect(reasonText('buy_in')).toBe('Buy-in');
    expect(reasonText('tax')).toBe('Other');
  });
});
