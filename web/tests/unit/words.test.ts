import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en, phrases as english } from '../../src/lib/i18n/en.ts';
import { fill, type Message } from '../../src/lib/i18n/index.svelte.ts';
import { ja } from '../../src/lib/i18n/ja.ts';
import { ru } from '../../src/lib/i18n/ru.ts';

const root = join(import.meta.dirname, '../../..');
const forms = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const holes = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();

/** Rust sources of crates whose words reach a player; their own tests are not among them. */
function rust(folder: string): string {
  return readdirSync(join(root, folder))
    .map((name) => {
      const path = `${folder}/${name}`;
      if (statSync(join(root, path)).isDirectory()) return rust(path);
      return name.endsWith('.rs') ? readFileSync(join(root, path), 'utf8').split('#[cfg(test)]')[0] : '';
    })
    .join('\n');
}
const house = ['core', 'host', 'server', 'script', 'wire', 'ruleset']
  .map((name) => rust(`crates/parlor-${name}/src`))
  .join('\n');
const games = ['battle', 'classics'].map((name) => rust(`games/parlor-${name}/src`)).join('\n');

describe.each([
  ['ja', ja],
  ['ru', ru],
] as const)('%s', (lang, dictionary) => {
  it('has every key, with the same holes in every form', () => {
    expect(Object.keys(dictionary.messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, message] of Object.entries(en) as [keyof typeof en, Message][]) {
      const wanted = [...new Set(forms(message).flatMap(holes))].sort();
      const got = [...new Set(forms(dictionary.messages[key]).flatMap(holes))].sort();
      expect(got, `${lang} ${key}`).toEqual(wanted);
      for (const text of forms(dictionary.messages[key])) expect(text.trim(), `${lang} ${key}`).not.toBe('');
    }
  });

  it('has every plural form that the language has', () => {
    const wanted = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    for (const [key, message] of Object.entries(dictionary.messages)) {
      if (typeof message !== 'string')
        expect(Object.keys(message).sort(), `${lang} ${key}`).toEqual([...wanted].sort());
    }
  });

  it('has a text for every code that the engine and the house refuse with', () => {
    const made = [
      ...(house + games).matchAll(/(?:Fault::new|Refusal::of|Problem::new)\(\s*(?:StatusCode::\w+,\s*)?"([a-z_]+)"/g),
    ];
    const said = [...house.matchAll(/(?:self\.error\(socket, |Err\(\(|Some\(Err\(\()"([a-z_]+)"/g)];
    const named = [...house.matchAll(/Self::\w+ => \{?\s*\(\s*"([a-z_]+)",/g)];
    const codes = [...new Set([...made, ...said, ...named].map((match) => match[1]))].sort();
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.filter((code) => !(code in dictionary.faults))).toEqual([]);
  });

  it('has a phrase for every title of a game, every question it asks and every reason it ends with', () => {
    const titles = [
      ...games.matchAll(/const TITLE: &'static str = "([^"]+)"/g),
      ...games.matchAll(/const [A-Z]+: &str = "([A-Z][^"]+)"/g),
    ];
    const asked = [...games.matchAll(/(?:Menu::new|Selector::action)\("([^"]+)"/g)];
    const ended = [...games.matchAll(/Outcome::(?:win|draw|ranked)\([^;]*?"([^"]+)"\)/g)];
    const logged = [...games.matchAll(/Line::new\("[^"]+", "([^"]+)"\)/g)];
    const phrases = [...new Set([...titles, ...asked, ...ended, ...logged].map((match) => match[1]))];
    expect(phrases).toContain('Play a card');
    expect(phrases).toContain('three in a row');
    expect(phrases.filter((phrase) => !(phrase in dictionary.phrases))).toEqual([]);
  });
});

describe('English', () => {
  it('has words for every reason that is a code, and the others have those too', () => {
    const reasons = [...games.matchAll(/Self::\w+ => "([a-z]+)",/g)]
      .map((match) => match[1])
      .filter((code) => ['normal', 'timeout', 'disconnect'].includes(code));
    expect(reasons).toEqual(['normal', 'timeout', 'disconnect']);
    for (const code of [...reasons, ...Object.keys(english)]) {
      expect(english[code], code).toBeDefined();
      expect([ja.phrases[code], ru.phrases[code]], code).not.toContain(undefined);
    }
  });

  it('has every plural form', () => {
    for (const [key, message] of Object.entries(en) as [string, Message][]) {
      if (typeof message !== 'string') expect(Object.keys(message).sort(), key).toEqual(['one', 'other']);
    }
  });

  it('has no key that nobody asks for', () => {
    const sources = (folder: string): string =>
      readdirSync(folder)
        .map((name) => {
          const path = join(folder, name);
          if (name === 'i18n') return '';
          return statSync(path).isDirectory()
            ? sources(path)
            : /\.(svelte|ts)$/.test(name)
              ? readFileSync(path, 'utf8')
              : '';
        })
        .join('\n');
    const all = sources(join(root, 'web/src'));
    const unused = Object.keys(en).filter(
      (key) => !all.includes(`'${key}'`) && !/^(rank|suit|battle|closed|game|theme|nav|league|colour|how)\./.test(key),
    );
    expect(unused).toEqual([]);
  });
});

it('holes are filled, and what has no value stays as it is', () => {
  expect(fill('{a} and {b}', { a: 1 }, String)).toBe('1 and {b}');
});
