import { afterEach, beforeEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

let kept: Record<string, string> = {};
beforeEach(() => (kept = {}));

/** The part of a server that keeps what an account has muted. */
function account(has: { off: boolean; names: string[] }) {
  const server = { has, asked: 0 };
  kept['parlor.player'] = 'a-token';
  vi.stubGlobal('fetch', (_: string, { method, body, headers }: RequestInit) => {
    expect(new Headers(headers).get('authorization')).toBe('Bearer a-token');
    server.asked += 1;
    if (method === 'POST') server.has = JSON.parse(body as string) as typeof has;
    return Promise.resolve(new Response(JSON.stringify(server.has)));
  });
  return server;
}

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

it('an account keeps whom its player mutes, for another browser of theirs', async () => {
  const server = account({ off: false, names: [] });
  const first = await opened();
  first.mute('Bram', true);
  first.turnOff(true);
  await vi.waitFor(() => expect(JSON.parse(kept['parlor.mutes'] ?? '{}')).toHaveProperty('sent', true));
  expect(server.has).toEqual({ off: true, names: ['Bram'] });
  const token = kept['parlor.player'];
  kept = { 'parlor.player': token };
  const other = await opened();
  expect(other.has('Bram')).toBe(false);
  await other.look();
  expect([other.off, other.has('Bram')]).toEqual([true, true]);
  // What is heard again in one browser is heard again in the first one.
  other.mute('Bram', false);
  await vi.waitFor(() => expect(server.has.names).toEqual([]));
});

it('whom a guest has muted comes into the account that they open', async () => {
  const guest = await opened();
  guest.mute('Bram', true);
  const server = account({ off: false, names: ['Cy'] });
  await (await opened()).look();
  await vi.waitFor(() => expect(server.has.names).toEqual(['Cy', 'Bram']));
});

it('a browser without an account asks no server', async () => {
  const asked = vi.fn();
  vi.stubGlobal('fetch', asked);
  const mutes = await opened();
  mutes.mute('Bram', true);
  await mutes.look();
  expect(asked).not.toHaveBeenCalled();
  expect(mutes.has('Bram')).toBe(true);
});
