// Which layout a game has. A game without one of its own gets the generic table: nothing has to be written for it.

import type { Component } from 'svelte';
import { whereOf } from '../lib/hearts.ts';
import { t } from '../lib/i18n/index.svelte.ts';
import type { TableModel, View } from '../lib/model.ts';
import { factsOf } from '../lib/ruleset/sheet.ts';
import type { BattleView } from '../views/battle.ts';
import type { DraftView } from '../views/draft.ts';
import type { HeartsView } from '../views/hearts.ts';

type Part = Component<{ model: TableModel }>;

export interface Layout {
  readonly table: Part;
  /** What stands above the log: scores, what beats what. */
  readonly side?: Part;
  /** What stands in the bar: the phases of a turn. */
  readonly bar?: Part;
  /** Where the match is, in a few words beside the title. */
  readonly at?: (view: View) => string;
}

const LAYOUTS: Record<string, () => Promise<Layout>> = {
  hearts: async () => {
    const [table, side] = await Promise.all([import('./Hearts.svelte'), import('./HeartsScores.svelte')]);
    return {
      table: table.default,
      side: side.default,
      at: (view) => {
        const { deal, trick } = whereOf(view as HeartsView);
        return trick ? t('hearts.at', { n: deal, trick }) : t('log.deal', { n: deal });
      },
    };
  },
  battle: async () => {
    const [table, side] = await Promise.all([import('./Battle.svelte'), import('./BattleSide.svelte')]);
    return {
      table: table.default,
      side: side.default,
      at: (view) => {
        const { suddenDeath, round } = view as BattleView;
        return t(suddenDeath ? 'log.suddenDeath' : 'log.round', { n: round });
      },
    };
  },
  draft: async () => ({
    table: (await import('./Draft.svelte')).default,
    at: (view) => t('log.round', { n: (view as DraftView).round + 1 }),
  }),
  oxo: async () => ({ table: (await import('./Board.svelte')).default }),
  grid64: async () => ({ table: (await import('./Board.svelte')).default }),
};

const generic = async (): Promise<Layout> => ({ table: (await import('./Generic.svelte')).default });
/** Rules that are data bring a sheet, and one table draws them all. */
const ruleset = async (): Promise<Layout> => {
  const [table, side, bar] = await Promise.all([
    import('./Ruleset.svelte'),
    import('./ruleset/Stops.svelte'),
    import('./ruleset/Ribbon.svelte'),
  ]);
  return { table: table.default, side: side.default, bar: bar.default };
};

export async function layoutOf(game: string): Promise<Layout> {
  const own = LAYOUTS[game];
  if (own) return own();
  const facts = await factsOf(game).catch(() => undefined);
  return facts?.sheet ? ruleset() : generic();
}
