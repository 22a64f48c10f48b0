// How amounts are written: in chips or in big blinds, as this browser likes it. The server knows nothing of it.

import { words } from '$shell/lib/i18n/index.svelte.ts';
import { decimal } from './model.ts';
import type { View } from './types.ts';
import { w } from './words.en.ts';

const KEY = 'parlor.poker.bigs';

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}

class Money {
  #bigs = $state(read());
  /** Decimals of the table that is looked at: the log has amounts without a view. */
  decimals = 0;

  /** Whether amounts are written in big blinds. */
  get bigs(): boolean {
    return this.#bigs;
  }

  set bigs(on: boolean) {
    this.#bigs = on;
    try {
      localStorage.setItem(KEY, on ? 'yes' : 'no');
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** An amount in chips. */
  plain(amount: number, decimals = this.decimals): string {
    const [whole, part] = decimal(Math.abs(amount), decimals).split('.');
    return `${amount < 0 ? '−' : ''}${words.number(Number(whole))}${part ? `.${part}` : ''}`;
  }

  /** An amount as the player wants to read it. */
  of(amount: number, { stakes }: Pick<View, 'stakes'>): string {
    const big = stakes.bigBlind || stakes.bigBet;
    if (!this.#bigs || !big) return this.plain(amount, stakes.decimals);
    const tenths = Math.round((amount * 10) / big);
    return w('bigs', { n: tenths % 10 === 0 ? words.number(tenths / 10) : (tenths / 10).toFixed(1) });
  }
}

export const money = new Money();
