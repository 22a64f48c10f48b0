// The language that is read: the shell's words and those of every game. English is part of the page; another language
// is fetched when it is chosen.

import { screens } from '../screens.ts';
import { type Lang, settings } from '../settings.svelte.ts';
import { type Dictionary, ENGLISH, type GameWords, words } from './index.svelte.ts';

const SHELL: Record<Lang, () => Promise<Dictionary>> = {
  en: () => Promise.resolve(ENGLISH),
  ja: async () => (await import('./ja.ts')).ja,
  ru: async () => (await import('./ru.ts')).ru,
};
const ROOT = '../../../../games';
const GAMES = import.meta.glob<GameWords>(
  ['../../../../games/*/web/words.*.ts', '!../../../../games/*/web/words.en.ts'],
  { import: 'default' },
);

/** Takes the language of the settings. */
export async function useLanguage(): Promise<void> {
  const { lang } = settings;
  const [shell, ...games] = await Promise.all([
    SHELL[lang](),
    ...[...screens].map(async ([game, { words: english }]) => {
      const read = GAMES[`${ROOT}/${game}/web/words.${lang}.ts`];
      return [english, read ? await read() : english] as const;
    }),
  ]);
  words.use(lang, shell, new Map(games));
}
