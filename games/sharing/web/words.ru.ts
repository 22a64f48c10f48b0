// The game's words in Russian.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ru: Translation<typeof en> = {
  messages: {
    title: 'Делёж',
    line: 'объяви и раздели',
    how: 'В свой ход возьмите карту, откройте карту или объявите. Объявивший засчитывает карту с руки; у кого открыто не меньше знаков, тоже засчитывает, а вы тогда берёте карту. Побеждает тот, у кого больше очков.',
    symbols: { one: '{n} знак', few: '{n} знака', many: '{n} знаков', other: '{n} знака' },
    worth: '{symbols}, очков: {n}',
    'log.card': '{who}: взято {what}',
    'log.drew': '{who}: карта из колоды',
    'log.order': 'Очерёдность: {order}',
    'log.laid': '{who}: выложено {what}',
    'log.called': '{who}: объявление, никто не делит',
    'log.shared': '{who}: объявление, делят: {others}',
    'log.scored': '{who}: в счёт {what}',
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
    symbols: 'знаки',
  },
};
export default ru;
