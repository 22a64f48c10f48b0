// Which layout a table has: the one in the game's own folder, the one for rules that are data, or the generic one.

import type { Component } from 'svelte';
import type { TableModel } from '../lib/model.ts';
import { factsOf, sheetOf } from '../lib/ruleset/sheet.ts';
import type { AnyScreen } from '../lib/screen.ts';
import { screenOf } from '../lib/screens.ts';

type Part = Component<{ model: TableModel }>;

export interface Layout {
  readonly table: Part;
  /** What stands above the log. */
  readonly side?: Part;
  /** What stands in the bar. */
  readonly bar?: Part;
  /** Where the match is, in a few words beside the title. */
  readonly at?: (view: unknown) => string;
}

type Parts = Pick<AnyScreen, 'side' | 'bar' | 'at'> & Required<Pick<AnyScreen, 'table'>>;
/** Rules that are data bring a sheet, and one table draws them all. */
const RULESET: Parts = {
  table: () => import('./Ruleset.svelte'),
  side: () => import('./ruleset/Stops.svelte'),
  bar: () => import('./ruleset/Ribbon.svelte'),
};
const GENERIC: Parts = { table: () => import('./Generic.svelte') };

async function fetched({ table, side, bar, at }: Parts): Promise<Layout> {
  const [main, above, top] = await Promise.all([table(), side?.(), bar?.()]);
  return {
    table: main.default,
    ...(above && { side: above.default }),
    ...(top && { bar: top.default }),
    ...(at && { at }),
  };
}

export async function layoutOf(game: string): Promise<Layout> {
  const screen = screenOf(game);
  if (screen?.table) return fetched({ ...screen, table: screen.table });
  const sheet = sheetOf(game) ?? (await factsOf(game).catch(() => undefined))?.sheet;
  return fetched({ ...screen, ...(sheet ? RULESET : GENERIC) });
}
