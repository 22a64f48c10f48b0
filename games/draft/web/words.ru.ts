// The game's words in Russian.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ru: Translation<typeof en> = {
  messages: {
    'opt.packs': 'Пачки',
    title: 'Драфт куба',
    line: 'выбирай, передавай, собирай',
    how: 'Берите из пачки по карте и передавайте остальное, пока пачки не кончатся. Потом соберите колоду. Число на карте это её сила, каждая пара одного цвета даёт ещё 1: побеждает самая сильная колода.',
    waiting: 'Ждём следующую пачку',
    done: 'Колоды открыты',
    hint: {
      one: 'В пачке {n} карта; остальное уйдёт дальше',
      few: 'В пачке {n} карты; остальное уйдёт дальше',
      many: 'В пачке {n} карт; остальное уйдёт дальше',
      other: 'В пачке {n} карты; остальное уйдёт дальше',
    },
    has: { one: '{n} карта', few: '{n} карты', many: '{n} карт', other: '{n} карты' },
    pack: 'Пачка',
    pool: 'Ваш выбор',
    openOf: '{who}: пачка, серым взятое',
    nothingYet: 'Пока ничего',
    noPack: 'Перед вами нет пачки',
    take: 'Взять {card}',
    choose: 'Взять',
    build: {
      one: 'Собрать из {n} карты',
      few: 'Собрать из {n} карт',
      many: 'Собрать из {n} карт',
      other: 'Собрать из {n} карт',
    },
    enough: 'Карт в колоде: {n}. Сначала уберите одну.',
    gallery: 'Зрители не видят пачек, пока колоды не открыты.',
    strength: 'сила {n}',
    'log.round': 'Раунд {n}',
    'log.took': '{who}: карта',
  },
  phrases: {
    'Draft a card': 'Выберите карту',
    'Build your deck': 'Соберите колоду',
    'strongest deck': 'побеждает самая сильная колода',
    'Round {round} begins': 'Раунд {round}',
    'You took {card}': 'Взято: {card}',
    'Seat {seat} took a card': 'Место {seat}: карта',
  },
};
export default ru;
