import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Api, Json } from '@parlor/client';

vi.mock('../../src/lib/router.svelte.ts', () => ({ router: { go: () => undefined } }));
vi.mock('../../src/lib/session.ts', () => ({ choicesOf: () => ({}), keepTable: () => undefined }));
const asked: string[] = [];
vi.mock('../../src/lib/api.ts', () => ({
  api: {
    game: (name: string) => {
      asked.push(name);
      if (name === 'gone') return Promise.reject(new Error('404'));
      return Promise.resolve({ name, title: 'Fog', undo: 'none', lobby: LOBBIES[name] });
    },
  },
}));
const lobby = (order: number, more = {}) => ({
  order,
  seats: 3,
  settings: null as Json,
  hidden: false,
  tags: [],
  default_for: [],
  ...more,
});
const LOBBIES: Record<string, ReturnType<typeof lobby>> = {
  fog: lobby(1),
  rain: lobby(1, { settings: { stake: 0 }, seats: 2 }),
};
const { gameMeta, gameTitle, invite, keepTitles, listed, playNow } = await import('../../src/lib/catalog.ts');

/** What is ordered while something is done. */
async function ordered(act: (api: Api) => Promise<void>): Promise<unknown[]> {
  const orders: unknown[] = [];
  const createMatch = (order: unknown) => {
    orders.push(order);
    return Promise.resolve({ id: 'plum', owner_token: 'key' });
  };
  await act({ createMatch } as unknown as Api);
  return orders;
}

describe('the lobby', () => {
  const entry = (name: string, order: number, hidden = false) => ({
    name,
    seats: { min: 2, max: 5 },
    lobby: lobby(order, { hidden }),
  });

  it('lists games by their order, the same order as the server has them, and no hidden one', () => {
    const games = [entry('late', 9), entry('b', 2), entry('a', 2), entry('probe', 0, true), entry('first', 1)];
    expect(listed(games).map(({ name }) => name)).toEqual(['first', 'b', 'a', 'late']);
  });

  it('says how many play, and what the game says of itself', () => {
    expect(gameMeta(entry('fog', 1))).toBe('2 to 5 seats');
    expect(gameMeta({ ...entry('oxo', 1), seats: { min: 2, max: 2 } })).toBe('2 seats · three in a row');
  });

  it('has the title that the game gives itself, then the one of the catalogue, then its name', () => {
    keepTitles([
      { name: 'oxo', title: 'Not this' },
      { name: 'mist', title: 'Morning mist' },
    ]);
    expect(['oxo', 'mist', 'harbour'].map(gameTitle)).toEqual(['Oxo', 'Morning mist', 'Harbour']);
  });
});

describe('a table is opened', () => {
  afterEach(() => asked.splice(0));

  it('with as many seats as the game likes, and bots on all others', async () => {
    expect(await ordered((api) => playNow(api, 'fog'))).toEqual([{ game: 'fog', seats: 3, bots: 2 }]);
    expect(await ordered((api) => playNow(api, 'fog', 5))).toEqual([{ game: 'fog', seats: 5, bots: 4 }]);
    expect(asked).toEqual(['fog']);
  });

  it('with the settings of its tables, and without bots for friends', async () => {
    const wanted = [{ game: 'rain', seats: 2, bots: 0, settings: { stake: 0 } }];
    expect(await ordered((api) => invite(api, 'rain'))).toEqual(wanted);
  });

  it('not where the server does not answer; then it is asked again', async () => {
    for (let n = 0; n < 2; n++) await expect(ordered((api) => playNow(api, 'gone'))).rejects.toThrow('404');
    expect(asked).toEqual(['gone', 'gone']);
  });
});
