/** The lobby of the real server: players, queues, matches that go on on the same socket. */

import { afterAll, beforeAll, expect, test } from 'vitest';

import { LobbyClient, type CodecName, type MatchFound } from '../../src/index.ts';
import { fast, House, socket } from './house.ts';
import { playOut, sameAsServer } from './players.ts';
import { Proxy } from './proxy.ts';

let house: House;
let proxy: Proxy;
beforeAll(async () => {
  house = await House.open();
  proxy = await Proxy.open(() => house.url);
});
afterAll(async () => {
  await proxy?.close();
  await house?.close();
});

const lobby = (codec: CodecName, more: object = {}) =>
  new LobbyClient({ url: proxy.url, codec, socket, timing: fast, ...more });
const found = (client: LobbyClient): Promise<MatchFound> => client.once('matchFound');

test.each<[CodecName, CodecName]>([
  ['msgpack', 'json'],
  ['json', 'msgpack'],
])(
  'two who wait in a queue play on the sockets they have, in %s and %s, and are back in the lobby',
  async (...codecs) => {
    const both = codecs.map((codec) => lobby(codec));
    const matches = both.map(found);
    const before = proxy.connections;
    for (const each of both) each.connect().queueJoin({ game: 'oxo' });
    const [one, two] = (await Promise.all(matches)) as [MatchFound, MatchFound];
    expect(one.gameId).toBe(two.gameId);
    expect(one.seat).not.toBe(two.seat);
    await Promise.all([playOut(one.table), playOut(two.table)]);
    for (const { table } of [one, two]) await sameAsServer(house.api, table);
    expect(proxy.connections - before).toBe(2);
    await Promise.all([one.table.leave(), two.table.leave()]);
    for (const each of both) expect(each.state).toMatchObject({ status: 'ready', table: undefined });
    expect(proxy.connections - before).toBe(2);
    for (const each of both) each.stop();
  },
);

test('a match that was found survives its connection: the seat is found again by the table’s own address', async () => {
  const client = lobby('msgpack').connect();
  await client.once('ready');
  const match = found(client);
  expect(client.playBots({ game: 'oxo' })).toBe(true);
  const { table } = await match;
  await table.until(({ status }) => status === 'live');
  proxy.cutAll();
  await table.until(({ status }) => status === 'reconnecting');
  await playOut(table);
  await sameAsServer(house.api, table);
  client.stop();
  table.stop();
});

test('the server is killed while people wait and while they play: both go on', async () => {
  const waits = lobby('json').connect();
  waits.queueJoin({ game: 'oxo' });
  await waits.once('queued');
  const plays = lobby('msgpack').connect();
  await plays.once('ready');
  const match = found(plays);
  plays.playBots({ game: 'hearts' });
  const { table } = await match;
  await table.until(({ requests }) => requests.length > 0);
  await house.kill();
  await table.until(({ status }) => status === 'reconnecting');
  const again = waits.once('queued');
  await house.start();
  await Promise.all([again, playOut(table)]);
  await sameAsServer(house.api, table);
  for (const each of [waits, plays]) each.stop();
  table.stop();
});

test('a player is the same over REST and in the lobby', async () => {
  const guest = await house.api.guest({ nickname: 'Ann of Kent' });
  expect(guest).toMatchObject({ nickname: 'Ann of Kent', tokens: 10 });
  const api = house.api.as(guest.token);
  expect((await api.me()).player_id).toBe(guest.player_id);
  expect((await api.rename('Bo of Kent')).nickname).toBe('Bo of Kent');
  expect(await api.balance()).toEqual({ tokens: 10, play: 0 });
  expect(await api.history()).toEqual([]);
  await expect(api.rename('x')).rejects.toMatchObject({ status: 400, code: 'invalid_nickname' });
  const client = lobby('json', { token: guest.token }).connect();
  expect(await client.once('ready')).toMatchObject({ player_id: guest.player_id, nickname: 'Bo of Kent' });
  client.queueJoin({ game: 'oxo' });
  await client.once('queued');
  expect(client.state.queue).toMatchObject({ position: 1 });
  expect(await api.queue('oxo')).toMatchObject({ status: 'waiting', position: 1, waiting: 1 });
  client.queueLeave();
  await client.once('queueLeft');
  client.stop();
});

test('a match with an account is in its history, and what was told of it can be had', async () => {
  const client = lobby('json').connect();
  await client.once('ready');
  const match = found(client);
  client.playBots({ game: 'oxo' });
  const { table, gameId } = await match;
  await playOut(table);
  const api = house.api.as(client.state.token!);
  const [played] = await api.history();
  expect(played).toMatchObject({ game_id: gameId, game: 'oxo', match: 1 });
  expect(await api.history(played!.no)).toEqual([]);
  const { events } = await house.api.told(gameId);
  expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
  const { steps, outcome } = await house.api.replay(gameId, 1, 0);
  expect(steps.length).toBeGreaterThan(5);
  expect(outcome).toEqual(table.state.over!.outcome);
  table.stop();
  client.stop();
});

test('a queue for a game that is not there is a problem, and nothing is waited for', async () => {
  const client = lobby('msgpack').connect();
  await client.once('ready');
  const problem = client.once('problem');
  client.queueJoin({ game: 'no such game' });
  expect((await problem).code).toBe('unknown_game');
  expect(client.state.queue).toBeUndefined();
  client.stop();
});
