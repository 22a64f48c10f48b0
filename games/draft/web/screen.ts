// The cube draft, as the shell finds it.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { scoresLine, section } from '$shell/lib/log.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import { strength } from './model.ts';
import type { Event, View } from './types.ts';
import en, { w } from './words.en.ts';

const roundOf = ({ round }: { round: number }): string => w('log.round', { n: round + 1 });

export default defineScreen<View, Event>({
  words: en,
  options: () => [{ key: 'packs', label: w('opt.packs'), values: [1, 2, 3].map((n) => [n, String(n)]) }],
  scores: (view) => (view.decks.some((deck) => deck.length) ? view.decks.map(strength) : undefined),
  art: Art,
  table: () => import('./Table.svelte'),
  at: roundOf,
  keys: () => [
    ['1 – 9', t('keys.choose')],
    ['Enter', t('keys.send')],
    ['C', t('keys.clear')],
  ],
  log: {
    round: (e) => section(roundOf(e)),
    pack: () => null,
    picked: (e, name, own) => ({
      text: own === undefined ? e.card : t('log.played', { who: name(own), what: e.card }),
    }),
    took: (e, name, own) => (e.seat === own ? null : { text: w('log.took', { who: name(e.seat) }) }),
    decks: (e, name) => scoresLine(e.scores, name),
  },
});
