// What was just called or declared, in large letters on the caller's side of the board, for a moment. Nothing waits for
// it: a press of anything ends it, and players who want no motion get none.

import type { TableModel } from '$shell/lib/model.ts';
import type { Event, View } from './types.ts';

export type Word = 'chi' | 'pon' | 'kan' | 'riichi' | 'ron' | 'tsumo';
export interface Called {
  readonly seat: number;
  readonly word: Word;
}

/** What an event calls out, by whom. */
export function calledBy(event: Event): Called[] {
  switch (event.type) {
    case 'meld':
      return [{ seat: event.seat, word: event.kind === 'chi' || event.kind === 'pon' ? event.kind : 'kan' }];
    case 'discard':
      return event.riichi ? [{ seat: event.seat, word: 'riichi' }] : [];
    case 'round_end':
      return 'wins' in event.result
        ? event.result.wins.map(({ who, from }) => ({ seat: who, word: from === null ? 'tsumo' : 'ron' }))
        : [];
    default:
      return [];
  }
}

/** How long it is there, with its 250 ms of motion. */
const SHOWN_MS = 850;

export class Calls {
  now: readonly Called[] = $state.raw([]);

  /** While a table stands. */
  constructor(model: TableModel<View, Event>) {
    let heard = model.state.events.at(-1)?.v ?? 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    $effect(() => {
      const fresh = model.state.events.filter(({ v }) => v > heard);
      heard = model.state.events.at(-1)?.v ?? heard;
      if (model.past || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      const calls = fresh.map(({ event }) => calledBy(event)).findLast((each) => each.length > 0);
      if (!calls) return;
      clearTimeout(timer);
      this.now = calls;
      timer = setTimeout(() => (this.now = []), SHOWN_MS);
    });
    $effect(() => () => clearTimeout(timer));
  }

  /** A win is called: its sheet comes after it. */
  get win(): boolean {
    return this.now.some(({ word }) => word === 'ron' || word === 'tsumo');
  }

  skip(): void {
    if (this.now.length) this.now = [];
  }
}
