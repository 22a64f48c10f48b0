// The battle, as the shell finds it.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { section } from '$shell/lib/log.ts';
import { shortName } from '$shell/lib/model.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import { effect, type Slot } from './model.ts';
import type { Event, View } from './types.ts';
import en, { w } from './words.en.ts';

const what = (slot: Slot): string => w(slot ?? 'none');
const roundOf = ({ round, suddenDeath }: { round: number; suddenDeath: boolean }): string =>
  w(suddenDeath ? 'log.suddenDeath' : 'log.round', { n: round });

export default defineScreen<View, Event>({
  words: en,
  options: () => [
    { key: 'roundLimit', label: w('opt.rounds'), values: [1, 3, 5].map((n) => [n, String(n)]) },
    { key: 'prepMs', label: w('opt.time'), values: [10, 20, 40].map((n) => [n * 1000, w('opt.seconds', { n })]) },
  ],
  art: Art,
  table: () => import('./Table.svelte'),
  side: () => import('./Side.svelte'),
  at: roundOf,
  keys: () => [
    ['1 – 4', w('keys.lay')],
    ['Backspace', w('keys.takeBack')],
    ['C', t('keys.clear')],
    ['Enter', t('keys.send')],
    ['← →', w('keys.beats')],
  ],
  log: {
    prep_start: (e) => section(roundOf(e)),
    drafted: () => null,
    confirmed: () => ({ text: w('log.confirmed') }),
    present: () => null,
    reveal_start: () => null,
    step_reveal: ({ step, cards, hp }, name) => ({
      at: String(step + 1),
      text: [
        w('log.pair', { one: shortName(name(0)), a: what(cards[0]), two: shortName(name(1)), b: what(cards[1]) }),
        `${w(`effect.${effect(cards)}`)}.`,
        `${shortName(name(0))} ${hp[0]}, ${shortName(name(1))} ${hp[1]}`,
      ].join(' '),
    }),
    round_end: () => null,
    match_end: () => null,
  },
});
