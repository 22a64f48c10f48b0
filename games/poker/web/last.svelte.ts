// The last hand of a table, for a glance and to be copied. The server shows it until the next one begins; this tab
// keeps it for as long as it is open, also when the page is loaded again.

import { untrack } from 'svelte';
import { cardsOf, withNames, wonBy } from './model.ts';
import type { View } from './types.ts';

export interface LastHand {
  readonly number: number;
  readonly boards: readonly string[];
  readonly winners: readonly { readonly seat: number; readonly chips: number }[];
  readonly phh: string;
  readonly pokerstars: string | undefined;
}

/** A hand that is over, with names in its texts; nothing while it runs. */
export function lastOf(view: View, name: (seat: number) => string): LastHand | undefined {
  const { ended } = view;
  if (!ended) return undefined;
  const won = wonBy(view);
  return {
    number: view.hand,
    boards: view.boards.filter((board) => cardsOf(board).length),
    winners: won.flatMap((chips, seat) => (chips ? [{ seat, chips }] : [])),
    phh: withNames(ended.phh, name, true),
    pokerstars: ended.pokerstars === null ? undefined : withNames(ended.pokerstars, name, false),
  };
}

const keyOf = (table: string): string => `parlor.poker.last.${table}`;

class LastHands {
  #kept: Readonly<Record<string, LastHand | undefined>> = $state.raw({});

  of(table: string): LastHand | undefined {
    return this.#kept[table] ?? this.#stored(table);
  }

  /** Whoever keeps a hand must not come to depend on what is kept. */
  keep(table: string, hand: LastHand): void {
    untrack(() => this.#keep(table, hand));
  }

  #keep(table: string, hand: LastHand): void {
    if (this.#kept[table]?.phh === hand.phh) return;
    this.#kept = { ...this.#kept, [table]: hand };
    try {
      sessionStorage.setItem(keyOf(table), JSON.stringify(hand));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  #stored(table: string): LastHand | undefined {
    try {
      const text = sessionStorage.getItem(keyOf(table));
      return text ? (JSON.parse(text) as LastHand) : undefined;
    } catch {
      return undefined;
    }
  }
}

export const lastHands = new LastHands();
