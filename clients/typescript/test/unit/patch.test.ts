import { expect, test } from 'vitest';

import { canonical, viewHash } from '../../src/canonical.ts';
import { changed, patched, PatchError } from '../../src/patch.ts';
import { rows } from '../rows.ts';

test("the server's patches lead from view to view, and leave the old view as it was", () => {
  // cites 000-16
  const all = rows<{ old: unknown; patch: unknown[]; new: unknown; hash: string }>('patches');
  expect(all.length).toBeGreaterThan(100);
  for (const row of all) {
    const before = canonical(row.old);
    const after = patched(row.old, row.patch);
    expect(canonical(after)).toBe(canonical(row.new));
    expect(viewHash(after)).toBe(row.hash);
    expect(canonical(row.old)).toBe(before);
  }
});

test('what a patch does not touch is shared, so that a screen can see at a glance what has not changed', () => {
  const old = { a: { deep: [1, 2] }, b: { c: [{ d: 1 }, { d: 2 }] } };
  const now = patched(old, [{ op: 'replace', path: '/b/c/1/d', value: 3 }]) as typeof old;
  expect(now.a).toBe(old.a);
  expect(now.b.c[0]).toBe(old.b.c[0]);
  expect(now.b.c[1]).toEqual({ d: 3 });
});

test.each([
  [{ list: [1, 2, 3] }, { op: 'add', path: '/list/1', value: 9 }, { list: [1, 9, 2, 3] }],
  [{ list: [1, 2, 3] }, { op: 'remove', path: '/list/0' }, { list: [2, 3] }],
  [{ list: [] }, { op: 'add', path: '/list/-', value: 1 }, { list: [1] }],
  [{ 'a/b': { '~': 1 } }, { op: 'replace', path: '/a~1b/~0', value: 2 }, { 'a/b': { '~': 2 } }],
  [{ a: 1 }, { op: 'replace', path: '', value: [] }, []],
])('%j with %j is %j', (old, op, now) => {
  expect(patched(old, [op])).toEqual(now);
});

test.each([
  [{ op: 'remove', path: '/none' }],
  [{ op: 'replace', path: '/none', value: 1 }],
  [{ op: 'add', path: '/none/inside', value: 1 }],
  [{ op: 'add', path: '/list/9', value: 1 }],
  [{ op: 'remove', path: '/list/2' }],
  [{ op: 'add', path: '/list/01', value: 1 }],
  [{ op: 'add', path: '/list/-1', value: 1 }],
  [{ op: 'add', path: '/number/inside', value: 1 }],
  [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
  [{ op: 'add', path: 'list', value: 1 }],
  [{ op: 'remove', path: '' }],
  [{ op: 'move', path: '/list', from: '/number' }],
  [{ path: '/list' }],
  [null],
])('%j does not fit and is refused', (op) => {
  expect(() => patched({ list: [1, 2], number: 1 }, [op])).toThrow(PatchError);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('changes are named by where they are', () => {
  const old = { same: [1], list: [1, 2], gone: 1, 'a/b': { c: 1 } };
  const now = { same: [1], list: [1, 3, 4], 'a/b': { c: 2 }, fresh: null };
  expect(changed(old, now).sort()).toEqual(['/a~1b/c', '/fresh', '/gone', '/list/1', '/list/2']);
  expect(changed(old, structuredClone(old))).toEqual([]);
  expect(changed([1], { 0: 1 })).toEqual(['']);
});
