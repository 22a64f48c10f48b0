// What the screen of riichi works out of a view and a request. Pure: no words, nothing drawn.

import type { Choice, Prompt } from '@parlor/client';
import { PACES, PRESETS } from './presets.ts';
import type { Discarded, OwnView, RoundResult, TableMeld, View, WinResult } from './types.ts';

// ---- what the table plays by ----

/** All settings of the table: a view has only what differs from the preset. */
export const rulesOf = ({ settings }: View): Readonly<Record<string, unknown>> => ({
  ...PRESETS.ronin,
  ...PRESETS[String(settings.preset)],
  ...settings,
});
const ruleOf = (view: View, name: string): number => Number(rulesOf(view)[name]);
/** A time of the table, in milliseconds. */
export const paceOf = ({ pace }: View, name: string): number =>
  Number(pace[name] ?? PACES[String(pace.profile)]?.[name] ?? 0);

// ---- tiles ----

const SUITS = ['m', 'p', 's', 'z'] as const;
const RED_FIVES: readonly number[] = [16, 52, 88];
const HONOURS_FROM = 27;
const DRAGONS_FROM = 31;

export const kindOf = (tile: number): number => tile >> 2;
export const codeOfKind = (kind: number): string => `${(kind % 9) + 1}${SUITS[Math.floor(kind / 9)]}`;
/** A tile as text; a red five is a zero. */
export function codeOf(tile: number, reds: boolean): string {
  const code = codeOfKind(kindOf(tile));
  return reds && RED_FIVES.includes(tile) ? `0${code[1]}` : code;
}
export function kindOfCode(code: string): number {
  const rank = code[0] === '0' ? 5 : Number(code[0]);
  return SUITS.indexOf(code[1] as (typeof SUITS)[number]) * 9 + rank - 1;
}
export const isHonour = (kind: number): boolean => kind >= HONOURS_FROM;
/** A tile in a line of text. */
export const inText = (code: string): string => `⟦${code}⟧`;

/** The kind that an indicator points to. */
export function doraOf(indicator: number): number {
  const next = (first: number, count: number) => first + ((indicator - first + 1) % count);
  if (indicator >= DRAGONS_FROM) return next(DRAGONS_FROM, 3);
  if (indicator >= HONOURS_FROM) return next(HONOURS_FROM, 4);
  return next(Math.floor(indicator / 9) * 9, 9);
}

export const hasReds = (view: View): boolean => rulesOf(view).red_fives === true;
export const doraKinds = (view: View): number[] =>
  (rulesOf(view).omote_dora === false ? view.dora.slice(1) : view.dora).map((tile) => doraOf(kindOf(tile)));

/** Own tiles in order, the drawn one apart. */
export function handOf(own: OwnView): { readonly rest: readonly number[]; readonly drawn: number | null } {
  const rest = own.tiles.filter((tile) => tile !== own.drawn).sort((a, b) => a - b);
  return { rest, drawn: own.drawn };
}

// ---- the board ----

/** A tile in a river. */
export interface Thrown {
  readonly tile: number;
  readonly tsumogiri: boolean;
  /** Discarded with a riichi. */
  readonly riichi: boolean;
  readonly calledBy: number | null;
}
/** A tile of a river as the view writes it: its id, what it was, and who called it. */
export const thrownOf = (written: Discarded): Thrown => ({
  tile: written & 255,
  tsumogiri: (written & 256) !== 0,
  riichi: (written & 512) !== 0,
  calledBy: written >> 10 === 0 ? null : (written >> 10) - 1,
});
export const riverOf = (view: View, seat: number): Thrown[] => view.players[seat].river.map(thrownOf);

const ROW = 6;
/** A river in three rows; whatever comes after the eighteenth tile stays in the last. */
export function rowsOf(river: readonly Thrown[]): Thrown[][] {
  const rows = [river.slice(0, ROW), river.slice(ROW, 2 * ROW), river.slice(2 * ROW)];
  return rows.filter((row) => row.length > 0);
}

/** One place of a meld: a tile, perhaps turned, perhaps with another one laid on it; none is face down. */
export interface MeldPart {
  readonly tile: number | null;
  readonly side?: boolean;
  readonly added?: number;
}
/** A meld as it lies: the called tile is turned, and its place says who fed it. */
export function meldParts({ meld: [kind, tiles], from, called, added }: TableMeld, seat: number): MeldPart[] {
  if (kind === 'ankan') return tiles.map((tile, n) => ({ tile: n === 0 || n === 3 ? null : tile }));
  const own = tiles.filter((tile) => tile !== called && tile !== added).map((tile): MeldPart => ({ tile }));
  const turned: MeldPart = { tile: called, side: true, ...(added !== null && { added }) };
  const steps = (from - seat + 4) % 4;
  const at = steps === 3 ? 0 : steps === 2 ? 1 : own.length;
  return [...own.slice(0, at), turned, ...own.slice(at)];
}

/** Who is waited for, as everybody may know it. */
export function waitedSeat(view: View): number | undefined {
  return 'turn' in view.phase ? view.phase.turn.seat : undefined;
}

/** The tile that was laid last: in the river it has a frame. */
export function lastDiscard(view: View): { seat: number; tile: number } | undefined {
  if ('window' in view.phase) return { seat: view.phase.window.from, tile: view.phase.window.tile };
  const turn = waitedSeat(view);
  if (turn === undefined) return undefined;
  const seat = (turn + 3) % 4;
  const last = riverOf(view, seat).at(-1);
  return last && last.calledBy === null ? { seat, tile: last.tile } : undefined;
}

export const inRiichi = (view: View, seat: number): boolean => view.players[seat].riichi !== 'no';
/** The turn in which a seat declared riichi, from 1. */
export function riichiTurn(view: View, seat: number): number | undefined {
  const at = riverOf(view, seat).findIndex((thrown) => thrown.riichi);
  return at < 0 ? undefined : at + 1;
}
/** Whether nothing but closed kans was melded. */
export const isClosed = (melds: readonly TableMeld[]): boolean => melds.every(({ meld: [kind] }) => kind === 'ankan');

/** East 1 is 0 of the first wind. */
export const handNumber = (kyoku: number): number => (kyoku % 4) + 1;

// ---- what is asked ----

export type Asked = 'turn' | 'call' | 'confirm' | '';
export function askedOf(request: Prompt | undefined): Asked {
  if (!request) return '';
  const has = (kind: string) => (request.choices ?? []).some((choice) => choice.kind === kind);
  if (has('confirm')) return 'confirm';
  return has('pass') ? 'call' : 'turn';
}

/** A way to make a call: the choice and the tiles of one's own that go into it. */
export interface Way {
  readonly path: string;
  readonly id: string;
  readonly tiles: readonly number[];
}
export type Call = 'chi' | 'pon' | 'kan' | 'ron' | 'pass' | 'tsumo' | 'kyuushu';
const KINDS: Readonly<Record<Call, readonly string[]>> = {
  chi: ['chi'],
  pon: ['pon'],
  kan: ['open_kan', 'closed_kan', 'added_kan'],
  ron: ['ron'],
  pass: ['pass'],
  tsumo: ['tsumo'],
  kyuushu: ['kyuushu'],
};
function tilesOf(choice: Choice): number[] {
  const [kind, ...numbers] = (choice.id ?? '').split(':');
  if (kind === 'closed_kan') return Array.from({ length: 4 }, (_, n) => Number(numbers[0]) * 4 + n);
  return numbers.map(Number);
}
export function waysOf(request: Prompt | undefined, call: Call): Way[] {
  return (request?.choices ?? []).flatMap((choice, n) =>
    KINDS[call].includes(choice.kind ?? '') && !choice.whyNot
      ? [{ path: String(n), id: choice.id ?? '', tiles: tilesOf(choice) }]
      : [],
  );
}
/** The choice that discards this tile, with or without riichi. */
export function discardOf(request: Prompt | undefined, tile: number, riichi: boolean): string | undefined {
  const id = `${riichi ? 'riichi' : 'discard'}:${tile}`;
  const at = (request?.choices ?? []).findIndex((choice) => choice.id === id && !choice.whyNot);
  return at < 0 ? undefined : String(at);
}
export const mayRiichi = (request: Prompt | undefined): boolean =>
  (request?.choices ?? []).some((choice) => choice.kind === 'riichi');

// ---- why not ----

export type NoRon = 'shape' | 'furiten' | 'yaku';
/** Why a tile that lies there cannot be won; nothing, if it does not matter. */
export function noRon(own: OwnView, tile: number): NoRon {
  if (!own.waits.includes(kindOf(tile))) return 'shape';
  const { discards, missed, missed_in_riichi: locked } = own.furiten;
  return discards.length > 0 || missed !== null || locked !== null ? 'furiten' : 'yaku';
}
export const isFuriten = ({ furiten }: OwnView): boolean =>
  furiten.discards.length > 0 || furiten.missed !== null || furiten.missed_in_riichi !== null;

/** The first own discard of one of these kinds: its turn, from 1. */
export function turnOf(river: readonly Thrown[], kinds: readonly number[]): { tile: number; turn: number } | undefined {
  const at = river.findIndex((thrown) => kinds.includes(kindOf(thrown.tile)));
  return at < 0 ? undefined : { tile: river[at].tile, turn: at + 1 };
}

export type NoRiichi = 'already' | 'open' | 'points' | 'wall' | 'tenpai';
export function noRiichi(view: View, seat: number): NoRiichi {
  const player = view.players[seat];
  if (inRiichi(view, seat)) return 'already';
  if (!isClosed(player.melds)) return 'open';
  if (player.score < ruleOf(view, 'riichi_cost')) return 'points';
  if (view.left < ruleOf(view, 'min_wall_for_riichi')) return 'wall';
  return 'tenpai';
}

export type NoChi = 'honour' | 'seat' | 'riichi' | 'last' | 'ron' | 'tiles';
/** Why a tile that lies there cannot be called. */
export function noCall(view: View, own: OwnView, from: number, tile: number, call: 'chi' | 'pon' | 'kan'): NoChi {
  if (own.call?.kind !== undefined && own.call.kind !== 'discard') return 'ron';
  if (inRiichi(view, own.seat)) return 'riichi';
  if (view.left === 0) return 'last';
  if (own.call?.offer.ron) return 'ron';
  if (call === 'chi' && isHonour(kindOf(tile))) return 'honour';
  if (call === 'chi' && (from + 1) % 4 !== own.seat) return 'seat';
  return 'tiles';
}
export const heldOf = (own: OwnView, kind: number): number => own.tiles.filter((tile) => kindOf(tile) === kind).length;

// ---- the end of a hand ----

/** How many have confirmed. Nothing where nobody's clock runs: then nobody says it. */
export function readyOf(
  clocks: readonly { readonly seat: number }[],
  seats: number,
): { n: number; of: number } | undefined {
  if (clocks.length === 0) return undefined;
  return { n: seats - new Set(clocks.map(({ seat }) => seat)).size, of: seats };
}

export const resultOf = (view: View): RoundResult | undefined =>
  'round_end' in view.phase ? view.phase.round_end.result : 'over' in view.phase ? view.phase.over.result : undefined;

export const deltasOf = (result: RoundResult): number[] =>
  'draw' in result
    ? [...result.draw.deltas]
    : [0, 1, 2, 3].map((seat) => result.wins.reduce((sum, win) => sum + win.deltas[seat], 0));

/** What a seat gains or loses by one win, by what it is for. */
export interface Payment {
  readonly seat: number;
  readonly hand: number;
  readonly honba: number;
  readonly sticks: number;
  readonly sum: number;
}
/**
 * The payments of a win, line by line. Where a third is liable, who pays which honba is a matter of the table’s rules:
 * there it stays in one sum.
 */
export function paymentsOf(win: WinResult, view: View): Payment[] {
  const each = win.liable === null ? win.honba * ruleOf(view, 'honba_points') : 0;
  const sticks = win.sticks * ruleOf(view, 'riichi_cost');
  return win.deltas.map((sum, seat) => {
    const pays = win.from === null || win.from === seat;
    const honba = seat === win.who ? 3 * each : pays ? -(win.from === null ? each : 3 * each) : 0;
    const taken = seat === win.who ? sticks : 0;
    return { seat, honba, sticks: taken, hand: sum - honba - taken, sum };
  });
}

/** The seats by place, the best first. */
export function byPlace(places: readonly number[]): number[] {
  return places.map((_, seat) => seat).sort((a, b) => places[a] - places[b] || a - b);
}
/** Final points of a seat in parts: what was won over the target, and what the place gives. In tenths. */
export function finalParts(view: View, seat: number): { score: number; base: number; bonus: number; points: number } {
  if (!('over' in view.phase)) return { score: 0, base: 0, bonus: 0, points: 0 };
  const { end } = view.phase.over;
  const target = ruleOf(view, 'target_points');
  const base = Math.round((end.scores[seat] - target) / 100);
  return { score: end.scores[seat], base, bonus: end.points[seat] - base, points: end.points[seat] };
}
