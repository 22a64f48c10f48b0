// The screens of all games, by name. Nothing in the shell names a game: whatever has a folder with a screen is found.

import type { Component } from 'svelte';
import { type GameKey, wordsOf } from './i18n/index.svelte.ts';
import type { AnyScreen } from './screen.ts';

const found = import.meta.glob<AnyScreen>('../../../games/*/web/screen.ts', { eager: true, import: 'default' });
/** Pictures of shipped rulesets, by the name under which they are served. */
const pictures = import.meta.glob<Component<{ small?: boolean }>>('../../../rulesets/art/*.svelte', {
  eager: true,
  import: 'default',
});

export const screens: ReadonlyMap<string, AnyScreen> = new Map(
  Object.entries(found).map(([path, screen]) => [path.split('/').at(-3)!, screen]),
);
export const screenOf = (game: string): AnyScreen | undefined => screens.get(game);

/** What a game says of itself; nothing, where it has no screen. */
export function gameText(game: string, key: GameKey): string | undefined {
  const screen = screens.get(game);
  return screen && wordsOf(screen.words)(key);
}

/** The picture of a game, where it has one of its own. */
export const artOf = (game: string): Component<{ small?: boolean }> | undefined =>
  screens.get(game)?.art ?? pictures[`../../../rulesets/art/${game}.svelte`];

/** What each seat has: by the game's own words, else under one of the names that most games use. */
export function scoresOf(game: string, view: unknown): readonly (number | string)[] | undefined {
  const own = view === undefined || view === null ? undefined : screens.get(game)?.scores?.(view);
  const usual = view as { scores?: number[]; points?: number[]; hp?: number[] } | null | undefined;
  return own ?? [usual?.scores, usual?.points, usual?.hp].find(Array.isArray);
}
