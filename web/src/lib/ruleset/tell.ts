// Events of a ruleset in words. Those that every ruleset has are told; its own by their names and what they carry.

import { t } from '../i18n/index.svelte.ts';
import type { LogLine } from '../log.ts';
import { type Sheet, labelOf, sheetOf } from './sheet.ts';
import type { Thing } from './table.ts';

interface Event { readonly type: string; readonly id?: number; readonly causedBy?: number | null; readonly status?: string; readonly payload?: { readonly [field: string]: unknown } }
type Name = (seat: number) => string;

/** What nobody needs to read: the table shows it. */
const SILENT = new Set(['StepStart', 'StepEnd', 'PhaseChanged', 'TurnEnded', 'CardCreated', 'GameEnded', 'priority.changed']);

function word(sheet: Sheet, value: unknown, name: Name): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value !== 'object') return String(value);
  const thing = value as Exclude<Thing, string | null>;
  if (thing.seat !== undefined) return name(thing.seat);
  return thing.card ? (sheet.cards[thing.card]?.title ?? thing.card) : '';
}

export function tellRules(game: string, event: Event, name: Name): LogLine[] | null {
  const sheet = sheetOf(game);
  if (!sheet || typeof event?.type !== 'string') return null;
  if (SILENT.has(event.type)) return [];
  const payload = event.payload ?? {};
  const seat = payload.seat as number | { seat?: number } | null | undefined;
  const who = typeof seat === 'number' ? name(seat) : word(sheet, seat, name);
  const zone = (id: unknown) => labelOf(sheet.zones.find((each) => each.id === id), String(id ?? ''));
  const prevented = event.status === 'prevented';
  switch (event.type) {
    case 'TurnStarted':
      return [{ section: true, text: t('log.turn', { n: Number(payload.turn ?? 0), who }) }];
    case 'ZoneMoved': {
      const whose = payload.toSeat as number | { seat?: number } | null;
      const owner = typeof whose === 'number' ? name(whose) : word(sheet, whose, name);
      // A deck that is filled before the first turn is no news.
      if (!payload.from) return [];
      const line = t('log.moved', { what: word(sheet, payload.card, name) || t('rules.aCard'), from: zone(payload.from), to: zone(payload.to) });
      return [{ text: owner ? t('log.played', { who: owner, what: line }) : line }];
    }
    case 'EventPrevented':
      return [{ text: t('log.prevented', { what: labelOf(sheet.actions.find((each) => each.id === payload.eventType), String(payload.eventType ?? '')) }) }];
    case 'Verdict':
      return [{ text: t('log.verdict', { what: String(payload.verdict ?? '') }) }];
    case 'Revealed':
      return [{ text: t('log.revealed', { what: word(sheet, payload.card, name) }) }];
    case 'Answered':
      return [{ text: t('log.answered', { who }) }];
  }
  const action = sheet.actions.find((each) => each.id === event.type);
  const values = Object.entries(payload).filter(([field]) => field !== 'seat').map(([, value]) => word(sheet, value, name)).filter(Boolean);
  const text = [labelOf(action, event.type), values.join(', ')].filter(Boolean).join(': ');
  return [{ text: who ? t('log.played', { who, what: text }) : text, ...(prevented && { undone: true }) }];
}
