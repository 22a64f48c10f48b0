// Events in words. One table for each game; a game without one is told by the names of its events. Sentences have no
// subject that could be `you`, so that they read well in every language.

import type { BattleEvent, Slot } from '../views/battle.ts';
import type { BoardEvent } from '../views/board.ts';
import type { DraftEvent } from '../views/draft.ts';
import type { HeartsEvent } from '../views/hearts.ts';
import { effect } from './battle.ts';
import { type Key, t, words } from './i18n/index.svelte.ts';
import { shortName } from './model.ts';
import { tellRules } from './ruleset/tell.ts';
import { textOf } from './text.ts';

export interface LogLine {
  readonly text: string;
  /** A heading: a new deal, a new round. */
  readonly section?: boolean;
  /** A short column before the text: a step. */
  readonly at?: string;
  readonly undone?: boolean;
  /** Lines that follow each other and differ only in this are one line: what was drawn, card by card. */
  readonly list?: {
    readonly of: string;
    readonly items: readonly string[];
    readonly text: (items: readonly string[]) => string;
  };
}

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

type Lines = LogLine | LogLine[] | null;
type Name = (seat: number) => string;
type Teller = (event: never, name: Name) => Lines;
/** A sentence for each event of a game. */
type Tellers<E extends { type: string }> = { [T in E['type']]: (event: Extract<E, { type: T }>, name: Name) => Lines };

const section = (text: string): LogLine => ({ text, section: true });
export const signed = (n: number): string => (n > 0 ? `+${n}` : `−${-n}`);

const hearts: Tellers<HeartsEvent> = {
  dealt: (e) => section(t('log.deal', { n: e.deal + 1 })),
  passed: (e, name) => ({ text: t('log.passed', { who: name(e.to), cards: e.cards.join(' ') }) }),
  leads: (e, name) => ({ text: t('log.leads', { who: name(e.seat) }) }),
  played: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.card }) }),
  took: (e, name) => ({ text: t('log.trick', { who: name(e.seat), n: e.points }) }),
  scored: (e, name) => [
    ...(e.moon === null || e.moon === undefined ? [] : [{ text: t('log.moon', { who: name(e.moon) }) }]),
    { text: t('log.scores', { scores: scoresOf(e.scores, name) }) },
  ],
};

const oxo: Tellers<BoardEvent> = {
  taken: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.cell }) }),
};

const draft: Tellers<DraftEvent> = {
  round: (e) => section(t('log.round', { n: e.round + 1 })),
  pack: () => null,
  picked: (e) => ({ text: t('log.youTook', { what: e.card }) }),
  took: (e, name) => ({ text: t('log.took', { who: name(e.seat) }) }),
  decks: (e, name) => ({ text: t('log.scores', { scores: scoresOf(e.scores, name) }) }),
};

const battle: Tellers<BattleEvent> = {
  prep_start: (e) => section(t(e.suddenDeath ? 'log.suddenDeath' : 'log.round', { n: e.round })),
  drafted: () => ({ text: t('log.drafted') }),
  confirmed: () => ({ text: t('log.confirmed') }),
  reveal_start: () => null,
  step_reveal: (e, name) => ({ at: String(e.step + 1), text: battleStep(e.cards, e.hp, name) }),
  round_end: () => null,
  match_end: () => null,
  present: () => null,
};

const TELLERS: Record<string, Record<string, Teller>> = { hearts, oxo, draft, battle };

const scoresOf = (scores: readonly number[], name: Name): string =>
  scores.map((n, seat) => `${name(seat)} ${n}`).join(', ');

/** Events that are kept for the whole match, by game: how each part of it ended. */
const LASTING: Record<string, string> = { hearts: 'scored' };
export const lastingOf = (game: string, events: readonly unknown[]): unknown[] =>
  events.filter((event) => typeOf(event) !== undefined && typeOf(event) === LASTING[game]);

/** What an event is called; nothing, where it has no name. */
const typeOf = (event: unknown): string | undefined => {
  const type = (event as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : undefined;
};

function battleStep(cards: [Slot, Slot], hp: [number, number], name: Name): string {
  const what = (slot: Slot) => t(slot ? (`battle.${slot}` as Key) : 'battle.none');
  const pair = `${shortName(name(0))} ${hp[0]}, ${shortName(name(1))} ${hp[1]}`;
  return `${t('log.pair', { a: what(cards[0]), b: what(cards[1]) })} ${t(effect(cards))}. ${pair}`;
}

/** An event that no table knows: who, what, and its plain values. */
function plain(event: unknown, name: Name): LogLine {
  if (event === null || typeof event !== 'object') return { text: textOf(event) };
  const { type, seat, ...rest } = event as Record<string, unknown>;
  const values = Object.values(rest).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  const text = [words.phrase(textOf(type ?? '')), ...values].filter(Boolean).join(' ');
  return { text: typeof seat === 'number' ? t('log.played', { who: name(seat), what: text }) : text };
}

/** The lines that one event comes to. */
export function tell(game: string, event: unknown, name: Name): LogLine[] {
  const known = TELLERS[game]?.[typeOf(event) ?? ''];
  const line = known ? known(event as never, name) : (tellRules(game, event, name) ?? plain(event, name));
  return line === null ? [] : Array.isArray(line) ? line : [line];
}
