/** Whole matches against the real server, without faults. */

import { afterAll, beforeAll, expect, test } from 'vitest';

import { ParlorError, TableClient, type CodecName, type TableState } from '../../src/index.ts';
import { fast, House, socket } from './house.ts';
import { playOut, sameAsServer } from './players.ts';

let house: House;
beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house?.close());

const client = (tableId: string, name: string, more: object = {}) =>
  new TableClient({ url: house.url, tableId, name, socket, timing: fast, ...more });

test.each<[string, CodecName, number]>([
  ['oxo', 'msgpack', 0],
  ['oxo', 'json', 0],
  ['hearts', 'msgpack', 2],
  ['hearts', 'json', 2],
  ['draft', 'msgpack', 0],
  ['sharing', 'json', 0],
])(
  'a match of %s in %s is played to its end, and everybody sees what the server shows him',
  async (game, codec, bots) => {
    // cites 000-16
    const id = await house.table(game, { bots });
    const seats = ['Ann', 'Bo'].map((name) => client(id, name, { codec }));
    for (const seat of seats) seat.connect();
    await Promise.all(seats.map((seat) => seat.until(({ status }) => status === 'live')));
    const gallery = client(id, '', { codec, spectate: true }).connect();
    const desyncs: unknown[] = [];
    for (const each of [...seats, gallery]) each.on('desync', (what) => desyncs.push(what));
    const results = (await Promise.all(seats.map((seat) => playOut(seat)))).flat();
    await gallery.until(({ over }) => over !== undefined);
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter((result) => !result.accepted && !result.conflict && result.code !== 'ended')).toEqual([]);
    expect(desyncs).toEqual([]);
    for (const each of [...seats, gallery]) await sameAsServer(house.api, each);
    expect(gallery.state.requests).toEqual([]);
    for (const each of [...seats, gallery]) each.stop();
  },
);

test('before a table starts it is waited for; then everybody knows who sits where', async () => {
  const id = await house.table('oxo');
  const ann = client(id, 'Ann').connect();
  await ann.until(({ status }) => status === 'waiting');
  expect(ann.state.view).toBeUndefined();
  expect(await ann.submit('x', { inputId: 1 })).toMatchObject({ accepted: false, code: 'game_not_started' });
  ann.chat('anybody there?');
  await ann.until(({ chat }) => chat.length === 1);
  const bo = client(id, 'Bo').connect();
  const states = await Promise.all([ann, bo].map((each) => each.until(({ status }) => status === 'live')));
  for (const state of states) {
    expect(new Set(state.players)).toEqual(new Set(['Ann', 'Bo']));
    expect(state.seats[state.seat!]!.name).toBe(state === states[0] ? 'Ann' : 'Bo');
    expect(state.matchNo).toBe(1);
    expect(state.commitment).toMatch(/^[0-9a-f]+$/);
  }
  for (const each of [ann, bo]) each.stop();
});

test('the state is new with each change, and what has not changed is shared', async () => {
  const id = await house.table('oxo', { bots: 1 });
  const ann = client(id, 'Ann').connect();
  const states: TableState[] = [];
  ann.subscribe((state) => states.push(state));
  await playOut(ann);
  expect(new Set(states).size).toBe(states.length);
  for (const [n, state] of states.entries()) {
    const before = states[n - 1];
    if (before && state.v === before.v && state.view !== undefined) expect(state.seats).toBe(before.seats);
    // Never half of a message: the view belongs to its number.
    const same = states.filter((other) => other.v === state.v && other.view !== undefined);
    expect(new Set(same.map((other) => other.viewHash)).size).toBeLessThanOrEqual(1);
  }
  expect(ann.state.events.length).toBeGreaterThan(2);
  ann.stop();
});

test('chat reaches everybody, and one line too many characters is a problem of its sender alone', async () => {
  const id = await house.table('oxo');
  const [ann, bo] = ['Ann', 'Bo'].map((name) => client(id, name).connect()) as [TableClient, TableClient];
  await Promise.all([ann, bo].map((each) => each.until(({ status }) => status === 'live')));
  expect(ann.chat('hello 牌')).toBe(true);
  await Promise.all(
    [ann, bo].map((each) =>
      each.until(({ chat }) => chat.some((line) => line.text === 'hello 牌' && line.name === 'Ann')),
    ),
  );
  const problem = ann.once('problem');
  ann.chat('x'.repeat(1_001));
  expect((await problem).code).toBeTruthy();
  expect(bo.state.chat).toHaveLength(1);
  expect(() => ann.chat('x'.repeat(40_000))).toThrow(RangeError);
  for (const each of [ann, bo]) each.stop();
});

test('what was answered can be taken back where the other one agrees', async () => {
  const id = await house.table('oxo');
  const both = ['Ann', 'Bo'].map((name) => client(id, name).connect()) as [TableClient, TableClient];
  await Promise.all(both.map((each) => each.until(({ status }) => status === 'live')));
  const mover = both.find((each) => each.state.requests.length > 0)!;
  const other = both.find((each) => each !== mover)!;
  expect(await other.undo()).toMatchObject({ accepted: false });
  expect(await mover.answer(mover.state.requests[0]!, 'b2')).toMatchObject({ accepted: true });
  const before = mover.state.branchId;
  expect(await mover.undo()).toMatchObject({ accepted: true });
  const asked = await other.until(({ requests }) => requests.some(({ kind }) => kind === 'undo'));
  const vote = asked.requests.find(({ kind }) => kind === 'undo')!;
  expect(await other.answer(vote, vote.choices![0]!)).toMatchObject({ accepted: true });
  await mover.until(({ view }) => (view as { turn: number }).turn === 0);
  expect(mover.state.branchId).toBeGreaterThan(before);
  for (const each of both) await sameAsServer(house.api, each);
  for (const each of both) each.stop();
});

test('whoever leaves is gone for good, and his token is forgotten', async () => {
  const id = await house.table('oxo');
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const ann = client(id, 'Ann', { storage }).connect();
  const bo = client(id, 'Bo').connect();
  await Promise.all([ann, bo].map((each) => each.until(({ status }) => status === 'live')));
  expect([...kept.values()]).toEqual([ann.state.token]);
  await ann.leave();
  expect(ann.state).toMatchObject({ status: 'closed', closed: { code: 'left' } });
  expect(kept.size).toBe(0);
  await bo.until(({ seats }) => seats.some(({ isBot }) => isBot));
  bo.stop();
});

test('a page that is loaded again gets its seat back', async () => {
  const id = await house.table('oxo');
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const ann = client(id, 'Ann', { storage }).connect();
  const bo = client(id, 'Bo').connect();
  const before = await ann.until(({ status }) => status === 'live');
  ann.stop();
  const again = client(id, 'Ann', { storage }).connect();
  const after = await again.until(({ status }) => status === 'live');
  expect(after.seat).toBe(before.seat);
  expect(after.viewHash).toBe(before.viewHash);
  expect(after.requests).toEqual(before.requests);
  for (const each of [again, bo]) each.stop();
});

test.each([
  ['a table that is not there', 'game_not_found', () => Promise.resolve('nowhere')],
  [
    'a table that has started without us',
    'game_started',
    async () => {
      const id = await house.table('oxo', { bots: 1 });
      const other = client(id, 'Bo').connect();
      await other.until(({ status }) => status === 'live');
      return id;
    },
  ],
  [
    'a name that is taken',
    'name_taken',
    async () => {
      const id = await house.table('oxo');
      await house.api.join(id, 'Ann');
      return id;
    },
  ],
])('%s is said once, and not tried again', async (_, code, make) => {
  const ann = client(await make(), 'Ann').connect();
  const { closed } = await ann.until(({ status }) => status === 'closed');
  expect(closed!.code).toBe(code);
  expect(closed!.message).not.toBe('');
});

test('REST: lists, views, answers, logs and replays; what is refused is thrown with its code', async () => {
  const api = house.api;
  const made = await api.createMatch({ game: 'oxo', bots: 0, id: 'by-rest' });
  expect(made).toMatchObject({ id: 'by-rest', status: 'waiting', seats: 2 });
  expect((await api.matches({ state: 'waiting' })).map(({ id }) => id)).toContain('by-rest');
  const tokens = [(await api.join('by-rest', 'Ann')).session_token, (await api.join('by-rest', 'Bo')).session_token];
  const infos = await Promise.all(tokens.map((token) => api.as(token).match('by-rest')));
  const mover = infos.findIndex((info) => info.snapshot!.requests.length > 0);
  const request = infos[mover]!.snapshot!.requests[0]!;
  const response = { title: request.title, selection: ['a1'], branchId: infos[mover]!.snapshot!.branchId };
  const seat = api.as(tokens[mover]!);
  expect((await seat.respond('by-rest', response)).branchId).toBeGreaterThan(response.branchId);
  const stale = await seat.respond('by-rest', response).catch((error: unknown) => error);
  expect(stale).toBeInstanceOf(ParlorError);
  expect(stale).toMatchObject({ status: 409, code: 'stale_head', details: { status: 'error' } });
  await expect(api.log('by-rest')).rejects.toMatchObject({ status: 409, code: 'running' });
  await expect(api.kill('by-rest')).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  await expect(api.as('wrong').kill('by-rest')).rejects.toMatchObject({ status: 403 });
  await api.as(made.owner_token).kill('by-rest');
  // Looking waits until everything is stored, the end too.
  expect(await api.match('by-rest')).toMatchObject({ status: 'finished' });
  const log = await api.log('by-rest');
  expect(log[0]).toMatchObject({ game: 'oxo' });
  expect(log.filter((line) => line.do === 'answer')).toHaveLength(1);
  expect((await api.replay('by-rest')).steps.length).toBeGreaterThan(1);
  await expect(api.createMatch({ game: 'no such game' })).rejects.toMatchObject({ status: 400, code: 'unknown_game' });
  await expect(api.match('not-there')).rejects.toMatchObject({ status: 404, code: 'game_not_found' });
  expect(Math.abs(await api.clockOffset())).toBeLessThan(2_000);
  expect((await api.status()).status).toBe('ok');
});
