// What a request lets a player do, by the things on the table that it starts from.

import type { Choice, Fault, Prompt } from '@parlor/client';
import type { Any } from './read.ts';
import type { AskMeta, ChoiceMeta, PassLeads } from './types.ts';
import { t } from '../i18n/index.svelte.ts';
import type { Path } from '../select.ts';

/** One thing that can be done, or why it cannot. */
export interface Way {
  readonly path: Path;
  /** What it is called: the action, or the thing itself. */
  readonly label: string;
  readonly action: string;
  readonly cost: string;
  readonly why: Fault | undefined;
  /** Where a pass leads if the others pass too, where the rules say so. */
  readonly leads?: PassLeads | undefined;
}

export interface Ways {
  /** By the name of a thing: `c7` a card, `p0` a seat, `s3` an item. */
  readonly of: ReadonlyMap<string, readonly Way[]>;
  /** What starts from nothing on the table. */
  readonly loose: readonly Way[];
  readonly pass: Way | undefined;
  readonly cancel: Way | undefined;
}

/** What a request of a ruleset carries for the screen. */
export const metaOf = (request: Prompt | undefined): Any<AskMeta> =>
  (request?.meta as Any<AskMeta> | null | undefined) ?? {};
const choiceMetaOf = (choice: Choice): Any<ChoiceMeta> => (choice.meta as Any<ChoiceMeta> | null | undefined) ?? {};

/**
 * What the button says that answers a question with one thing: the question itself where it asks for a card, as
 * "Play a card" and "Play 5♠", and otherwise that it is chosen.
 */
export function takes(question: string, what: string): string {
  const noun = t('rules.oneCard');
  return question.includes(noun)
    ? question.replace(noun, () => t('rules.thatCard', { what }))
    : t('rules.choose', { what });
}

/** The offer to pass by itself: it stands beside every question and is no question. */
export const isPassUntil = (request: Prompt): boolean =>
  request.kind === 'offer' && metaOf(request).kind === 'pass_until';

export const kindOf = (request: Prompt | undefined): string => metaOf(request).kind ?? '';
/** The thing from which whatever is asked goes out: an arrow begins there. */
export const sourceOf = (request: Prompt | undefined): string => {
  const meta = metaOf(request);
  return meta.source ?? meta.chosen?.[0] ?? '';
};

export function waysOf(request: Prompt | undefined): Ways {
  const of = new Map<string, Way[]>();
  const loose: Way[] = [];
  let pass: Way | undefined;
  let cancel: Way | undefined;
  const add = (ref: string, way: Way) => of.set(ref, [...(of.get(ref) ?? []), way]);
  const acting = kindOf(request) === 'action';
  (request?.choices ?? []).forEach((choice: Choice, n) => {
    const way: Way = {
      path: String(n),
      label: choice.title,
      action: choiceMetaOf(choice).action ?? '',
      cost: String(choiceMetaOf(choice).cost ?? ''),
      why: choice.whyNot,
    };
    const { ref } = choiceMetaOf(choice);
    if (acting && choice.title === 'Pass') pass = { ...way, leads: choiceMetaOf(choice).leads };
    else if (choice.exclusive && choice.title === 'Cancel') cancel = way;
    else if (choice.choices?.length) {
      choice.choices.forEach((inner, k) => {
        const { ref: at, cost = '' } = choiceMetaOf(inner);
        const full = {
          ...way,
          path: `${n}.${k}`,
          cost: String(cost),
          why: inner.whyNot ?? choice.whyNot,
        };
        if (at) add(at, full);
        else loose.push({ ...full, label: `${choice.title}: ${inner.title}` });
      });
    } else if (ref) add(ref, way);
    else loose.push(way);
  });
  return { of, loose, pass, cancel };
}

/** The ways that can be gone. */
export const open = (ways: readonly Way[] | undefined): readonly Way[] => (ways ?? []).filter((way) => !way.why);

/** Every step of a path: a choice inside another picks that one too. */
export const steps = (path: Path): Path[] => path.split('.').map((_, n, all) => all.slice(0, n + 1).join('.'));
