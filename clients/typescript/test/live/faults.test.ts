/**
 * A network that does its worst, by a seed: no answer is lost or counted twice, and what every client has put together
 * is what the server shows. PARLOR_SOAK_FAULTS is how many faults; PARLOR_SEED makes another run.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';

import { TableClient, type CodecName, type Json, type Prompt, type Result } from '../../src/index.ts';
import { fast, House, socket } from './house.ts';
import { luck, open, picks, playOut, sameAsServer } from './players.ts';
import { Proxy, type Fault, type Frame } from './proxy.ts';

const FAULTS = Number(process.env.PARLOR_SOAK_FAULTS ?? 300);
const SEED = Number(process.env.PARLOR_SEED ?? 1);
/** Tables at once. */
const TABLES = 4;
/** The server is killed and started again after so many faults. */
const FAULTS_PER_KILL = 60;
/** Most of the time goes by in waiting for what was lost: a fault costs a tenth of this. */
const PATIENCE_MS = Math.max(60_000, FAULTS * 600);
/** Of how many frames one is treated badly. */
const ONE_IN = 9;
/** Of how many answers one finds that somebody else with the same seat was faster. */
const RIVAL_ONE_IN = 12;

const GAMES = [
  { game: 'grid64', bots: 0, settings: { moves: 30 } },
  { game: 'oxo', bots: 0 },
  { game: 'hearts', bots: 2 },
  { game: 'sharing', bots: 0 },
  { game: 'draft', bots: 0 },
];

let house: House;
let proxy: Proxy;
/** While the server is away, whoever asks it directly waits. */
let away: Promise<void> = Promise.resolve();
const counts: Record<string, number> = {};
let faults = 0;
const count = (kind: string) => {
  counts[kind] = (counts[kind] ?? 0) + 1;
  faults += 1;
};

beforeAll(async () => {
  house = await House.open();
  proxy = await Proxy.open(() => house.url);
});
afterAll(async () => {
  await proxy?.close();
  await house?.close();
});

/** What becomes of a frame, by luck alone. Results are lost more often than the rest: they are what hurts. */
function trouble(random: () => number): (frame: Frame) => Fault | undefined {
  return ({ to, message }) => {
    const hurts = message.type === 'accepted' || message.type === 'game_action';
    if (random() >= (hurts ? 2 : 1) / ONE_IN) return undefined;
    const kinds = ['delay', 'delay', 'drop', 'twice', 'twice', 'cut', 'cutBehind', 'halfOpen', 'stale'] as const;
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    if (kind === 'stale') {
      // A head or a request that the network remembers from before.
      if (to !== 'server' || message.type !== 'game_action') return undefined;
      count(kind);
      const { inputId, ...rest } = message as { type: string; inputId: number };
      const older = random() < 0.5 ? { inputId: Math.max(0, inputId - 1) } : { branchId: 0 };
      return { kind: 'replace', message: { ...rest, ...older } };
    }
    count(kind);
    return kind === 'delay' ? { kind, ms: Math.floor(random() * 60) } : { kind };
  };
}

/** Kills the server at some odd moment and starts it again. */
async function killAndStart(random: () => number): Promise<void> {
  let back = () => {};
  away = new Promise((done) => (back = done));
  while (setups > 0) await new Promise((done) => setTimeout(done, 2));
  await new Promise((done) => setTimeout(done, random() * 20));
  count('kill -9');
  await house.kill();
  await house.start();
  back();
}

/** Asks the server directly, again where it is away or goes away. */
async function direct<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    await away;
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: string }).code !== 'unreachable') throw error;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

/** Who is at the tables that are being played. */
const playing = new Map<string, TableClient[]>();

/** What everybody who is still playing waits for. */
const standing = () =>
  [...playing]
    .flatMap(([id, everybody]) =>
      everybody.map(({ state: { status, v, pending, paused, over, requests, closed } }) => {
        const asked = requests.map(({ inputId, kind, title }) => `${inputId} ${kind} ${title}`);
        const more = { pending, paused, over: over !== undefined, requests: asked, closed };
        return `${id}: ${status} at ${v}, ${JSON.stringify(more)}`;
      }),
    )
    .join('\n');

/** Tables that are being made. */
let setups = 0;

/**
 * Makes a table and takes both seats by REST. A room that waits lives in memory, so the server is not killed meanwhile;
 * the first look makes sure that everything is stored.
 */
async function seated(
  id: string,
  order: { game: string; bots: number; settings?: { moves: number }; seed: string },
): Promise<string[]> {
  await away;
  setups += 1;
  try {
    await house.api.createMatch({ ...order, id });
    const tokens: string[] = [];
    for (const name of ['Ann', 'Bo']) tokens.push((await house.api.join(id, name)).session_token);
    await house.api.match(id);
    return tokens;
  } finally {
    setups -= 1;
  }
}

/** One table, from its making to the comparison with the server's own log. */
async function oneTable(seed: number): Promise<{ answers: number; conflicts: number; desyncs: number; lost: number }> {
  const random = luck(seed);
  const { game, bots, settings } = GAMES[seed % GAMES.length]!;
  const id = `faults-${seed}`;
  const tokens = await seated(id, { game, bots, ...(settings && { settings }), seed: `faults ${seed}` });
  const codecs: CodecName[] = random() < 0.5 ? ['msgpack', 'json'] : ['json', 'msgpack'];
  const join = (name: string, more: object) =>
    new TableClient({ url: proxy.url, tableId: id, name, socket, timing: fast, random, ...more }).connect();
  const seats = ['Ann', 'Bo'].map((name, n) => join(name, { token: tokens[n], codec: codecs[n] }));
  const gallery = join('', { spectate: true, codec: codecs[0] });
  const everybody = [...seats, gallery];
  playing.set(id, everybody);
  const seen = { conflicts: 0, desyncs: 0, lost: 0 };
  for (const each of everybody) {
    each.on('conflict', () => (seen.conflicts += 1));
    each.on('desync', ({ why }) => {
      seen.desyncs += 1;
      // This network loses and repeats, it does not forge: what was put together is never wrong, only old.
      if (why === 'hash' || why === 'patch') throw new Error(`${id}: the view came out wrong (${why})`);
    });
    each.on('reconnecting', () => (seen.lost += 1));
    each.on('takenOver', () => {
      throw new Error('nobody took this seat over');
    });
  }
  const byRivals: string[] = [];
  let rivals = 0;
  const rival = (seat: TableClient) => async (request: Prompt) => {
    if (random() >= 1 / RIVAL_ONE_IN) return;
    const requestKey = `rival-${rivals++}-${seat.state.token!.slice(0, 8)}`;
    const picked = picks(request, random).map((pick) =>
      typeof pick === 'object' && !('selection' in pick) && pick.id === undefined ? pick.title! : pick,
    );
    const sent = JSON.stringify(picked, (key, value: unknown) =>
      ['meta', 'kind', 'choices', 'whyNot'].includes(key) ? undefined : value,
    );
    const selection = JSON.parse(sent) as Json[];
    count('rival');
    const api = () => house.api.as(seat.state.token!);
    // Whether it was taken is told by the log; with its key, asking again changes nothing.
    await direct(() =>
      api().respond(id, { title: request.title, selection, inputId: request.inputId, requestKey }),
    ).then(
      () => byRivals.push(requestKey),
      () => {},
    );
  };
  const played = await Promise.all(seats.map((seat) => playOut(seat, random, rival(seat))));
  await open(gallery, ({ over }) => over !== undefined);
  await audit(id, played, byRivals);
  for (const each of everybody) {
    await open(each, ({ status }) => status === 'live');
    await direct(() => sameAsServer(house.api, each));
    each.stop();
  }
  playing.delete(id);
  return { answers: played.flat().length, ...seen };
}

/** Every answer that was accepted is in the log once, every other not at all, and nothing else is in it. */
async function audit(id: string, played: Result[][], byRivals: string[]): Promise<void> {
  const log = await direct(() => house.api.log(id));
  const logged = log.filter((line) => line.do === 'answer' && line.by === 'human').map((line) => line.key as string);
  const accepted = played
    .flat()
    .filter((result) => result.accepted)
    .map(({ requestKey }) => requestKey);
  const refused = played.flat().flatMap((result) => (result.accepted ? [] : [result]));
  expect(new Set(logged).size, 'nothing twice').toBe(logged.length);
  expect(
    refused.filter(({ requestKey }) => logged.includes(requestKey)),
    'what was refused is not in the log',
  ).toEqual([]);
  expect([...logged].sort(), 'nothing lost, nothing else').toEqual([...accepted, ...byRivals].sort());
  // What was refused was refused for a reason that such a network can give.
  expect(refused.filter(({ conflict, code }) => !conflict && !['ended', 'paused'].includes(code))).toEqual([]);
}

test(
  `${FAULTS} network faults by seed ${SEED}: nothing lost, nothing twice, and everybody sees what the server shows`,
  async () => {
    // cites 000-15, 000-16, 000-17, 000/R3
    const random = luck(SEED);
    proxy.fault = trouble(random);
    proxy.admit = () => {
      if (random() >= 0.05) return true;
      count('not admitted');
      return false;
    };
    const total = { tables: 0, answers: 0, conflicts: 0, desyncs: 0, lost: 0 };
    let next = SEED * 10_000;
    let kills = 0;
    let over = false;
    const killer = (async () => {
      while (!over) {
        if (faults >= (kills + 1) * FAULTS_PER_KILL) {
          kills += 1;
          await killAndStart(random);
        }
        await new Promise((done) => setTimeout(done, 20));
      }
    })();
    const worker = async () => {
      while (faults < FAULTS) {
        await away;
        const seen = await oneTable(next++);
        total.tables += 1;
        total.answers += seen.answers;
        total.conflicts += seen.conflicts;
        total.desyncs += seen.desyncs;
        total.lost += seen.lost;
      }
    };
    const stuck = new Promise<never>((_, failed) => {
      setTimeout(() => failed(new Error(`stuck after ${faults} faults:\n${standing()}`)), PATIENCE_MS).unref();
    });
    // Whoever fails first says why; a server that does not come back fails too.
    await Promise.race([stuck, killer, Promise.all(Array.from({ length: TABLES }, worker))]);
    over = true;
    await killer;
    console.log(`faults ${faults}: ${JSON.stringify(counts)}; ${JSON.stringify(total)}`);
    expect(faults).toBeGreaterThanOrEqual(FAULTS);
    for (const kind of [
      'delay',
      'drop',
      'twice',
      'cut',
      'cutBehind',
      'halfOpen',
      'stale',
      'kill -9',
      'rival',
      'not admitted',
    ]) {
      expect(counts[kind], kind).toBeGreaterThan(0);
    }
    expect(total.conflicts).toBeGreaterThan(0);
  },
  PATIENCE_MS + 10_000,
);
