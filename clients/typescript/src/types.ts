/** What a program that uses this package holds in its hands: options, state, and what it can listen to. */

import type {
  Choice,
  Fault,
  Ignored,
  Money,
  Outcome,
  Over,
  Prompt,
  SeatClock,
  SeatInfo,
  Snapshot,
  Update,
} from './generated/wire.ts';
import type { Waiting } from './generated/lobby.ts';

/** JSON as a game sends it: integers, no fractions. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How frames are written. */
export type CodecName = 'msgpack' | 'json';

/**
 * As much of a WebSocket as is used here; the browser's own and the `ws` package both fit. Each has events of its own:
 * `never` lets every handler fit.
 */
export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

/** Opens a socket. Without one of your own, the global `WebSocket` is used (Node 20 has none: pass `ws`). */
export type SocketFactory = (url: string, protocols: string[]) => SocketLike;

/** As much of `localStorage` as is used here. */
export interface StorageLike {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Times, all in milliseconds. Tests make them short; people need not touch them. */
export interface Timing {
  /** How often a ping is sent. The server cuts a connection that is silent for 30,000. */
  pingMs: number;
  /** How long after a ping nothing may be heard before the connection counts as dead. */
  pongMs: number;
  /** How long a connection has from its opening to the server's welcome. */
  connectMs: number;
  /**
   * How long a submission waits for its result before it is said again on another connection, under the same key;
   * doubled each time, up to eight times.
   */
  resultMs: number;
  /** The first wait before coming back; doubled with each attempt, each time between a half and the whole of it. */
  backoffMs: number;
  /** The longest wait before coming back. */
  backoffMaxMs: number;
}

/** What both sockets are opened with. */
export interface LinkOptions {
  /** Where the server is: `http://host:port` or `ws://host:port`, without a path. */
  url: string;
  /** Default `msgpack`. */
  codec?: CodecName;
  socket?: SocketFactory;
  timing?: Partial<Timing>;
  /** Attempts to come back before giving up; default: no end. */
  attemptsMax?: number;
  /** Luck for the jitter, 0 to 1; default `Math.random`. */
  random?: () => number;
}

/** What a table is opened with. */
export interface TableOptions extends LinkOptions {
  tableId: string;
  /** The name at the table; may be empty for somebody who only looks. */
  name: string;
  /** The session token of a seat that is already yours. Without one: the one in `storage`, or a fresh one. */
  token?: string;
  /** The token of a player's account: the seat is his, under his nickname. Guests need none. */
  playerToken?: string;
  /** Only look; where players come and go, `sitDown` takes a seat all the same. */
  spectate?: boolean;
  /** The seat you want at a table that runs; any free one unless said. */
  seat?: number;
  /** What you bring to a table where players come and go; the most that is allowed unless said. */
  buyIn?: number;
  /** Keeps the session token, so that a page that is loaded again gets its seat back. */
  storage?: StorageLike;
}

/**
 * Where a client stands.
 * `idle`: not connected yet. `connecting`: for the first time. `waiting`: joined, and the table has not started.
 * `live`: what you see is what the server shows you. `reconnecting`: what you see may be old.
 * `closed`: for good; `state.closed` says why, and `connect()` starts again.
 */
export type Status = 'idle' | 'connecting' | 'waiting' | 'live' | 'reconnecting' | 'closed';

/** Why a client is closed. */
export interface Closed {
  /**
   * `left`, `taken_over`, `expelled` (for what no honest client sends), `stopped` (by you), `gave_up`, `desync`, or the
   * server's code, such as `game_not_found`.
   */
  readonly code: string;
  readonly message: string;
}

/** The server cannot store anything now (`read_only`), or can again (`writable`: then the state has no notice). */
export interface Notice {
  readonly code: string;
  readonly message: string;
}

export interface ChatLine {
  readonly name: string;
  readonly text: string;
}

/** Something that happened, in the game's own words. */
export interface Heard<Event = Json> {
  /** The message it came with. */
  readonly v: number;
  readonly event: Event;
}

/** An answer that is on its way. */
export interface Submission {
  readonly requestKey: string;
  readonly kind: 'answer' | 'undo';
  /** The request it answers, as it stood. */
  readonly request?: Prompt;
  readonly answer?: Json;
  readonly inputId?: number;
  readonly branchId?: number;
}

/** Before a table starts: who is there, and how many people it waits for. */
export interface RoomState {
  readonly members: readonly Waiting[];
  readonly humans: number;
}

/** After a match: who wants another, and the table where it is played once all do. */
export interface RematchState {
  readonly agreed: readonly string[];
  readonly gameId: string | undefined;
}

/** A seat that is kept for you while you choose what to bring. */
export interface KeptSeat {
  readonly seat: number;
  /** For how long it is kept from when you were told, in milliseconds. */
  readonly forMs: number;
  readonly buyInMin: number;
  readonly buyInMax: number;
  readonly currency: Money;
}

/** What a spectator wants: any free seat, and as much as is allowed, unless said. */
export interface SitOrder {
  readonly seat?: number;
  readonly buyIn?: number;
}

/** The server's word on a wish for a seat. Nothing is thrown. */
export type SeatResult<Given> =
  | ({ readonly accepted: true } & Given)
  | {
      readonly accepted: false;
      /** `pending` (another wish is on its way), `not_connected`, `closed`, or the server's, such as `seat_taken`. */
      readonly code: string;
      readonly message: string;
    };

/** Everything a screen needs. Never changed in place: a new object with each change, unchanged parts shared. */
export interface TableState<View = Json, Event = Json> {
  readonly status: Status;
  readonly tableId: string;
  /** The session token of this seat; keep it to come back. */
  readonly token: string | undefined;
  /** Your seat, once the table has started; none for spectators. */
  readonly seat: number | undefined;
  /** Whether you only look; no longer, once you have sat down. */
  readonly spectator: boolean;
  /** The seat that is kept for you. */
  readonly kept: KeptSeat | undefined;
  /** The number of the last message of your stream. */
  readonly v: number;
  /** The lock against stale answers. */
  readonly branchId: number;
  /** The number of the match at this table; 0 before the first. */
  readonly matchNo: number;
  /** What you see; nothing before the table has started. */
  readonly view: View | undefined;
  readonly viewHash: string;
  /** What stands for you. */
  readonly requests: readonly Prompt[];
  readonly seats: readonly SeatInfo[];
  /** How long each player is waited for, where everybody may know it. */
  readonly clocks: readonly SeatClock[];
  /** The names of everybody at the table, also before it has started. */
  readonly players: readonly string[];
  /** Who is ready, while the table waits; where the server says so. */
  readonly room: RoomState | undefined;
  readonly rematch: RematchState | undefined;
  /** Why the table stands still, if it does. */
  readonly paused: string | undefined;
  readonly over: Over | undefined;
  /** What the server committed to before the cards were dealt. */
  readonly commitment: string | undefined;
  readonly notice: Notice | undefined;
  /** The last lines, oldest first. */
  readonly chat: readonly ChatLine[];
  /** The last events, oldest first. A snapshot after a lost connection leaves a gap here. */
  readonly events: readonly Heard<Event>[];
  /** The answer that is on its way; while there is one, another is refused here (000-15). */
  readonly pending: Submission | undefined;
  readonly closed: Closed | undefined;
}

/** The end of a submission. Nothing is thrown: every way it can end is here. */
export type Result =
  | {
      readonly accepted: true;
      readonly requestKey: string;
      readonly branchId: number;
      /** The parts of the answer that were not followed, and why. */
      readonly ignored: readonly Ignored[];
    }
  | {
      readonly accepted: false;
      readonly requestKey: string;
      /** `pending` (another is on its way), `closed`, or the server's. */
      readonly code: string;
      readonly message: string;
      readonly faults: readonly Fault[];
      /** True where the answer was to something that no longer stands. */
      readonly conflict: boolean;
    };

/** An answer came too late: what it was meant for no longer stands. The state is up to date again (000-17). */
export interface Conflict<Event = Json> {
  readonly code: string;
  readonly message: string;
  readonly submission: Submission;
  /** Where the table stood when the answer was given, and where it stands now. */
  readonly since: { readonly v: number; readonly branchId: number };
  readonly now: { readonly v: number; readonly branchId: number };
  /** What happened in between, as far as it was told one by one. */
  readonly events: readonly Heard<Event>[];
  /** Every place of the view that has changed in between, as JSON pointers. */
  readonly changed: readonly string[];
}

/** The view did not come out as the server says it should; it is fetched anew. */
export interface Desync {
  readonly v: number;
  /** `hash`: the view differs. `gap`: a message is missing. `patch`: a change does not fit. `head`: we are behind. */
  readonly why: 'hash' | 'gap' | 'patch' | 'head';
  readonly expected: string;
  readonly got: string;
}

/** What a table client tells. */
export interface TableEvents<View = Json, Event = Json> {
  snapshot: Snapshot;
  update: Update;
  events: { readonly v: number; readonly events: readonly Event[] };
  seats: readonly SeatInfo[];
  players: readonly string[];
  room: RoomState;
  rematch: RematchState;
  chat: ChatLine;
  paused: { readonly why: string | undefined };
  over: Over;
  notice: Notice;
  accepted: { readonly requestKey: string; readonly branchId: number; readonly ignored: readonly Ignored[] };
  /** A seat is kept for you. */
  kept: KeptSeat;
  /** You have a seat, and see the table from it. */
  seated: { readonly seat: number | undefined };
  refused: {
    readonly requestKey: string;
    readonly code: string;
    readonly message: string;
    readonly faults: readonly Fault[];
  };
  conflict: Conflict<Event>;
  desync: Desync;
  /** The server said no to something that is no submission, such as a chat line. */
  problem: { readonly code: string; readonly message: string };
  /** Anything else the server says on this connection, as it came. */
  message: { readonly type: string; readonly [key: string]: unknown };
  reconnecting: { readonly attempt: number; readonly inMs: number; readonly why: string };
  reconnected: { readonly attempts: number };
  /** This seat is played somewhere else now. The client never comes back by itself. */
  takenOver: Closed;
  closed: Closed;
  state: TableState<View, Event>;
}

/** What can be said to a choice: its title; or the choice itself; or an id or inner picks beside the title. */
export type PickInput =
  string | Choice | { readonly title?: string; readonly id?: string; readonly selection?: readonly PickInput[] };

export type { Choice, Fault, Ignored, Money, Outcome, Over, Prompt, SeatClock, SeatInfo, Snapshot, Update };
