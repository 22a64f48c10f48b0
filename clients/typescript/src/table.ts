/** A seat, or a place in the gallery, at one table. */

import type { Message } from './codec.ts';
import { kept, withSnapshot, withUpdate } from './fold.ts';
import type { Accepted, Fault, Prompt, Refused, SeatInfo, Snapshot, Update } from './generated/wire.ts';
import type { Chat, GameJoined, GameStarted, Rematch, Room, SeatReserved } from './generated/lobby.ts';
import { Link, socketUrl, type LinkOwner, type Sent } from './link.ts';
import { changed } from './patch.ts';
import { faultText, pickOf } from './picks.ts';
import { secret } from './random.ts';
import { Seating, fields } from './seating.ts';
import { Store } from './store.ts';
import { Submissions, type Flight } from './submissions.ts';
import type {
  Closed,
  Desync,
  Json,
  KeptSeat,
  PickInput,
  Result,
  SeatResult,
  SitOrder,
  SocketLike,
  Status,
  TableEvents,
  TableOptions,
  TableState,
} from './types.ts';

/** Snapshots in a row whose own hash is wrong: then it is not the connection that is at fault. */
const DESYNCS_MAX = 3;
/** The server's words for an answer to something that no longer stands. */
const CONFLICTS = ['stale', 'stale_head', 'not_asked'];
/** The server's words for "not now": said again a little later. */
const LATER = ['busy', 'rate_limited'];
/** The server's words for a connection on which our join, or its welcome, went astray: another one is made. */
const ASTRAY = ['not_in_game', 'already_in_game'];
/** Ends after which the right to the seat is worth nothing. */
const GONE = ['left', 'expelled'];

/**
 * One place at one table.
 *
 * ```ts
 * const table = new TableClient({ url, tableId, name: 'Ann' });
 * table.subscribe((state) => draw(state));
 * table.connect();
 * const result = await table.answer(table.state.requests[0], 'b2');
 * ```
 *
 * It keeps one connection, comes back when that is lost, fetches only what it missed, checks after each update that
 * what it shows is what the server shows (000-16), and lets one answer at a time go out (000-15).
 */
export class TableClient<View = Json, Event = Json> extends Store<TableState<View, Event>, TableEvents<View, Event>> {
  readonly #options: TableOptions;
  readonly #link: Link;
  readonly #submissions: Submissions;
  readonly #seating: Seating;
  /** A spectator's right to the seat that they may take. */
  #pass = secret();
  /** The server has welcomed this connection. */
  #joined = false;
  /** What we have is not to be trusted: the next connection asks for everything. */
  #stale = false;
  /** Something with a number was heard on this connection. */
  #heard = false;
  /** The number of the last chat message. */
  #chats = 0;
  #desyncs = 0;
  #leaving = false;
  /** A conflict that is told once the state is up to date. */
  #conflict: { flight: Flight; code: string; message: string } | undefined;
  /** Where the socket came from, if not from us: it goes back there when we get up. */
  #home: ((socket: SocketLike) => void) | undefined;

  constructor(options: TableOptions) {
    super(beginning(options));
    this.#options = options;
    const owner: LinkOwner = {
      greeting: () => this.#greeting(),
      heard: (message) => this.#hear(message),
      lost: (code, reason) => lost(code, reason),
      reconnecting: (attempt, inMs, why) => this.#away(attempt, inMs, why),
      closed: (why) => this.#close(why),
    };
    const path = `/ws/${encodeURIComponent(options.tableId)}`;
    this.#link = new Link(options, () => socketUrl(options.url, path), owner);
    this.#submissions = new Submissions(this.#link, (pending) => this.set({ pending }));
    this.#seating = new Seating(this.#link);
  }

  /** Connects, also after `closed`. Does nothing while there is a connection, or one is being waited for. */
  connect(): this {
    const { status } = this.state;
    if (status !== 'idle' && status !== 'closed') return this;
    this.#leaving = false;
    this.#desyncs = 0;
    // The token is ours from the start: a welcome that gets lost must not cost the seat.
    const token = this.state.token ?? (this.state.spectator ? undefined : secret());
    this.set({ status: 'connecting', closed: undefined, token });
    this.#link.open();
    return this;
  }

  /** Comes back at once instead of waiting for the next attempt. */
  retry(): void {
    if (this.state.status === 'reconnecting' || this.state.status === 'connecting') this.#link.open();
  }

  /** Answers a request with picks; see `pickOf`. What cannot be accepted is refused here, with every reason. */
  answer(request: Prompt, ...picks: readonly PickInput[]): Promise<Result> {
    const picked = pickOf(request, ...picks);
    if (!picked.ok)
      return refusedHere('', picked.faults[0]!.code, picked.faults.map(faultText).join('; '), picked.faults);
    return this.submit(picked.answer, { request });
  }

  /**
   * Submits an answer as it is: for requests of type `action`, and for those who build their own.
   * It names the `request` (or its `inputId`); or, as a lock on everything you see, the `branchId`.
   */
  submit(
    answer: Json,
    to: { request?: Prompt; inputId?: number; branchId?: number; requestKey?: string } = {},
  ): Promise<Result> {
    const inputId = to.inputId ?? to.request?.inputId;
    const names = inputId !== undefined ? { inputId } : { branchId: to.branchId ?? this.state.branchId };
    const requestKey = to.requestKey ?? secret();
    const request = to.request ?? this.state.requests.find((each) => each.inputId === inputId);
    return this.#launch({ requestKey, kind: 'answer', answer, ...names, ...(request && { request }) });
  }

  /** Asks to take back your last answer, or the record `to`. Whether that is possible is up to the game. */
  undo(to?: number): Promise<Result> {
    return this.#launch({ requestKey: secret(), kind: 'undo', ...(to !== undefined && { answer: { to } }) });
  }

  /** Says something that is no part of the game; false where there is no connection. At most 1,000 characters. */
  chat(text: string): boolean {
    return this.#link.send({ type: 'chat', text });
  }

  /** Before the table starts: ready, or not yet. */
  ready(ready = true): boolean {
    return this.#link.send({ type: 'room_ready', ready });
  }

  /** For the owner of a table that waits: start with whoever is there, ask somebody to go, hand the table over. */
  room(order: { start: true } | { kick: string } | { owner: string }): boolean {
    if ('start' in order) return this.#link.send({ type: 'room_start' });
    if ('kick' in order) return this.#link.send({ type: 'room_kick', player_name: order.kick });
    return this.#link.send({ type: 'room_owner', player_name: order.owner });
  }

  /** After a match: once more with the same people; `false` takes it back. */
  rematch(agree = true): boolean {
    return this.#link.send({ type: 'rematch', agree });
  }

  /** For a spectator where players come and go: keeps a free seat for a minute, while they choose what to bring. */
  reserveSeat(seat?: number): Promise<SeatResult<KeptSeat>> {
    return this.#mayWish() ?? this.#seating.keep(seat);
  }

  /** For a spectator where players come and go: takes a seat, on this very connection. */
  sitDown(order: SitOrder = {}): Promise<SeatResult<{ readonly seat: number | undefined }>> {
    return this.#mayWish() ?? this.#seating.sit(order);
  }

  /** Gets up for good: the seat is given away. */
  async leave(): Promise<void> {
    if (this.state.status === 'closed' || this.state.status === 'idle') return;
    const closed = this.once('closed');
    this.#leaving = true;
    if (this.#joined) this.#link.send({ type: 'leave_game' });
    await closed;
  }

  /** Goes away without getting up; `connect()` comes back. */
  stop(): void {
    if (this.state.status !== 'closed') this.#close({ code: 'stopped', message: 'stopped by this client' });
  }

  /** Goes on with the socket on which the lobby was told of this match. */
  adopt(
    socket: SocketLike,
    seat: number | undefined,
    players: readonly string[],
    home: (socket: SocketLike) => void,
  ): this {
    this.#home = home;
    this.#joined = true;
    this.set({ status: 'waiting', closed: undefined, seat, players });
    this.#keepToken();
    this.#link.adopt(socket);
    return this;
  }

  // ---- the state ----

  #keepToken(): void {
    if (this.state.token !== undefined && !this.state.spectator)
      this.#options.storage?.setItem(tokenKey(this.#options), this.state.token);
  }

  // ---- the connection ----

  #greeting(): Sent {
    this.#joined = false;
    this.#heard = false;
    const { view, v, spectator } = this.state;
    const token = spectator ? this.#pass : this.state.token;
    // What the gallery was told says nothing of a seat's stream.
    const resume = view !== undefined && !this.#stale && !this.#seating.sitting;
    const sitting = this.#seating.sitting ?? (view === undefined && !spectator ? this.#options : undefined);
    return {
      type: 'join_game',
      player_name: this.#options.name,
      ...(token !== undefined && { session_token: token }),
      ...(this.#options.playerToken !== undefined && { player_token: this.#options.playerToken }),
      ...(resume && { last_v: v, last_chat: this.#chats }),
      ...(sitting && fields(sitting)),
      ...(spectator && !sitting && { spectate: true }),
    };
  }

  #away(attempt: number, inMs: number, why: string): void {
    this.#joined = false;
    this.#submissions.hold();
    this.#seating.lost();
    if (this.state.kept) this.set({ kept: undefined });
    // Whatever was adopted is gone; from here on the connection is our own.
    this.#home = undefined;
    this.set({ status: 'reconnecting' });
    this.emit('reconnecting', { attempt, inMs, why });
  }

  #close(why: Closed): void {
    const back = this.#leaving && this.#home ? this.#link.release() : undefined;
    this.#link.stop();
    this.#joined = false;
    if (GONE.includes(why.code)) this.#options.storage?.removeItem(tokenKey(this.#options));
    this.set({ status: 'closed', closed: why, kept: undefined, ...(GONE.includes(why.code) && this.#upAgain()) });
    this.#submissions.fail('closed', `the table is closed: ${why.message}`);
    this.#seating.refuse('closed', `the table is closed: ${why.message}`);
    if (why.code === 'taken_over') this.emit('takenOver', why);
    this.emit('closed', why);
    if (back) this.#home?.(back);
    this.#home = undefined;
  }

  #hear(message: Message): void {
    switch (message.type) {
      case 'game_joined':
        return this.#welcome(message as unknown as GameJoined);
      case 'snapshot':
        return this.#snapshot(message as unknown as Snapshot);
      case 'update':
        return this.#numbered(message, () => this.#update(message as unknown as Update));
      case 'seats':
        return this.#numbered(message, (v) => this.#seats(v, message.seats as SeatInfo[]));
      case 'chat':
        return this.#chatted(message as unknown as Chat);
      case 'paused':
        return this.#numbered(message, (v) => this.#paused(v, (message.why as string | null) ?? undefined));
      case 'accepted':
        return this.#accepted(message as unknown as Accepted);
      case 'refused':
        return this.#refused(message as unknown as Refused);
      case 'session_error':
        return this.#error(String(message.code), String(message.message));
      case 'game_started':
        return this.#started((message as unknown as GameStarted).players);
      case 'player_joined':
        return this.#players([...this.state.players, String(message.player_name)]);
      case 'player_left':
        return this.#players(this.state.players.filter((name) => name !== message.player_name));
      case 'notice':
        return this.#notice({ code: String(message.code), message: String(message.message) });
      case 'room':
        return this.#room(message as unknown as Room);
      case 'rematch':
        return this.#rematch(message as unknown as Rematch);
      case 'seat_reserved':
        return this.#keptFor(message as unknown as SeatReserved);
      case 'game_left':
        return this.#close({ code: 'left', message: 'you left the table' });
      case 'pong':
        return; // The link has heard it.
      default:
        return this.emit('message', message);
    }
  }

  #welcome({ players, session_token }: GameJoined): void {
    const attempts = this.#link.attempts;
    const again = this.#joined;
    this.#link.welcomed();
    this.#joined = true;
    if (this.state.spectator && session_token !== null) this.#takeSeat(session_token);
    this.set({ players, token: session_token ?? this.state.token });
    // Said twice on the way: what waits for its result has been sent.
    if (again) return;
    this.#keepToken();
    if (this.#leaving) return void this.#link.send({ type: 'leave_game' });
    if (this.state.view === undefined) this.set({ status: 'waiting' });
    else if (!this.#stale) this.set({ status: 'live' });
    if (attempts > 0) this.emit('reconnected', { attempts });
    this.#submissions.resume();
  }

  #error(code: string, message: string): void {
    if (!this.#joined) {
      // A seat that we asked for on the last connection may be ours in a moment.
      const later = LATER.includes(code) || ASTRAY.includes(code) || (code === 'seated' && this.#seating.sitting);
      if (later) this.#link.again(message);
      else if (this.#seating.refuse(code, message)) this.#link.again(message, true);
      else this.#close({ code, message });
    } else if (code === 'already_in_game') {
      // Our own join, said twice on the way: we are where we want to be.
    } else if (code === 'not_in_game') {
      this.#link.again(message);
    } else if (this.#seating.refuse(code, message)) {
      // Whoever wished for a seat is told.
    } else if (LATER.includes(code) && this.#submissions.pending) {
      this.#submissions.later();
    } else if (this.#submissions.pending) {
      this.#submissions.fail(code, message);
    } else {
      this.emit('problem', { code, message });
    }
  }

  // ---- a seat at a table that runs ----

  #mayWish(): Promise<{ accepted: false; code: string; message: string }> | undefined {
    const refused = (code: string, message: string) => Promise.resolve({ accepted: false as const, code, message });
    if (!this.state.spectator) return refused('seated', 'you have a seat already');
    return this.#joined ? undefined : refused('not_connected', 'there is no connection');
  }

  #keptFor({ seat, for_ms, buy_in_min, buy_in_max, currency }: SeatReserved): void {
    const kept = { seat, forMs: for_ms, buyInMin: buy_in_min, buyInMax: buy_in_max, currency };
    this.set({ kept });
    this.emit('kept', kept);
    this.#seating.kept(kept);
  }

  /** From here on it is the seat's stream: nothing of the gallery's counts, and a snapshot begins it. */
  #takeSeat(token: string): void {
    const seat = this.#seating.sitting?.seat ?? this.state.kept?.seat;
    this.#stale = true;
    this.#heard = false;
    this.set({ spectator: false, token, seat, kept: undefined, events: [] });
    this.#keepToken();
  }

  /** Whoever came as a spectator is one again after the seat is gone. */
  #upAgain(): Partial<TableState<View, Event>> {
    if (!this.#options.spectate) return {};
    this.#pass = secret();
    this.#stale = true;
    return { spectator: true, token: undefined, seat: undefined };
  }

  // ---- what is told ----

  /** Takes a message in its turn: one that was heard before is passed over, a gap means that something is missing. */
  #numbered(message: Message, take: (v: Numbered) => void): void {
    const v = message.v as number | undefined;
    if (v === undefined) return take({});
    this.#heard = true;
    if (v <= this.state.v || this.#stale) return;
    if (v !== this.state.v + 1 || this.state.view === undefined) {
      return this.#desync({ v, why: 'gap', expected: String(this.state.v + 1), got: String(v) });
    }
    take({ v });
  }

  #snapshot(message: Snapshot): void {
    // An old one can only be an echo; on a fresh connection the server's word counts, whatever we have.
    if (message.v < this.state.v && this.#heard && !this.#stale) return;
    this.#heard = true;
    const folded = withSnapshot<View, Event>(message);
    if ('desync' in folded) return this.#desync(folded.desync);
    const wasOver = this.state.over !== undefined && message.matchNo === this.state.matchNo;
    this.#stale = false;
    this.#desyncs = 0;
    this.set({ ...folded.change, seat: this.#seatIn(message.seats) });
    this.emit('snapshot', message);
    if (!this.state.spectator && this.#seating.sitting) {
      this.emit('seated', { seat: this.state.seat });
      this.#seating.seated(this.state.seat);
    }
    if (message.over && !wasOver) this.emit('over', message.over);
    this.#tellConflict();
  }

  #update(message: Update): void {
    const folded = withUpdate(this.state, message);
    if ('desync' in folded) return this.#desync(folded.desync);
    this.set(folded.change);
    this.emit('update', message);
    if (message.events.length > 0) this.emit('events', { v: message.v, events: message.events as Event[] });
    if (message.over) this.emit('over', message.over);
  }

  /** What we show is not what the server shows: everything is fetched anew. */
  #desync(what: Desync): void {
    this.#stale = true;
    this.#desyncs += 1;
    this.emit('desync', what);
    if (this.#desyncs > DESYNCS_MAX) {
      return this.#close({
        code: 'desync',
        message: `the view cannot be made to agree with the server's (${what.why})`,
      });
    }
    this.#link.again('out of step with the server', true);
  }

  #seatIn(seats: readonly SeatInfo[]): number | undefined {
    if (this.state.spectator) return undefined;
    if (this.state.seat !== undefined) return this.state.seat;
    const seat = seats.findIndex(({ name }) => name === this.#options.name);
    return seat < 0 ? undefined : seat;
  }

  #started(players: GameStarted['players']): void {
    const mine = players.find((player) => !player.is_bot && player.name === this.#options.name);
    if (!this.state.spectator && mine) this.set({ seat: mine.seat });
    this.#players(players.map((player) => player.name));
  }

  #players(players: readonly string[]): void {
    this.set({ players: [...new Set(players)] });
    this.emit('players', this.state.players);
  }

  #room({ members, humans }: Room): void {
    const room = { members, humans };
    this.set({ room });
    this.emit('room', room);
  }

  #rematch({ agreed, game_id }: Rematch): void {
    const rematch = { agreed, gameId: game_id ?? undefined };
    this.set({ rematch });
    this.emit('rematch', rematch);
  }

  #seats(v: Numbered, seats: readonly SeatInfo[]): void {
    this.set({ ...v, seats });
    this.emit('seats', seats);
  }

  /** What was said before is told again to whoever comes back. Before the table starts, chat has no number. */
  #chatted({ n, player_name: name, text }: Chat): void {
    if (n !== undefined && n <= this.#chats) return;
    this.#chats = n ?? this.#chats;
    this.set({ chat: kept(this.state.chat, [{ name, text }]) });
    this.emit('chat', { name, text });
  }

  #paused(v: Numbered, why: string | undefined): void {
    this.set({ ...v, paused: why });
    this.emit('paused', { why });
  }

  #notice(notice: { code: string; message: string }): void {
    this.set({ notice: notice.code === 'writable' ? undefined : notice });
    this.emit('notice', notice);
  }

  // ---- submissions ----

  #launch(submission: Flight['submission']): Promise<Result> {
    const { status, v, branchId, view } = this.state;
    if (status !== 'live' && status !== 'reconnecting') {
      const code = status === 'waiting' ? 'game_not_started' : 'closed';
      return refusedHere(submission.requestKey, code, `nothing can be answered: ${status}`);
    }
    return this.#submissions.launch({ submission, since: { v, branchId, view } }, this.#joined);
  }

  #accepted({ requestKey, branchId, ignored = [] }: Accepted): void {
    const flight = this.#submissions.settle(requestKey, { accepted: true, branchId, ignored });
    if (!flight) return;
    this.emit('accepted', { requestKey: flight.submission.requestKey, branchId, ignored });
    this.#keepUp(branchId);
  }

  #refused({ requestKey, code, message, faults, branchId }: Refused): void {
    const conflict = CONFLICTS.includes(code);
    const flight = this.#submissions.settle(requestKey, { accepted: false, code, message, faults, conflict });
    if (!flight) {
      // Not ours, or settled before; without a key it may have been a chat line.
      if (requestKey === undefined) this.emit('problem', { code, message });
      return;
    }
    this.emit('refused', { requestKey: flight.submission.requestKey, code, message, faults });
    if (conflict) this.#conflict = { flight, code, message };
    if (this.#keepUp(branchId)) this.#tellConflict();
  }

  /** Results come behind what they depend on: a lock we have not seen means that something is missing. */
  #keepUp(branchId: number): boolean {
    const behind = branchId > this.state.branchId && !this.#stale;
    if (behind)
      this.#desync({ v: this.state.v, why: 'head', expected: String(branchId), got: String(this.state.branchId) });
    return !behind && !this.#stale;
  }

  #tellConflict(): void {
    if (!this.#conflict) return;
    const { flight, code, message } = this.#conflict;
    this.#conflict = undefined;
    const { v, branchId, view, events } = this.state;
    const { since } = flight;
    this.emit('conflict', {
      code,
      message,
      submission: flight.submission,
      since: { v: since.v, branchId: since.branchId },
      now: { v, branchId },
      events: events.filter((heard) => heard.v > since.v),
      changed: changed(since.view, view),
    });
  }
}

/** The number that a message brings the state to, where it has one: one change, never half of it. */
type Numbered = { v?: number };

const tokenKey = ({ tableId }: Pick<TableOptions, 'tableId'>): string => `parlor.session.${tableId}`;

/** Keeps the right to a seat that was had by REST, where a `TableClient` with this storage looks for it. */
export const keepSeat = (storage: NonNullable<TableOptions['storage']>, tableId: string, token: string): void =>
  storage.setItem(tokenKey({ tableId }), token);

/** Whether this storage has the right to a seat at a table. */
export const hasSeat = (storage: NonNullable<TableOptions['storage']>, tableId: string): boolean =>
  storage.getItem(tokenKey({ tableId })) !== null;

/** The state before anything was heard. */
function beginning<View, Event>(options: TableOptions): TableState<View, Event> {
  const stored = options.spectate ? undefined : (options.storage?.getItem(tokenKey(options)) ?? undefined);
  return {
    status: 'idle',
    tableId: options.tableId,
    token: options.token ?? stored,
    seat: undefined,
    spectator: !!options.spectate,
    kept: undefined,
    v: 0,
    branchId: 0,
    matchNo: 0,
    view: undefined,
    viewHash: '',
    requests: [],
    seats: [],
    clocks: [],
    players: [],
    room: undefined,
    rematch: undefined,
    paused: undefined,
    over: undefined,
    commitment: undefined,
    notice: undefined,
    chat: [],
    events: [],
    pending: undefined,
    closed: undefined,
  };
}

function refusedHere(
  requestKey: string,
  code: string,
  message: string,
  faults: readonly Fault[] = [],
): Promise<Result> {
  return Promise.resolve({ accepted: false, requestKey, code, message, faults, conflict: false });
}

/** Which ends of a connection are for good. */
function lost(code: number, reason: string): Closed | undefined {
  if (code === 4000) return { code: 'taken_over', message: 'this seat is played somewhere else now' };
  if (code === 4002 || (code === 1000 && reason === 'left')) return { code: 'left', message: 'you left the table' };
  if (code === 1008) return { code: 'expelled', message: 'the server expelled this player for what was sent' };
  if (code === 4004) return { code: 'bad_frames', message: 'the server could not read what this client sent' };
  return undefined;
}

export type { Status };
