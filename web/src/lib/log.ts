// Events in words. One table for each game; a game without one is told by the names of its events. Sentences have no
// subject that could be `you`, so that they read well in every language.

import { effect, type Slot } from './battle.ts';
import { type Key, t, words } from './i18n/index.svelte.ts';
import { shortName } from './model.ts';
import { tellRules } from './ruleset/tell.ts';

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

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Event = any;
type Teller = (event: Event, name: (seat: number) => string) => LogLine | LogLine[] | null;

const section = (text: string): LogLine => ({ text, section: true });
const signed = (n: number): string => (n > 0 ? `+${n}` : `−${-n}`);

const TELLERS: Record<string, Record<string, Teller>> = {
  hearts: {
    dealt: (e) => section(t('log.deal', { n: e.deal + 1 })),
    passed: (e, name) => ({ text: t('log.passed', { who: name(e.to), cards: e.cards.join(' ') }) }),
    leads: (e, name) => ({ text: t('log.leads', { who: name(e.seat) }) }),
    played: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.card }) }),
    took: (e, name) => ({ text: t('log.trick', { who: name(e.seat), n: e.points }) }),
    scored: (e, name) => [
      ...(e.moon === null || e.moon === undefined ? [] : [{ text: t('log.moon', { who: name(e.moon) }) }]),
      { text: t('log.scores', { scores: e.scores.map((n: number, seat: number) => `${name(seat)} ${n}`).join(', ') }) },
    ],
  },
  oxo: { taken: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.cell }) }) },
  draft: {
    round: (e) => section(t('log.round', { n: e.round + 1 })),
    pack: () => null,
    picked: (e) => ({ text: t('log.youTook', { what: e.card }) }),
    took: (e, name) => ({ text: t('log.took', { who: name(e.seat) }) }),
    decks: (e, name) => ({
      text: t('log.scores', { scores: e.scores.map((n: number, seat: number) => `${name(seat)} ${n}`).join(', ') }),
    }),
  },
  battle: {
    prep_start: (e) => section(t(e.suddenDeath ? 'log.suddenDeath' : 'log.round', { n: e.round })),
    drafted: () => ({ text: t('log.drafted') }),
    confirmed: () => ({ text: t('log.confirmed') }),
    reveal_start: () => null,
    step_reveal: (e, name) => ({ at: String(e.step + 1), text: battleStep(e.cards, e.hp, name) }),
    round_end: () => null,
    match_end: () => null,
    present: () => null,
  },
};

/** Events that are kept for the whole match, by game: how each part of it ended. */
const LASTING: Record<string, string> = { hearts: 'scored' };
export const lastingOf = (game: string, events: readonly Event[]): Event[] =>
  events.filter((event) => event?.type !== undefined && event.type === LASTING[game]);

function battleStep(cards: [Slot, Slot], hp: [number, number], name: (seat: number) => string): string {
  const what = (slot: Slot) => t(slot ? (`battle.${slot}` as Key) : 'battle.none');
  const pair = `${shortName(name(0))} ${hp[0]}, ${shortName(name(1))} ${hp[1]}`;
  return `${t('log.pair', { a: what(cards[0]), b: what(cards[1]) })} ${t(effect(cards))}. ${pair}`;
}

/** An event that no table knows: who, what, and its plain values. */
function plain(event: Event, name: (seat: number) => string): LogLine | null {
  if (event === null || typeof event !== 'object') return { text: String(event) };
  const { type, seat, ...rest } = event as Record<string, unknown>;
  const values = Object.values(rest).flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
  );
  const text = [words.phrase(String(type ?? '')), ...values].filter(Boolean).join(' ');
  return { text: typeof seat === 'number' ? t('log.played', { who: name(seat), what: text }) : text };
}

/** The lines that one event comes to. */
export function tell(game: string, event: Event, name: (seat: number) => string): LogLine[] {
  const known = TELLERS[game]?.[event?.type as string];
  const line = known ? known(event, name) : (tellRules(game, event, name) ?? plain(event, name));
  return line === null ? [] : Array.isArray(line) ? line : [line];
}

export { signed };
