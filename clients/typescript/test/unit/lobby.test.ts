import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { LobbyClient, viewHash, type MatchFound } from '../../src/index.ts';
import { fakes, storage } from './fake.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HELLO = {
  type: 'hello_ok',
  player_id: 'p1',
  nickname: 'Ann',
  language: 'en',
  avatar: null,
  tokens: 10,
  rating: 0,
  leagueKey: 'wood',
  token: 'player-token',
  matches: [{ game_id: 't0', game: 'oxo', seat: 0 }],
};
const FOUND = {
  type: 'match_found',
  game_id: 't1',
  game: 'battle',
  seat: 1,
  session_token: 'seat-token-0123456789',
  players: [
    { seat: 0, name: 'Bo', is_bot: false },
    { seat: 1, name: 'Ann', is_bot: false },
  ],
  stake: 3,
};
const VIEW = { board: '.........' };
const SNAPSHOT = {
  type: 'snapshot',
  v: 1,
  branchId: 1,
  matchNo: 1,
  view: VIEW,
  viewHash: viewHash(VIEW),
  requests: [],
  seats: [
    { name: 'Bo', isBot: false, here: true },
    { name: 'Ann', isBot: false, here: true },
  ],
};

function lobby() {
  const server = fakes();
  const kept = storage();
  const client = new LobbyClient({
    url: 'http://here:1/',
    codec: 'json',
    socket: server.socket,
    storage: kept,
    random: () => 0,
  }).connect();
  return { server, kept, client };
}

test('a guest is made once, and is the same player when he comes again', () => {
  const { server, kept, client } = lobby();
  expect(server.last().url).toBe('ws://here:1/ws');
  server.last().opens();
  expect(server.last().sent).toEqual([{ type: 'hello' }]);
  server.last().says(HELLO);
  expect(client.state).toMatchObject({
    status: 'ready',
    token: 'player-token',
    player: { nickname: 'Ann', tokens: 10 },
  });
  const again = new LobbyClient({ url: 'ws://here:1', codec: 'json', socket: server.socket, storage: kept }).connect();
  server.last().opens();
  expect(server.last().sent).toEqual([{ type: 'hello', token: 'player-token' }]);
  again.stop();
});

test('who waits in a queue is told his place, and joins it again after his connection was lost', () => {
  const { server, client } = lobby();
  client.queueJoin({ game: 'battle', fillWithBotsAfterMs: 5_000 });
  server.last().opens().says(HELLO);
  const join = { type: 'queue_join', game: 'battle', fillWithBotsAfterMs: 5_000 };
  expect(server.last().sent.at(-1)).toEqual(join);
  server.last().says({ type: 'queue_ok', tokens: 7, position: 3, waiting: 4 });
  expect(client.state).toMatchObject({ status: 'queued', queue: { position: 3, waiting: 4 } });
  server.last().dies();
  expect(client.state.status).toBe('reconnecting');
  vi.advanceTimersByTime(1_000);
  server.last().opens().says(HELLO);
  expect(server.sockets).toHaveLength(2);
  expect(server.last().sent.at(-1)).toEqual(join);
  client.queueLeave();
  expect(server.last().sent.at(-1)).toEqual({ type: 'queue_leave' });
  server.last().says({ type: 'queue_left' });
  expect(client.state).toMatchObject({ status: 'ready', queue: undefined });
});

test('matches that wait for a player are his to sit down at again', () => {
  const { server, client } = lobby();
  server.last().opens().says(HELLO);
  expect(client.state.matches).toEqual([{ game_id: 't0', game: 'oxo', seat: 0 }]);
  const table = client.table('t0').connect();
  server.last().opens();
  expect(server.last().url).toBe('ws://here:1/ws/t0');
  expect(server.last().sent[0]).toMatchObject({ type: 'join_game', player_name: 'Ann', player_token: 'player-token' });
  table.stop();
});

test('a refusal is told, and what was refused is not waited for', () => {
  const { server, client } = lobby();
  const problems: string[] = [];
  client.on('problem', ({ code }) => problems.push(code));
  server.last().opens().says(HELLO);
  client.queueJoin({ game: 'battle' });
  server.last().says({ type: 'session_error', code: 'not_enough_tokens', message: 'you have too few tokens' });
  expect(problems).toEqual(['not_enough_tokens']);
  expect(client.state.queue).toBeUndefined();
});

test('the socket that brought a match carries it, nothing of it is missed, and the table gives it back', () => {
  const { server, kept, client } = lobby();
  server.last().opens().says(HELLO);
  let found: MatchFound | undefined;
  client.on('matchFound', (match) => (found = match));
  // In one go, as a socket may deliver them.
  server.last().says(FOUND, SNAPSHOT);
  const table = found!.table;
  expect(client.state).toMatchObject({ status: 'playing', table });
  expect(table.state).toMatchObject({
    status: 'live',
    seat: 1,
    tableId: 't1',
    token: 'seat-token-0123456789',
    view: VIEW,
  });
  expect(kept.kept.get('parlor.session.t1')).toBe('seat-token-0123456789');
  expect(client.playBots({ game: 'battle' })).toBe(false);
  void table.leave();
  expect(server.last().sent.at(-1)).toEqual({ type: 'leave_game' });
  server.last().says({ type: 'game_left' });
  expect(table.state.closed).toMatchObject({ code: 'left' });
  expect(client.state).toMatchObject({ status: 'ready', table: undefined });
  expect(server.sockets).toHaveLength(1);
  expect(client.playBots({ game: 'battle', bots: 1 })).toBe(true);
  expect(server.last().sent.at(-1)).toEqual({ type: 'play_bots', game: 'battle', bots: 1 });
});

test('a table that loses its socket comes back by its own address, the lobby when the table is closed', async () => {
  const { server, client } = lobby();
  server.last().opens().says(HELLO, FOUND, SNAPSHOT);
  const table = client.state.table!;
  server.last().dies();
  expect(table.state.status).toBe('reconnecting');
  expect(client.state.status).toBe('playing');
  vi.advanceTimersByTime(1_000);
  expect(server.last().url).toBe('ws://here:1/ws/t1');
  server.last().opens();
  expect(server.last().sent).toEqual([
    {
      type: 'join_game',
      player_name: 'Ann',
      session_token: 'seat-token-0123456789',
      player_token: 'player-token',
      last_v: 1,
      last_chat: 0,
    },
  ]);
  server.last().says({ type: 'game_joined', players: ['Bo', 'Ann'], session_token: 'seat-token-0123456789' });
  expect(table.state.status).toBe('live');
  server.last().dies(4002, 'left');
  await vi.advanceTimersByTimeAsync(0);
  expect(server.last().url).toBe('ws://here:1/ws');
  server.last().opens().says(HELLO);
  expect(client.state).toMatchObject({ status: 'ready', table: undefined });
});

test('what a player owns is told in the lobby and at a table alike', () => {
  const { server, client } = lobby();
  server.last().opens().says(HELLO);
  const { token: _, matches: _m, ...account } = HELLO;
  server.last().says({ ...account, type: 'account', tokens: 7 });
  expect(client.state.player).toMatchObject({ nickname: 'Ann', tokens: 7 });
  server.last().says(FOUND, SNAPSHOT, { ...account, type: 'account', tokens: 13 });
  expect(client.state).toMatchObject({ status: 'playing', player: { tokens: 13 } });
});

test('messages of rooms go through as they are', () => {
  const { server, client } = lobby();
  const heard: unknown[] = [];
  client.on('message', (message) => heard.push(message));
  expect(client.send({ type: 'room_ready', ready: true })).toBe(false);
  server.last().opens().says(HELLO, { type: 'room_state', id: 'r' }, { type: 'pong' });
  expect(client.send({ type: 'room_ready', ready: true })).toBe(true);
  expect(heard).toEqual([{ type: 'room_state', id: 'r' }]);
});

test('a player who is in the lobby elsewhere is not fought with', () => {
  const { server, client } = lobby();
  server.last().opens().says(HELLO);
  server.last().dies(4000, 'taken_over');
  vi.advanceTimersByTime(60_000);
  expect(server.sockets).toHaveLength(1);
  expect(client.state).toMatchObject({ status: 'closed', closed: { code: 'taken_over' } });
});
