import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const kept: Record<string, string> = {};
async function opened() {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
  });
  vi.resetModules();
  return (await import('../../src/lib/mutes.svelte.ts')).mutes;
}
const LINES = [
  { name: 'Ada', text: 'hello' },
  { name: 'Bram', text: 'spam' },
];

it('who is muted is not heard, in the next page neither, until they are heard again', async () => {
  const first = await opened();
  first.mute('Bram', true);
  expect(first.heard(LINES)).toEqual([LINES[0]]);
  const next = await opened();
  expect(next.has('Bram')).toBe(true);
  expect(next.heard(LINES)).toEqual([LINES[0]]);
  next.mute('Bram', false);
  expect(next.heard(LINES)).toEqual(LINES);
});

it('a chat that is off says nothing, and keeps who is muted', async () => {
  const mutes = await opened();
  mutes.mute('Bram', true);
  mutes.turnOff(true);
  expect(mutes.heard(LINES)).toEqual([]);
  mutes.turnOff(false);
  expect(mutes.heard(LINES)).toEqual([LINES[0]]);
});
