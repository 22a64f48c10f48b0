// Events of a ruleset in words: the author's own where there are any, those that every ruleset has in ours, the rest by
// their names and what they carry.

import { type AnyThing, hint } from './read.ts';
import type { RuleEvent as RulesetEvent } from './types.ts';
import { fill, t, words } from '../i18n/index.svelte.ts';
import type { LogLine, Memory, Name } from '../log.ts';
import { textOf } from '../text.ts';
import { type Sheet, labelOf, say, sheetOf } from './sheet.ts';

/** What nobody needs to read: the table shows it. */
const SILENT = new Set([
  'StepStart',
  'StepEnd',
  'PhaseChanged',
  'TurnEnded',
  'CardCreated',
  'GameEnded',
  'priority.changed',
  'changed',
  'pass_until',
  'answered',
  'drafted',
  'said',
]);
/** Fields of events that hold a seat as a number. */
const SEATS = new Set(['seat', 'fromSeat', 'toSeat']);
const same = (id: string): string => id.replace(/[_-]/g, '').toLowerCase();

function word(sheet: Sheet, field: string, value: unknown, name: Name): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number' && SEATS.has(field)) return name(value);
  if (typeof value !== 'object') return textOf(value);
  const thing = value as Exclude<AnyThing, string>;
  if (thing.seat !== undefined) return name(thing.seat);
  return thing.card ? (sheet.cards[thing.card]?.title ?? thing.card) : '';
}

/** A move from zone to zone. What goes to the stack and comes from it is told as what was played. */
function moved(sheet: Sheet, payload: Record<string, unknown>, name: Name): LogLine[] {
  const zone = (id: unknown) => sheet.zones.find((each) => each.id === id);
  const [from, to] = [zone(payload.from), zone(payload.to)];
  if (!from || !to || from.role === 'stack' || to.role === 'stack' || (from.role === 'pile' && to.role === 'deck'))
    return [];
  const what = word(sheet, 'card', payload.card, name) || t('rules.aCard');
  const owner = word(sheet, 'toSeat', payload.toSeat ?? payload.fromSeat, name);
  const drew = from.role === 'deck' && to.role === 'hand';
  const known = !!word(sheet, 'card', payload.card, name);
  const text = (items: readonly string[]): string => {
    const all = known
      ? items.join(', ')
      : items.length === 1
        ? t('rules.aCard')
        : t('rules.cards', { n: items.length });
    const line = drew ? t('log.drew', { what: all }) : t('log.moved', { what: all, to: labelOf(to) });
    return owner ? t('log.played', { who: owner, what: line }) : line;
  };
  return [{ text: text([what]), list: { of: `${from.id} ${to.id} ${owner} ${known}`, items: [what], text } }];
}

/** "takes" as "You" has it; nothing, where that is not known of a verb. */
function secondPerson(verb: string): string | undefined {
  const odd: Record<string, string> = { is: 'are', was: 'were', has: 'have', does: 'do' };
  if (odd[verb]) return odd[verb];
  if (verb.endsWith('ies')) return `${verb.slice(0, -3)}y`;
  if (/(ch|sh|ss|x|z|o)es$/.test(verb)) return verb.slice(0, -2);
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : undefined;
}

/**
 * A line as its author wrote it. Where "You" is its subject the verb is changed with it; in a language in which we
 * cannot do that the subject has its name.
 */
function written(sheet: Sheet, template: string, payload: Record<string, unknown>, name: Name): string {
  const [, subject = '', verb = ''] = /^\{(\w+)\} (\S+)/.exec(template) ?? [];
  const you = words.lang === 'en' ? secondPerson(verb) : undefined;
  const own = (field: string, value: unknown) =>
    field === subject && word(sheet, field, value, name) !== word(sheet, field, value, (seat) => name(seat, true));
  const said = Object.entries(payload).map(([field, value]) => {
    const called: Name = own(field, value) && you === undefined ? (seat) => name(seat, true) : name;
    return [field, word(sheet, field, value, called) || t('rules.none')];
  });
  const isYou = you !== undefined && own(subject, payload[subject]);
  const line = isYou ? template.replace(`{${subject}} ${verb}`, `{${subject}} ${you}`) : template;
  return fill(line, Object.fromEntries(said) as Record<string, string>, String);
}

/** Cards that are shown in one go are one line. */
function revealed(card: string): LogLine {
  const text = (cards: readonly string[]) => t('log.revealed', { what: cards.join(t('tour.comma')) });
  return { text: text([card]), list: { of: 'revealed', items: [card], text } };
}

export function tellRules(game: string, told: unknown, name: Name, memory: Memory = {}): LogLine[] | null {
  const sheet = sheetOf(game);
  const event = told as RulesetEvent | null | undefined;
  if (!sheet || typeof event?.type !== 'string') return null;
  // An action does not say whose it is; whoever may act is told before they do.
  if (event.type === 'priority.changed') memory.acting = (told as { seat?: number }).seat;
  if (SILENT.has(event.type)) return [];
  const payload = event.payload ?? {};
  const words = Object.fromEntries(
    Object.entries(payload).map(([field, value]) => [field, word(sheet, field, value, name)]),
  );
  const action = sheet.actions.find((each) => same(each.id) === same(event.type));
  const def = sheet.events.find((each) => each.id === event.type);
  const log = hint(def, 'log');
  // What is put onto the stack is told when it is put there, everything else when it happens.
  if (event.status === 'prevented') return [];
  if (action ? event.status !== 'pending' : event.status === 'pending') return [];
  if (log === false) return [];
  if (typeof log === 'string')
    return [{ text: written(sheet, log, payload, name), ...(hint(def, 'section') === true && { section: true }) }];
  switch (event.type) {
    case 'TurnStarted':
      return [{ section: true, text: t('log.turn', { n: Number(payload.turn ?? 0), who: words.seat ?? '' }) }];
    case 'ZoneMoved':
      return moved(sheet, payload, name);
    case 'EventPrevented': {
      const title = typeof payload.title === 'string' ? payload.title : event.title;
      const what = title
        ? say(sheet, title)
        : labelOf(
            sheet.actions.find((each) => same(each.id) === same(textOf(payload.eventType ?? ''))),
            textOf(payload.eventType ?? ''),
          );
      const { title: by, seat: whose } = event.counteredBy ?? {};
      return [
        {
          text:
            by && typeof whose === 'number'
              ? t('log.preventedBy', { what, by: say(sheet, by), who: name(whose) })
              : t('log.prevented', { what }),
        },
      ];
    }
    case 'Verdict':
      return [{ text: t('log.verdict', { what: textOf(payload.verdict ?? '') }) }];
    case 'Revealed':
      return words.card ? [revealed(words.card)] : [];
    case 'Answered':
      return words.seat ? [{ text: t('log.answered', { who: words.seat }) }] : [];
  }
  const { seat: named, ...rest } = words;
  const seat = named || (action && typeof memory.acting === 'number' ? name(memory.acting) : '');
  const text = [
    action ? labelOf(action) : labelOf(undefined, event.type, sheet),
    Object.values(rest).filter(Boolean).join(', '),
  ]
    .filter(Boolean)
    .join(': ');
  return [{ text: seat ? t('log.played', { who: seat, what: text }) : text }];
}
