// The sheet of a ruleset: what never changes at its tables, in its author's words. It is fetched once for each game.

import { SvelteMap } from 'svelte/reactivity';
import type { CatalogGame } from '@parlor/client';
import { api } from '../api.ts';
import { phrase, words } from '../i18n/index.svelte.ts';
import { hint } from './read.ts';
import type { JsonValue, Named, Sheet as Sent, Words } from './types.ts';

/** A sheet as it is sent, with the author's words in the language that is read here. */
export type Sheet = Sent & { readonly said?: Words };

type Facts = Pick<CatalogGame, 'title' | 'undo' | 'lobby' | 'openSeating' | 'visits' | 'published'> & {
  readonly sheet?: Sheet | null;
};
/** Of a table that stands still the sheet and the title are known alone. */
const known = new SvelteMap<string, Pick<Facts, 'title' | 'sheet'>>();
const asked = new Map<string, Promise<Facts>>();

/**
 * What the server says of a game; asked once. A table of a published ruleset names its own version by its identity:
 * from then on that one is drawn here.
 */
export async function factsOf(game: string, identity?: string): Promise<Facts> {
  const key = `${game} ${identity ?? ''}`;
  const asking = asked.get(key) ?? (api.game(game, identity) as Promise<Facts>);
  asked.set(key, asking);
  try {
    const facts = await asking;
    // A new version may have been published since: its tables say so.
    if (facts.published && identity === undefined) asked.delete(key);
    known.set(game, facts);
    return facts;
  } catch (error) {
    // What failed is asked again.
    asked.delete(key);
    throw error;
  }
}

/** The sheet of a game that was asked for before, in the language that is read here; none for a game without one. */
export function sheetOf(game: string): Sheet | undefined {
  const sheet = known.get(game)?.sheet ?? undefined;
  return sheet && inLanguage(sheet, words.lang);
}

const translated = new WeakMap<Sheet, Map<string, Sheet>>();

/** A sheet with what its author has to say in a language; what they have no words for stays as it is. */
export function inLanguage(sheet: Sheet, language: string): Sheet {
  const said = sheet.words?.[language];
  if (!said) return sheet;
  const before = translated.get(sheet)?.get(language);
  if (before) return before;
  const made = spoken(sheet, said);
  translated.set(sheet, (translated.get(sheet) ?? new Map<string, Sheet>()).set(language, made));
  return made;
}

const mapped = <T>(by: { readonly [name: string]: T }, change: (each: T) => T): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(by).map(([name, each]) => [name, change(each)]));

/** The hints of something whose sentence for the log is translated. */
function translatedLog({ ui }: Named, of: (text: string) => string): Pick<Named, 'ui'> {
  const log = hint({ ui }, 'log');
  return typeof log === 'string' ? { ui: { ...(ui as Record<string, JsonValue>), log: of(log) } } : {};
}

function spoken(sheet: Sheet, said: Words): Sheet {
  const of = (text: string) => said[text] ?? text;
  const named = <T extends Named>(each: T): T => ({
    ...each,
    ...((each.label !== undefined || said[labelOf(each)] !== undefined) && {
      label: said[each.label ?? ''] ?? said[labelOf(each)] ?? each.label,
    }),
    ...(each.text !== undefined && { text: of(each.text) }),
    ...translatedLog(each, of),
  });
  const enums = mapped(sheet.enums, (labels) => mapped(labels, of));
  const cards = mapped(sheet.cards, (card) => ({
    ...card,
    title: of(card.title),
    ...(typeof card.text === 'string' && { text: of(card.text) }),
  }));
  return {
    ...sheet,
    said,
    name: of(sheet.name),
    text: sheet.text === null ? null : of(sheet.text),
    enums,
    cards,
    zones: sheet.zones.map(named),
    attributes: sheet.attributes.map(named),
    vars: sheet.vars.map(named),
    counters: sheet.counters.map(named),
    keywords: sheet.keywords.map(named),
    phases: sheet.phases.map((phase) => ({ ...named(phase), steps: phase.steps.map(named) })),
    actions: sheet.actions.map(named),
    ...(sheet.events && { events: sheet.events.map(named) }),
  };
}

/** The title of a game, once the server has said it. */
export const titleOf = (game: string): string | undefined => known.get(game)?.title;

/** For tables that stand still: nobody is asked. */
export const keepSheet = (game: string, sheet: Sheet): void => void known.set(game, { title: sheet.name, sheet });

/**
 * A name as people read it: the author's label, or the name with its words apart, in the language of a sheet where one
 * is given.
 */
export function labelOf(named: Named | undefined, id = named?.id ?? '', sheet?: Sheet): string {
  const label =
    named?.label ??
    id
      .replace(/[_-]+/g, ' ')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase();
  const shown = label.charAt(0).toUpperCase() + label.slice(1);
  return sheet?.said?.[shown] ?? shown;
}

/** What the rules say while they are played, in the language of a sheet: the author's words, or the engine's own. */
export const say = (sheet: Sheet | undefined, text: string): string => sheet?.said?.[text] ?? phrase(text);
