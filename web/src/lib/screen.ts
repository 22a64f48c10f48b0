// What a game gives the shell for its screen: the default export of games/<name>/web/screen.ts. The shell finds it by
// its folder, and the name of the folder is the name of the game. Everything is optional but the words: a game without
// a table of its own is played at the generic one.

import type { Component } from 'svelte';
import type { GameWords } from './i18n/index.svelte.ts';
import type { Lines, Mark, Memory, Name, Tellers, Told } from './log.ts';
import type { TableModel } from './model.ts';

/** A part of the page that is fetched when a table of the game is opened: `() => import('./Table.svelte')`. */
type Part<V, E> = () => Promise<{ default: Component<{ model: TableModel<V, E> }> }>;

/** A setting of its tables that the lobby offers: its name in the schema, and the values worth choosing from. */
export interface Option {
  readonly key: string;
  readonly label: string;
  readonly values: readonly (readonly [value: string | number | boolean, label: string])[];
}

export interface Screen<V, E extends Told> {
  /** English; other languages lie beside it and are fetched when they are chosen. */
  readonly words: GameWords;
  /** The picture on its tile; small in lists. */
  readonly art?: Component<{ small?: boolean }>;
  /** Everything between the bar and the log. */
  readonly table?: Part<V, E>;
  /** What stands above the log: scores, what beats what. */
  readonly side?: Part<V, E>;
  /** What stands in the bar: the phases of a turn. */
  readonly bar?: Part<V, E>;
  /** Where the match is, in a few words beside the title. */
  readonly at?: (view: V) => string;
  /** The keys of its table, each with what it does. */
  readonly keys?: () => readonly (readonly [key: string, what: string])[];
  /** Its events in words, one function for each; without it an event is told by its name and its values. */
  readonly log?: Tellers<E>;
  /** What the marks mean that its lines set in a replay. */
  readonly marks?: () => readonly (readonly [mark: Mark, what: string])[];
  /** Its table shows the end of a match by itself: the sheet with the places waits until it is asked for. */
  readonly endsItself?: boolean;
  /** What can be chosen before a table is opened. */
  readonly options?: () => readonly Option[];
  /** What each seat has at the end, where the view has it under another name than `scores`, `points` or `hp`. */
  readonly scores?: (view: V) => readonly (number | string)[] | undefined;
  /** At the generic table, what must be known of a thing beside its name; in fewer words where there is less room. */
  readonly about?: (thing: string, short: boolean) => string;
  /** The event that tells how a part of the match ended: the page keeps these for the whole match. */
  readonly lasting?: E['type'];
}

/** A screen as the shell holds it: it knows nothing of the game's views and events. */
export interface AnyScreen extends Pick<
  Screen<unknown, Told>,
  'words' | 'art' | 'at' | 'keys' | 'marks' | 'lasting' | 'endsItself' | 'options' | 'scores' | 'about'
> {
  readonly table?: Part<unknown, unknown>;
  readonly side?: Part<unknown, unknown>;
  readonly bar?: Part<unknown, unknown>;
  readonly log?: Readonly<
    Record<string, (event: unknown, name: Name, own: number | undefined, memory: Memory) => Lines>
  >;
}

/**
 * Types the screen of a game: `export default defineScreen<View, Event>({ … })`. Here the shell takes on trust that a
 * table of this game shows and tells what the game's types say; they are made from its rules.
 */
export const defineScreen = <V, E extends Told>(screen: Screen<V, E>): AnyScreen => screen as unknown as AnyScreen;
