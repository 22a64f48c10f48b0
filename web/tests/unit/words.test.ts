import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGLISH, fill, type GameWords, type Message, words, wordsOf } from '../../src/lib/i18n/index.svelte.ts';
import { ja } from '../../src/lib/i18n/ja.ts';
import { ru } from '../../src/lib/i18n/ru.ts';
import { screens } from '../../src/lib/screens.ts';

const root = join(import.meta.dirname, '../../..');
const forms = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const holes = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();
type Messages = Readonly<Record<string, Message>>;

/** The files of a folder, one after the other. */
function sources(folder: string, wanted: (name: string) => boolean): string {
  if (!existsSync(join(root, folder))) return '';
  return readdirSync(join(root, folder))
    .map((name) => {
      const path = `${folder}/${name}`;
      if (statSync(join(root, path)).isDirectory()) return sources(path, wanted);
      return wanted(name) ? readFileSync(join(root, path), 'utf8').split('#[cfg(test)]')[0] : '';
    })
    .join('\n');
}
/** Rust sources of crates whose words reach a player; their own tests are not among them. */
const rust = (folder: string): string => sources(folder, (name) => name.endsWith('.rs'));
const house = ['core', 'host', 'server', 'script', 'wire', 'ruleset']
  .map((name) => rust(`crates/parlor-${name}/src`))
  .join('\n');
const houseCodes = readFileSync(join(root, 'crates/parlor-core/src/code.rs'), 'utf8');
const games = [...screens].map(([name, screen]) => ({ name, english: screen.words, rules: rust(`games/${name}/src`) }));

const translated = import.meta.glob<GameWords>('../../../games/*/web/words.*.ts', { eager: true, import: 'default' });
function wordsIn(game: string, lang: string): GameWords {
  const found = translated[`../../../games/${game}/web/words.${lang}.ts`];
  if (!found) throw new Error(`games/${game}/web has no words.${lang}.ts`);
  return found;
}

/** Codes with which rules, or the house, refuse something. */
const codesOf = (text: string): string[] =>
  [...text.matchAll(/(?:Fault::new|Refusal::of|Problem::new)\(\s*(?:StatusCode::\w+,\s*)?"([a-z_]+)"/g)].map(
    (match) => match[1],
  );
/** What rules say in English: the questions they ask, the reasons they end with, the lines they log. */
function saidBy(rules: string): string[] {
  const asked = [
    ...rules.matchAll(/const [A-Z]+: &str = "([A-Z][^"]+)"/g),
    ...rules.matchAll(/(?:Menu::new|Selector::action)\("([^"]+)"/g),
  ];
  const ended = [...rules.matchAll(/Outcome::(?:win|draw|ranked)\([^;]*?"([^"]+)"\)/g)];
  const logged = [...rules.matchAll(/Line::new\("[^"]+", "([^"]+)"\)/g)];
  return [...new Set([...asked, ...ended, ...logged].map((match) => match[1]))];
}
/** Fails where a translation lacks a text, or has it with other holes. */
function sameTexts(lang: string, english: Messages, other: Messages) {
  expect(Object.keys(other).sort()).toEqual(Object.keys(english).sort());
  for (const [key, message] of Object.entries(english)) {
    const wanted = [...new Set(forms(message).flatMap(holes))].sort();
    const got = [...new Set(forms(other[key]).flatMap(holes))].sort();
    expect(got, `${lang} ${key}`).toEqual(wanted);
    for (const text of forms(other[key])) expect(text.trim(), `${lang} ${key}`).not.toBe('');
  }
}
function allForms(lang: string, messages: Messages) {
  const wanted = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
  for (const [key, message] of Object.entries(messages)) {
    if (typeof message !== 'string') expect(Object.keys(message).sort(), `${lang} ${key}`).toEqual([...wanted].sort());
  }
}

describe.each([
  ['ja', ja],
  ['ru', ru],
] as const)('%s', (lang, dictionary) => {
  it('has every key, with the same holes in every form', () => {
    sameTexts(lang, ENGLISH.messages, dictionary.messages);
  });

  it('has every plural form that the language has', () => {
    allForms(lang, dictionary.messages);
  });

  it('has a text for every code that the engine and the house refuse with', () => {
    const named = [...houseCodes.matchAll(/^ {4}\w+ = "([a-z_]+)",$/gm)].map((match) => match[1]);
    const codes = [...new Set([...codesOf(house), ...named])].sort();
    expect(codes.length).toBeGreaterThan(100);
    expect(codes.filter((code) => !(code in dictionary.faults))).toEqual([]);
  });

  describe.each(games)('$name', ({ name, english, rules }) => {
    const own = wordsIn(name, lang);

    it('has every key, with the same holes in every form, and every plural form', () => {
      sameTexts(lang, english.messages, own.messages);
      allForms(lang, own.messages);
    });

    it('has a phrase for every question it asks, every reason it ends with and every line it logs', () => {
      expect(saidBy(rules).filter((phrase) => !(phrase in own.phrases) && !(phrase in dictionary.phrases))).toEqual([]);
      expect(Object.keys(english.phrases).filter((phrase) => !(phrase in own.phrases))).toEqual([]);
    });

    it('has a text for every code that it refuses with', () => {
      const known = { ...own.faults, ...dictionary.faults };
      expect(codesOf(rules).filter((code) => !(code in known))).toEqual([]);
    });
  });

  it('has one text for what several games say', () => {
    const all = games.flatMap(({ name }) => Object.entries(wordsIn(name, lang).phrases));
    const said = new Map<string, string>(Object.entries(dictionary.phrases));
    for (const [phrase, text] of all) {
      expect(said.get(phrase) ?? text, `${lang} ${phrase}`).toBe(text);
      said.set(phrase, text);
    }
  });
});

describe('English', () => {
  it('has words for every reason that is a code, and the others have those too', () => {
    const battle = games.find(({ name }) => name === 'battle')!;
    const reasons = [...battle.rules.matchAll(/Self::\w+ => "([a-z]+)",/g)]
      .map((match) => match[1])
      .filter((code) => ['normal', 'timeout', 'disconnect'].includes(code));
    expect(reasons).toEqual(['normal', 'timeout', 'disconnect']);
    for (const code of reasons) expect(battle.english.phrases[code], code).toBeDefined();
    for (const code of Object.keys(ENGLISH.phrases))
      expect([ja.phrases[code], ru.phrases[code]], code).not.toContain(undefined);
  });

  it('has every plural form', () => {
    allForms('en', ENGLISH.messages);
    for (const { english } of games) allForms('en', english.messages);
  });

  it('has the titles that the rules have, and finds what the rules say', () => {
    for (const { name, english, rules } of games)
      expect(rules, name).toContain(`const TITLE: &'static str = "${forms(english.messages.title)[0]}"`);
    const said = games.flatMap(({ rules }) => saidBy(rules));
    expect(said).toContain('Play a card');
    expect(said).toContain('three in a row');
  });

  it('has no key that nobody asks for', () => {
    const script = (name: string) => /\.(svelte|ts)$/.test(name) && !/^(words|en|ja|ru)\b/.test(name);
    const all = [sources('web/src', script), ...games.map(({ name }) => sources(`games/${name}/web`, script))];
    const built = /^(rank|suit|closed|theme|nav|league|colour|reason|currency|went)\./;
    const unused = Object.keys(ENGLISH.messages).filter(
      (key) => !all.some((text) => text.includes(`'${key}'`)) && !built.test(key),
    );
    expect(unused).toEqual([]);
  });

  it.each(games)('$name has no key that nobody asks for', ({ name, english }) => {
    const text = sources(`games/${name}/web`, (file) => /\.(svelte|ts)$/.test(file) && !file.startsWith('words.'));
    // A key may be put together: then its beginning is written there, or it is the name of a thing of the game.
    const asked = (key: string) =>
      text.includes(`'${key}'`) || text.includes(`w(\`${key.slice(0, key.lastIndexOf('.') + 1) || '?'}\${`);
    const shell = ['title', 'line', 'how'];
    expect(Object.keys(english.messages).filter((key) => !shell.includes(key) && !asked(key))).toEqual([]);
  });
});

it('holes are filled, and what has no value stays as it is', () => {
  expect(fill('{a} and {b}', { a: 1 }, String)).toBe('1 and {b}');
});

it('the words of a game are those of the language that is read, and English where it has none', () => {
  const english = { messages: { title: 'Fog', line: '', how: '', lost: 'lost: {who}' }, phrases: {} };
  const w = wordsOf(english);
  expect(w('lost', { who: 'Ada' })).toBe('lost: Ada');
  const japanese = {
    messages: { ...english.messages, lost: '{who} の負け' },
    phrases: { 'Take a cell': 'マス' },
    faults: { wet: '濡れています' },
  };
  try {
    words.use('ja', ja, new Map([[english, japanese]]));
    expect(w('lost', { who: 'Ada' })).toBe('Ada の負け');
    expect(wordsOf({ ...english })('lost', { who: 'Ada' })).toBe('lost: Ada');
    expect([words.phrase('Take a cell'), words.fault({ code: 'wet', template: 'wet' })]).toEqual([
      'マス',
      '濡れています',
    ]);
    expect(words.phrase('forfeit')).toBe(ja.phrases.forfeit);
  } finally {
    words.use('en', ENGLISH, new Map());
  }
});
