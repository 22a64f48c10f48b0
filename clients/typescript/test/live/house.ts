/** The real server, on a database of its own, which can be killed and started again. */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import WebSocket from 'ws';

import { Api } from '../../src/index.ts';
import type { SocketFactory, Timing } from '../../src/index.ts';

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../../../target');
const BINARY = process.env.PARLOR_BIN ?? join(target, 'debug/parlor');

/** Node 20 has no WebSocket of its own. */
export const socket: SocketFactory = (url, protocols) => new WebSocket(url, protocols);

/** People wait longer; tests do not want to. */
export const fast: Partial<Timing> = {
  pingMs: 250,
  pongMs: 500,
  connectMs: 2_000,
  resultMs: 600,
  backoffMs: 15,
  backoffMaxMs: 150,
};

/** Settings that keep the server's own patience out of the way. */
const SETTINGS = [
  'messages_per_second=1000000',
  'messages_burst=1000000',
  'requests_per_second=1000000',
  'requests_burst=1000000',
  'away_grace_ms=600000',
  'last_human_grace_ms=600000',
  'bot_ms=0',
];

export class House {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parlor-sdk-'));
  #child: ChildProcess | undefined;
  url = '';

  readonly #settings: readonly string[];

  private constructor(settings: readonly string[]) {
    this.#settings = settings;
  }

  /** Opens one; `settings` win over those that a test has without. */
  static async open(...settings: string[]): Promise<House> {
    if (!existsSync(BINARY))
      throw new Error(`${BINARY} is missing: cargo build -p parlor-cli, or name it in PARLOR_BIN`);
    const house = new House([...SETTINGS, ...settings]);
    await house.start();
    return house;
  }

  get api(): Api {
    return new Api({ url: this.url });
  }

  /** Starts it, perhaps again, on the same database and another port. */
  async start(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['--set', setting]);
    const args = ['serve', '--listen', '127.0.0.1:0', '--database', join(this.#folder, 'house.sqlite'), ...settings];
    const child = spawn(BINARY, args, {
      cwd: this.#folder,
      env: { ...process.env, RUST_LOG: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.url = await new Promise((found, failed) => {
      createInterface({ input: child.stdout }).once('line', (line) => {
        const url = /https?:\/\/\S+/.exec(line)?.[0];
        if (url) found(url);
        else failed(new Error(`the server said: ${line}`));
      });
      child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
    });
  }

  /** SIGKILL: nothing of it runs after this. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A table, waiting for its people. */
  async table(game: string, order: { seats?: number; bots?: number; settings?: object } = {}): Promise<string> {
    const { id } = await this.api.createMatch({ game, bots: 0, ...(order as object) });
    return id;
  }
}
