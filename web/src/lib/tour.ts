// What a newcomer is told at a table: a few hints, each about one thing on the page. A game writes its own in
// games/<name>/web/tour.ts, in every language; those of a ruleset are made from what its author says anyway.

import type { Lang } from './settings.svelte.ts';

/** A hint as it is read. */
export interface Hint {
  readonly text: string;
  /** What it is about, as a selector: the first such thing in sight has a frame. */
  readonly at?: string;
}

/** A hint as a game writes it. Tiles and cards stand in it as in a log. */
export interface Written {
  readonly at?: string;
  readonly text: Readonly<Record<Lang, string>>;
}

/** What is told at a game's first table. */
export interface Tour<H = Hint> {
  /** The viewer's own hand, as a selector: no hint lies over it. */
  readonly hand: string;
  readonly hints: readonly H[];
}

/** Types the hints of a game: `export default defineTour({ hand: '.hand', hints: […] })`. */
export const defineTour = (tour: Tour<Written>): Tour<Written> => tour;

const found = import.meta.glob<Tour<Written>>('../../../games/*/web/tour.ts', { import: 'default' });

/** What a game has written; nothing, where it has not. */
export const writtenFor = async (game: string): Promise<Tour<Written> | undefined> =>
  found[`../../../games/${game}/web/tour.ts`]?.();

/** In one language. */
export const spoken = ({ hand, hints }: Tour<Written>, lang: Lang): Tour => ({
  hand,
  hints: hints.map(({ at, text }) => ({ text: text[lang], ...(at !== undefined && { at }) })),
});

const KEY = 'parlor.tours';
/** In the list of what was shown it stands for every game: in a browser that is nobody's own. */
const ALL = '*';

/** The games whose hints this browser has shown. */
function shown(): readonly string[] | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[]) ?? [];
  } catch {
    return undefined;
  }
}

/** Whether hints are new here. A browser that keeps nothing is told nothing, rather than everything every time. */
export function isNew(game: string): boolean {
  const before = shown();
  return before !== undefined && !before.includes(game) && !before.includes(ALL);
}

/** From now on they are shown on demand alone. */
export function keepShown(game: string): void {
  const before = shown();
  if (!before || before.includes(game)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...before, game]));
  } catch {
    // They come again with the next page.
  }
}
