// Sharing, as the shell finds it: words alone. It is played at the generic table.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import { ANIMALS, symbolsOf, valueOf } from './animals.ts';
import type { Event, View } from './types.ts';
import en, { w } from './words.en.ts';

export default defineScreen<View, Event>({
  words: en,
  about: (card, short) => {
    if (!ANIMALS.includes(card)) return '';
    const symbols = w('symbols', { n: symbolsOf(card) });
    return short ? symbols : w('worth', { symbols, n: valueOf(card) });
  },
  scores: (view) => view.seats.map((seat) => seat.points),
  log: {
    card: (e, name, own) => (own === undefined ? null : { text: w('log.card', { who: name(own), what: e.card }) }),
    drew: (e, name, own) => (e.seat === own ? null : { text: w('log.drew', { who: name(e.seat) }) }),
    order: (e, name) => ({ text: w('log.order', { order: e.order.map((seat) => name(seat)).join(t('tour.comma')) }) }),
    laid: (e, name) => ({ text: w('log.laid', { who: name(e.seat), what: e.card }) }),
    called: (e, name) => ({
      text: e.sharing.length
        ? w('log.shared', { who: name(e.seat), others: e.sharing.map((seat) => name(seat)).join(t('tour.comma')) })
        : w('log.called', { who: name(e.seat) }),
    }),
    scored: (e, name) => ({ text: w('log.scored', { who: name(e.seat), what: e.card }) }),
    turn: () => null,
  },
});
