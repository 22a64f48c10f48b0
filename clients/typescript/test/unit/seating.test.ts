import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { TableClient, viewHash } from '../../src/index.ts';
import { fakes, storage } from './fake.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const LOOKING = { type: 'game_joined', game_id: 't', players: ['Bo'], session_token: null };
const RESERVED = { type: 'seat_reserved', seat: 2, for_ms: 60_000, buy_in_min: 40, buy_in_max: 200, currency: 'play' };
const BO = { name: 'Bo', isBot: false, here: true };
const FREE = { name: '', isBot: false, here: false };
const ANN = { name: 'Ann', isBot: false, here: true };

function snapshot(v: number, seats: object[], more: object = {}) {
  const view = { pot: v };
  const hash = viewHash(view);
  return { type: 'snapshot', v, branchId: 1, matchNo: 1, view, viewHash: hash, requests: [], seats, ...more };
}

function watching() {
  const server = fakes();
  const kept = storage();
  const client = new TableClient({
    url: 'http://here',
    tableId: 't',
    name: 'Ann',
    codec: 'json',
    spectate: true,
    storage: kept,
    socket: server.socket,
    random: () => 1,
  }).connect();
  server
    .last()
    .opens()
    .says(LOOKING, snapshot(9, [BO, FREE, FREE]));
  return { server, client, kept: kept.kept };
}

/** The server's words for a seat that is ours: the token is the one with which the connection came. */
function seats(server: ReturnType<typeof fakes>, v = 2) {
  const { session_token } = server.last().sent.find(({ type }) => type === 'join_game')!;
  server
    .last()
    .says({ ...LOOKING, players: ['Bo', 'Ann'], session_token }, snapshot(v, [BO, FREE, ANN], { requests: [] }));
  return session_token as string;
}

test('a spectator keeps a seat, sits down, and is a player on the same connection', async () => {
  const { server, client, kept } = watching();
  const reserving = client.reserveSeat(2);
  expect(server.last().sent.at(-1)).toEqual({ type: 'reserve_seat', seat: 2 });
  server.last().says(RESERVED);
  const offer = { seat: 2, forMs: 60_000, buyInMin: 40, buyInMax: 200, currency: 'play' };
  expect(await reserving).toEqual({ accepted: true, ...offer });
  expect(client.state.kept).toEqual(offer);
  expect([...kept.keys()], 'nothing to come back to yet').toEqual([]);

  const sitting = client.sitDown({ seat: 2, buyIn: 120 });
  expect(server.last().sent.at(-1)).toEqual({ type: 'sit_down', seat: 2, buy_in: 120 });
  const token = seats(server);
  expect(await sitting).toEqual({ accepted: true, seat: 2 });
  // The seat's stream has numbers of its own, lower than the gallery's.
  expect(client.state).toMatchObject({ status: 'live', spectator: false, seat: 2, v: 2, token, view: { pot: 2 } });
  expect(client.state.kept).toBeUndefined();
  expect([...kept]).toEqual([['parlor.session.t', token]]);
  expect(server.sockets).toHaveLength(1);

  server.last().dies();
  vi.advanceTimersByTime(1_000);
  server.last().opens();
  expect(server.last().sent[0]).toEqual({
    type: 'join_game',
    player_name: 'Ann',
    session_token: token,
    last_v: 2,
    last_chat: 0,
  });
});

test('nothing of the gallery is taken for the seat before its first snapshot', () => {
  const { server, client } = watching();
  void client.sitDown({ seat: 2 });
  const { session_token } = server.last().sent[0]!;
  server.last().says({ ...LOOKING, session_token });
  const update = { type: 'update', branchId: 1, events: ['x'], patch: [], viewHash: viewHash({ pot: 9 }) };
  server.last().says({ ...update, v: 10 }, { ...update, v: 3 });
  expect(client.state).toMatchObject({ status: 'live', v: 9, events: [] });
  server.last().says(snapshot(2, [BO, FREE, ANN]));
  expect(client.state).toMatchObject({ v: 2, seat: 2 });
});

test('a seat is found by its name where none was asked for', async () => {
  const { server, client } = watching();
  const sitting = client.sitDown();
  expect(server.last().sent.at(-1)).toEqual({ type: 'sit_down' });
  seats(server);
  expect(await sitting).toEqual({ accepted: true, seat: 2 });
});

test('a refusal is told to whoever wished, and changes nothing', async () => {
  const { server, client } = watching();
  const problems: string[] = [];
  client.on('problem', ({ code }) => problems.push(code));
  const taken = client.reserveSeat(0);
  expect(await client.sitDown()).toMatchObject({ accepted: false, code: 'pending' });
  server.last().says({ type: 'session_error', code: 'seat_taken', message: 'that seat is taken' });
  expect(await taken).toEqual({ accepted: false, code: 'seat_taken', message: 'that seat is taken' });
  const poor = client.sitDown({ seat: 1, buyIn: 200 });
  server.last().says({ type: 'session_error', code: 'not_enough_tokens', message: 'no' });
  expect(await poor).toMatchObject({ accepted: false, code: 'not_enough_tokens' });
  expect(client.state).toMatchObject({ status: 'live', spectator: true, seat: undefined });
  expect(problems).toEqual([]);
});

test('where the connection is lost while sitting down, the next one goes on with it: one seat, once', async () => {
  const { server, client } = watching();
  const sitting = client.sitDown({ seat: 2, buyIn: 120 });
  const { session_token } = server.last().sent[0]!;
  server.last().dies();
  vi.advanceTimersByTime(1_000);
  server.last().opens();
  const join = { type: 'join_game', player_name: 'Ann', session_token, seat: 2, buy_in: 120 };
  expect(server.last().sent).toEqual([join]);
  // The first one is still being stored.
  server.last().says({ type: 'session_error', code: 'seated', message: 'you have a seat already' });
  vi.advanceTimersByTime(1_000);
  server.last().opens();
  expect(server.last().sent).toEqual([join]);
  seats(server);
  expect(await sitting).toEqual({ accepted: true, seat: 2 });
  expect(client.state).toMatchObject({ status: 'live', spectator: false, seat: 2 });
});

test('a seat that is refused on a new connection leaves a spectator', async () => {
  const { server, client } = watching();
  const sitting = client.sitDown({ seat: 2 });
  const reserving = watching();
  const lost = reserving.client.reserveSeat();
  reserving.server.last().dies();
  expect(await lost).toMatchObject({ accepted: false, code: 'not_connected' });
  server.last().dies();
  vi.advanceTimersByTime(1_000);
  server.last().opens().says({ type: 'session_error', code: 'seat_taken', message: 'that seat is taken' });
  expect(await sitting).toMatchObject({ accepted: false, code: 'seat_taken' });
  vi.advanceTimersByTime(1_000);
  server.last().opens();
  expect(server.last().sent[0]).toMatchObject({ spectate: true, last_v: 9 });
});

test('whoever has got up, or was expelled, has no right to come back to the seat', () => {
  for (const [code, reason, why] of [
    [4002, 'left', 'left'],
    [1008, 'forged', 'expelled'],
  ] as const) {
    const { server, client, kept } = watching();
    void client.sitDown({ seat: 2 });
    const token = seats(server);
    server.last().dies(code, reason);
    expect(client.state).toMatchObject({ status: 'closed', closed: { code: why }, spectator: true, token: undefined });
    expect(kept.size).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(server.sockets, why).toHaveLength(1);
    client.connect();
    server.last().opens();
    expect(server.last().sent[0]).toMatchObject({ spectate: true });
    expect(server.last().sent[0]!.session_token).not.toBe(token);
  }
});

test('a join may name its seat and what is brought, and only the first one does', () => {
  const server = fakes();
  const options = { url: 'http://here', tableId: 't', name: 'Ann', codec: 'json', socket: server.socket } as const;
  new TableClient({ ...options, token: 'mine', seat: 1, buyIn: 60 }).connect();
  server.last().opens();
  const join = { type: 'join_game', player_name: 'Ann', session_token: 'mine' };
  expect(server.last().sent[0]).toEqual({ ...join, seat: 1, buy_in: 60 });
  server.last().says({ ...LOOKING, session_token: 'mine' }, snapshot(4, [BO, ANN]));
  server.last().dies();
  vi.advanceTimersByTime(1_000);
  server.last().opens();
  expect(server.last().sent[0]).toEqual({ ...join, last_v: 4, last_chat: 0 });
});

test('clocks of an update replace those before; none said, they stand', () => {
  const { server, client } = watching();
  expect(client.state.clocks).toEqual([]);
  const clocks = [{ seat: 0, until: 5000, bankMs: 30_000, deadlineTs: 1_000_000 }];
  const update = { type: 'update', branchId: 1, events: [], patch: [], viewHash: viewHash({ pot: 9 }) };
  server.last().says({ ...update, v: 10, clocks });
  expect(client.state.clocks).toEqual(clocks);
  server.last().says({ ...update, v: 11 });
  expect(client.state.clocks).toEqual(clocks);
  server.last().says({ ...update, v: 12, clocks: [] });
  expect(client.state.clocks).toEqual([]);
  server.last().says(snapshot(13, [BO], { clocks }));
  expect(client.state.clocks).toEqual(clocks);
});

test('what of an answer was not followed is told with its result', async () => {
  const { server, client } = watching();
  const request = { inputId: 1, kind: 'request', type: 'select', title: 'Pick', choices: [{ title: 'a' }] } as const;
  server.last().says(snapshot(10, [BO], { requests: [request] }));
  const result = client.answer(request, 'a');
  const requestKey = client.state.pending!.requestKey;
  const ignored = [{ path: '/raise', reason: 'too late' }];
  server.last().says({ type: 'accepted', requestKey, branchId: 1, ignored });
  expect(await result).toEqual({ accepted: true, requestKey, branchId: 1, ignored });
});
