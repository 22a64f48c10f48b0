/** REST, typed. Whatever is refused is thrown as `ParlorError`. */

import { ParlorError } from './error.ts';
import type { Snapshot, SeatInfo } from './generated/wire.ts';
import type { Player, QueueOrder } from './lobby.ts';
import type { Json } from './types.ts';

export interface ApiOptions {
  /** Where the server is: `http://host:port`, without a path. Empty: the page's own server. */
  url: string;
  /** Sent as `Authorization: Bearer …` where a call is given no other. */
  token?: string;
  fetch?: typeof globalThis.fetch;
}

export type MatchState = 'waiting' | 'running' | 'paused' | 'finished';

export interface MatchRow {
  readonly id: string;
  readonly game: string;
  readonly status: MatchState;
  readonly seats: number;
  /** While it waits: who is there, and how many bots will be. */
  readonly people?: number;
  readonly bots?: number;
  /** Once it runs: the number of the match, and when it last changed (milliseconds since 1970). */
  readonly match?: number;
  readonly updated?: number;
}

export interface MatchInfo {
  readonly id: string;
  readonly game: string;
  readonly status: MatchState;
  readonly match?: number;
  /** While it waits, their number; then, who sits there. */
  readonly seats: number | readonly SeatInfo[];
  readonly players?: readonly string[];
  readonly bots?: number;
  readonly paused?: string | null;
  readonly over?: boolean;
  /** The moment of another match from which this one plays on. */
  readonly continuedFrom?: { readonly id: string; readonly match: number; readonly at: number } | null;
  /** What you may see; not before it has started. */
  readonly snapshot?: Snapshot;
}

export interface MatchOrder {
  game: string;
  id?: string;
  seats?: number;
  bots?: number;
  settings?: Json;
  /** Makes the match repeatable; it is marked `seeded` and never staked. */
  seed?: string;
}

export interface Made {
  readonly id: string;
  readonly status: 'waiting';
  readonly seats: number;
  readonly bots: number;
  /** Needed to start or kill the table. */
  readonly owner_token: string;
}

export interface ReplayStep {
  readonly seq: number;
  readonly at?: number;
  readonly events?: readonly Json[];
  readonly view: Json;
}

/** One line of a match's log: the header, a record, or the footer. */
/** What you were told of the last match of a table. */
export interface Told {
  /** Where in your stream the last of it is; null where nobody is at the table. */
  readonly v: number | null;
  /** Counted for you alone. */
  readonly events: readonly { readonly n: number; readonly at: number; readonly event: Json }[];
}

export type LogLine = { readonly [key: string]: Json };

export interface CatalogGame {
  readonly name: string;
  readonly title: string;
  /** The title in other languages, where the rules have words for it. */
  readonly titles?: { readonly [language: string]: string };
  readonly seats: readonly [number, number] | { readonly min: number; readonly max: number };
  readonly settings?: Json;
  /** JSON Schema of the settings. */
  readonly schema?: Json;
  readonly rated?: boolean;
  readonly staked?: boolean;
  /** Who may take an answer back. */
  readonly undo?: 'none' | 'own' | 'consent';
  /** Whether its rules are data; then it has a sheet. */
  readonly ruleset?: boolean;
}

/** One game, with what a screen needs to draw a table of rules that are data. */
export interface GameInfo extends CatalogGame {
  readonly sheet?: Json;
}

/** A table that plays on from a moment of another. */
export interface Forked {
  readonly id: string;
  readonly session_token: string;
  readonly seat: number;
  readonly link: string;
}

type Body = { readonly [key: string]: unknown };

/**
 * The server's REST side.
 *
 * ```ts
 * const api = new Api({ url: 'http://127.0.0.1:8001' });
 * const { id } = await api.createMatch({ game: 'oxo', bots: 1 });
 * ```
 */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** The same server with another token. */
  as(token: string): Api {
    return new Api({ ...this.#options, token });
  }

  // ---- tables ----

  createMatch(order: MatchOrder): Promise<Made> {
    return this.#json('POST', '/matches', { ...order });
  }

  async matches(query: { state?: MatchState; after?: string; limit?: number } = {}): Promise<readonly MatchRow[]> {
    return (await this.#json<{ matches: MatchRow[] }>('GET', `/matches${search(query)}`)).matches;
  }

  /** With a token your own view, without one the gallery's. */
  match(id: string): Promise<MatchInfo> {
    return this.#json('GET', path('matches', id));
  }

  /** Takes a seat without a socket. */
  join(id: string, name: string): Promise<{ id: string; session_token: string; started: boolean }> {
    return this.#json('POST', path('matches', id, 'join'), { player_name: name });
  }

  /** Starts a table with whoever is there; needs the owner's token. */
  async start(id: string): Promise<void> {
    await this.#json('POST', path('matches', id, 'start'));
  }

  /** Ends a table without a result; needs the owner's token. */
  async kill(id: string): Promise<void> {
    await this.#json('POST', path('matches', id, 'kill'));
  }

  async leave(id: string): Promise<void> {
    await this.#json('POST', path('matches', id, 'leave'));
  }

  /** Answers a request without a socket. A stale one is thrown with status 409 and `details.branchId`. */
  respond(
    id: string,
    response: { title: string; selection: Json; actor?: string; inputId?: number; branchId?: number; requestKey?: string },
  ): Promise<{ branchId: number; requestKey: string | null }> {
    return this.#json('POST', path('matches', id, 'responses'), response);
  }

  undo(id: string, to?: number, requestKey?: string): Promise<{ branchId: number }> {
    return this.#json('POST', path('matches', id, 'undo'), { ...(to !== undefined && { to }), ...(requestKey !== undefined && { requestKey }) });
  }

  /** The log of a match that is over: its header, its records, its footer. */
  async log(id: string, match?: number): Promise<readonly LogLine[]> {
    const text = await (await this.#call('GET', `${path('matches', id, 'log')}${search({ match })}`)).text();
    return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as LogLine);
  }

  /** A match that is over, step by step. */
  replay(id: string, match?: number): Promise<{ id: string; steps: readonly ReplayStep[]; outcome: Json }> {
    return this.#json('GET', `${path('matches', id, 'replay')}${search({ match })}`);
  }

  /** What you were told so far at a table, with the token of your seat; without one, what the gallery was. */
  told(id: string): Promise<Told> {
    return this.#json('GET', `${path('matches', id, 'log')}?as=events`);
  }

  /** Plays on from a moment of a match that is over, against bots: its log up to record `at`, you in `seat`. */
  fork(id: string, order: { at: number; seat: number; player_name?: string }): Promise<Forked> {
    return this.#json('POST', path('matches', id, 'fork'), order);
  }

  // ---- people ----

  /** A player of your own, until you delete him; `token` is the only key to him. */
  guest(wish: { nickname?: string; language?: string } = {}): Promise<Player & { token: string }> {
    return this.#json('POST', '/players/guest', wish);
  }

  me(): Promise<Player> {
    return this.#json('GET', '/players/me');
  }

  player(id: string): Promise<Partial<Player>> {
    return this.#json('GET', path('players', id));
  }

  rename(nickname: string): Promise<Player> {
    return this.#json('POST', '/players/me/nickname', { nickname });
  }

  profile(change: { language?: string; avatar?: string }): Promise<Player> {
    return this.#json('POST', '/players/me/profile', change);
  }

  balance(): Promise<{ readonly [currency: string]: Json }> {
    return this.#json('GET', '/players/me/balance');
  }

  history(after?: string): Promise<{ matches: readonly Json[] }> {
    return this.#json('GET', `/players/me/matches${search({ after })}`);
  }

  async deleteMe(): Promise<void> {
    await this.#json('DELETE', '/players/me');
  }

  queueJoin(game: string, order: Omit<QueueOrder, 'game'> = {}): Promise<Json> {
    return this.#json('POST', path('queue', game), order);
  }

  queue(game: string): Promise<{ position?: number; waiting?: number }> {
    return this.#json('GET', path('queue', game));
  }

  async queueLeave(game: string): Promise<void> {
    await this.#json('DELETE', path('queue', game));
  }

  // ---- the house ----

  /** The games, with the JSON Schema of their settings. */
  catalog(): Promise<{ games: readonly CatalogGame[] }> {
    return this.#json('GET', '/catalog');
  }

  /** One game; for rules that are data with the sheet by which a table of it is drawn. */
  game(name: string): Promise<GameInfo> {
    return this.#json('GET', path('catalog', name));
  }

  status(): Promise<{ status: string; active_games: number; max_games: number }> {
    return this.#json('GET', '/status');
  }

  /**
   * The server's clock minus this one's, in milliseconds, for `deadline`. The server says whole seconds: it can be off
   * by half a second and half the way there and back.
   */
  async clockOffset(): Promise<number> {
    const asked = Date.now();
    const response = await this.#call('GET', '/health');
    const date = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(date) ? 0 : date + 500 - (asked + Date.now()) / 2;
  }

  /** Any other route, with the same errors. */
  async request<T = Json>(method: string, route: string, body?: Body): Promise<T> {
    return this.#json<T>(method, route, body);
  }

  async #json<T>(method: string, route: string, body?: Body): Promise<T> {
    const response = await this.#call(method, route, body);
    const text = await response.text();
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw new ParlorError('malformed', `${method} ${route} did not answer with JSON`, response.status);
    }
  }

  async #call(method: string, route: string, body?: Body): Promise<Response> {
    const { url, token, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const address = `${url.replace(/^ws/, 'http').replace(/\/+$/, '')}${route}`;
    let response: Response;
    try {
      response = await fetch(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    } catch (error) {
      throw new ParlorError('unreachable', `the server cannot be reached: ${String((error as Error)?.message ?? error)}`);
    }
    if (!response.ok) throw await problem(response);
    return response;
  }
}

async function problem(response: Response): Promise<ParlorError> {
  let details: Record<string, unknown> = {};
  try {
    const body: unknown = await response.json();
    if (body !== null && typeof body === 'object') details = body as Record<string, unknown>;
  } catch {
    // Not from the server itself, such as a proxy's page.
  }
  const code = typeof details.code === 'string' ? details.code : `http_${response.status}`;
  const message = typeof details.message === 'string' ? details.message : `the server said ${response.status}`;
  return new ParlorError(code, message, response.status, details);
}

const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

function search(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
}
