// A table that stands still: a view, requests and a log from a file. What is pressed is remembered and goes nowhere.

import type { Json, Prompt, Result, TableState } from '@parlor/client';
import { type LogLine, joined, tell } from './log.ts';
import type { TableModel, View } from './model.ts';
import type { Sheet } from './ruleset/sheet.ts';
import { STILL } from './still.ts';
import { t } from './i18n/index.svelte.ts';

export interface FixtureFile {
  readonly game: string;
  readonly state: Partial<TableState<View, View>>;
  readonly events?: readonly View[];
  readonly log?: readonly LogLine[];
  /** What the server would say of a ruleset. */
  readonly sheet?: Sheet;
}

export class FixtureTable implements TableModel {
  readonly id = 'fixture';
  readonly game: string;
  state: TableState<View, View> = $state.raw(undefined as never);
  log: readonly LogLine[] = $state.raw([]);
  said: { request: Prompt; answer: Json }[] = $state.raw([]);

  constructor(file: FixtureFile) {
    this.game = file.game;
    this.state = { ...STILL, tableId: this.id, seat: 0, ...file.state };
    const name = (seat: number) => (seat === this.state.seat ? t('you') : (this.state.seats[seat]?.name ?? ''));
    this.log = file.log ?? (file.events ?? []).reduce<LogLine[]>((log, event) => joined(log, tell(file.game, event, name)), []);
  }

  async submit(request: Prompt, answer: Json): Promise<Result | undefined> {
    this.said = [...this.said, { request, answer }];
    return undefined;
  }
}
