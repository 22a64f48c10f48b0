// The game's words in Russian.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ru: Translation<typeof en> = {
  messages: {
    title: 'Делёж',
    line: 'объяви и раздели',
    how: 'В свой ход возьмите карту, откройте карту или объявите. Объявивший засчитывает карту с руки; у кого открыто не меньше знаков, тоже засчитывает, а вы тогда берёте карту. Побеждает тот, у кого больше очков.',
  },
  phrases: {
    'Lay your first card': 'Положите первую карту',
    'Your turn': 'Ваш ход',
    'Lay a card': 'Положите карту',
    'Score a card': 'Карта в счёт',
    draw: 'взять',
    lay: 'положить',
    call: 'объявить',
    'most points': 'побеждает тот, у кого больше очков',
    drew: 'карта из колоды',
    laid: 'выложено',
    called: 'объявлено',
    scored: 'в счёт',
    symbols: 'знаки',
  },
};
export default ru;
