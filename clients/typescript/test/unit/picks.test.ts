import { expect, test } from 'vitest';

import { boundsOf, deadline, faultText, pickOf, seatsOf, whyNot } from '../../src/picks.ts';
import type { PickInput, Prompt } from '../../src/types.ts';
import { rows } from '../rows.ts';

const ask = (request: object): Prompt => ({ inputId: 1, kind: 'request', type: 'select', title: 'Pick', ...request });

test('answers are judged as the server judges them, word for word', () => {
  // cites 000-21, 000-22, 000/R1
  let judgments = 0;
  for (const { request, judged } of rows<{
    request: object;
    judged: { picks: PickInput[]; faults: [string, string][] }[];
  }>('answers')) {
    for (const { picks, faults } of judged) {
      const picked = pickOf(ask(request), ...picks);
      const said = picked.ok ? [] : picked.faults.map((fault) => [fault.code, faultText(fault)]);
      expect(said, JSON.stringify({ request, picks })).toEqual(faults);
      judgments += 1;
    }
  }
  expect(judgments).toBe(8 * 24);
});

test('a pick can be one of the choices itself: titles that repeat are told apart, whatever else is picked', () => {
  const twins = ask({ count: 2, choices: [{ title: 'Q', id: '1' }, { title: 'Q', id: '2' }, { title: 'K' }] });
  const [, second, king] = twins.choices!;
  expect(pickOf(twins, 'Q', second!)).toEqual({
    ok: true,
    answer: {
      title: 'Pick',
      selection: [
        { title: 'Q', id: '1' },
        { title: 'Q', id: '2' },
      ],
    },
  });
  expect(pickOf(twins, king!, second!)).toEqual({
    ok: true,
    answer: { title: 'Pick', selection: ['K', { title: 'Q', id: '2' }] },
  });
});

test('nested choices are written with what was picked inside them', () => {
  // cites 000-6, 000-7
  const request = ask({
    choices: [{ title: 'Dogma', choices: [{ title: 'Archery' }, { title: 'Wheel', id: 'w' }] }, { title: 'Draw' }],
  });
  expect(pickOf(request, { title: 'Dogma', selection: ['Wheel'] })).toEqual({
    ok: true,
    answer: { title: 'Pick', selection: [{ title: 'Dogma', selection: [{ title: 'Wheel', id: 'w' }] }] },
  });
});

test('a screen can say why a choice cannot be had beside those that are picked', () => {
  const taken = { code: 'taken', template: '{who} has it', args: { who: 'Bo' } };
  const request = ask({
    max: 2,
    choices: [
      { title: 'a' },
      { title: 'b' },
      { title: 'c' },
      { title: 'gone', whyNot: taken },
      { title: 'alone', exclusive: true },
      { title: 'more', extra: true },
    ],
  });
  const [a, b, c, gone, alone, more] = request.choices!;
  expect(boundsOf(request)).toEqual([0, 2]);
  expect(faultText(whyNot(request, gone!)!)).toBe('Bo has it');
  expect(whyNot(request, b!, [a!])).toBeUndefined();
  expect(whyNot(request, c!, [a!, b!])?.code).toBe('count');
  expect(whyNot(request, a!, [a!, b!])).toBeUndefined();
  expect(whyNot(request, alone!, [a!])?.code).toBe('exclusive');
  expect(whyNot(request, a!, [alone!])?.code).toBe('exclusive');
  expect(whyNot(request, more!, [a!, b!])).toBeUndefined();
});

test('free-form requests have nothing to pick from', () => {
  const picked = pickOf(ask({ type: 'action' }), 'x');
  expect(picked.ok).toBe(false);
});

test('a deadline is counted by the server’s clock', () => {
  const request = ask({ deadlineTs: 50_000 });
  expect(deadline(request, 0, 48_000)).toBe(2_000);
  expect(deadline(request, 1_500, 48_000)).toBe(500);
  expect(deadline(request, 0, 60_000)).toBe(0);
  expect(deadline(ask({}))).toBeUndefined();
});

test('a set of seats is one bit for each', () => {
  expect(seatsOf(0b1011)).toEqual([0, 1, 3]);
  expect(seatsOf(0)).toEqual([]);
  expect(seatsOf(0xffff)).toHaveLength(15);
});

test('what cannot be had is not counted, as the server does not count it', () => {
  const barred = { title: 'b', whyNot: { code: 'no', template: 'no' } };
  expect(boundsOf({ min: 0, choices: [{ title: 'a' }, barred, { title: 'c' }] })).toEqual([0, 2]);
  expect(boundsOf({ count: 3, choices: [{ title: 'a' }, barred, { title: 'c' }] })).toEqual([2, 2]);
});
