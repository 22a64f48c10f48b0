// Which games there are, and how a table of each is opened: the server's catalogue says it.

import { SvelteMap } from 'svelte/reactivity';
import type { Api, CatalogGame, Json } from '@parlor/client';
import { publicationText } from './publication.ts';
import { phrase, t, words } from './i18n/index.svelte.ts';
import { router } from './router.svelte.ts';
import { factsOf, sheetOf, titleOf } from './ruleset/sheet.ts';
import { gameText } from './screens.ts';
import { choicesOf, follow, keepTable } from './session.ts';

/** A game as the lobby needs it. */
export type Entry = Pick<CatalogGame, 'name' | 'seats' | 'lobby'> &
  Partial<Pick<CatalogGame, 'bots' | 'rated' | 'schema' | 'published' | 'text' | 'texts'>>;

/** Games that show what the engine can do, rather than games for an evening. */
export const isForDevelopers = ({ lobby }: Entry): boolean => lobby.tags?.includes('developer') ?? false;

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
  gameText(name, 'title') ??
  phrase(
    sheetOf(name)?.name ??
      titles.get(name)?.titles?.[words.lang] ??
      titleOf(name) ??
      titles.get(name)?.title ??
      name.charAt(0).toUpperCase() + name.slice(1),
  );

const LINE_CHARS_MAX = 60;
/** What the author of a ruleset says of it, as a line: without its full stop, and no longer than one. */
function shortened(text: string): string {
  const line = text.replace(/[.。]$/, '');
  if (line.length <= LINE_CHARS_MAX) return line;
  const cut = line.slice(0, LINE_CHARS_MAX);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LINE_CHARS_MAX / 2)).replace(/[\s,;:、。]+$/, '')}…`;
}

/** One line about a game, where there is one. */
export function gameMeta({ name, seats: { min, max }, published, text, texts }: Entry): string {
  const seats = min === max ? t('seats', { n: min }) : t('seats.range', { min, max });
  const own = gameText(name, 'line') ?? shortened(texts?.[words.lang] ?? text ?? '');
  const line = published ? publicationText(published) : own;
  return line ? `${seats} · ${line}` : seats;
}

/** What the lobby shows, in its order. */
export const listed = <G extends Entry>(games: readonly G[]): G[] =>
  games.filter((game) => !game.lobby.hidden).sort((a, b) => a.lobby.order - b.lobby.order);

export async function catalog(api: Api): Promise<readonly Entry[]> {
  const { games } = await api.catalog();
  keepTitles(games);
  return listed(games);
}

/** The settings of a table that is opened without a word; none, where the game's own are meant. */
export function settingsOf({ lobby }: Pick<Entry, 'lobby'>): { settings?: Json } {
  return lobby.settings === null ? {} : { settings: lobby.settings };
}

/** A table as this browser chose it last: what is not chosen is as the game has it. */
function chosen(lobby: Entry['lobby'], game: string): { settings?: Json } {
  const { settings } = choicesOf(game);
  if (!settings || Object.keys(settings).length === 0) return settingsOf({ lobby });
  return { settings: { ...(lobby.settings as object | null), ...settings } };
}

async function make(
  api: Api,
  game: string,
  seats: number | undefined,
  bots: (seats: number) => number,
): Promise<string> {
  const { lobby } = await factsOf(game);
  const choices = choicesOf(game);
  const size = seats ?? choices.seats ?? lobby.seats;
  const { bot } = choices;
  const wanted = bots(size);
  const made = await api.createMatch({
    game,
    seats: size,
    bots: bot === undefined ? wanted : Array.from({ length: wanted }, () => ({ bot })),
    ...chosen(lobby, game),
  });
  keepTable({ id: made.id, game, at: Date.now(), owner: made.owner_token });
  return `/t/${made.id}`;
}

/** A table with bots, at once. */
export const playNow = async (api: Api, game: string, seats?: number): Promise<void> =>
  router.go(await make(api, game, seats, (size) => size - 1));
/** A table that waits for friends. */
export const invite = async (api: Api, game: string): Promise<void> =>
  router.go(await make(api, game, undefined, () => 0));
/** A table with bots in place of this page, for whoever writes the game: its file is followed. */
export async function tryOut(api: Api, game: string): Promise<void> {
  follow(game);
  router.redirect(await make(api, game, undefined, (size) => size - 1));
}
