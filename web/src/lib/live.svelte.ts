// A table as it is played: the client of clients/typescript, made visible to the screen.

import { TableClient, keepSeat, type Json, type Prompt, type Result, type TableState } from '@parlor/client';
import { api } from './api.ts';
import { floating } from './floating.svelte.ts';
import { fault, t } from './i18n/index.svelte.ts';
import { type LogLine, type Memory, joined } from './log.ts';
import type { TableModel, View } from './model.ts';
import type { Publication } from './publication.ts';
import { router } from './router.svelte.ts';
import type { OpenSeating } from './seating.svelte.ts';
import { accountToken, forgetTable, keepTable, keptTables, playerName } from './session.ts';
import { factsOf } from './ruleset/sheet.ts';
import { play } from './sound.ts';
import { lastingOf, tell } from './tell.ts';

export { api };

const LOG_MAX = 300;
/** Refusals that only mean "too late": the screen has already moved on, so a quiet word is enough. */
const HELD_MS = 15_000;

/**
 * Whether somebody who opens a table should only look at it first: where players come and go, nobody brings money by
 * opening a link.
 */
export async function looksFirst(id: string): Promise<boolean> {
  try {
    const { status, game } = await api.match(id);
    if (status === 'waiting' || !(await factsOf(game)).openSeating) return false;
    const token = accountToken();
    return token === undefined || !(await api.as(token).me()).matches.some((sitting) => sitting.game_id === id);
  } catch {
    // The socket says what is wrong.
    return false;
  }
}

export class LiveTable implements TableModel {
  readonly id: string;
  readonly client: TableClient<View, View>;
  /** How players take seats here while it runs; none, where they do not. */
  openSeating: OpenSeating | undefined = $state.raw(undefined);
  /** Whether people come and go while it runs. */
  visits = $state(false);
  /** Seats whose players the owner has leave after the match, as far as this page knows. */
  removed: readonly number[] = $state.raw([]);
  game = $state('');
  /** Which version of a published ruleset is played here, and whose it is. */
  ruleset: Publication | undefined = $state.raw(undefined);
  state: TableState<View, View> = $state.raw(undefined as never);
  log: readonly LogLine[] = $state.raw([]);
  lasting: readonly View[] = $state.raw([]);
  /** Why the connection is lost, and until when the seat is held. */
  lost: { since: number; until: number; restarting: boolean } | undefined = $state.raw(undefined);
  readonly owner: string | undefined;
  /** Whether somebody chose the seed: then nothing is ranked or staked. */
  seeded = $state(false);
  /** The moment of another match from which this one plays on. */
  continued: { id: string; at: number } | undefined = $state.raw(undefined);
  /** The table of a rematch that has begun: its page takes the seat over. */
  next: string | undefined = $state.raw(undefined);
  #rematch: string | undefined;
  /** The match of the table of which the log has the beginning: what was told of it before this page heard of it. */
  #recalled: number | undefined;
  #recalls = 0;
  /** The next snapshot is the first one from a seat: another stream, not a step back. */
  #moving = false;
  /** How far that reaches in the stream: nothing up to here is written down again. */
  #told = -1;
  /** What was heard while that was asked for; no events: it went back. */
  #memory: Memory = {};
  #meanwhile: { v: number; events?: readonly View[] }[] | undefined;
  /** Where the stream was before its last message. */
  #before = { v: -1, matchNo: 0 };

  constructor(id: string, options: { spectate?: boolean } = {}) {
    // All that the page knows of the table, for whoever opens the console: `parlor.table.state`.
    (globalThis as { parlor?: { table: LiveTable } }).parlor = { table: this };
    this.id = id;
    this.owner = keptTables().find((kept) => kept.id === id)?.owner;
    this.client = new TableClient<View, View>({
      url: location.origin,
      tableId: id,
      name: playerName(),
      spectate: !!options.spectate,
      storage: localStorage,
      ...(accountToken() && { playerToken: accountToken()! }),
    });
    this.state = this.client.state;
    this.client.subscribe((state) => this.#moved(state));
    this.client.on('events', ({ v, events }) => this.#heard({ v, events }));
    this.client.on('rematch', ({ gameId }) => {
      this.#rematch = gameId;
      if (this.spectator) this.next = gameId;
    });
    this.client.on('players', () => {
      // The house takes this very connection to the new table and says who is there. Only then may another one ask for
      // its seat.
      if (this.#rematch !== undefined && !this.spectator) this.#follow(this.#rematch);
    });
    this.client.on('snapshot', ({ matchNo }) => {
      // The next match of a table comes as it stands, after its first events.
      if (this.#recalled !== matchNo) void this.#recall(matchNo);
    });
    this.client.on('snapshot', (snapshot) => {
      // Everything anew, right after what was known, in the same match: it went back.
      const first = this.#moving;
      this.#moving = false;
      if (first) this.#told = -1;
      else if (this.#before.v + 1 === snapshot.v && this.#before.matchNo === snapshot.matchNo)
        this.#heard({ v: snapshot.v });
    });
    this.client.on('seated', () => {
      keepTable({ id: this.id, game: this.game, at: Date.now() });
      // Whoever loads the page again comes back to the seat.
      router.replace(`/t/${this.id}`);
    });
    this.client.on('refused', (refused) => floating.toast(refused.faults.map(fault).join(' ') || refused.message));
    this.client.on('conflict', () => floating.toast(t('conflict')));
    this.client.on('problem', ({ code, message }) => floating.toast(fault({ code, template: message })));
    this.client.on('over', () => play('end'));
    this.client.on('reconnecting', ({ why }) => {
      const since = this.lost?.since ?? Date.now();
      this.lost = { since, until: since + HELD_MS, restarting: this.lost?.restarting || why.includes('restarting') };
    });
    this.client.on('reconnected', () => (this.lost = undefined));
  }

  get spectator(): boolean {
    return this.state.spectator;
  }

  /** The owner has a player leave after the match, or stay after all. */
  removes(seat: number, leaves: boolean): void {
    const rest = this.removed.filter((each) => each !== seat);
    this.removed = leaves ? [...rest, seat] : rest;
  }

  /** Finds out what is played here, and sits down. */
  async sit(): Promise<void> {
    this.client.connect();
    try {
      const info = await api.match(this.id);
      this.ruleset = info.ruleset ?? undefined;
      // A table of a published ruleset is drawn by the sheet of its own version.
      if (info.ruleset) await factsOf(info.game, info.ruleset.identity);
      this.game = info.game;
      this.continued = info.continuedFrom ?? undefined;
      this.seeded = info.seeded ?? false;
      if (!this.spectator) keepTable({ id: this.id, game: info.game, at: Date.now() });
      const facts = await factsOf(info.game, info.ruleset?.identity);
      this.openSeating = facts.openSeating ?? undefined;
      this.visits = facts.visits;
    } catch {
      // The socket says what is wrong, in the same words for every screen.
    }
  }

  close(): void {
    this.client.stop();
  }

  async submit(request: Prompt, answer: Json): Promise<Result | undefined> {
    return this.client.submit(answer, { request });
  }

  async leave(): Promise<void> {
    forgetTable(this.id);
    await this.client.leave();
  }

  /** Starts the table with whoever is there; bots take the empty seats. */
  async fill(): Promise<void> {
    if (this.owner) await api.as(this.owner).start(this.id);
  }

  #name = (seat: number, itself = false): string =>
    seat === this.state.seat && !itself ? t('you') : (this.state.seats[seat]?.name ?? String(seat + 1));

  #moved(state: TableState<View, View>): void {
    const before = this.state;
    if (before.spectator && !state.spectator) this.#moving = true;
    if (before.matchNo !== state.matchNo && this.removed.length) this.removed = [];
    if (state.v !== before.v) this.#before = { v: before.v, matchNo: before.matchNo };
    // Nobody is missed at a table that is over, and the server no longer says who is there.
    this.state = state.over ? { ...state, seats: state.seats.map((seat) => ({ ...seat, here: true })) } : state;
    if (state.closed?.code === 'left') forgetTable(this.id);
    const asks = (s: TableState<View, View>) => s.requests.find((request) => request.kind === 'request')?.inputId;
    if (asks(state) !== undefined && asks(state) !== asks(before) && before.status === 'live') play('turn');
  }

  #follow(id: string): void {
    // The right to the seat here is the right to one there.
    if (this.client.state.token !== undefined) keepSeat(localStorage, id, this.client.state.token);
    keepTable({ id, game: this.game, at: Date.now() });
    this.next = id;
  }

  /** The log begins with the match, not with this page: what was told of it before is asked for once. */
  async #recall(matchNo: number): Promise<void> {
    const before = this.#recalled === undefined ? { log: [], lasting: [] } : { log: this.log, lasting: this.lasting };
    const run = ++this.#recalls;
    this.#recalled = matchNo;
    this.#meanwhile = [];
    try {
      const { game, ruleset } = this.game ? { game: this.game, ruleset: this.ruleset } : await api.match(this.id);
      // Words for a ruleset's events are in its sheet.
      await factsOf(game, ruleset?.identity).catch(() => undefined);
      this.game = game;
      const token = this.spectator ? undefined : this.client.state.token;
      const told = await (token ? api.as(token) : api).told(this.id);
      if (run !== this.#recalls) return;
      this.#told = told.v ?? this.state.v;
      const since = this.#meanwhile.filter((heard) => heard.v > this.#told);
      [this.log, this.lasting, this.#memory] = [before.log, before.lasting, {}];
      for (const { event } of told.events)
        this.#write((event as { type?: string } | null)?.type === 'undone' ? undefined : [event]);
      for (const heard of since) this.#write(heard.events);
    } catch {
      // A log that cannot be had is no reason not to play: it begins here.
    } finally {
      if (run === this.#recalls) this.#meanwhile = undefined;
    }
  }

  #heard(heard: { v: number; events?: readonly View[] }): void {
    if (heard.v <= this.#told) return;
    this.#meanwhile?.push(heard);
    const asked = this.state.requests.some((request) => request.kind === 'request');
    if (this.#write(heard.events) && !asked) play('move');
  }

  /** Writes down what was told, or that it went back; says whether there were words for it. */
  #write(events: readonly View[] | undefined): boolean {
    if (!events) {
      const last = this.log.findLastIndex((line) => !line.section && !line.undone);
      const struck = this.log.map((line, n) => (n === last ? { ...line, undone: true } : line));
      this.log = [...struck, { text: t('log.undone') }];
      return false;
    }
    const lasting = lastingOf(this.game, events);
    if (lasting.length) this.lasting = [...this.lasting, ...lasting];
    const lines = events.flatMap((event) => tell(this.game, event, this.#name, this.state.seat, this.#memory));
    if (lines.length) this.log = joined(this.log, lines).slice(-LOG_MAX);
    return lines.length > 0;
  }
}
