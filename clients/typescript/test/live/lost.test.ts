/** One fault at a time, against the real server. */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { TableClient, type CodecName, type Conflict, type Desync, type Result } from '../../src/index.ts';
import { fast, House, socket } from './house.ts';
import { playOut, sameAsServer } from './players.ts';
import { Proxy, type Frame } from './proxy.ts';

let house: House;
let proxy: Proxy;
const open: TableClient[] = [];

beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house?.close());
beforeEach(async () => {
  proxy = await Proxy.open(() => house.url);
});
afterEach(async () => {
  for (const client of open.splice(0)) client.stop();
  await proxy.close();
});

const client = (tableId: string, name: string, more: object = {}): TableClient => {
  const made = new TableClient({ url: proxy.url, tableId, name, socket, timing: fast, ...more });
  open.push(made);
  return made.connect();
};

/** Two at a table of oxo, the one who is asked first. */
async function two(more: object = {}): Promise<{ id: string; mover: TableClient; other: TableClient }> {
  const id = await house.table('oxo');
  const both = ['Ann', 'Bo'].map((name) => client(id, name, more));
  await Promise.all(both.map((each) => each.until(({ status }) => status === 'live')));
  const mover = both.find((each) => each.state.requests.length > 0)!;
  return { id, mover, other: both.find((each) => each !== mover)! };
}

const turn = (table: TableClient) => (table.state.view as { turn: number }).turn;
const isAnswer = ({ to, message }: Frame) => to === 'server' && message.type === 'game_action';
/** Does something to the first frame that fits, and to no other. */
function first(fits: (frame: Frame) => boolean, fault: ReturnType<Proxy['fault']>): void {
  let done = false;
  proxy.fault = (frame) => {
    if (done || !fits(frame)) return undefined;
    done = true;
    return fault;
  };
}
const answersSent = () => proxy.sent.filter(({ message }) => message.type === 'game_action');

test.each<[CodecName]>([['msgpack'], ['json']])(
  'a double click answers once, in %s: the second is refused before it is sent',
  async (codec) => {
    // cites 000-15
    const { id, mover, other } = await two({ codec });
    first(({ to, message }) => to === 'client' && message.type === 'accepted', { kind: 'delay', ms: 80 });
    const request = mover.state.requests[0]!;
    const clicks = [mover.answer(request, 'a1'), mover.answer(request, 'b2')];
    expect(mover.state.pending?.answer).toEqual({ title: request.title, selection: ['a1'] });
    const [one, two_] = await Promise.all(clicks);
    expect(one).toMatchObject({ accepted: true });
    expect(two_).toMatchObject({ accepted: false, code: 'pending' });
    expect(mover.state.pending).toBeUndefined();
    expect(answersSent()).toHaveLength(1);
    await other.until(() => turn(other) === 1);
    await house.api.as(mover.state.token!).match(id);
    expect(turn(mover)).toBe(1);
  },
);

test('a picked choice that cannot be had is refused with its reason, and nothing is sent', async () => {
  const { mover } = await two();
  expect(await mover.answer(mover.state.requests[0]!, 'z9')).toMatchObject({
    accepted: false,
    code: 'unknown_choice',
    message: "Selection z9 didn't exist in the choices",
  });
  expect(answersSent()).toEqual([]);
});

test.each<[string, ReturnType<Proxy['fault']>, (frame: Frame) => boolean]>([
  ['is lost on its way', { kind: 'swallow' }, isAnswer],
  ['dies with its connection', { kind: 'cut' }, isAnswer],
  ['arrives, and the connection dies behind it', { kind: 'cutBehind' }, isAnswer],
  ['arrives twice', { kind: 'twice' }, isAnswer],
  [
    'is taken, and its result is lost',
    { kind: 'swallow' },
    ({ to, message }) => to === 'client' && message.type === 'accepted',
  ],
  [
    'is taken, and its result is lost with the connection',
    { kind: 'drop' },
    ({ to, message }) => to === 'client' && message.type === 'accepted',
  ],
  ['goes into a connection that is dead without a sign', { kind: 'halfOpen' }, isAnswer],
])('an answer that %s counts once', async (_, fault, fits) => {
  // cites 000-15, 000/R3
  const { mover, other, id } = await two();
  first(fits, fault);
  const result = await mover.answer(mover.state.requests[0]!, 'b2');
  expect(result).toMatchObject({ accepted: true });
  await Promise.all([mover, other].map((each) => each.until(({ status }) => status === 'live' && turn(each) === 1)));
  proxy.fault = () => undefined;
  await Promise.all([playOut(mover), playOut(other)]);
  const log = await house.api.log(id);
  expect(log.filter((line) => line.key === result.requestKey)).toHaveLength(1);
  for (const each of [mover, other]) await sameAsServer(house.api, each);
});

test.each<[string, (message: Frame['message']) => Frame['message']]>([
  [
    'says something else',
    (message) => ({ ...message, patch: [{ op: 'replace', path: '/board', value: 'xxxxxxxxx' }] }),
  ],
  ['does not fit', (message) => ({ ...message, patch: [{ op: 'remove', path: '/none' }] })],
  ['has another hash', (message) => ({ ...message, viewHash: '0123456789abcdef' })],
])('an update that %s is noticed, and everything is fetched anew', async (_, change) => {
  // cites 000-16
  const { mover, other } = await two();
  const desyncs: Desync[] = [];
  other.on('desync', (what) => desyncs.push(what));
  let tampered = false;
  proxy.fault = ({ to, message, connection }) => {
    if (tampered || to !== 'client' || message.type !== 'update' || connection !== connectionOf(other))
      return undefined;
    tampered = true;
    return { kind: 'replace', message: change(message) };
  };
  expect(await mover.answer(mover.state.requests[0]!, 'b2')).toMatchObject({ accepted: true });
  await other.until(({ status }) => status === 'live' && turn(other) === 1);
  expect(desyncs).toHaveLength(1);
  expect(['hash', 'patch']).toContain(desyncs[0]!.why);
  expect(JSON.stringify(other.state.view)).not.toContain('xxxxxxxxx');
  // It asked for everything: what it had was not to be trusted.
  const joins = proxy.sent.filter(
    ({ message }) => message.type === 'join_game' && message.player_name === nameOf(other),
  );
  expect(joins.at(-1)!.message.last_v).toBeUndefined();
  for (const each of [mover, other]) await sameAsServer(house.api, each);
});

test('a server whose own view has the wrong hash is asked three times, and then no more', async () => {
  const { other, mover } = await two();
  proxy.fault = ({ to, message }) =>
    to === 'client' && message.viewHash
      ? { kind: 'replace', message: { ...message, viewHash: '0000000000000000' } }
      : undefined;
  void mover.answer(mover.state.requests[0]!, 'b2');
  const { closed } = await other.until(({ status }) => status === 'closed');
  expect(closed!.code).toBe('desync');
});

test('a message that is missing is noticed by its number', async () => {
  const { mover, other } = await two();
  const desync = other.once('desync');
  let swallowed = false;
  proxy.fault = ({ to, message, connection }) => {
    if (swallowed || to !== 'client' || message.type !== 'update' || connection !== connectionOf(other))
      return undefined;
    swallowed = true;
    return { kind: 'swallow' };
  };
  await mover.answer(mover.state.requests[0]!, 'b2');
  void mover.undo();
  expect((await desync).why).toBe('gap');
  await other.until(({ status }) => status === 'live' && turn(other) === 1);
  await sameAsServer(house.api, other);
});

test('an update of one’s own that is missing is noticed by the result behind it', async () => {
  const { mover } = await two();
  const desync = mover.once('desync');
  first(
    ({ to, message, connection }) => to === 'client' && message.type === 'update' && connection === connectionOf(mover),
    { kind: 'swallow' },
  );
  await mover.answer(mover.state.requests[0]!, 'b2');
  expect((await desync).why).toBe('head');
  await mover.until(({ status }) => status === 'live' && turn(mover) === 1);
  await sameAsServer(house.api, mover);
});

test('messages that come twice are heard once', async () => {
  const { mover, other } = await two();
  proxy.fault = ({ to }) => (to === 'client' ? { kind: 'twice' } : undefined);
  const updates: number[] = [];
  other.on('update', ({ v }) => updates.push(v));
  await Promise.all([playOut(mover), playOut(other)]);
  expect(new Set(updates).size).toBe(updates.length);
  expect(other.state.events.filter((heard) => (heard.event as { type: string }).type === 'taken').length).toBe(
    turn(other),
  );
  for (const each of [mover, other]) await sameAsServer(house.api, each);
});

test('an answer to what no longer stands is a conflict, with what has changed; the state is up to date', async () => {
  // cites 000-13, 000-17
  const { id, mover, other } = await two();
  const request = mover.state.requests[0]!;
  const conflicts: Conflict[] = [];
  mover.on('conflict', (what) => conflicts.push(what));
  first(isAnswer, { kind: 'delay', ms: 60 });
  const late = mover.answer(request, 'b2');
  const elsewhere = house.api.as(mover.state.token!);
  await elsewhere.respond(id, {
    title: request.title,
    selection: ['a1'],
    inputId: request.inputId,
    requestKey: 'elsewhere',
  });
  const result = await late;
  expect(result).toMatchObject({ accepted: false, code: 'not_asked', conflict: true });
  expect(conflicts).toHaveLength(1);
  expect(conflicts[0]).toMatchObject({ code: 'not_asked', submission: { answer: { selection: ['b2'] } } });
  expect(conflicts[0]!.changed).toEqual(['/board', '/turn']);
  expect(conflicts[0]!.events.map(({ event }) => event)).toEqual([
    { type: 'taken', seat: mover.state.seat, cell: 'a1' },
  ]);
  expect(conflicts[0]!.now.branchId).toBeGreaterThan(conflicts[0]!.since.branchId);
  expect(mover.state.requests).toEqual([]);
  await other.until(({ requests }) => requests.length > 0);
  for (const each of [mover, other]) await sameAsServer(house.api, each);
});

test('a stale head that the network made is refused, told, and answered again by the user', async () => {
  // cites 000-13, 000-17
  const { mover, other } = await two();
  const conflict = mover.once('conflict');
  const request = mover.state.requests[0]!;
  proxy.fault = (frame) => {
    if (!isAnswer(frame)) return undefined;
    const { inputId: _, ...rest } = frame.message;
    return { kind: 'replace', message: { ...rest, branchId: Math.max(0, mover.state.branchId - 1) } };
  };
  expect(await mover.answer(request, 'b2')).toMatchObject({ accepted: false, conflict: true, code: 'stale_head' });
  expect((await conflict).changed).toEqual([]);
  proxy.fault = () => undefined;
  expect(await mover.answer(request, 'b2')).toMatchObject({ accepted: true });
  await other.until(() => turn(other) === 1);
  expect(turn(mover)).toBe(1);
});

test('with `branchId` an answer is a lock on everything that was seen', async () => {
  // cites 000-13
  const { mover } = await two();
  const answer = { title: mover.state.requests[0]!.title, selection: ['b2'] };
  expect(await mover.submit(answer, { branchId: mover.state.branchId + 7 })).toMatchObject({
    accepted: false,
    code: 'stale_head',
    conflict: true,
  });
  expect(await mover.submit(answer, { branchId: mover.state.branchId })).toMatchObject({ accepted: true });
});

test('who comes back is sent only what he missed', async () => {
  // cites 000-17
  const { mover, other } = await two();
  const heard: string[] = [];
  other.on('snapshot', () => heard.push('snapshot'));
  other.on('update', () => heard.push('update'));
  const told: string[] = [];
  other.on('reconnecting', ({ attempt }) => told.push(`reconnecting ${attempt}`));
  other.on('reconnected', () => told.push('reconnected'));
  const before = other.state.v;
  const number = connectionOf(other);
  proxy.fault = ({ connection }) => (connection === number ? { kind: 'cut' } : undefined);
  await mover.answer(mover.state.requests[0]!, 'b2');
  await other.until(({ status }) => status === 'live' && turn(other) === 1);
  const joins = proxy.sent.filter(
    ({ message }) => message.type === 'join_game' && message.player_name === nameOf(other),
  );
  expect(joins.at(-1)!.message.last_v).toBe(before);
  expect(heard).toEqual(['update']);
  expect(told[0]).toBe('reconnecting 1');
  expect(told.at(-1)).toBe('reconnected');
  await sameAsServer(house.api, other);
});

test('the server is killed with an answer on its way, and started again: it counts once', async () => {
  // cites 000-15, 000-17
  const { mover, other, id } = await two();
  first(isAnswer, { kind: 'cutBehind' });
  const result = mover.answer(mover.state.requests[0]!, 'b2');
  await house.kill();
  proxy.cutAll();
  await other.until(({ status }) => status === 'reconnecting');
  await house.start();
  expect(await result).toMatchObject({ accepted: true });
  await Promise.all([playOut(mover), playOut(other)]);
  const { requestKey } = await result;
  expect((await house.api.log(id)).filter((line) => line.key === requestKey)).toHaveLength(1);
  for (const each of [mover, other]) await sameAsServer(house.api, each);
});

test('a server that stops in good order says so, and is come back to', async () => {
  const { mover, other } = await two();
  const why = new Promise<string>((told) => mover.on('reconnecting', (what) => told(what.why)));
  await house.kill('SIGTERM');
  expect(await why).toBe('server_restarting');
  await house.start();
  await Promise.all([mover, other].map((each) => each.until(({ status }) => status === 'live')));
  expect(await mover.answer(mover.state.requests[0]!, 'b2')).toMatchObject({ accepted: true });
});

test('a seat that is played elsewhere is not taken back by itself', async () => {
  const { mover, id } = await two();
  const taken = mover.once('takenOver');
  const elsewhere = client(id, nameOf(mover), { token: mover.state.token });
  await elsewhere.until(({ status }) => status === 'live');
  expect((await taken).code).toBe('taken_over');
  expect(mover.state).toMatchObject({ status: 'closed', closed: { code: 'taken_over' } });
  const connections = proxy.connections;
  await new Promise((done) => setTimeout(done, 400));
  expect(proxy.connections).toBe(connections);
  expect(elsewhere.state.status).toBe('live');
  expect(await mover.submit({ title: 'x', selection: [] })).toMatchObject({ accepted: false, code: 'closed' });
  // By its user it may.
  mover.connect();
  await mover.until(({ status }) => status === 'live');
  await elsewhere.until(({ status }) => status === 'closed');
});

test('a connection that is dead without a sign is noticed and replaced', async () => {
  const { mover, other } = await two();
  const why = new Promise<string>((told) => mover.on('reconnecting', (what) => told(what.why)));
  const number = connectionOf(mover);
  proxy.fault = ({ connection }) => (connection === number ? { kind: 'halfOpen' } : undefined);
  expect(await why).toBe('nothing was heard');
  await mover.until(({ status }) => status === 'live');
  expect(await mover.answer(mover.state.requests[0]!, 'b2')).toMatchObject({ accepted: true });
  await other.until(() => turn(other) === 1);
});

test('a welcome that is lost costs nobody his seat', async () => {
  const id = await house.table('oxo', { bots: 1 });
  first(({ to, message }) => to === 'client' && message.type === 'game_joined', { kind: 'cut' });
  const ann = client(id, 'Ann');
  await ann.until(({ status }) => status === 'live');
  expect(ann.state.seat).toBeDefined();
});

test('waits get longer, are never the same for all, and end where one says so', async () => {
  const id = await house.table('oxo', { bots: 1 });
  proxy.admit = () => false;
  const waits: number[] = [];
  const ann = new TableClient({
    url: proxy.url,
    tableId: id,
    name: 'Ann',
    socket,
    attemptsMax: 6,
    random: () => 0.5,
    timing: { ...fast, backoffMs: 4, backoffMaxMs: 40 },
  });
  ann.on('reconnecting', ({ inMs }) => waits.push(inMs));
  ann.connect();
  expect((await ann.until(({ status }) => status === 'closed')).closed!.code).toBe('gave_up');
  expect(waits).toEqual([3, 6, 12, 24, 30, 30]);
});

test('an undo whose result is lost is said again, and asks once', async () => {
  const { mover, other } = await two();
  await mover.answer(mover.state.requests[0]!, 'b2');
  await other.until(() => turn(other) === 1);
  first(({ to, message }) => to === 'client' && message.type === 'accepted', { kind: 'swallow' });
  expect(await mover.undo()).toMatchObject({ accepted: true });
  const said = answersSent().filter(({ message }) => message.action === 'undo');
  expect(said.length).toBeGreaterThan(1);
  expect(new Set(said.map(({ message }) => message.requestKey)).size).toBe(1);
  const asked = await other.until(({ requests }) => requests.some(({ kind }) => kind === 'undo'));
  expect(asked.requests.filter(({ kind }) => kind === 'undo')).toHaveLength(1);
});

test('an answer that the server would cut the connection for is not sent', async () => {
  const { mover } = await two();
  const result: Result = await mover.submit(
    { title: 'x', selection: ['y'.repeat(20_000)] },
    { request: mover.state.requests[0]! },
  );
  expect(result).toMatchObject({ accepted: false, code: 'too_long' });
  expect(mover.state.status).toBe('live');
});

const nameOf = (table: TableClient) => table.state.seats[table.state.seat!]!.name;
/** The number of the connection that a client has now. */
function connectionOf(table: TableClient): number {
  const joins = proxy.sent.filter(
    ({ message }) => message.type === 'join_game' && message.session_token === table.state.token,
  );
  return joins.at(-1)!.connection;
}
