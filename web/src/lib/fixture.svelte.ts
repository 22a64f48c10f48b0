// A table that stands still: a view, requests and a log from a file. What is pressed is remembered and goes nowhere.

import type { Json, Prompt, Result, TableState } from '@parlor/client';
import { type LogLine, joined } from './log.ts';
import type { TableModel, View } from './model.ts';
import type { Sheet } from './ruleset/sheet.ts';
import type { OpenSeating } from './seating.svelte.ts';
import { STILL } from './still.ts';
import { lastingOf, tell } from './tell.ts';
import { clock } from './clock.svelte.ts';
import { t } from './i18n/index.svelte.ts';

export interface FixtureFile {
  readonly game: string;
  readonly state: Partial<TableState<View, View>>;
  readonly events?: readonly View[];
  readonly log?: readonly LogLine[];
  /** Another file that this one differs from in a few things. */
  readonly like?: string;
  readonly spectator?: boolean;
  /** A connection that is lost: how long the seat is still held, and whether it is the server that restarts. */
  readonly lost?: { readonly leftMs: number; readonly restarting: boolean };
  /** For how long whoever is waited for has been. */
  readonly waitedMs?: number;
  /** Keys that are pressed once the question is there. */
  readonly keys?: readonly string[];
  /** What lies over the table. */
  readonly open?: 'log' | 'settings' | 'leave' | 'over' | 'help' | 'sit' | 'owner' | 'people';
  /** Which hint of a first table is shown, from 1. */
  readonly hint?: number;
  /** How players take seats while it runs. */
  readonly openSeating?: OpenSeating;
  /** Whether this browser made the table. */
  readonly owner?: string;
  /** Seats whose players leave after the match. */
  readonly removed?: readonly number[];
  /** What the server would say of a ruleset. */
  readonly sheet?: Sheet;
}

export class FixtureTable implements TableModel {
  readonly id = 'fixture';
  readonly game: string;
  state: TableState<View, View> = $state.raw(undefined as never);
  log: readonly LogLine[] = $state.raw([]);
  said: { request: Prompt; answer: Json }[] = $state.raw([]);

  readonly spectator: boolean;
  readonly openSeating: OpenSeating | undefined;
  readonly owner: string | undefined;
  readonly visits: boolean;
  readonly removed: readonly number[];
  readonly lasting: readonly View[];
  readonly waitedMs?: number;
  readonly lost: { since: number; until: number; restarting: boolean } | undefined;

  constructor(file: FixtureFile) {
    this.spectator = !!file.spectator;
    this.openSeating = file.openSeating;
    this.visits = file.openSeating !== undefined;
    this.owner = file.owner;
    this.removed = file.removed ?? [];
    if (file.waitedMs !== undefined) this.waitedMs = file.waitedMs;
    this.lost = file.lost && {
      since: clock.at(),
      until: clock.at() + file.lost.leftMs,
      restarting: file.lost.restarting,
    };
    this.game = file.game;
    this.lasting = lastingOf(file.game, file.events ?? []);
    this.state = {
      ...STILL,
      tableId: this.id,
      seat: 0,
      ...file.state,
      ...(file.state?.seat === null && { seat: undefined }),
    };
    const name = (seat: number, itself = false) =>
      seat === this.state.seat && !itself ? t('you') : (this.state.seats[seat]?.name ?? '');
    const memory = {};
    this.log =
      file.log ??
      (file.events ?? []).reduce<LogLine[]>(
        (log, event) => joined(log, tell(file.game, event, name, this.state.seat, memory)),
        [],
      );
  }

  submit(request: Prompt, answer: Json): Promise<Result | undefined> {
    this.said = [...this.said, { request, answer }];
    return Promise.resolve(undefined);
  }
}
