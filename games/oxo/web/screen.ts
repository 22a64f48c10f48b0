// Oxo, as the shell finds it.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import type { Event, View } from './types.ts';
import en from './words.en.ts';

export default defineScreen<View, Event>({
  words: en,
  art: Art,
  table: () => import('./Table.svelte'),
  keys: () => [
    ['← → ↑ ↓', t('keys.walk')],
    ['Enter', t('keys.press')],
  ],
  log: {
    taken: (e, name) => ({ text: t('log.played', { who: name(e.seat), what: e.cell }) }),
  },
});
