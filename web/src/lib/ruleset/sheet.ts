// The sheet of a ruleset: what never changes at its tables, in its author's words. It is fetched once for each game.

import { SvelteMap } from 'svelte/reactivity';
import type { CatalogGame, Json } from '@parlor/client';
import { api } from '../api.ts';

export interface Named {
  readonly id: string;
  readonly label?: string;
  readonly text?: string;
  readonly ui?: { readonly [hint: string]: Json };
}
export interface ZoneDef extends Named {
  readonly owner: 'player' | 'game';
  readonly ordered: boolean;
  readonly see: 'all' | 'owner' | 'none';
  /** `hand`, `deck`, `pile`, `row` or `stack`; whatever else an author writes is a row. */
  readonly role: string;
}
export interface AttrDef extends Named {
  readonly type: string;
}
export interface VarDef extends Named {
  readonly owner: 'player' | 'game';
  readonly type: string;
}
export interface StepDef extends Named {
  /** Whether players may act in it while nothing waits on the stack. */
  readonly window: boolean;
}
export interface PhaseDef extends Named {
  readonly steps: readonly StepDef[];
}
export interface CardDef {
  readonly title: string;
  readonly text?: string;
  readonly attrs: { readonly [attr: string]: Json };
  readonly keywords?: readonly string[];
}
export interface Sheet {
  readonly ruleset: string;
  readonly name: string;
  readonly version: string;
  readonly zones: readonly ZoneDef[];
  readonly attributes: readonly AttrDef[];
  readonly vars: readonly VarDef[];
  readonly counters: readonly Named[];
  readonly keywords: readonly Named[];
  readonly enums: { readonly [name: string]: { readonly [value: string]: string } };
  readonly phases: readonly PhaseDef[];
  readonly cards: { readonly [card: string]: CardDef };
  readonly actions: readonly Named[];
  /** Those that the author has words for. */
  readonly events?: readonly Named[];
}

type Facts = CatalogGame & { readonly sheet?: Sheet | null };
const known = new SvelteMap<string, Facts>();

/** What the server says of a game; asked once. */
export async function factsOf(game: string): Promise<Facts> {
  const before = known.get(game);
  if (before) return before;
  const facts = (await api.game(game)) as unknown as Facts;
  known.set(game, facts);
  return facts;
}

/** The sheet of a game that was asked for before; none for a game without one. */
export const sheetOf = (game: string): Sheet | undefined => known.get(game)?.sheet ?? undefined;

/** The title of a game, once the server has said it. */
export const titleOf = (game: string): string | undefined => known.get(game)?.title;

/** For tables that stand still: nobody is asked. */
export const keepSheet = (game: string, sheet: Sheet): void => void known.set(game, { name: game, title: sheet.name, seats: [2, 2], sheet });

/** A name as people read it: the author's label, or the name with its words apart. */
export function labelOf(named: Named | undefined, id = named?.id ?? ''): string {
  const words = named?.label ?? id.replace(/[_-]+/g, ' ').replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
