import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { screens } from '../../src/lib/screens.ts';

const root = join(import.meta.dirname, '../../..');
const folder = (path: string): string[] => readdirSync(join(root, path)).sort();
const below = (path: string): string[] =>
  folder(path).flatMap((name) => {
    const full = `${path}/${name}`;
    return statSync(join(root, full)).isDirectory() ? below(full) : [full];
  });
const games = folder('games');
const rulesets = folder('rulesets').flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);

/** What looks like a game, and is none: a suit of cards, and the kind of a request. */
const NO_GAME = ["'suit.h': 'hearts'", "kind === 'draft'"];

/** Where a text names a game: as a value, a key, a path, a class of style or a part of a name. */
function named(text: string, game: string): string[] {
  const [plain, big] = [game, game.charAt(0).toUpperCase() + game.slice(1)];
  const patterns = [
    `['"\`/](${plain}|${big})['"\`/.]`,
    `^\\s*['"]?${plain}['"]?: `,
    `\\b${big}[A-Z]\\w*`,
    `\\.${plain}(?![\\w(])`,
    `\\b${plain}(art|-\\w+)\\b`,
  ];
  const rest = NO_GAME.reduce((left, words) => left.replaceAll(words, ''), text);
  return patterns.flatMap((pattern) => [...rest.matchAll(new RegExp(pattern, 'gm'))].map(([hit]) => hit.trim()));
}

describe('the shell', () => {
  it('names no game and no ruleset', () => {
    const files = below('web/src').map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    expect(files.length).toBeGreaterThan(80);
    for (const game of [...games, ...rulesets])
      for (const [path, text] of files) expect(named(text, game), `${path} names ${game}`).toEqual([]);
  });

  it('would be found out if it did', () => {
    for (const text of [
      "layoutOf('oxo')",
      "  oxo: () => import('./Board.svelte'),",
      "import type { OxoView } from './views.ts';",
      '.gart .oxoart {',
      "t('oxo.hint')",
      "title: 'Oxo'",
      "glob('../../../games/oxo/web/*.ts')",
    ])
      expect(named(text, 'oxo'), text).not.toEqual([]);
    expect(named("if (request.kind === 'draft') router.go('/'); // a draft, or drafts", 'draft')).toEqual([]);
    expect(named('router.go(at)', 'go')).toEqual([]);
  });

  it('finds the screen of every game that has one', () => {
    const wanted = games.filter((game) => existsSync(join(root, 'games', game, 'web/screen.ts')));
    expect([...screens.keys()].sort()).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(0);
  });
});

describe('fixtures', () => {
  const paths = [
    ...folder('web/fixtures').map((name) => `web/fixtures/${name}`),
    ...[...screens.keys()].flatMap((game) =>
      folder(`games/${game}/web`).includes('fixtures') ? below(`games/${game}/web/fixtures`) : [],
    ),
  ];
  const nameOf = (path: string) => path.split('/').at(-1)!.replace('.json', '');
  const names = paths.map(nameOf);

  it('have names of their own, whosever folder they lie in', () => {
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  });

  it('are like others that there are, and show rulesets that there are', () => {
    for (const path of paths) {
      const file = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
        like?: string;
        rulesets?: Record<string, string>;
      };
      if (file.like !== undefined) expect(names, path).toContain(file.like);
      for (const ruleset of Object.values(file.rulesets ?? {})) expect(rulesets, path).toContain(ruleset);
    }
  });

  it('of a game lie in its folder and show its table', () => {
    for (const path of paths.filter((each) => each.startsWith('games/'))) {
      const game = path.split('/')[1];
      const whole = (name: string): { game?: string } => {
        const file = JSON.parse(readFileSync(join(root, paths[names.indexOf(name)]), 'utf8')) as {
          game?: string;
          like?: string;
        };
        return file.like === undefined ? file : { ...whole(file.like), ...file };
      };
      expect(whole(nameOf(path)).game, path).toBe(game);
    }
  });
});
