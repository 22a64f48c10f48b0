// The hints of a ruleset, made from what its author says of it: who one is and what counts, the hand, what can be done,
// the steps of a turn, and the stack, as far as the ruleset has them.

import { sentence, t } from '../i18n/index.svelte.ts';
import type { Hint, Tour } from '../tour.ts';
import { hint } from './read.ts';
import { type Sheet, labelOf } from './sheet.ts';

const ACTIONS_MAX = 4;
const listed = (names: readonly string[]) => names.join(t('tour.comma'));
/** Sentences one after the other, each with its full stop. */
function told(parts: readonly string[]): string {
  const stop = t('tour.stop');
  const gap = stop.slice(stop.trimEnd().length);
  return parts
    .filter(Boolean)
    .map((part) => (/[.!?。!?]$/.test(part) ? part + gap : part + stop))
    .join('')
    .trim();
}

/** What players have, as their bars show it: what nobody is shown is in no view. */
function factsOf(sheet: Sheet, seen: Record<string, unknown>): string[] {
  return sheet.vars
    .filter((each) => each.owner === 'player' && each.id in seen && hint(each, 'hidden') !== true)
    .map((each) => labelOf(each));
}

/** The hints of a ruleset for somebody whose variables are `seen`. */
export function rulesTour(sheet: Sheet, seen: Record<string, unknown>): Tour {
  const hints: Hint[] = [];
  const facts = factsOf(sheet, seen);
  const about = sheet.text ?? '';
  if (facts.length) hints.push({ at: '.pbar.mep', text: told([about, t('tour.you', { what: listed(facts) })]) });
  else if (about) hints.push({ text: told([about]) });
  if (sheet.zones.some((zone) => zone.role === 'hand')) hints.push({ at: '.rhand', text: t('tour.hand') });
  const actions = sheet.actions.slice(0, ACTIONS_MAX).map((action) => sentence(action.text ?? labelOf(action)));
  hints.push({
    at: '.prompt',
    text: actions.length ? `${t('tour.actions')} ${told(actions)}` : t('tour.asked'),
  });
  const acting = sheet.phases.filter((phase) => phase.steps.some((step) => step.window)).map((phase) => labelOf(phase));
  if (sheet.phases.length > 1)
    hints.push({
      at: '.ribbon',
      text: told([
        t('tour.steps', { steps: sheet.phases.map((phase) => labelOf(phase)).join(' → ') }),
        acting.length ? t('tour.acting', { steps: listed(acting) }) : '',
      ]),
    });
  if (sheet.actions.length) hints.push({ at: '.stk', text: t('tour.stack') });
  return { hand: '.rhand', hints };
}
