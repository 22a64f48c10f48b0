/** One socket at a time to one address: opened, watched, and opened again. It knows nothing of tables. */

import { codecOf, readFrame, type Codec, type Message } from './codec.ts';
import type { ClientMessage, LobbyMessage } from './generated/client.ts';
import type { Closed, LinkOptions, SocketFactory, SocketLike, Timing } from './types.ts';

const TIMING: Timing = {
  pingMs: 10_000,
  pongMs: 5_000,
  connectMs: 10_000,
  resultMs: 8_000,
  backoffMs: 250,
  backoffMaxMs: 10_000,
};

/** Bytes of one frame to the server: a longer one would cost the connection. */
export const FRAME_BYTES_MAX = 16 * 1024;
const OPEN = 1;

/** What is said to the server. */
export type Sent = ClientMessage | LobbyMessage;

/** What the owner of a link does. */
export interface LinkOwner {
  /** The first message on a fresh connection. */
  greeting(): Sent;
  heard(message: Message): void;
  /** The connection is gone; says why not to come back, or nothing. */
  lost(code: number, reason: string): Closed | undefined;
  reconnecting(attempt: number, inMs: number, why: string): void;
  closed(why: Closed): void;
}

/** `http` and `ws` mean the same server. */
export function socketUrl(url: string, path: string): string {
  return `${url.replace(/^http/, 'ws').replace(/\/+$/, '')}${path}`;
}

const globalSocket: SocketFactory = (url, protocols) => {
  const Socket = (globalThis as { WebSocket?: new (url: string, protocols: string[]) => SocketLike }).WebSocket;
  if (!Socket)
    throw new Error(
      'there is no WebSocket here: pass `socket: (url, protocols) => new WebSocket(url, protocols)` of the ws package',
    );
  return new Socket(url, protocols);
};

export class Link {
  readonly timing: Timing;
  readonly #codec: Codec;
  readonly #open: SocketFactory;
  readonly #random: () => number;
  readonly #attemptsMax: number;
  readonly #url: () => string;
  readonly #owner: LinkOwner;
  #socket: SocketLike | undefined;
  #attempt = 0;
  #timers: { wait?: Timer; connect?: Timer; ping?: Timer; pong?: Timer | undefined } = {};

  constructor(options: LinkOptions, url: () => string, owner: LinkOwner) {
    this.timing = { ...TIMING, ...options.timing };
    this.#codec = codecOf(options.codec);
    this.#open = options.socket ?? globalSocket;
    this.#random = options.random ?? Math.random;
    this.#attemptsMax = options.attemptsMax ?? Infinity;
    this.#url = url;
    this.#owner = owner;
  }

  /** Whether a message can be sent now. */
  get up(): boolean {
    return this.#socket?.readyState === OPEN;
  }

  /** Attempts since the last welcome. */
  get attempts(): number {
    return this.#attempt;
  }

  /** Opens a connection at once, in place of the one there is. */
  open(): void {
    this.#drop();
    let socket: SocketLike;
    try {
      socket = this.#open(this.#url(), [this.#codec.protocol]);
    } catch (error) {
      this.#owner.closed({ code: 'no_socket', message: String((error as Error)?.message ?? error) });
      return;
    }
    this.#timers.connect = setTimeout(() => this.again('the server does not answer'), this.timing.connectMs);
    socket.onopen = () => {
      this.send(this.#owner.greeting());
      this.#beat();
    };
    this.#watch(socket);
  }

  /** The owner was welcomed: the connection counts as good. */
  welcomed(): void {
    clearTimeout(this.#timers.connect);
    this.#attempt = 0;
  }

  /** Sends a message: false where there is no connection, an error where the message is too long for the server. */
  send(message: Sent): boolean {
    const frame = this.#codec.write(message);
    if (frame.length > FRAME_BYTES_MAX / 4 && bytesOf(frame) > FRAME_BYTES_MAX) {
      throw new RangeError(`a message has ${bytesOf(frame)} bytes, the server takes ${FRAME_BYTES_MAX}`);
    }
    if (!this.up) return false;
    try {
      this.#socket!.send(frame);
      return true;
    } catch {
      return false;
    }
  }

  /** Gives the connection up and comes back after a while; at once where `soon`. */
  again(why: string, soon = false): void {
    this.#drop();
    this.#attempt += 1;
    if (this.#attempt > this.#attemptsMax) {
      this.#owner.closed({ code: 'gave_up', message: `${why}; gave up after ${this.#attemptsMax} attempts` });
      return;
    }
    const { backoffMs, backoffMaxMs } = this.timing;
    const most = Math.min(backoffMaxMs, backoffMs * 2 ** (this.#attempt - 1));
    const inMs = soon && this.#attempt === 1 ? 0 : Math.round(most * (0.5 + this.#random() / 2));
    this.#timers.wait = setTimeout(() => this.open(), inMs);
    this.#owner.reconnecting(this.#attempt, inMs, why);
  }

  /** Ends everything. */
  stop(): void {
    this.#drop();
    this.#attempt = 0;
  }

  /** Hands the open connection to another link, and keeps nothing of it. */
  release(): SocketLike | undefined {
    const socket = this.up ? this.#socket : undefined;
    this.#socket = undefined;
    this.#quiet();
    return socket;
  }

  /** Goes on with a connection of another link. */
  adopt(socket: SocketLike): void {
    this.#drop();
    this.#attempt = 0;
    this.#watch(socket);
    this.#beat();
  }

  /** Listens to a socket; whatever an older one still has to say is not heard. */
  #watch(socket: SocketLike): void {
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const current = () => this.#socket === socket;
    socket.onmessage = (event: { data: unknown }) => {
      if (!current()) return;
      clearTimeout(this.#timers.pong);
      this.#timers.pong = undefined;
      const message = readFrame(this.#codec, event.data);
      if (message === undefined) this.again('a frame that cannot be read');
      else this.#owner.heard(message);
    };
    socket.onclose = (event: { code?: number; reason?: string }) => {
      if (!current()) return;
      const why = this.#owner.lost(event.code ?? 1006, event.reason ?? '');
      if (!current()) return;
      if (why) {
        this.stop();
        this.#owner.closed(why);
      } else {
        this.again(event.reason || `closed with ${event.code ?? 1006}`);
      }
    };
    // An error is always followed by a close, which says what there is to say.
    socket.onerror = () => {};
  }

  /** A connection that can be dead without a sign is asked now and then. */
  #beat(): void {
    clearInterval(this.#timers.ping);
    this.#timers.ping = setInterval(() => {
      this.send({ type: 'ping' });
      // Counted from the first ping that was not answered.
      this.#timers.pong ??= setTimeout(() => this.again('nothing was heard'), this.timing.pongMs);
    }, this.timing.pingMs);
  }

  #quiet(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
  }

  #drop(): void {
    this.#quiet();
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    try {
      socket.close(1000, 'closed');
    } catch {
      // It was never open.
    }
  }
}

type Timer = ReturnType<typeof setTimeout>;

function bytesOf(frame: string | Uint8Array): number {
  return typeof frame === 'string' ? new TextEncoder().encode(frame).length : frame.length;
}
