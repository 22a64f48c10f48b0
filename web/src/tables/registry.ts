// Which layout a game has. A game without one of its own gets the generic table: nothing has to be written for it.

import type { Component } from 'svelte';
import type { TableModel } from '../lib/model.ts';

type Part = Component<{ model: TableModel }>;

export interface Layout {
  readonly table: Part;
  /** What stands above the log: scores, what beats what. */
  readonly side?: Part;
}

const LAYOUTS: Record<string, () => Promise<Layout>> = {
  hearts: async () => {
    const [table, side] = await Promise.all([import('./Hearts.svelte'), import('./HeartsScores.svelte')]);
    return { table: table.default, side: side.default };
  },
  battle: async () => {
    const [table, side] = await Promise.all([import('./Battle.svelte'), import('./BattleSide.svelte')]);
    return { table: table.default, side: side.default };
  },
  draft: async () => ({ table: (await import('./Draft.svelte')).default }),
  oxo: async () => ({ table: (await import('./Board.svelte')).default }),
  grid64: async () => ({ table: (await import('./Board.svelte')).default }),
};

const generic = async (): Promise<Layout> => ({ table: (await import('./Generic.svelte')).default });

export const layoutOf = (game: string): Promise<Layout> => (LAYOUTS[game] ?? generic)();
