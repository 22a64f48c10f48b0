/** REST, typed. Whatever is refused is thrown as `ParlorError`. */

import { ParlorError } from './error.ts';
import type { Leader, MatchRow, MatchState, Operations, Played, StatementLine } from './generated/rest.ts';
import type { Json } from './types.ts';

export interface ApiOptions {
  /** Where the server is: `http://host:port`, without a path. Empty: the page's own server. */
  url: string;
  /** Sent as `Authorization: Bearer …` where a call is given no other. */
  token?: string;
  fetch?: typeof globalThis.fetch;
}

/** One line of a match's log: the header, a record, or the footer. */
export type LogLine = { readonly [key: string]: Json };

/** Which tables to list. */
export interface TableQuery {
  state?: MatchState;
  game?: string;
  order?: 'name' | 'newest';
  after?: string;
  limit?: number;
}

/** What an operation takes and gives, by its name on the server's OpenAPI page. */
type Takes<Name extends keyof Operations> = Operations[Name]['body'];
type Gives<Name extends keyof Operations> = Promise<Operations[Name]['reply']>;

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

  createMatch(order: Takes<'createMatch'>): Gives<'createMatch'> {
    return this.#json('POST', '/matches', order);
  }

  async matches(query: TableQuery = {}): Promise<readonly MatchRow[]> {
    return (await this.matchPage(query)).matches;
  }

  /** One page of the same list; `next` is what `after` takes for the page that follows. */
  matchPage(query: TableQuery = {}): Gives<'listMatches'> {
    return this.#json('GET', `/matches${search({ ...query })}`);
  }

  /**
   * With a token your own view, without one the gallery's. With `news` the server waits so many milliseconds, at most
   * a minute, for something newer than `v`.
   */
  match(id: string, invite?: string, news: { v?: number; wait?: number } = {}): Gives<'viewMatch'> {
    return this.#json('GET', `${path('matches', id)}${search({ invite, wait: news.wait, v: news.v })}`);
  }

  /** Takes a seat without a socket; where players come and go, `place` says which one, and what you bring. */
  join(id: string, name: string, invite?: string, place: { seat?: number; buyIn?: number } = {}): Gives<'joinMatch'> {
    const order: Takes<'joinMatch'> = { player_name: name, ...(invite !== undefined && { invite }), ...place };
    return this.#json('POST', path('matches', id, 'join'), order);
  }

  /** Keeps a free seat for a minute, while you choose what to bring; needs a token with which you will join. */
  reserve(id: string, seat?: number): Gives<'reserveSeat'> {
    const order: Takes<'reserveSeat'> = { ...(seat !== undefined && { seat }) };
    return this.#json('POST', path('matches', id, 'reserve'), order);
  }

  /** Pauses a table; needs the owner's token, as do the next three. */
  async pause(id: string): Promise<void> {
    await this.#json('POST', path('matches', id, 'pause'));
  }

  /** Goes on with a table that its owner has paused. */
  async resume(id: string): Promise<void> {
    await this.#json('POST', path('matches', id, 'resume'));
  }

  /** Removes a player when this match is over; `false` lets them stay after all. */
  async remove(id: string, seat: number, remove = true): Promise<void> {
    const order: Takes<'removePlayer'> = { seat, remove };
    await this.#json('POST', path('matches', id, 'remove'), order);
  }

  /** Changes the settings from the next match on. */
  settings(id: string, settings: Json): Gives<'changeSettings'> {
    const order: Takes<'changeSettings'> = { settings };
    return this.#json('POST', path('matches', id, 'settings'), order);
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
  respond(id: string, response: Takes<'respond'>): Gives<'respond'> {
    return this.#json('POST', path('matches', id, 'responses'), response);
  }

  undo(id: string, to?: number, requestKey?: string): Gives<'undo'> {
    const order: Takes<'undo'> = { ...(to !== undefined && { to }), ...(requestKey !== undefined && { requestKey }) };
    return this.#json('POST', path('matches', id, 'undo'), order);
  }

  /** The log of a match that is over: its header, its records, its footer. */
  async log(id: string, match?: number): Promise<readonly LogLine[]> {
    const text = await (await this.#call('GET', `${path('matches', id, 'log')}${search({ match })}`)).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
  }

  /**
   * A match that is over, step by step, as the gallery saw it; or a seat, where the game opens everything at its end.
   */
  replay(id: string, match?: number, seat?: number): Gives<'replay'> {
    return this.#json('GET', `${path('matches', id, 'replay')}${search({ match, seat })}`);
  }

  /** What you were told so far at a table, with the token of your seat; without one, what the gallery was. */
  told(id: string): Gives<'log'> {
    return this.#json('GET', `${path('matches', id, 'log')}?as=events`);
  }

  /** Plays on from a moment of a match that is over, against bots: its log up to record `at`, you in `seat`. */
  fork(id: string, order: Takes<'fork'>): Gives<'fork'> {
    return this.#json('POST', path('matches', id, 'fork'), order);
  }

  // ---- people ----

  /** A player of your own, until you delete him; `token` is the only key to him. */
  guest(wish: Takes<'guest'> = {}): Gives<'guest'> {
    return this.#json('POST', '/players/guest', wish);
  }

  me(): Gives<'me'> {
    return this.#json('GET', '/players/me');
  }

  /** What everybody may know of a player; with a player's token also how your matches with them went. */
  player(id: string): Gives<'player'> {
    return this.#json('GET', path('players', id));
  }

  /** What a player has played at public tables, newest first; `after` is the `no` of the last one you have. */
  async matchesOf(id: string, after?: number): Promise<readonly Played[]> {
    const route = `${path('players', id, 'matches')}${search({ after })}`;
    return (await this.#json<Operations['playerMatches']['reply']>('GET', route)).matches;
  }

  /** The players with the highest ratings in a game. */
  async leaders(game: string): Promise<readonly Leader[]> {
    return (await this.#json<Operations['leaders']['reply']>('GET', path('leaders', game))).leaders;
  }

  rename(nickname: string): Gives<'rename'> {
    const order: Takes<'rename'> = { nickname };
    return this.#json('POST', '/players/me/nickname', order);
  }

  profile(change: Takes<'setProfile'>): Gives<'setProfile'> {
    return this.#json('POST', '/players/me/profile', change);
  }

  /** Whom you do not want to hear at tables. */
  mutes(): Gives<'mutes'> {
    return this.#json('GET', '/players/me/mutes');
  }

  setMutes(mutes: Takes<'setMutes'>): Gives<'setMutes'> {
    return this.#json('POST', '/players/me/mutes', mutes);
  }

  /** What you own, by currency. */
  async balance(): Promise<{ readonly [currency: string]: number }> {
    return (await this.#json<Operations['balance']['reply']>('GET', '/players/me/balance')).balances;
  }

  /** What you have played, newest first; `after` is the `no` of the last one you have. */
  async history(after?: number): Promise<readonly Played[]> {
    return (await this.#json<Operations['myMatches']['reply']>('GET', `/players/me/matches${search({ after })}`))
      .matches;
  }

  /** Everything that came to your account or went, newest first; `after` is the `no` of the last line you have. */
  async ledger(query: { currency?: string; after?: number; limit?: number } = {}): Promise<readonly StatementLine[]> {
    return (await this.#json<Operations['ledger']['reply']>('GET', `/me/ledger${search(query)}`)).lines;
  }

  async deleteMe(): Promise<void> {
    await this.#json('DELETE', '/players/me');
  }

  queueJoin(game: string, order: Takes<'queueJoin'> = {}): Gives<'queueJoin'> {
    return this.#json('POST', path('queue', game), order);
  }

  queue(game: string): Gives<'queuePlace'> {
    return this.#json('GET', path('queue', game));
  }

  async queueLeave(game: string): Promise<void> {
    await this.#json('DELETE', path('queue', game));
  }

  // ---- the house ----

  /** The games, with the JSON Schema of their settings. */
  catalog(): Gives<'catalog'> {
    return this.#json('GET', '/catalog');
  }

  /**
   * One game; for rules that are data with the sheet by which a table of it is drawn. `identity` names another version
   * of a ruleset than the one that new tables have.
   */
  game(name: string, identity?: string): Gives<'game'> {
    return this.#json('GET', `${path('catalog', name)}${search({ identity })}`);
  }

  // ---- rulesets ----

  /** Rulesets that were published, by name; `after` is the name of the last one you have. */
  rulesets(query: { after?: string; limit?: number } = {}): Gives<'listRulesets'> {
    return this.#json('GET', `/rulesets${search({ ...query })}`);
  }

  /** Publishes a game as a ruleset; mistakes are in the error's `body.findings`. */
  publishRuleset(ruleset: { readonly [key: string]: Json }): Gives<'publishRuleset'> {
    return this.#json('POST', '/rulesets', ruleset);
  }

  /** Tells the operator what is wrong with a ruleset. */
  reportRuleset(name: string, text: string): Gives<'reportRuleset'> {
    return this.#json('POST', path('rulesets', name, 'report'), { text });
  }

  /** How the file of a ruleset stands; with `wait`, as soon as something is newer than `v`. */
  rulesetStatus(name: string, news: { v?: number; wait?: number } = {}): Gives<'rulesetStatus'> {
    return this.#json('GET', `${path('rulesets', name, 'status')}${search({ wait: news.wait, v: news.v })}`);
  }

  status(): Gives<'status'> {
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
  async request<T = Json>(method: string, route: string, body?: object): Promise<T> {
    return this.#json<T>(method, route, body);
  }

  async #json<T>(method: string, route: string, body?: object): Promise<T> {
    const response = await this.#call(method, route, body);
    const text = await response.text();
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw new ParlorError('malformed', `${method} ${route} did not answer with JSON`, response.status);
    }
  }

  async #call(method: string, route: string, body?: object): Promise<Response> {
    const { url, token, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const address = `${url.replace(/^ws/, 'http').replace(/\/+$/, '')}${route}`;
    let response: Response;
    try {
      response = await fetch(address, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    } catch (error) {
      throw new ParlorError(
        'unreachable',
        `the server cannot be reached: ${String((error as Error)?.message ?? error)}`,
      );
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
