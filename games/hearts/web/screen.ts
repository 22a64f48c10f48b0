// Hearts, as the shell finds it.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { scoresLine, section } from '$shell/lib/log.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import { whereOf } from './model.ts';
import type { Event, View } from './types.ts';
import en, { w } from './words.en.ts';

export default defineScreen<View, Event>({
  words: en,
  options: () => [
    {
      key: 'until',
      label: w('opt.until'),
      values: [0, 50, 100].map((n) => [n, n ? w('opt.to', { n }) : w('opt.one')]),
    },
  ],
  art: Art,
  table: () => import('./Table.svelte'),
  side: () => import('./Scores.svelte'),
  at: (view) => {
    const { deal, trick } = whereOf(view);
    return trick ? w('at', { n: deal, trick }) : w('log.deal', { n: deal });
  },
  keys: () => [
    ['← →', t('keys.walk')],
    ['Enter', t('keys.send')],
    ['C', t('keys.clear')],
  ],
  log: {
    dealt: (e) => section(w('log.deal', { n: e.deal + 1 })),
    passed: (e, name) => ({ text: w('log.passed', { who: name(e.to), cards: e.cards.join(' ') }) }),
    leads: (e, name) => ({ text: w('log.leads', { who: name(e.seat) }) }),
    played: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.card }) }),
    took: (e, name) => ({ text: w('log.trick', { who: name(e.seat), n: e.points }) }),
    scored: (e, name) => [
      ...(typeof e.moon === 'number' ? [{ text: w('log.moon', { who: name(e.moon) }) }] : []),
      scoresLine(e.scores, name),
    ],
  },
  lasting: 'scored',
});
