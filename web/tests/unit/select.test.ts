import type { Prompt } from '@parlor/client';
import { describe, expect, it } from 'vitest';
import { answerOf, isSingle, missing, press, type Picks } from '../../src/lib/select.ts';

const ask = (more: Partial<Prompt>): Prompt => ({
  inputId: 1,
  kind: 'request',
  type: 'select',
  title: 'Choose',
  ...more,
});
const pressed = (request: Prompt, ...paths: string[]): Picks =>
  paths.reduce<Picks>((picks, path) => press(request, picks, path), []);

const one = ask({ choices: [{ title: 'a' }, { title: 'b' }] });
const three = ask({ count: 3, choices: ['a', 'b', 'c', 'd'].map((title) => ({ title })) });
const mixed = ask({
  min: 1,
  max: 2,
  choices: [
    { title: 'a' },
    { title: 'b' },
    { title: 'c' },
    { title: 'alone', exclusive: true },
    { title: 'beside', extra: true },
    { title: 'barred', whyNot: { code: 'no', template: 'no' } },
  ],
});
const nested = ask({
  count: 1,
  choices: [
    { title: 'cargo', min: 1, max: 2, choices: [{ title: 'rope' }, { title: 'salt' }, { title: 'amber' }] },
    { title: 'wait' },
  ],
});

describe('presses', () => {
  // cites 000/R1
  it('with room for one, another takes its place', () => {
    expect(pressed(one, '0', '1')).toEqual(['1']);
    expect(isSingle(one)).toBe(true);
  });

  it('with room for three, a fourth does nothing until one is taken back', () => {
    expect(pressed(three, '0', '1', '2', '3')).toEqual(['0', '1', '2']);
    expect(pressed(three, '0', '1', '2', '1', '3')).toEqual(['0', '2', '3']);
  });

  it('an exclusive choice drives the others out, and they drive it out', () => {
    expect(pressed(mixed, '0', '1', '3')).toEqual(['3']);
    expect(pressed(mixed, '3', '0')).toEqual(['0']);
  });

  it('an extra choice is not counted, and a barred one is never picked', () => {
    expect(pressed(mixed, '0', '1', '4', '5')).toEqual(['0', '1', '4']);
  });

  it('a pick inside a choice picks that choice; taking it back takes back what is inside', () => {
    expect(pressed(nested, '0.1')).toEqual(['0', '0.1']);
    expect(pressed(nested, '0.1', '0.2', '0')).toEqual([]);
    expect(pressed(nested, '0.1', '1')).toEqual(['1']);
  });
});

describe('answers', () => {
  it('say what is missing, also inside', () => {
    expect(missing(three, pressed(three, '0'))).toEqual({ key: 'select.exactly', n: 3, of: '' });
    expect(missing(nested, pressed(nested, '0'))).toEqual({ key: 'select.atLeast', n: 1, of: 'cargo' });
    expect(missing(mixed, ['3'])).toBeNull();
    expect(missing(nested, pressed(nested, '0.0', '0.1'))).toBeNull();
  });

  it('are written as the wire wants them', () => {
    expect(answerOf(one, ['1'])).toEqual({ title: 'Choose', selection: ['b'] });
    expect(answerOf(nested, pressed(nested, '0.2', '0.0'))).toEqual({
      title: 'Choose',
      selection: [{ title: 'cargo', selection: ['amber', 'rope'] }],
    });
    const twins = ask({
      choices: [
        { title: 'ace', id: '1' },
        { title: 'ace', id: '2' },
      ],
    });
    expect(answerOf(twins, ['1'])).toEqual({ title: 'Choose', selection: [{ title: 'ace', id: '2' }] });
  });
});
