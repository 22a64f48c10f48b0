// A view of a ruleset as places on a table: who is where, which zones lie where, what waits on the stack.

import { type AnyThing, hint } from './read.ts';
import type { View as RulesetView, SeenItem, SeenPlayer, SeenZone, VarDef, ZoneDef } from './types.ts';
import { textOf } from '../text.ts';
import { type Drawn, drawn } from './cards.ts';
import { type Sheet, labelOf, say } from './sheet.ts';

export interface Place {
  readonly def: ZoneDef;
  readonly label: string;
  readonly owner: number | undefined;
  readonly count: number;
  readonly cards: readonly Drawn[];
}
export interface Fact {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly bar?: number;
  readonly n: number;
  /** Something that holds or does not. */ readonly flag?: boolean;
}
export interface Player {
  readonly seat: number;
  readonly facts: readonly Fact[];
  /** Zones that are only counted here: hands of others, decks, piles. */
  readonly counts: readonly Place[];
  readonly rows: readonly Place[];
  readonly hands: readonly Place[];
  readonly lost: boolean;
}
export interface Item {
  readonly ref: string;
  readonly title: string;
  readonly text: string;
  readonly by: number | undefined;
  readonly source: string;
  readonly targets: readonly string[];
  readonly targetNames: readonly string[];
  readonly cause: string;
  readonly mode: string;
}
export interface Laid {
  readonly players: readonly Player[];
  readonly shared: readonly Place[];
  readonly piles: readonly Place[];
  readonly facts: readonly Fact[];
  readonly stack: readonly Item[];
  /** Whether this ruleset has anything that waits on a stack. */
  readonly stacks: boolean;
}

/** What clients call a thing. */
export function refOf(thing: AnyThing | null | undefined): string {
  if (thing === null || thing === undefined) return '';
  if (typeof thing === 'string') return thing;
  return thing.seat !== undefined ? `p${thing.seat}` : (thing.id ?? '');
}

function place(sheet: Sheet, def: ZoneDef, seen: SeenZone | undefined, owner: number | undefined): Place {
  const known = (seen?.cards ?? []).map((card) => drawn(sheet, card));
  const count = seen?.count ?? known.length;
  // What is known to lie somewhere and not seen lies there face down.
  const down = def.role === 'hand' && known.length < count ? count - known.length : 0;
  return {
    def,
    label: labelOf(def),
    owner,
    count,
    cards: [...known, ...Array.from({ length: down }, () => drawn(sheet, null))],
  };
}

function factsOf(defs: readonly VarDef[], vars: Record<string, unknown>, name: (seat: number) => string): Fact[] {
  return defs.flatMap((def): Fact[] => {
    const value = vars[def.id];
    if (value === undefined || value === null || hint(def, 'hidden') === true) return [];
    const label = labelOf(def).toLowerCase();
    if (typeof value === 'boolean') return value ? [{ id: def.id, label, value: '', n: 1, flag: true }] : [];
    const seat =
      (value as { seat?: number }).seat ?? (def.type === 'thing' && typeof value === 'number' ? value : undefined);
    if (seat !== undefined) return [{ id: def.id, label, value: name(seat), n: 0 }];
    const n = typeof value === 'number' ? value + Number(hint(def, 'from') ?? 0) : 0;
    const [total, bar] = [hint(def, 'of'), hint(def, 'bar')];
    const of = typeof total === 'string' ? vars[total] : undefined;
    const text = typeof value === 'number' ? String(n) : textOf(value);
    return [
      {
        id: def.id,
        label: def.label ?? label,
        value: of === undefined ? text : `${text}/${textOf(of)}`,
        n,
        ...(typeof bar === 'number' && { bar }),
      },
    ];
  });
}

/** Zones that are counted beside a name, in this order. */
const COUNTED = ['hand', 'deck', 'pile'];

function player(
  sheet: Sheet,
  seen: SeenPlayer,
  seat: number,
  open: SeenPlayer | undefined,
  name: (seat: number) => string,
): Player {
  const defs = sheet.zones.filter((def) => def.owner === 'player');
  const hand = (def: ZoneDef) => def.role === 'hand';
  const at = (def: ZoneDef) =>
    place(sheet, def, (hand(def) ? open : undefined)?.zones[def.id] ?? seen.zones[def.id], seat);
  return {
    seat,
    lost: seen.lost,
    facts: factsOf(
      sheet.vars.filter((def) => def.owner === 'player'),
      seen.vars,
      name,
    ),
    counts: COUNTED.flatMap((role) => defs.filter((def) => def.role === role && seen.zones[def.id])).map(at),
    rows: defs.filter((def) => ![...COUNTED, 'stack'].includes(def.role)).map(at),
    hands: defs.filter(hand).map(at),
  };
}

function nameThing(sheet: Sheet, thing: AnyThing, items: readonly SeenItem[], name: (seat: number) => string): string {
  if (typeof thing === 'string') {
    const item = items.find((each) => each.id === thing);
    return item ? titleOf(sheet, item) : '';
  }
  if (thing.seat !== undefined) return name(thing.seat);
  return thing.card ? (sheet.cards[thing.card]?.title ?? thing.card) : '';
}

function titleOf(sheet: Sheet, item: SeenItem): string {
  if (item.title)
    return (
      sheet.said?.[item.title] ??
      (item.kind === 'reaction' || !sheet.actions.some((each) => each.label === item.title)
        ? labelOf(undefined, item.title, sheet)
        : item.title)
    );
  const { source: from } = item;
  const source = from !== null && typeof from === 'object' && 'card' in from ? from.card : undefined;
  const action = sheet.actions.find((each) => each.id === item.refId);
  return (source && sheet.cards[source]?.title) || labelOf(action, item.refId);
}

/** The stack with the next to resolve first. */
function stackOf(sheet: Sheet, view: RulesetView, name: (seat: number) => string): Item[] {
  const items = view.stack ?? [];
  return [...items].reverse().map((item) => {
    const by = item.controller?.seat;
    const own = refOf(item.source);
    // A card that waits here is its own first target: it is no news that it is aimed at itself.
    const targets = item.targets.filter((target) => refOf(target) && refOf(target) !== own);
    const action = sheet.actions.find((each) => each.id === item.refId);
    const title = titleOf(sheet, item);
    const label = labelOf(action, item.refId);
    return {
      ref: item.id,
      title,
      by,
      source: own,
      targets: targets.map(refOf),
      targetNames: targets.map((target) => nameThing(sheet, target, items, name)).filter(Boolean),
      text: label === title ? '' : label,
      mode: item.mode ? labelOf(undefined, item.mode, sheet) : '',
      cause: say(sheet, item.causedBy?.title ?? ''),
    };
  });
}

/** Where everything lies, players in the order in which this seat sees them: their own first. */
export function laid(
  sheet: Sheet,
  view: RulesetView,
  order: readonly number[],
  open: readonly (RulesetView | undefined)[] | undefined,
  name: (seat: number) => string,
): Laid {
  const shared = sheet.zones.filter((def) => def.owner === 'game' && def.role !== 'stack' && view.zones[def.id]);
  const pile = (def: ZoneDef) => ['deck', 'pile'].includes(def.role);
  return {
    players: order.map((seat) =>
      player(
        sheet,
        view.players[seat] ?? { vars: {}, zones: {}, lost: false },
        seat,
        open?.[seat]?.players[seat],
        name,
      ),
    ),
    shared: shared.filter((def) => !pile(def)).map((def) => place(sheet, def, view.zones[def.id], undefined)),
    piles: shared.filter(pile).map((def) => place(sheet, def, view.zones[def.id], undefined)),
    facts: factsOf(
      sheet.vars.filter((def) => def.owner === 'game'),
      view.vars,
      name,
    ),
    stack: stackOf(sheet, view, name),
    stacks: sheet.actions.length > 0,
  };
}
