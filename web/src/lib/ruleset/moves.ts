// Cards of a ruleset that move when they enter a zone, leave it, or make room: everything is measured before the page
// is drawn anew and after it, and each card goes from where it was to where it is. Only what is drawn moves: a card as
// the viewer saw it, or as they see it now; what nobody shows them goes as a back. Places are never changed, so nothing
// else shifts.

import type { RuleEvent as RulesetEvent, ZoneMoved } from './types.ts';
import { clock } from '../clock.svelte.ts';

const MOVE_MS = 180;
const DEAL_MS = 250;
const EASE = 'cubic-bezier(.2,.8,.2,1)';
/** More than this at once is a new table, not a move. */
const MOVES_MAX = 32;
const NEAR_PX = 2;

/** A move from zone to zone, as it was told: the card's name from now on, and its title. */
export interface Moved {
  readonly card: string;
  readonly title: string;
  readonly from: Spot;
  readonly to: Spot;
}
export interface Spot {
  readonly zone: string;
  readonly seat: number | undefined;
}
interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
interface Was {
  readonly ref: string;
  readonly element: HTMLElement;
  readonly box: Box;
}

/** Something that was told, with the version that told it. */
export interface Told {
  readonly v: number;
  readonly event: unknown;
}

/** A move as an event tells of it; a card that the viewer may not know has no name. */
export function moveOf(
  told: unknown,
):
  | { readonly card: { readonly id?: string; readonly card?: string } | null; readonly from: Spot; readonly to: Spot }
  | undefined {
  const event = told as (RulesetEvent & { payload?: ZoneMoved }) | null;
  if (event?.type !== 'ZoneMoved' || event.status !== 'applied' || !event.payload) return undefined;
  const { card, from, to, fromSeat, toSeat } = event.payload;
  return {
    card: card ?? null,
    from: { zone: String(from), seat: fromSeat ?? undefined },
    to: { zone: String(to), seat: toSeat ?? undefined },
  };
}

/** What was told of moves since `v`: for each card from where it came first and where it came to last. */
export function movesSince(events: readonly Told[], v: number, titleOf: (card: string) => string): Moved[] {
  const moves: Moved[] = [];
  for (const heard of events) {
    const told = heard.v > v ? moveOf(heard.event) : undefined;
    if (!told) continue;
    const move = {
      card: told.card?.id ?? '',
      title: told.card?.card ? titleOf(told.card.card) : '',
      from: told.from,
      to: told.to,
    };
    const before = move.card ? moves.findIndex((each) => each.card === move.card) : -1;
    if (before >= 0) moves[before] = { ...moves[before], to: move.to };
    else moves.push(move);
  }
  return moves;
}

const still = (): boolean => clock.still || matchMedia('(prefers-reduced-motion: reduce)').matches;
/** The place a card is drawn in: the same card may lie in a hand and in a place that it is laid into. */
const holder = (element: HTMLElement): string => {
  const zone = element.closest<HTMLElement>('[data-zone]');
  return zone ? `${zone.dataset.zone} ${zone.dataset.owner ?? ''}` : '';
};

export class Moves {
  #was = new Map<string, Was>();
  #stood = new Map<string, Box>();
  #running = new Map<HTMLElement, Animation>();
  #scale = 1;

  /** Where everything is, before it is drawn anew. */
  before(root: HTMLElement | undefined): void {
    this.#was.clear();
    this.#stood.clear();
    if (!root || still()) return;
    for (const [key, was] of this.#cards(root)) this.#was.set(key, was);
    for (const item of root.querySelectorAll<HTMLElement>('[data-holds]'))
      this.#stood.set(item.dataset.holds!, this.#box(item));
  }

  /** Where everything is now: whatever is elsewhere goes there. */
  after(root: HTMLElement | undefined, moves: readonly Moved[]): void {
    if (!root || still()) return;
    const from = this.#was;
    if (!from.size && !moves.length) return;
    for (const animation of this.#running.values()) animation.cancel();
    this.#running.clear();
    const frame = root.getBoundingClientRect();
    this.#scale = frame.width / root.offsetWidth || 1;
    const now = new Map(this.#cards(root));
    const drawn = new Set([...now.values()].map((each) => each.ref));
    const seen = new Map([...from.values()].map((each) => [each.ref, each.box]));
    const told = new Map(moves.filter((move) => move.card).map((move) => [move.card, move]));
    // Whoever lays a card open gives it another name, so that nobody can follow it: then it is known by where it was.
    const renamed = new Map<string, Was>();
    const left = [...from].filter(([, { ref }]) => !drawn.has(ref));
    for (const move of told.values()) {
      const at = seen.has(move.card)
        ? -1
        : left.findIndex(
            ([key, { ref, element }]) =>
              !told.has(ref) &&
              key === `${move.from.zone} ${move.from.seat ?? ''} ${ref}` &&
              element.dataset.card === move.title,
          );
      if (at >= 0) renamed.set(move.card, left.splice(at, 1)[0][1]);
    }
    // Everything is measured before anything moves: the page is laid out once.
    const plan: (() => void)[] = [];
    for (const [key, { ref, element, box }] of now) {
      const move = told.get(ref);
      const start =
        from.get(key)?.box ??
        seen.get(ref) ??
        renamed.get(ref)?.box ??
        this.#stood.get(ref) ??
        (move && this.#spot(root, move.from));
      if (start) plan.push(() => this.#go(element, start, box, from.has(key) ? MOVE_MS : DEAL_MS));
    }
    for (const move of told.values()) {
      const was = renamed.get(move.card) ?? [...from.values()].find((each) => each.ref === move.card);
      if (!was || drawn.has(move.card)) continue;
      const held = root.querySelector<HTMLElement>(`[data-holds="${CSS.escape(move.card)}"]`);
      const end = held ? this.#box(held) : this.#spot(root, move.to);
      if (end) plan.push(() => this.#leave(root, frame, was.element, was.box, end));
    }
    for (const move of moves) {
      if (move.card) continue;
      const [start, end] = [this.#spot(root, move.from), this.#spot(root, move.to)];
      if (start && end) plan.push(() => this.#leave(root, frame, undefined, back(start), back(end)));
    }
    for (const move of plan.slice(0, MOVES_MAX)) move();
  }

  *#cards(root: HTMLElement): Generator<[string, Was]> {
    for (const element of root.querySelectorAll<HTMLElement>('.rc[data-ref]')) {
      if (element.closest('.gone')) continue;
      const ref = element.dataset.ref!;
      yield [`${holder(element)} ${ref}`, { ref, element, box: this.#box(element) }];
    }
  }

  #box(element: HTMLElement): Box {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left, y: top, w: width, h: height };
  }

  /**
   * Where a zone is drawn: as a row, as a number beside a name, or not at all; then it is with whoever it belongs to.
   */
  #spot(root: HTMLElement, { zone, seat }: Spot): Box | undefined {
    const owned = seat === undefined ? '' : `:is([data-owner="${seat}"], [data-seat="${seat}"] *)`;
    const named = root.querySelectorAll<HTMLElement>(`[data-zone="${CSS.escape(zone)}"]${owned}`);
    const shown = [
      ...named,
      ...(seat === undefined ? [] : root.querySelectorAll<HTMLElement>(`.pbar[data-seat="${seat}"]`)),
    ].find((element) => element.offsetParent !== null);
    return shown && this.#box(shown);
  }

  #go(element: HTMLElement, from: Box, to: Box, duration: number): void {
    const [dx, dy] = middle(from, to, this.#scale);
    // A row that is as wide as the table is no measure for a card.
    const scale = from.h > 0 && from.h < to.h * 2 && from.w < to.w * 2 ? from.h / to.h : 1;
    if (Math.abs(dx) < NEAR_PX && Math.abs(dy) < NEAR_PX && Math.abs(scale - 1) < 0.02) return;
    const animation = element.animate(
      [
        { translate: `${dx}px ${dy}px`, scale: String(scale) },
        { translate: '0 0', scale: '1' },
      ],
      { duration, easing: EASE },
    );
    this.#running.set(element, animation);
    animation.onfinish = () => this.#running.delete(element);
  }

  /** What is not drawn any more goes to where it is now, as it was last seen, and is gone. */
  #leave(root: HTMLElement, frame: DOMRect, seen: HTMLElement | undefined, from: Box, to: Box): void {
    const ghost = document.createElement('div');
    const looks = ['pc', 'long', 'turned', 'back'].filter((name) => seen?.classList.contains(name));
    ghost.className = `gone rc ${seen ? looks.join(' ') : 'back'}`;
    ghost.ariaHidden = 'true';
    if (seen) ghost.append(...[...seen.childNodes].map((node) => node.cloneNode(true)));
    const css = { left: from.x - frame.left, top: from.y - frame.top, width: from.w, height: from.h };
    for (const [name, px] of Object.entries(css)) ghost.style.setProperty(name, `${px / this.#scale}px`);
    root.append(ghost);
    const [dx, dy] = middle(to, from, this.#scale);
    const animation = ghost.animate(
      [
        { translate: '0 0', scale: '1', opacity: 1 },
        { opacity: 1, offset: 0.6 },
        { translate: `${dx}px ${dy}px`, scale: String(Math.min(1, Math.max(0.3, to.h / from.h))), opacity: 0 },
      ],
      { duration: DEAL_MS, easing: EASE },
    );
    animation.onfinish = animation.oncancel = () => ghost.remove();
  }
}

/** From the middle of one to the middle of the other, in the page's own pixels. */
const middle = (from: Box, to: Box, scale: number): [number, number] => [
  (from.x + from.w / 2 - to.x - to.w / 2) / scale,
  (from.y + from.h / 2 - to.y - to.h / 2) / scale,
];
/** A small card where something is. */
const back = (at: Box): Box => ({ x: at.x + at.w / 2 - 13, y: at.y + at.h / 2 - 18, w: 26, h: 36 });
