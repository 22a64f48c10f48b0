import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { canonical, viewHash } from '../../src/canonical.ts';
import { sha256 } from '../../src/sha256.ts';
import { rows } from '../rows.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The same with the keys of every object in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)]));
}

test('views have the canonical form and the hash that the server gives them', () => {
  // cites 000-16, 000/R4
  const views = rows<{ view: unknown; canonical: string; hash: string }>('views');
  expect(views.length).toBeGreaterThan(50);
  for (const row of views) {
    expect(canonical(row.view)).toBe(row.canonical);
    expect(canonical(reversed(row.view))).toBe(row.canonical);
    expect(viewHash(row.view)).toBe(row.hash);
  }
});

test('the hash is SHA-256, at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, n) => (n * 37 + length) & 255);
    expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
  const long = new Uint8Array(1_000_003).fill(97);
  expect(hex(sha256(long))).toBe(createHash('sha256').update(long).digest('hex'));
});

test('canonical form does not depend on the order of insertion, and leaves out what is undefined', () => {
  expect(canonical({ b: 1, a: [{ d: undefined, c: -0 }] })).toBe('{"a":[{"c":0}],"b":1}');
});
