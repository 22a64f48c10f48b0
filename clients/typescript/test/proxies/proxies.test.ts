/** The files for nginx and Caddy in docs/operate, each in front of the real server, with TLS and real sockets. */

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { request as plainly } from 'node:http';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import WebSocket from 'ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { TableClient } from '../../src/index.ts';
import { House } from '../live/house.ts';
import { playOut, sameAsServer } from '../live/players.ts';

/** The name in the files. */
const NAME = 'play.example.org';
const OPERATE = resolve(import.meta.dirname, '../../../../docs/operate');
/** Requests that one address may send at once, and how many of them come back in a second. */
const BURST = 40;
/** Longer than a proxy waits by itself, and than two heartbeats of the server. */
const SILENCE_MS = 75_000;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

const folder = mkdtempSync(join(tmpdir(), 'parlor-proxies-'));
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
let house: House;

beforeAll(async () => {
  for (const program of ['nginx', 'caddy', 'openssl']) {
    try {
      execFileSync(program, [program === 'nginx' ? '-v' : 'version'], { stdio: 'ignore', env: withSbin() });
    } catch {
      throw new Error(`${program} is missing: apt-get install nginx caddy openssl`);
    }
  }
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  house = await House.open(
    `hosts=${NAME}`,
    'trusted_proxies=127.0.0.1',
    `requests_burst=${BURST}`,
    'requests_per_second=1',
  );
});
afterAll(async () => {
  await house?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Debian's nginx is where only root looks. */
function withSbin() {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** The file as it stands in docs/operate, with what is this machine's own put in its places. */
function file(name: string, places: readonly [string, string][]): string {
  let text = readFileSync(join(OPERATE, name), 'utf8');
  for (const [old, own] of places) {
    expect(text.split(old), `${name} has ${old} once`).toHaveLength(2);
    text = text.replace(old, () => own);
  }
  return text;
}

interface Proxy {
  readonly name: string;
  /** Writes what it reads, and says how it is started. */
  readonly command: (port: number, plain: number) => [string, string[]];
  readonly redirects: boolean;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    redirects: true,
    command(port, plain) {
      const site = file('nginx.conf', [
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
        [`/etc/letsencrypt/live/${NAME}/fullchain.pem`, certificate],
        [`/etc/letsencrypt/live/${NAME}/privkey.pem`, key],
        ['http://127.0.0.1:8001', house.url],
      ]);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => {
        mkdirSync(join(folder, each), { recursive: true });
        return `${each}_temp_path ${join(folder, each)};`;
      });
      const around = `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr error; events {}
        http { access_log off; ${temporary.join(' ')} ${site} }`;
      writeFileSync(join(folder, 'nginx.conf'), around);
      return ['nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')]];
    },
  },
  {
    name: 'Caddy',
    redirects: false,
    command(port) {
      const site = file('Caddyfile', [
        [`\n${NAME} {`, `\nhttps://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
        ['127.0.0.1:8001', new URL(house.url).host],
      ]);
      const around = `{\n\tadmin off\n\tauto_https disable_redirects\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${site}`;
      writeFileSync(join(folder, 'Caddyfile'), around);
      return ['caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]];
    },
  },
];

describe.each(PROXIES)('behind $name', ({ command, redirects }) => {
  let child: ChildProcess;
  let [port, plain] = [0, 0];
  const open: TableClient[] = [];

  beforeAll(async () => {
    [port, plain] = [await freePort(), await freePort()];
    const [program, args] = command(port, plain);
    const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...withSbin(), ...home } });
    for (let tries = 0; !(await listens(port)); tries++) {
      if (tries > 200 || child.exitCode !== null) throw new Error(`${program} does not listen`);
      await new Promise((done) => setTimeout(done, 50));
    }
  });
  afterAll(async () => {
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await gone;
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.stop();
  });

  const listens = (where: number) =>
    new Promise<boolean>((told) => {
      const socket = dial(where, '127.0.0.1');
      socket.once('connect', () => (socket.destroy(), told(true)));
      socket.once('error', () => told(false));
    });
  const secure = { ca: readFileSync.bind(undefined, certificate), servername: NAME };

  /** One request from this address of loopback. */
  function ask(from: string, path: string, headers: object = {}, method = 'GET', body = ''): Promise<Answer> {
    return new Promise((told, failed) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, path, method, localAddress: from, agent: false },
          ...{ ca: secure.ca(), servername: NAME, headers: { Host: NAME, ...headers } },
        },
        (response) => {
          let text = '';
          response.on('data', (data) => (text += data));
          response.on('end', () => told({ status: response.statusCode!, headers: response.headers, body: text }));
        },
      );
      sent.on('error', failed);
      sent.end(body);
    });
  }

  /** A socket from this address, as a browser on the proxy's page opens it. */
  const socketFrom =
    (from: string, origin = `https://${NAME}`) =>
    (url: string, protocols: string | string[]) =>
      new WebSocket(url.replace(NAME, '127.0.0.1'), protocols, {
        ...{ localAddress: from, ca: secure.ca(), servername: NAME, origin, headers: { Host: NAME } },
      });

  function client(from: string, tableId: string, name: string): TableClient {
    const made = new TableClient({ url: `https://${NAME}:${port}`, tableId, name, socket: socketFrom(from) });
    open.push(made);
    return made.connect();
  }

  test('two people play a match to its end', async () => {
    const id = await house.table('oxo');
    const both = ['127.0.0.21', '127.0.0.22'].map((from, n) => client(from, id, `P${n}`));
    await Promise.all(both.map((each) => playOut(each)));
    for (const each of both) await sameAsServer(house.api, each);
  });

  test('everybody is limited by their own address, whatever they write in headers', async () => {
    const limited: number[] = [];
    for (let n = 0; n < 3 * BURST; n++) {
      const forged = `10.0.${n >> 8}.${n & 255}`;
      const headers = { 'X-Forwarded-For': forged, Forwarded: `for=${forged}`, 'X-Real-IP': forged };
      const { status } = await ask('127.0.0.31', '/healthz', headers);
      if (status === 429) limited.push(n);
    }
    expect(limited.length).toBeGreaterThan(BURST);
    expect((await ask('127.0.0.32', '/healthz')).status).toBe(200);
  });

  test('answers carry what a page on the internet needs, and metrics stay inside', async () => {
    const { status, headers } = await ask('127.0.0.41', '/catalog');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
    expect((await ask('127.0.0.41', '/metrics')).status).toBe(404);
    const page = await ask('127.0.0.41', '/');
    expect([page.status, page.headers['content-security-policy'] !== undefined]).toEqual([200, true]);
    const foreign = await ask('127.0.0.41', '/catalog', { Host: 'elsewhere.example' }).catch(() => undefined);
    expect(foreign?.body ?? '').not.toContain('riichi');
  });

  test('pages of other sites open no sockets', async () => {
    const elsewhere = socketFrom('127.0.0.51', 'https://elsewhere.example')(`wss://${NAME}:${port}/ws`, []);
    const status = await new Promise((told) => {
      elsewhere.once('unexpected-response', (_, response) => told(response.statusCode));
      elsewhere.once('open', () => told(101));
      elsewhere.once('error', () => {});
    });
    elsewhere.terminate();
    expect(status).toBe(403);
  });

  test('a body that is too large is refused', async () => {
    const body = JSON.stringify({ ruleset: 'x'.repeat(3 << 20) });
    const headers = { 'Content-Type': 'application/json' };
    const answered = await ask('127.0.0.61', '/rulesets', headers, 'POST', body).catch(() => ({ status: 413 }));
    expect(answered.status).toBe(413);
  });

  test.runIf(redirects)('who comes without TLS is sent to it', async () => {
    const { statusCode, headers } = await new Promise<{ statusCode?: number; headers: { location?: string } }>((told) =>
      plainly({ host: '127.0.0.1', port: plain, path: '/t/x?a=1', headers: { Host: NAME } }, told).end(),
    );
    expect([statusCode, headers.location]).toEqual([301, `https://${NAME}/t/x?a=1`]);
  });

  test('a socket on which nobody acts stays open', async () => {
    const id = await house.table('oxo', { bots: 1 });
    const table = client('127.0.0.71', id, 'Ann');
    await table.until(({ status }) => status === 'live');
    let lost = 0;
    table.on('reconnecting', () => lost++);
    await new Promise((done) => setTimeout(done, SILENCE_MS));
    expect([table.state.status, lost]).toEqual(['live', 0]);
  });
});
