// Sheets of tables are fetched when a table is first opened, and stay: whoever goes on to another table has both. So
// none may style what another table, or the page around it, has.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const filesIn = (folder: string, end: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(root, folder, name));
const text = (paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8')).join('\n');

/** A list of selectors, cut at its commas but not inside of brackets. */
function listed(selectors: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of selectors) {
    if ('(['.includes(letter)) depth += 1;
    if (')]'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** All selectors of a sheet, each with those that it is nested in. */
function selectorsOf(sheet: string): string[] {
  const found: string[] = [];
  const nest: string[][] = [];
  let read = '';
  for (const letter of sheet.replaceAll(/\/\*[^]*?\*\//g, '')) {
    if (letter === '{') {
      const own = read.trim();
      const outer = nest.at(-1) ?? [''];
      const full = outer.flatMap((before) => listed(own).map((part) => `${before} ${part}`));
      if (!own.startsWith('@')) found.push(...full);
      nest.push(own.startsWith('@') ? outer : full);
    }
    if (letter === '}') nest.pop();
    read = '{};'.includes(letter) ? '' : read + letter;
  }
  return found;
}

const INNER = String.raw`\(((?:[^()]|\([^()]*\))*)\)`;
/** The classes that must all be there for a selector to hold; several sets where it has alternatives. */
function needs(selector: string): string[][] {
  const plain = selector.replaceAll(new RegExp(`:not${INNER}`, 'g'), '');
  const choice = new RegExp(`:(?:is|where|has)${INNER}`).exec(plain);
  if (!choice) return [[...plain.matchAll(/\.([a-z][\w-]*)/gi)].map((match) => match[1] ?? '')];
  const [before, after] = [plain.slice(0, choice.index), plain.slice(choice.index + choice[0].length)];
  return listed(choice[1] ?? '').flatMap((part) => needs(`${before} ${part} ${after}`));
}

/** Classes that are written in markup. */
function classesIn(markup: string): Set<string> {
  const written = [...markup.matchAll(/class(?:="([^"]*)"|:([\w-]+))/g)].map((match) => match[1] ?? match[2] ?? '');
  return new Set(written.flatMap((names) => names.split(/[^\w-]+/)));
}

const games = readdirSync(join(root, 'games'))
  .map((name) => ({ name, folder: `games/${name}/web` }))
  .filter(({ folder }) => existsSync(join(root, folder)))
  .map(({ name, folder }) => ({
    name,
    sheet: text(filesIn(folder, '.css')),
    markup: text(filesIn(folder, '.svelte')),
  }));
const shellTable = (name: string, file: string, markup: readonly string[]) => ({
  name,
  sheet: text([join(root, 'web/src/styles', file)]),
  markup: text(markup.map((path) => join(root, 'web/src/tables', path))),
});
const tables = [
  ...games,
  shellTable('any game', 'generic.css', ['Generic.svelte']),
  shellTable('rulesets', 'ruleset.css', [
    'Ruleset.svelte',
    ...readdirSync(join(root, 'web/src/tables/ruleset')).map((name) => `ruleset/${name}`),
  ]),
];
/** The page around a table. Lists of choices are drawn by the table of any game alone, which has their styles. */
const around = [...filesIn('web/src/pieces', '.svelte'), ...filesIn('web/src/screens', '.svelte')];
const shell = classesIn(text(around.filter((path) => !path.endsWith('ChoiceList.svelte'))));
/** What a table has that is its own. */
const own = new Map(
  tables.map(({ name, sheet, markup }) => [
    name,
    new Set([...selectorsOf(sheet).flatMap((selector) => needs(selector).flat()), ...classesIn(markup)]),
  ]),
);

describe('the styles of a table', () => {
  it.each(tables)('$name: touch nothing of another', ({ name, sheet }) => {
    const touched = (selector: string, theirs: ReadonlySet<string>) =>
      needs(selector).some((all) => all.length > 0 && all.every((each) => theirs.has(each) || shell.has(each)));
    const found = [...own].flatMap(([other, theirs]) =>
      other === name
        ? []
        : selectorsOf(sheet)
            .filter((selector) => touched(selector, theirs))
            .map((selector) => `${selector.trim()} is also in ${other}`),
    );
    expect(found).toEqual([]);
  });
});
