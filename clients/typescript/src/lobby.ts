/** The lobby: a connection that is at no table. It waits in queues and is told of matches. */

import type { Message } from './codec.ts';
import type { Account, HelloOk, MatchFound as Found, Profile, QueueOk, Rated, Sitting } from './generated/lobby.ts';
import { Link, socketUrl, type LinkOwner, type Sent } from './link.ts';
import { Store } from './store.ts';
import { TableClient } from './table.ts';
import type { Closed, Json, LinkOptions, StorageLike } from './types.ts';

const TOKEN_KEY = 'parlor.player';

/** What a lobby is opened with. */
export interface LobbyOptions extends LinkOptions {
  /** The player's token. Without one: the one in `storage`, or the server makes a guest. */
  token?: string;
  /** What a guest who is made would like. */
  nickname?: string;
  language?: string;
  /** Keeps the player's token. */
  storage?: StorageLike;
  /** Where session tokens of tables are kept; default: `storage`. */
  tableStorage?: StorageLike;
}

/** A player as he sees himself. */
export type Player = Profile;

/** Which opponents one waits for. */
export interface QueueOrder {
  game?: string;
  settings?: Json;
  /** How many seats; as few as the game allows unless said. */
  seats?: number;
  /** After so many milliseconds bots take the seats that are still empty. */
  fillWithBotsAfterMs?: number;
}

/** `playing`: the connection belongs to `state.table` until that table is left. */
export type LobbyStatus = 'idle' | 'connecting' | 'ready' | 'queued' | 'playing' | 'reconnecting' | 'closed';

/** Everything a lobby screen needs from the socket. Never changed in place. */
export interface LobbyState {
  readonly status: LobbyStatus;
  readonly player: Player | undefined;
  /** The player's token; keep it to be the same player again. */
  readonly token: string | undefined;
  /** What is waited for, and the place in the queue as it was told last. */
  readonly queue:
    | { readonly order: QueueOrder; readonly position: number | undefined; readonly waiting: number | undefined }
    | undefined;
  /** Matches that wait for the player: `table(sitting)` sits down again. */
  readonly matches: readonly Sitting[];
  readonly table: TableClient | undefined;
  readonly closed: Closed | undefined;
}

/** A match begins. `table` is connected already: it goes on with the lobby's own socket. */
export interface MatchFound {
  readonly gameId: string;
  readonly game: string;
  readonly seat: number;
  readonly sessionToken: string;
  readonly players: readonly string[];
  /** What each has staked. */
  readonly stake: number;
  /** It had begun before: the player comes back to it. */
  readonly returning: boolean;
  readonly table: TableClient;
}

/** What a lobby client tells. */
export interface LobbyEvents {
  ready: Player;
  /** What the player owns or how he stands has changed; also told while a match is played. */
  account: Player;
  queued: { readonly position: number | undefined };
  queueLeft: undefined;
  matchFound: MatchFound;
  /** The server said no: `code` is for programs, such as `not_enough_tokens`. */
  problem: { readonly code: string; readonly message: string };
  /** Anything else the lobby says, such as the messages of rooms, as it came. */
  message: { readonly type: string; readonly [key: string]: unknown };
  reconnecting: { readonly attempt: number; readonly inMs: number; readonly why: string };
  reconnected: { readonly attempts: number };
  takenOver: Closed;
  closed: Closed;
  state: LobbyState;
}

/**
 * The connection on `/ws`.
 *
 * ```ts
 * const lobby = new LobbyClient({ url, storage: localStorage });
 * lobby.on('matchFound', ({ table }) => show(table));
 * lobby.connect().queueJoin({ game: 'battle' });
 * ```
 */
export class LobbyClient extends Store<LobbyState, LobbyEvents> {
  readonly #options: LobbyOptions;
  readonly #link: Link;

  constructor(options: LobbyOptions) {
    const token = options.token ?? options.storage?.getItem(TOKEN_KEY) ?? undefined;
    super({
      status: 'idle',
      player: undefined,
      token,
      queue: undefined,
      matches: [],
      table: undefined,
      closed: undefined,
    });
    this.#options = options;
    const owner: LinkOwner = {
      greeting: () => {
        const { nickname, language } = this.#options;
        return { type: 'hello', token: this.state.token, nickname, language };
      },
      heard: (message) => this.#hear(message),
      lost: (code) =>
        code === 4000 ? { code: 'taken_over', message: 'this player is in the lobby somewhere else now' } : undefined,
      reconnecting: (attempt, inMs, why) => {
        this.set({ status: 'reconnecting' });
        this.emit('reconnecting', { attempt, inMs, why });
      },
      closed: (why) => this.#close(why),
    };
    this.#link = new Link(options, () => socketUrl(options.url, '/ws'), owner);
  }

  connect(): this {
    if (this.state.status === 'idle' || this.state.status === 'closed') {
      this.set({ status: 'connecting', closed: undefined });
      this.#link.open();
    }
    return this;
  }

  /** Waits for opponents; also before the connection stands, and again after it was lost. */
  queueJoin(order: QueueOrder): void {
    this.set({ queue: { order, position: undefined, waiting: undefined } });
    if (this.#greeted()) this.#link.send({ type: 'queue_join', ...order });
  }

  queueLeave(): void {
    this.set({ queue: undefined, ...(this.state.status === 'queued' && { status: 'ready' as const }) });
    if (this.#greeted()) this.#link.send({ type: 'queue_leave' });
  }

  /** A match against bots, at once. */
  playBots(order: { game: string; settings?: Json; bots?: number }): boolean {
    return this.#greeted() && this.#link.send({ type: 'play_bots', ...order });
  }

  /** A table for this player, with a connection of its own, such as one of `state.matches`. Not connected yet. */
  table(tableId: string): TableClient {
    return this.#table(tableId, {});
  }

  /** Any other message of the lobby, such as those of rooms; false where there is no connection. */
  send(message: Sent): boolean {
    return this.#greeted() && this.#link.send(message);
  }

  stop(): void {
    if (this.state.status !== 'closed') this.#close({ code: 'stopped', message: 'stopped by this client' });
  }

  #greeted(): boolean {
    return this.state.status === 'ready' || this.state.status === 'queued';
  }

  #close(why: Closed): void {
    this.#link.stop();
    this.set({ status: 'closed', queue: undefined, closed: why });
    if (why.code === 'taken_over') this.emit('takenOver', why);
    this.emit('closed', why);
  }

  #hear(message: Message): void {
    switch (message.type) {
      case 'hello_ok':
        return this.#hello(message as unknown as HelloOk);
      case 'queue_ok': {
        const { position, waiting } = message as unknown as QueueOk;
        if (!this.state.queue) return;
        this.set({ status: 'queued', queue: { ...this.state.queue, position, waiting } });
        return this.emit('queued', { position });
      }
      case 'queue_left':
        this.set({ queue: undefined, ...(this.state.status === 'queued' && { status: 'ready' as const }) });
        return this.emit('queueLeft', undefined);
      case 'account':
        return this.#account(message as unknown as Account);
      case 'match_found':
        return this.#found(message as unknown as Found);
      case 'session_error':
        return this.#error(String(message.code), String(message.message));
      case 'pong':
        return;
      default:
        return this.emit('message', message);
    }
  }

  #hello({ type: _, token, matches, ...player }: HelloOk): void {
    const attempts = this.#link.attempts;
    this.#link.welcomed();
    const known = token ?? this.state.token;
    if (known !== undefined) this.#options.storage?.setItem(TOKEN_KEY, known);
    this.set({ status: 'ready', player, token: known, matches });
    this.emit('ready', this.state.player!);
    if (attempts > 0) this.emit('reconnected', { attempts });
    // A queue forgets whoever's connection is gone: he joins it again.
    if (this.state.queue) this.#link.send({ type: 'queue_join', ...this.state.queue.order });
  }

  #account({ type: _, ...player }: Account): void {
    this.set({ player });
    this.emit('account', player);
  }

  #error(code: string, message: string): void {
    if (!this.#greeted()) {
      if (code === 'busy' || code === 'rate_limited') this.#link.again(message);
      else this.#close({ code, message });
      return;
    }
    if (this.state.status === 'ready') this.set({ queue: undefined });
    this.emit('problem', { code, message });
  }

  #found(message: Found): void {
    const socket = this.#link.release();
    const { game_id: gameId, game, session_token: sessionToken, seat, stake, returning = false } = message;
    const players = message.players.map(({ name }) => name);
    const table = this.#table(gameId, { token: sessionToken });
    this.set({ status: 'playing', queue: undefined, table });
    table.on('message', (other) => {
      if (other.type === 'account') this.#account(other as unknown as Account);
    });
    table.on('closed', () => queueMicrotask(() => this.#back(table)));
    // Without a socket (it died in this very moment) the table opens its own.
    if (socket) table.adopt(socket, seat, players, (returned) => this.#home(returned));
    else table.connect();
    this.emit('matchFound', { gameId, game, seat, sessionToken, players, stake, returning, table });
  }

  #table(tableId: string, more: { token?: string }): TableClient {
    const { storage, tableStorage = storage, token: _, nickname: _n, language: _l, ...link } = this.#options;
    const playerToken = this.state.token;
    return new TableClient({
      ...link,
      ...more,
      tableId,
      name: this.state.player?.nickname ?? '',
      ...(playerToken !== undefined && { playerToken }),
      ...(tableStorage && { storage: tableStorage }),
    });
  }

  /** The table was left on the lobby's own socket. */
  #home(socket: Parameters<Link['adopt']>[0]): void {
    this.#link.adopt(socket);
    this.set({ status: 'ready', table: undefined });
  }

  /** The table is closed, and its socket with it. */
  #back(table: TableClient): void {
    if (this.state.table !== table || this.state.status !== 'playing') return;
    this.set({ status: 'connecting', table: undefined });
    this.#link.open();
  }
}

export type { Rated, Sitting };
