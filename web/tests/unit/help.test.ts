import { afterEach, describe, expect, it } from 'vitest';
import type { Help } from '../../src/lib/help.ts';
import { ENGLISH, type GameWords, words } from '../../src/lib/i18n/index.svelte.ts';
import { cutPieces } from '../../src/lib/inline.ts';
import { cutCards } from '../../src/art/cards.ts';
import { screens } from '../../src/lib/screens.ts';

const helps = import.meta.glob<Help>('../../../games/*/web/help.ts', { eager: true, import: 'default' });
const written = import.meta.glob<GameWords>('../../../games/*/web/words.*.ts', { eager: true, import: 'default' });
/** The words of all games in a language, by those in English. */
const wordsIn = (lang: string) =>
  new Map(
    Object.entries(written)
      .filter(([path]) => path.endsWith('.en.ts'))
      .map(([path, english]) => [english, written[path.replace('.en.ts', `.${lang}.ts`)] ?? english] as const),
  );
const gameOf = (path: string) => path.split('/').at(-3) ?? '';

describe('the help of games', () => {
  afterEach(() => words.use('en', ENGLISH, new Map()));

  it('is there for all of ours; a new game may do without', () => {
    const found = Object.keys(helps).map(gameOf);
    expect(found.filter((game) => !screens.has(game))).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(7);
  });

  it.each(Object.entries(helps))('%s says the same in every language', (_, help) => {
    const told = (['en', 'ja', 'ru'] as const).map((lang) => {
      words.use(lang, ENGLISH, wordsIn(lang));
      return help();
    });
    const [english, ...others] = told;
    for (const parts of told) {
      expect(parts.map(({ lines }) => lines.length)).toEqual(english.map(({ lines }) => lines.length));
      for (const { title, lines } of parts) {
        expect(title).not.toBe('');
        for (const line of lines) expect(line.name ?? line.text).toBeTruthy();
      }
    }
    // What is written here is translated here; names of yaku and cards come with the words of the game.
    const own = (parts: typeof english) => parts.flatMap(({ lines }) => lines.map(({ text }) => text ?? ''));
    for (const other of others) expect(own(other).filter((text, n) => text && text === own(english)[n])).toEqual([]);
  });

  it('draws what it shows', () => {
    const shown = Object.values(helps).flatMap((help) => help().flatMap(({ lines }) => lines.map(({ show }) => show)));
    for (const line of shown.filter((show) => show !== undefined)) {
      const left = cutPieces(line).flatMap((cut) => (typeof cut === 'string' ? cutCards(cut) : []));
      expect(
        left.filter((part) => typeof part === 'string' && /[^\s…]/.test(part)),
        line,
      ).toEqual([]);
    }
  });
});
