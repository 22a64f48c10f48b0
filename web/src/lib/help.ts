// How a game is played, on one page: in games/<name>/web/help.ts, fetched when somebody first asks. What a ruleset says
// of itself needs no such file.

import { words } from './i18n/index.svelte.ts';
import type { Lang } from './settings.svelte.ts';

export interface HelpLine {
  /** Cards or tiles, written as in a log: they are drawn. */
  readonly show?: string;
  readonly name?: string;
  /** What it is worth, beside its name. */
  readonly worth?: string;
  readonly text?: string;
}

export interface HelpPart {
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

/** Called whenever the language changes. */
export type Help = () => readonly HelpPart[];

/** Types the help of a game: `export default defineHelp(() => [{ title: …, lines: […] }])`. */
export const defineHelp = (help: Help): Help => help;

/** A text that stands in the help alone, in the language that is read. */
export const said = (text: Readonly<Record<Lang, string>>): string => text[words.lang];

const found = import.meta.glob<Help>('../../../games/*/web/help.ts', { import: 'default' });

/** What a game has written; nothing, where it has not. */
export const helpFor = async (game: string): Promise<Help | undefined> =>
  found[`../../../games/${game}/web/help.ts`]?.();
