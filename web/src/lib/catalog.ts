// Which games there are. The server's catalogue says it; until it has one, the games that every server of this version
// brings are known here.

import { SvelteMap } from 'svelte/reactivity';
import { type Api, ParlorError } from '@parlor/client';
import { type Key, phrase, t, words } from './i18n/index.svelte.ts';
import { router } from './router.svelte.ts';
import { sheetOf, titleOf } from './ruleset/sheet.ts';
import { keepTable } from './session.ts';

export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly seats: readonly [number, number];
}

const KNOWN: readonly Entry[] = [
  { name: 'battle', title: 'Battle', seats: [2, 2] },
  { name: 'hearts', title: 'Hearts', seats: [4, 4] },
  { name: 'draft', title: 'Cube draft', seats: [2, 8] },
  { name: 'oxo', title: 'Oxo', seats: [2, 2] },
  { name: 'sharing', title: 'Sharing', seats: [2, 5] },
];
/** Served, but not to be played for fun. */
const HIDDEN = ['grid64'];
/** Seats of a table that somebody opens without a word, where a game leaves the choice. */
const SEATS_LIKED: Record<string, number> = { draft: 4, sharing: 3 };
export const TABLE_SETTINGS: Record<string, Record<string, unknown>> = { battle: { profile: 'standard', stake: 0 } };

/** Titles that the catalogue has said, with those in other languages. */
interface Titled {
  readonly name: string;
  readonly title: string;
  readonly titles?: Readonly<Record<string, string>>;
}
const titles = new SvelteMap<string, Titled>();
export const keepTitles = (games: readonly Titled[]): void => games.forEach((game) => titles.set(game.name, game));

/** The title of a game; one that is known by its name alone begins with a capital. */
export const gameTitle = (name: string): string =>
  phrase(
    KNOWN.find((entry) => entry.name === name)?.title ??
      sheetOf(name)?.name ??
      titles.get(name)?.titles?.[words.lang] ??
      titleOf(name) ??
      titles.get(name)?.title ??
      name.charAt(0).toUpperCase() + name.slice(1),
  );

/** One line about a game, where there is one. */
export function gameMeta(entry: Entry): string {
  const [min, max] = entry.seats;
  const seats = min === max ? t('seats', { n: min }) : t('seats.range', { min, max });
  const known = KNOWN.some((game) => game.name === entry.name);
  return known ? `${seats} · ${t(`game.${entry.name}` as Key)}` : seats;
}

export async function catalog(api: Api): Promise<readonly Entry[]> {
  try {
    const { games } = await api.catalog();
    keepTitles(games);
    const listed = games
      .filter((game) => !HIDDEN.includes(game.name))
      .map(({ name, title, seats }) => ({ name, title, seats: [seats.min, seats.max] as const }));
    // Games with a table of their own come first, in the order in which people know them.
    const rank = (name: string) => KNOWN.findIndex((entry) => entry.name === name) + 1 || KNOWN.length + 1;
    return listed.sort((a, b) => rank(a.name) - rank(b.name));
  } catch (error) {
    if (error instanceof ParlorError && error.status === 404) return KNOWN;
    throw error;
  }
}

async function make(api: Api, game: string, seats: number | undefined, bots: (seats: number) => number): Promise<void> {
  const entry = KNOWN.find((known) => known.name === game);
  const size = seats ?? SEATS_LIKED[game] ?? entry?.seats[0];
  const settings = TABLE_SETTINGS[game];
  const made = await api.createMatch({
    game,
    ...(size !== undefined && { seats: size, bots: bots(size) }),
    ...(settings && { settings: settings as never }),
  });
  keepTable({ id: made.id, game, at: Date.now(), owner: made.owner_token });
  router.go(`/t/${made.id}`);
}

/** A table with bots, at once. */
export const playNow = (api: Api, game: string, seats?: number): Promise<void> =>
  make(api, game, seats, (size) => size - 1);
/** A table that waits for friends. */
export const invite = (api: Api, game: string): Promise<void> => make(api, game, undefined, () => 0);
