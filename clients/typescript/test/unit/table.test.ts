import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { TableClient, viewHash } from '../../src/index.ts';
import { fakes } from './fake.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const VIEW = { turn: 0 };
const REQUEST = {
  inputId: 1,
  kind: 'request',
  type: 'select',
  title: 'Pick',
  choices: [{ title: 'a' }, { title: 'b' }],
} as const;
const JOINED = { type: 'game_joined', game_id: 't', players: ['Ann'], session_token: 'token' };
const SNAPSHOT = {
  type: 'snapshot',
  v: 1,
  branchId: 1,
  matchNo: 1,
  view: VIEW,
  viewHash: viewHash(VIEW),
  requests: [REQUEST],
  seats: [{ name: 'Ann', isBot: false, here: true }],
};

function table(more: object = {}) {
  const server = fakes();
  const client = new TableClient({
    url: 'http://here',
    tableId: 't',
    name: 'Ann',
    codec: 'json',
    socket: server.socket,
    random: () => 1,
    ...more,
  }).connect();
  return { server, client };
}

function live() {
  const made = table();
  made.server.last().opens().says(JOINED, SNAPSHOT);
  return made;
}

test('pings keep a connection, and one that says nothing is replaced', () => {
  const { server, client } = live();
  vi.advanceTimersByTime(10_000);
  expect(server.last().sent.at(-1)).toEqual({ type: 'ping' });
  server.last().says({ type: 'pong' });
  vi.advanceTimersByTime(9_000);
  expect(client.state.status).toBe('live');
  vi.advanceTimersByTime(7_000);
  expect(client.state.status).toBe('reconnecting');
});

test('an answer whose result does not come is said again on another connection, under its key', async () => {
  // cites 000-15
  const { server, client } = live();
  const result = client.answer(REQUEST, 'a');
  const sent = () =>
    server.sockets.map((socket) =>
      socket.sent.filter(({ type }) => type === 'game_action').map(({ requestKey }) => requestKey),
    );
  const wait = (ms: number) => {
    for (let at = 0; at < ms; at += 1_000) {
      vi.advanceTimersByTime(1_000);
      server.last().says({ type: 'pong' });
    }
  };
  wait(7_000);
  expect(client.state.status).toBe('live');
  wait(1_000);
  expect(client.state.status).toBe('reconnecting');
  vi.advanceTimersByTime(1_000);
  server.last().opens().says(JOINED);
  // A slow server is given more time.
  wait(15_000);
  expect(client.state.status).toBe('live');
  wait(1_000);
  expect(client.state.status).toBe('reconnecting');
  vi.advanceTimersByTime(1_000);
  server.last().opens().says(JOINED);
  const key = client.state.pending!.requestKey;
  expect(sent()).toEqual([[key], [key], [key]]);
  server.last().says({ type: 'accepted', requestKey: key, branchId: 1 });
  expect(await result).toMatchObject({ accepted: true });
  expect(client.state.pending).toBeUndefined();
});

test('a refusal on a connection that was given up is not heard: what is said again may be taken', async () => {
  // cites 000-15, 000/R3
  const { server, client } = live();
  const result = client.answer(REQUEST, 'a');
  const requestKey = client.state.pending!.requestKey;
  const slow = server.last();
  vi.advanceTimersByTime(9_000);
  server.last().opens().says(JOINED);
  slow.says({ type: 'refused', requestKey, code: 'paused', message: '', faults: [], branchId: 1 });
  server.last().says({ type: 'accepted', requestKey, branchId: 1 });
  expect(await result).toMatchObject({ accepted: true });
});

test('a second answer is held back while the first is on its way', async () => {
  // cites 000-15
  const { server, client } = live();
  const first = client.answer(REQUEST, 'a');
  const requestKey = client.state.pending!.requestKey;
  const second = client.answer(REQUEST, 'b');
  expect(server.last().sent.filter(({ type }) => type === 'game_action')).toHaveLength(1);
  expect(await second).toMatchObject({ accepted: false, code: 'pending' });
  server.last().says({ type: 'accepted', requestKey, branchId: 1 });
  expect(await first).toMatchObject({ accepted: true });
});

test('an answer to what no longer stands is a conflict, and the user is told', async () => {
  // cites 000-17
  const { server, client } = live();
  const told: string[] = [];
  client.on('conflict', ({ code, submission }) => told.push(`${code}: ${JSON.stringify(submission.answer)}`));
  for (const [code, conflict] of [
    ['stale_head', true],
    ['count', false],
  ] as const) {
    const result = client.answer(REQUEST, 'a');
    const requestKey = client.state.pending!.requestKey;
    server.last().says({ type: 'refused', requestKey, code, message: '', faults: [], branchId: 1 });
    expect(await result).toMatchObject({ accepted: false, code, conflict });
  }
  expect(told).toEqual(['stale_head: {"title":"Pick","selection":["a"]}']);
});

test('a result with another key is not this answer’s', async () => {
  const { server, client } = live();
  const result = client.answer(REQUEST, 'a');
  server
    .last()
    .says(
      { type: 'accepted', requestKey: 'another', branchId: 1 },
      { type: 'accepted', branchId: 1 },
      { type: 'refused', code: 'chat', message: '', faults: [], branchId: 1 },
    );
  expect(client.state.pending).toBeDefined();
  server.last().says({
    type: 'refused',
    requestKey: client.state.pending!.requestKey,
    code: 'count',
    message: 'too few',
    faults: [],
    branchId: 1,
  });
  expect(await result).toMatchObject({ accepted: false, code: 'count', conflict: false });
});

test('a server that is too busy is asked again a little later, with the same key', () => {
  const { server, client } = live();
  void client.answer(REQUEST, 'a');
  server.last().says({ type: 'session_error', code: 'busy', message: 'try again' });
  vi.advanceTimersByTime(300);
  const keys = server
    .last()
    .sent.filter(({ type }) => type === 'game_action')
    .map(({ requestKey }) => requestKey);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  const early = table();
  early.server.last().opens().says({ type: 'session_error', code: 'busy', message: 'try again' });
  expect(early.client.state.status).toBe('reconnecting');
});

test('a join or a welcome that went astray costs a connection, not the place', () => {
  // cites 000-15
  for (const code of ['not_in_game', 'already_in_game']) {
    const { server, client } = table();
    server.last().opens().says({ type: 'session_error', code, message: code });
    expect(client.state.status, code).toBe('reconnecting');
    vi.advanceTimersByTime(1_000);
    server.last().opens().says(JOINED, SNAPSHOT);
    expect(client.state.status, code).toBe('live');
  }
});

test('nothing is said on a fresh connection before its welcome, and one welcome is enough', () => {
  const { server, client } = live();
  void client.answer(REQUEST, 'a');
  vi.advanceTimersByTime(7_000);
  server.last().dies();
  vi.advanceTimersByTime(500);
  server.last().opens();
  vi.advanceTimersByTime(2_000);
  expect(server.last().sent.map(({ type }) => type)).toEqual(['join_game']);
  server.last().says(JOINED, JOINED);
  expect(server.last().sent.map(({ type }) => type)).toEqual(['join_game', 'game_action']);
});

test('a match that is over is no longer paused', () => {
  const { server, client } = live();
  server.last().says({ type: 'paused', v: 2, why: 'lunch' });
  expect(client.state.paused).toBe('lunch');
  const over = { outcome: { winners: 0, places: [], reason: 'stopped' }, text: 'stopped' };
  server
    .last()
    .says({ type: 'update', v: 3, branchId: 1, events: [], patch: [], viewHash: viewHash(VIEW), requests: [], over });
  expect(client.state.over).toEqual(over);
  expect(client.state.paused).toBeUndefined();
});

test('whatever an old socket still says is not heard', () => {
  const { server, client } = live();
  const old = server.last();
  const late = old.onmessage;
  const lateClose = old.onclose;
  old.dies();
  vi.advanceTimersByTime(1_000);
  server.last().opens().says(JOINED);
  late?.({ data: JSON.stringify({ ...SNAPSHOT, v: 9, view: { turn: 9 }, viewHash: viewHash({ turn: 9 }) }) });
  lateClose?.({ code: 4000, reason: 'taken_over' });
  expect(client.state).toMatchObject({ status: 'live', v: 1, view: { turn: 0 } });
});

test('a frame that cannot be read costs the connection, not the client', () => {
  const { server, client } = live();
  server.last().onmessage?.({ data: '{' });
  expect(client.state.status).toBe('reconnecting');
});

test.each([
  [1000, 'heartbeat_timeout', 'reconnecting'],
  [1012, 'server_restarting', 'reconnecting'],
  [1013, 'not_stored', 'reconnecting'],
  [1008, 'forged', 'closed'],
  [4001, 'join_timeout', 'reconnecting'],
  [4008, 'too_slow', 'reconnecting'],
  [1006, '', 'reconnecting'],
  [1000, 'left', 'closed'],
  [4000, 'taken_over', 'closed'],
  [4002, 'left', 'closed'],
  [4004, 'bad_frames', 'closed'],
])('closed with %i %s it is %s', (code, reason, status) => {
  const { server, client } = live();
  server.last().dies(code, reason);
  expect(client.state.status).toBe(status);
});

test('before the match people get ready, and after it they may want another', () => {
  const { server, client } = table();
  server.last().opens().says(JOINED);
  client.ready();
  client.room({ kick: 'Bo' });
  client.room({ owner: 'Cy' });
  client.room({ start: true });
  const members = [{ name: 'Ann', ready: true, owner: true, here: true }];
  server.last().says({ type: 'room', game_id: 't', members, humans: 2 });
  expect(client.state.room).toEqual({ members, humans: 2 });
  server.last().says(SNAPSHOT);
  expect(client.state.room).toBeUndefined();
  client.rematch();
  server.last().says({ type: 'rematch', agreed: ['Ann'], game_id: null });
  expect(client.state.rematch).toEqual({ agreed: ['Ann'], gameId: undefined });
  expect(server.last().sent.slice(1)).toEqual([
    { type: 'room_ready', ready: true },
    { type: 'room_kick', player_name: 'Bo' },
    { type: 'room_owner', player_name: 'Cy' },
    { type: 'room_start' },
    { type: 'rematch', agree: true },
  ]);
});

test('a message of the future is passed on as it came', () => {
  const { server, client } = live();
  const other: string[] = [];
  client.on('message', ({ type }) => other.push(type));
  server
    .last()
    .says({ type: 'weather', sunny: true }, { type: 'notice', code: 'read_only', message: 'the disk is full' });
  expect(client.state.notice).toEqual({ code: 'read_only', message: 'the disk is full' });
  server.last().says({ type: 'notice', code: 'writable', message: 'all is well' });
  expect(client.state.notice).toBeUndefined();
  server.last().says({ type: 'pong' });
  expect(other).toEqual(['weather']);
});

test('a listener that throws stops nobody else', async () => {
  const { server, client } = live();
  const thrown: unknown[] = [];
  const catcher = (error: unknown) => thrown.push(error);
  const old = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', catcher);
  const heard: string[] = [];
  client.on('chat', () => {
    throw new Error('mine');
  });
  client.on('chat', ({ text }) => heard.push(text));
  server.last().says({ type: 'chat', n: 1, player_name: 'Bo', text: 'hello' });
  vi.useRealTimers();
  await new Promise((done) => setTimeout(done, 20));
  process.off('uncaughtException', catcher);
  for (const each of old) process.on('uncaughtException', each);
  expect(heard).toEqual(['hello']);
  expect(thrown).toHaveLength(1);
});

test('chat and events are kept up to a limit', () => {
  const { server, client } = live();
  for (let n = 1; n < 300; n += 1) server.last().says({ type: 'chat', n, player_name: 'Bo', text: String(n) });
  server.last().says({ type: 'chat', n: 299, player_name: 'Bo', text: 'told again' });
  expect(client.state.chat).toHaveLength(200);
  expect(client.state.chat.at(-1)!.text).toBe('299');
});

test('without a WebSocket it says what to do', () => {
  const had = globalThis.WebSocket;
  Reflect.deleteProperty(globalThis, 'WebSocket');
  const client = new TableClient({ url: 'http://here', tableId: 't', name: 'Ann' }).connect();
  expect(client.state.closed).toMatchObject({ code: 'no_socket' });
  expect(client.state.closed!.message).toContain('ws');
  if (had) globalThis.WebSocket = had;
});
