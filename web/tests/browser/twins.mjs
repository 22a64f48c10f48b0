// Nothing hidden is in the page: two worlds that a viewer cannot tell apart stand on two real servers whose clocks
// stand still, and two pages look at them. Frames, the client's store and the document are the same, byte for byte.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { page, root } from './lib.mjs';

/** The wall clock of a server whose clock stands at 0. */
const WALL = Date.UTC(2026, 0, 1);
/** Two pages that differ do so in earnest when neither has changed for this long. */
const QUIET_MS = 3000;
/** A `pong` in MessagePack. A page pings by its own timer: how often it did says only how slow the page was. */
const PONG = Buffer.from('\x81\xa4type\xa4pong', 'latin1').toString('base64');
/** What a busy machine may take at most. */
const PATIENCE_MS = 30_000;

/** The servers with the two worlds; see crates/parlor-server/examples/twin_house.rs. */
class TwinHouse {
  constructor() {
    const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
    const path = process.env.PARLOR_TWIN_HOUSE ?? join(target, 'debug', 'examples', 'twin_house');
    if (!existsSync(path)) throw new Error(`${path} is missing: cargo build -p parlor-server --example twin_house`);
    this.process = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async ask(what) {
    this.process.stdin.write(`${JSON.stringify(what)}\n`);
    const { value, done } = await this.lines.next();
    assert.ok(!done, 'the house of the twins is gone');
    const reply = JSON.parse(value);
    assert.ok(!reply.error, reply.error);
    return reply;
  }

  async close() {
    await this.ask({ pair: null });
    this.process.stdin.end();
  }
}

/** One side: a page, and all that came to it. */
async function look(open, pair, side, gallery) {
  // A card that moves is compared when it has arrived: without motion nobody waits for it.
  const context = await open({ reducedMotion: 'reduce' });
  await context.clock.setFixedTime(WALL + pair.now);
  const opened = await page(context);
  opened.frames = [];
  opened.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const frame = Buffer.from(payload).toString('base64');
      if (frame !== PONG) opened.frames.push(frame);
    });
  });
  opened.rest = new Map();
  opened.asked = new Set();
  opened.on('request', (request) => request.resourceType() === 'fetch' && opened.asked.add(request));
  opened.on('requestfailed', (request) => opened.asked.delete(request));
  opened.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (response.request().resourceType() !== 'fetch') return;
    // A page that is closed has nothing more to say; one that is open and cannot be read is never at rest.
    const text = await response.text().catch((error) => (opened.isClosed() ? '' : Promise.reject(error)));
    opened.rest.set(pathname, `${pathname} ${response.status()} ${text}`);
    opened.asked.delete(response.request());
  });
  await opened.addInitScript(({ id, token }) => {
    localStorage.setItem('parlor.name', JSON.stringify('Ada'));
    localStorage.setItem('parlor.settings', JSON.stringify({ lang: 'en', theme: 'dark', sound: false }));
    if (token) localStorage.setItem(`parlor.session.${id}`, token);
  }, pair);
  await opened.goto(`${pair.urls[side]}/t/${pair.id}${gallery ? '?watch' : ''}`);
  await opened.waitForFunction(() => globalThis.parlor?.table?.state.view !== undefined);
  // A page asks once for what was told before it was there; when it asks is its own affair, so nothing happens until
  // then.
  const past = () => opened.asked.size === 0 && [...opened.rest.keys()].some((path) => path.endsWith('/log'));
  const patience = Date.now() + PATIENCE_MS;
  while (!past()) {
    assert.ok(Date.now() < patience, 'the page never asked for its past');
    await opened.waitForTimeout(20);
  }
  return opened;
}

/** Everything a page knows, but for where its server listens. */
async function known(opened) {
  const told = await opened.evaluate(() => ({
    document: document.documentElement.outerHTML,
    store: JSON.stringify(globalThis.parlor.table.state),
    kept: JSON.stringify({ ...localStorage }),
    v: globalThis.parlor.table.state.v,
  }));
  const { host } = new URL(opened.url());
  for (const name of ['document', 'store', 'kept']) told[name] = told[name].replaceAll(host, 'HOST');
  // A class that was there for a moment, before the connection stood, leaves an empty name behind.
  told.document = told.document.replaceAll(' class=""', '');
  // Replies come in any order; frames in theirs.
  return { ...told, frames: opened.frames.join('\n'), rest: [...opened.rest.values()].sort().join('\n') };
}

/** Where two texts part, with what is around. */
function parting(a, b) {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return `…${a.slice(Math.max(0, n - 120), n + 160)}…\n    against\n  …${b.slice(Math.max(0, n - 120), n + 160)}…`;
}

/** What the two pages differ in, once they have had time to draw; nothing if they are the same. */
async function difference(pages, versions) {
  const until = Date.now() + PATIENCE_MS;
  let [last, since] = ['', Date.now()];
  for (;;) {
    const [a, b] = await Promise.all(pages.map(known));
    const now = JSON.stringify([a, b]);
    if (now !== last) [last, since] = [now, Date.now()];
    const arrived = a.v === versions[0] && b.v === versions[1];
    const parts = ['frames', 'rest', 'store', 'kept', 'document'].filter((part) => a[part] !== b[part]);
    if (arrived && parts.length === 0) return undefined;
    if (Date.now() > until || (arrived && Date.now() > since + QUIET_MS)) {
      if (!arrived) return `the pages are at ${a.v} and ${b.v}, the servers at ${versions}`;
      return `${parts.join(', ')}: ${parting(a[parts[0]], b[parts[0]])}`;
    }
    await pages[0].waitForTimeout(40);
  }
}

/** Plays a pair of worlds before two pages; says after which steps they were the same, and how it ended. */
async function compare(house, open, wish) {
  const pair = await house.ask({ pair: wish });
  const gallery = wish.viewer === 'gallery';
  const pages = await Promise.all([0, 1].map((side) => look(open, pair, side, gallery)));
  let found;
  let steps = 0;
  for (let n = 0; n < pair.times.length && !found; n++) {
    // First the time, then the step: a clock that a page draws when it is told must not depend on which came first.
    await Promise.all(pages.map((opened) => opened.context().clock.setFixedTime(WALL + pair.times[n])));
    const { versions } = await house.ask({ step: n });
    found = await difference(pages, versions);
    if (!found) steps++;
  }
  await Promise.all(pages.map((opened) => opened.context().close()));
  // The last step of such a pair showed something that has two values: it must be seen, or the comparison sees nothing.
  const rightly = pair.parted && steps === pair.times.length - 1;
  return {
    steps,
    found: rightly ? undefined : found,
    blind: pair.parted && steps === pair.times.length,
    parted: rightly,
  };
}

const WISHES = [
  ...['hearts', 'draft', 'sharing', 'battle', 'skirmish', 'orcain', 'hearts-rules'].map((game) => ({
    game,
    viewer: 0,
  })),
  { game: 'riichi', viewer: 0 },
  { game: 'riichi', viewer: 0, settings: { profile: 'standard' } },
  { game: 'riichi', viewer: 'gallery' },
  { game: 'poker', viewer: 0, settings: { profile: 'standard' } },
  { game: 'poker', viewer: 'gallery' },
  { game: 'hearts', viewer: 'gallery' },
  { game: 'battle', viewer: 'gallery' },
  { game: 'skirmish', viewer: 'gallery' },
];

export async function nothing_hidden_is_in_the_page({ open }) {
  const house = new TwinHouse();
  let [steps, parted] = [0, 0];
  for (const [n, wish] of WISHES.entries()) {
    const result = await compare(house, open, { seed: n + 1, steps: 8, ...wish });
    const name = `${wish.game} as ${wish.viewer}`;
    assert.equal(result.found, undefined, `${name}, after ${result.steps} steps, by ${result.found}`);
    assert.ok(!result.blind, `${name}: a card that was shown and differs was not seen`);
    steps += result.steps;
    parted += result.parted ? 1 : 0;
  }
  assert.ok(parted > 0, 'some pair came to a difference that everybody may see');
  await house.close();
  return `${WISHES.length} pairs of worlds, the same after ${steps} steps; ${parted} parted when a card was shown`;
}

export async function a_game_that_leaks_is_found_out_in_the_page({ open }) {
  const house = new TwinHouse();
  const seen = [];
  for (const [game, fault] of [
    ['peek', 'next-card-bit'],
    ['sealed', 'draft-told'],
  ]) {
    // The bit that is shown may be the same in both worlds: then the next pair tells.
    let found;
    for (let seed = 1; seed <= 8 && !found; seed++) {
      ({ found } = await compare(house, open, { game, settings: { fault }, viewer: 0, seed, steps: 12 }));
    }
    assert.ok(found, `${game} with ${fault} leaks, and the pages look the same`);
    seen.push(`${fault} by ${found.split(':')[0]}`);
  }
  await house.close();
  return seen.join(', ');
}
