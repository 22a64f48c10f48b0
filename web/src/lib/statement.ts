// A statement: everything that came to an account or went, newest first, a page at a time.

import type { StatementLine } from '@parlor/client';
import { type Key, t } from './i18n/index.svelte.ts';

export const CURRENCIES = ['tokens', 'play'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Lines that are asked for at once. */
export const LINES_PER_PAGE = 50;

const REASONS = [
  'stake',
  'buy_in',
  'top_up',
  'cash_out',
  'payout',
  'rake',
  'fee',
  'prize',
  'refund',
  'hold',
  'release',
  'welcome',
  'refill',
  'rename',
  'burn',
  'other',
];

/** Why it came or went, in words; a reason that this page does not know is one among others. */
export const reasonText = (reason: string): string => t(`reason.${REASONS.includes(reason) ? reason : 'other'}` as Key);

/** The lines so far with one more page: none twice, and whether there may be older ones. */
export function withPage(
  before: readonly StatementLine[],
  page: readonly StatementLine[],
): { lines: readonly StatementLine[]; more: boolean } {
  const last = before.at(-1)?.no ?? Infinity;
  return { lines: [...before, ...page.filter(({ no }) => no < last)], more: page.length >= LINES_PER_PAGE };
}
