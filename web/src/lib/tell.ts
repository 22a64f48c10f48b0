// Events in words: by the game's own screen, by the sheet of a ruleset, else by the names of its events.

import { t, words } from './i18n/index.svelte.ts';
import type { LogLine, Memory, Name } from './log.ts';
import { tellRules } from './ruleset/tell.ts';
import { screenOf } from './screens.ts';
import { textOf } from './text.ts';

/** Events that are kept for the whole match: how each part of it ended. */
export function lastingOf(game: string, events: readonly unknown[]): unknown[] {
  const lasting = screenOf(game)?.lasting;
  return lasting === undefined ? [] : events.filter((event) => typeOf(event) === lasting);
}

/** What an event is called; nothing, where it has no name. */
const typeOf = (event: unknown): string | undefined => {
  const type = (event as { type?: unknown } | null | undefined)?.type;
  return typeof type === 'string' ? type : undefined;
};

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

/** The lines that one event comes to, for whoever has the seat `own`. One log has one memory. */
export function tell(game: string, event: unknown, name: Name, own?: number, memory: Memory = {}): readonly LogLine[] {
  const known = screenOf(game)?.log?.[typeOf(event) ?? ''];
  const lines = known ? known(event, name, own, memory) : (tellRules(game, event, name, memory) ?? plain(event, name));
  return lines === null ? [] : 'text' in lines ? [lines] : lines;
}
