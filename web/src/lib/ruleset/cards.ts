// A card of a ruleset as it is drawn: everything on it comes from attributes, by the hints of its author.

import type { Json } from '@parlor/client';
import { type Face, face } from '../../art/cards.ts';
import { hint } from './read.ts';
import type { AttrDef, SeenCard } from './types.ts';
import { textOf } from '../text.ts';
import { type Sheet, labelOf } from './sheet.ts';

export interface Drawn {
  readonly ref: string;
  readonly title: string;
  /** A playing card is drawn as one. */
  readonly face: Face | null;
  readonly cost: string;
  readonly type: string;
  readonly text: string;
  /** `2/3`: values that rules change, and whether they are above or below what is printed. */
  readonly stats: string;
  readonly moved: '' | 'up' | 'down';
  /** States in words: `Tapped`, `New`, `Damage 2`, `2 shield`. */
  readonly flags: readonly string[];
  readonly turned: boolean;
  readonly by: number | undefined;
  readonly hidden: boolean;
}

const HIDDEN: Drawn = {
  ref: '',
  title: '',
  face: null,
  cost: '',
  type: '',
  text: '',
  stats: '',
  moved: '',
  flags: [],
  turned: false,
  by: undefined,
  hidden: true,
};

/** How an attribute is shown, where its author does not say. */
function placeOf(attr: AttrDef): string {
  const as = hint(attr, 'as');
  if (typeof as === 'string') return as;
  return attr.type === 'bool' ? 'flag' : attr.type === 'int' ? 'fact' : 'type';
}

export function drawn(sheet: Sheet, seen: SeenCard | null | undefined): Drawn {
  if (!seen?.card) return HIDDEN;
  const def = sheet.cards[seen.card];
  const title = def?.title ?? seen.card;
  const valueOf = (attr: AttrDef): Json | undefined => seen[attr.id] ?? def?.attrs[attr.id];
  const printed = (attr: AttrDef) => def?.attrs[attr.id];
  const flags: string[] = [];
  const types: string[] = [];
  const stats: string[] = [];
  let cost = '';
  let turned = false;
  let change = 0;
  for (const attr of sheet.attributes) {
    const value = valueOf(attr);
    if (value === undefined || value === null) continue;
    const place = placeOf(attr);
    if (place === 'cost') cost = textOf(value);
    else if (place === 'stat') {
      // A card on which it is not printed has no such value: a spell has no power.
      if (printed(attr) === undefined && !value) continue;
      stats.push(textOf(value));
      if (typeof value === 'number') change += value - Number(printed(attr) ?? value);
    } else if (place === 'turned') {
      turned ||= value === true;
      if (value === true) flags.push(labelOf(attr));
    } else if (place === 'type')
      types.push(sheet.enums[attr.type]?.[textOf(value)] ?? labelOf(undefined, textOf(value), sheet));
    else if (place === 'hidden') continue;
    else if (value === true) flags.push(labelOf(attr));
    else if (typeof value === 'number' && value !== 0) flags.push(`${labelOf(attr)} ${value}`);
  }
  for (const [id, n] of Object.entries(seen.counters ?? {}))
    flags.push(
      `${n} ${labelOf(
        sheet.counters.find((each) => each.id === id),
        id,
      ).toLowerCase()}`,
    );
  for (const id of seen.keywords ?? def?.keywords ?? [])
    flags.push(
      labelOf(
        sheet.keywords.find((each) => each.id === id),
        id,
      ),
    );
  return {
    ref: seen.id ?? '',
    title,
    face: face(title),
    cost,
    type: types.join(' · '),
    text: typeof def?.text === 'string' ? def.text : '',
    stats: stats.join('/'),
    moved: change > 0 ? 'up' : change < 0 ? 'down' : '',
    flags,
    turned,
    by: seen.by,
    hidden: false,
  };
}

/** Everything on a card in one line, for those who hear it. */
export const spoken = (card: Drawn): string =>
  [card.title, card.cost, card.type, card.text, card.stats, ...card.flags].filter(Boolean).join(', ');
