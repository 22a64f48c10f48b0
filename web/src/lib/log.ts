// The log: what a line of it is, and what games need to write theirs. Sentences have no subject that could be `you`, so
// that they read well in every language.

import { t, words } from './i18n/index.svelte.ts';

/** How much a mark on the line of a replay stands out. */
export type Mark = 'small' | 'middle' | 'big';

export interface LogLine {
  readonly text: string;
  /** A heading: a new deal, a new round. */
  readonly section?: boolean;
  /** A short column before the text: a step. */
  readonly at?: string;
  readonly undone?: boolean;
  /** Worth a mark on the line of a replay. */
  readonly mark?: Mark;
  /** Lines that follow each other and differ only in this are one line: what was drawn, card by card. */
  readonly list?: {
    readonly of: string;
    readonly items: readonly string[];
    readonly text: (items: readonly string[]) => string;
  };
}

/** What one event comes to; nothing, where it is not worth a line. */
export type Lines = LogLine | readonly LogLine[] | null;
/** The name of a seat, as the reader knows it: "You" for their own, unless the name itself is wanted. */
export type Name = (seat: number, itself?: boolean) => string;
/** An event of any game. */
export interface Told {
  readonly type: string;
}
/** What a log remembers of the events before: whose turn it is to act, whether somebody has bet. */
export type Memory = Record<string, unknown>;
/** A sentence for each event of a game; `own` is the seat for whom it is told, if it is for one. */
export type Tellers<E extends Told> = {
  readonly [T in E['type']]: (
    event: Extract<E, { type: T }>,
    name: Name,
    own: number | undefined,
    memory: Memory,
  ) => Lines;
};

/** A log with more lines at its end. */
export function joined(log: readonly LogLine[], more: readonly LogLine[]): LogLine[] {
  const all = [...log];
  for (const line of more) {
    const last = all[all.length - 1];
    if (line.list && last?.list?.of === line.list.of && !last.undone) {
      const items = [...last.list.items, ...line.list.items];
      all[all.length - 1] = { ...line, text: line.list.text(items), list: { ...line.list, items } };
    } else all.push(line);
  }
  return all;
}

export const section = (text: string): LogLine => ({ text, section: true });
export const signed = (n: number): string => (n > 0 ? `+${n}` : `−${-n}`);
/** Who has how many points, as one line. */
export const scoresLine = (scores: readonly number[], name: Name): LogLine => ({
  text: t('log.scores', { scores: scores.map((n, seat) => `${name(seat)} ${words.number(n)}`).join(', ') }),
});
