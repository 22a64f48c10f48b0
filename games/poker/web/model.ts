// What the table of poker needs and has no screen: where seats are, what was done, what a bet comes to.

import type { Prompt } from '@parlor/client';
import type { Made, SeatView, View } from './types.ts';

// ---- cards ----

/** `AsKd??` as cards of two letters each; `??` is one that the viewer does not see. */
export const cardsOf = (text: string): string[] => text.match(/.{2}/g) ?? [];

const STUD = ['F7S', 'F7S/8', 'FR'];
const DRAW = ['N2L1D', 'F2L3D', 'FB'];
const FIXED = ['FT', 'FO/8', 'F7S', 'F7S/8', 'FR', 'F2L3D', 'FB'];
export const isStud = (variant: string): boolean => STUD.includes(variant);
export const isDraw = (variant: string): boolean => DRAW.includes(variant);
export const isFixed = (variant: string): boolean => FIXED.includes(variant);
/** Whether everybody sees this card of a stud hand: the third to the sixth. */
export const isUp = (variant: string, at: number): boolean => isStud(variant) && at >= 2 && at <= 5;
/** Which of the three families of rooms a game is played in. */
export const familyOf = (variant: string): 'board' | 'stud' | 'draw' =>
  isStud(variant) ? 'stud' : isDraw(variant) ? 'draw' : 'board';

// ---- chips ----

/** Chips of the smallest unit as people write them: `75.25`. */
export function decimal(chips: number, decimals: number): string {
  if (decimals === 0) return String(chips);
  const [sign, text] = [chips < 0 ? '-' : '', String(Math.abs(chips)).padStart(decimals + 1, '0')];
  const [whole, part] = [text.slice(0, -decimals), text.slice(-decimals)];
  return sign + (/^0+$/.test(part) ? whole : `${whole}.${part}`);
}

/** What was typed as chips of the smallest unit; nothing, where it is no amount. */
export function typed(text: string, decimals: number): number | undefined {
  const match = /^\s*(\d{1,12})(?:[.,](\d*))?\s*$/.exec(text);
  if (!match) return undefined;
  const part = match[2] ?? '';
  if (part.length > decimals && /[1-9]/.test(part.slice(decimals))) return undefined;
  return Number(match[1] + part.slice(0, decimals).padEnd(decimals, '0'));
}

// ---- seats around the oval ----

export type Side = 'self' | 'left' | 'top' | 'right';
export interface Place {
  readonly side: Side;
  /** Which one on its side, from the left, or from the bottom on the left and from the top on the right. */
  readonly at: number;
  /** How many are on its side. */
  readonly of: number;
}

/** How many of the others sit on the left and on the right, by how many they are; the rest is at the top. */
const BESIDE = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3];

/** The place of each seat, clockwise from the viewer's own, which is at the bottom. */
export function placesOf(seats: number): Place[] {
  const others = seats - 1;
  const beside = BESIDE[others] ?? 3;
  const top = others - 2 * beside;
  const on = (side: Side, of: number) => Array.from({ length: of }, (_, at) => ({ side, at, of }));
  return [{ side: 'self', at: 0, of: 1 }, ...on('left', beside), ...on('top', top), ...on('right', beside)];
}

// ---- what was done ----

export type Did =
  | { readonly what: 'fold' | 'check' | 'muck' | 'show' }
  | { readonly what: 'call' | 'raise' | 'bet' | 'bringIn' }
  | { readonly what: 'draw'; readonly count: number };

/** What each seat did last on this street; who has folded stays so. */
export function lastDone(view: Pick<View, 'notation' | 'seats' | 'variant'>): (Did | undefined)[] {
  const { actions = [], seats = [] } = view.notation as { actions?: string[]; seats?: number[] };
  const done: (Did | undefined)[] = view.seats.map(() => undefined);
  let bet = preflop(view);
  for (const action of actions) {
    const [who, what, ...rest] = action.split(' #')[0].split(' ');
    if (who === 'd') {
      // New cards, another street: hole cards one by one are the same deal.
      if (what === 'db' || isStud(view.variant)) {
        done.forEach((did, seat) => did?.what !== 'fold' && (done[seat] = undefined));
        bet = what === 'db' ? false : bet;
      }
      continue;
    }
    const seat = (seats[Number(who.slice(1)) - 1] ?? 0) - 1;
    if (seat < 0 || seat >= done.length) continue;
    const did = doneBy(what, rest, bet);
    if (what === 'sd' && !done.some((other) => other?.what === 'draw')) {
      done.forEach((other, n) => other?.what !== 'fold' && (done[n] = undefined));
      bet = false;
    }
    if (what === 'cbr' || what === 'pb') bet = true;
    if (did) done[seat] = did;
  }
  return done;
}

/** Where blinds are posted there is something to call from the beginning. */
const preflop = ({ variant }: Pick<View, 'variant'>): boolean => !isStud(variant);

function doneBy(what: string, rest: readonly string[], bet: boolean): Did | undefined {
  switch (what) {
    case 'f':
      return { what: 'fold' };
    case 'cc':
      return { what: bet ? 'call' : 'check' };
    case 'cbr':
      return { what: bet ? 'raise' : 'bet' };
    case 'pb':
      return { what: 'bringIn' };
    case 'sd':
      return { what: 'draw', count: (rest[0] ?? '').replace('-', '').length / 2 };
    case 'sm':
      return { what: rest[0] && rest[0] !== '-' ? 'show' : 'muck' };
    default:
      return undefined;
  }
}

// ---- bets ----

/** What may be done in a turn, as the request says. */
export interface Bets {
  readonly fold: boolean;
  /** What it costs to call; 0 is a check. */
  readonly call: number | undefined;
  readonly bringIn: number | undefined;
  readonly raise: { readonly min: number; readonly max: number } | undefined;
}
export function betsOf(request: Prompt): Bets {
  const meta = (request.meta ?? {}) as { call?: number | null; bringIn?: number | null; raise?: Bets['raise'] | null };
  return {
    fold: (request.choices ?? []).some((choice) => choice.title === 'Fold'),
    call: meta.call ?? undefined,
    bringIn: meta.bringIn ?? undefined,
    raise: meta.raise ?? undefined,
  };
}

export type PresetName = 'min' | 'third' | 'half' | 'threeQuarters' | 'pot' | 'max';
export interface Preset {
  readonly name: PresetName;
  readonly to: number;
}
const PARTS: readonly [PresetName, number, number][] = [
  ['third', 1, 3],
  ['half', 1, 2],
  ['threeQuarters', 3, 4],
  ['pot', 1, 1],
];

/** Sizes of a raise by the pot as it would be after a call; each within what is allowed, none twice. */
export function presetsOf(bets: Bets, pot: number, own: number): Preset[] {
  const { raise } = bets;
  if (!raise) return [];
  const call = bets.call ?? bets.bringIn ?? 0;
  const of = ([name, part, whole]: (typeof PARTS)[number]): Preset => ({
    name,
    to: own + call + Math.floor(((pot + call) * part) / whole),
  });
  const sized = PARTS.map(of).filter(({ to }) => to > raise.min && to < raise.max);
  const ends: Preset[] = [
    { name: 'min', to: raise.min },
    ...sized,
    ...(raise.max > raise.min ? [{ name: 'max' as const, to: raise.max }] : []),
  ];
  return ends.filter((each, n) => ends.findIndex((other) => other.to === each.to) === n);
}

/** The nearest amount that may be bet. */
export const within = (to: number, { min, max }: { min: number; max: number }): number =>
  Math.max(min, Math.min(max, Math.round(to)));

/** How far a press on plus or minus goes: a big blind, or a small bet. */
export const stepOf = (view: Pick<View, 'stakes'>): number =>
  Math.max(1, view.stakes.bigBlind || view.stakes.smallBet || 1);

// ---- who sits out ----

/** How many hands it takes until the big blind comes to a seat, if everybody stays as they are. */
export function handsToBigBlind(view: Pick<View, 'blinds' | 'seats' | 'players'>, me: number): number | undefined {
  const big = view.blinds?.[1];
  if (big === undefined) return undefined;
  const count = view.seats.length;
  let hands = 0;
  for (let step = 1; step <= count; step++) {
    const seat = (big + step) % count;
    if (seat === me) return hands + 1;
    if (view.players[seat]?.state === 'playing') hands += 1;
  }
  return undefined;
}

/** The blinds that a debt is made of. */
export interface Debt {
  readonly small: number;
  readonly big: number;
  readonly total: number;
}
export function debtOf(seat: Pick<SeatView, 'deadBlinds'>, stakes: View['stakes']): Debt {
  const total = seat.deadBlinds;
  const big = total >= stakes.bigBlind ? stakes.bigBlind : 0;
  return { small: total - big, big, total };
}

// ---- the end ----

/** What each seat got out of the pots. */
export function wonBy(view: Pick<View, 'ended' | 'seats'>): number[] {
  const won = view.seats.map(() => 0);
  for (const { seat, chips } of view.ended?.awards ?? []) won[seat] += chips;
  return won;
}

/** Whether the viewer won without a showdown and may show what they had. */
export function mayShow(view: Pick<View, 'ended' | 'seats'>, me: number | undefined): boolean {
  if (me === undefined || !view.ended?.awards.length) return false;
  const alone = view.seats.every((seat, n) => n === me || !seat?.cards);
  return alone && view.ended.awards.every(({ seat }) => seat === me);
}

/** A text about a hand with the names of the players where it has their seats. */
export function withNames(text: string, name: (seat: number) => string, quoted: boolean): string {
  const label = (n: string) => name(Number(n) - 1) || `seat ${n}`;
  return quoted
    ? text.replace(/(['"])seat (\d+)\1/g, (_, __, n: string) => JSON.stringify(label(n)))
    : text.replace(/\bseat (\d+)\b/g, (_, n: string) => label(n));
}

/** Ranks of a made hand, each once, those that decide first. */
export const ranksOf = (made: Made): string[] => [
  ...new Set(cardsOf(made.cards).map((card) => card[0].replace('T', '10'))),
];
