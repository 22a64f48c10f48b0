// What every browser test needs: a browser, a server of the real binary, and pages that complain.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode } from '@msgpack/msgpack';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.PARLOR_CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function browser() {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `${CHROMIUM} is missing: \`cargo xtask test browser\` finds or installs a browser; or set PARLOR_CHROMIUM`,
    );
  }
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A folder of a build, served as the real server does: files, and the first page for everything else. */
export async function serveFolder(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/^\/+/, '');
    const file = path && existsSync(join(folder, path)) && extname(path) ? path : 'index.html';
    response.setHeader('content-type', KINDS[extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(join(folder, file)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** The binary under test: `PARLOR_BIN`, or the one of the dev profile. */
export function binary() {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  const path = process.env.PARLOR_BIN ?? join(target, 'debug', 'parlor');
  if (!existsSync(path)) throw new Error(`${path} is missing: cargo build, or set PARLOR_BIN`);
  return path;
}

/** A server with a store of its own; it can be killed and started again on the same port. */
export class Server {
  static async start(settings = {}) {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), 'parlor-web-'));
    server.settings = { bot_ms: 60, admin_listen: '', ...settings };
    server.listen = '127.0.0.1:0';
    await server.up();
    return server;
  }

  async up() {
    const sets = Object.entries(this.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const args = ['serve', '--listen', this.listen, '--database', join(this.folder, 'parlor.sqlite'), ...sets];
    this.process = spawn(binary(), args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: this.folder });
    this.said = '';
    this.process.stderr.on('data', (data) => (this.said += data));
    this.url = await new Promise((resolve, reject) => {
      this.process.stdout.on('data', (data) => {
        const found = /listens on (http:\S+)/.exec(String(data));
        if (found) resolve(found[1]);
      });
      this.process.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${this.said}`)));
    });
    this.listen = new URL(this.url).host;
  }

  /** Without a word, as a power cut does it; or politely. */
  async down(signal = 'SIGKILL') {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill(signal);
    await gone;
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.down();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * A table that a test opens is always dealt the same: nothing here waits for luck, and what failed once fails again.
   */
  async post(path, body, token) {
    if (path === '/matches') body = { seed: SEED, ...body };
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  }
}

const SEED = 'a table in a browser';

/** Frames that a page remembers for whoever has to find out why a test failed. */
const FRAMES_KEPT = 24;

/** One frame as a short line. */
function line(way, payload) {
  try {
    const message = typeof payload === 'string' ? JSON.parse(payload) : decode(payload);
    return `${way} ${JSON.stringify(message).slice(0, 400)}`;
  } catch {
    return `${way} ${payload.length} bytes that are no message`;
  }
}

/**
 * A page that remembers whatever it complained about (errors, and rules of the policy that were broken) and its last
 * frames. Hints at first tables are shown where a test asks for them: `hints`.
 */
export async function page(context, name, { hints = false } = {}) {
  const opened = await context.newPage();
  if (!hints) await opened.addInitScript(() => localStorage.setItem('parlor.tours', '["*"]'));
  opened.complaints = [];
  opened.said = [];
  opened.on('websocket', (socket) => {
    const keep = (text) =>
      (opened.said = [...opened.said.slice(1 - FRAMES_KEPT), `${new Date().toISOString().slice(14, 23)} ${text}`]);
    keep('open');
    socket.on('framesent', ({ payload }) => keep(line('>', payload)));
    socket.on('framereceived', ({ payload }) => keep(line('<', payload)));
    socket.on('close', () => keep('closed'));
  });
  opened.on('pageerror', (error) => opened.complaints.push(`${error}`));
  opened.on('console', (message) => {
    const text = message.text();
    const net = /Failed to load resource|WebSocket connection to/.test(text);
    if (message.type() === 'error' && !net) opened.complaints.push(text);
  });
  if (name) {
    await opened.addInitScript((wanted) => {
      if (!localStorage.getItem('parlor.name')) localStorage.setItem('parlor.name', JSON.stringify(wanted));
      if (!localStorage.getItem('parlor.settings'))
        localStorage.setItem('parlor.settings', JSON.stringify({ lang: 'en', theme: 'dark', sound: false }));
    }, name);
  }
  return opened;
}

/**
 * Holds a page still while it is looked at: what moves is brought to its end and nothing begins to move. A card that
 * fades in has for a moment no contrast, and one that rises sticks out of its row; both are judged by where they come
 * to rest.
 */
async function still(opened, look) {
  const moves = await opened.evaluate(() => matchMedia('(prefers-reduced-motion: no-preference)').matches);
  if (moves) await opened.emulateMedia({ reducedMotion: 'reduce' });
  await opened.evaluate(async () => {
    for (const animation of document.getAnimations())
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  try {
    return await look();
  } finally {
    if (moves) await opened.emulateMedia({ reducedMotion: 'no-preference' });
  }
}

/** What axe finds on a page at rest, as lines. */
export const axe = (opened) =>
  still(opened, async () => {
    // Not by a script tag: the page's own policy forbids it.
    await opened.evaluate(AXE);
    return audit(opened);
  });

/** The same of a page that stands still and has axe already. */
export async function audit(opened) {
  const found = await opened.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap((rule) =>
      rule.nodes.map(
        (node) =>
          `${rule.id} (${rule.impact}): ${node.html.slice(0, 160)} ${node.any
            .map((check) => check.message)
            .join('; ')
            .slice(0, 200)}`,
      ),
    );
  });
  return found;
}

/** How far a page at rest can be scrolled, and what sticks out of it. Nothing on a table may. */
export const overflow = (opened) => still(opened, () => measure(opened));

async function measure(opened) {
  return opened.evaluate(() => {
    const found = [];
    const root = document.scrollingElement;
    if (root.scrollHeight > innerHeight + 1 || root.scrollWidth > innerWidth + 1)
      found.push(`page ${root.scrollWidth}x${root.scrollHeight}`);
    const table = document.querySelector('main.table');
    if (!table) return found;
    const box = table.getBoundingClientRect();
    for (const element of table.querySelectorAll('*')) {
      if (element.closest('svg') || element.closest('.vh') || element.closest('dialog')) continue;
      const own = element.getBoundingClientRect();
      if (own.width === 0 || own.height === 0) continue;
      if (
        own.left < box.left - 1 ||
        own.right > box.right + 1 ||
        own.top < box.top - 1 ||
        own.bottom > box.bottom + 1
      ) {
        const edges = ({ left, top, right, bottom }) => `[${[left, top, right, bottom].map(Math.round).join(',')}]`;
        const name = [element.tagName.toLowerCase(), ...element.classList].join('.');
        found.push(`${name} ${edges(own)} outside ${edges(box)}`);
      }
      const style = getComputedStyle(element);
      const scrolls = /auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
      if (scrolls) found.push(`${element.className} scrolls`);
    }
    return found.slice(0, 8);
  });
}

/** Cards that an arrow goes over: none may, but for those between which it goes. */
export async function crossings(opened) {
  return opened.evaluate(() => {
    const cards = [...document.querySelectorAll('.rtb .rc:not(.gone), .rtb .si')]
      .map((element) => ({ name: element.textContent.trim().slice(0, 20), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    const within = (x, y, box, room) =>
      x > box.left - room && x < box.right + room && y > box.top - room && y < box.bottom + room;
    return [...document.querySelectorAll('.arrows path.under')].flatMap((path) => {
      const long = path.getTotalLength();
      const frame = path.ownerSVGElement.getScreenCTM();
      const at = (far) => path.getPointAtLength(far).matrixTransform(frame);
      // The two that it goes between are those at its ends; a card that is turned reaches a little further than it
      // lies.
      const ends = [at(0), at(long)];
      const others = cards.filter(({ box }) => !ends.some(({ x, y }) => within(x, y, box, 9)));
      const crossed = new Set();
      for (let far = 0; far <= long; far += 2)
        for (const { name, box } of others) if (within(at(far).x, at(far).y, box, -4)) crossed.add(name);
      return [...crossed].map((name) => `an arrow crosses ${name}`);
    });
  });
}
