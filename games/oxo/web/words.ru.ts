// The game's words in Russian.

import type { Translation } from '$shell/lib/i18n/index.svelte.ts';
import type en from './words.en.ts';

const ru: Translation<typeof en> = {
  messages: {
    title: 'Крестики-нолики',
    line: 'три в ряд',
    how: 'Занимайте клетки по очереди. Три в ряд в любом направлении побеждают.',
    board: 'Поле',
    cell: '{cell}, {what}',
    free: 'свободно',
    cross: 'Крестик',
    ring: 'Нолик',
    hint: 'Нажмите клетку',
  },
  phrases: {
    'Take a cell': 'Займите клетку',
    'three in a row': 'три в ряд',
    'the board is full': 'поле заполнено',
  },
};
export default ru;
