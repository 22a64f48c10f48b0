// Words. The engine speaks codes and English; every other language is rendered here, at the edge. What language it is,
// and where its words are fetched from, is decided in language.ts.

import type { Fault } from '@parlor/client';
import type { Lang } from '../settings.svelte.ts';
import { en, faults, phrases } from './en.ts';

/** A text with `{name}` for an argument; one for each plural form where it depends on `{n}`. */
export type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });
export type Key = keyof typeof en;
export type Args = Record<string, string | number>;

export interface Dictionary {
  readonly messages: Record<Key, Message>;
  /** What the engine says in English, by its own words: titles of requests, choices, reasons of an outcome. */
  readonly phrases: Readonly<Record<string, string>>;
  /** Reasons by their code; English has the engine's own words. */
  readonly faults: Readonly<Record<string, string>>;
}

/** What every game has words for: its title, one line about it, and how it is played. */
export type GameKey = 'title' | 'line' | 'how';
/** The words of one game in one language. */
export interface GameWords<K extends string = GameKey> {
  /** The texts of its screen. */
  readonly messages: Readonly<Record<K, Message>>;
  /** What its rules say in English, by those very words: titles of requests, choices, reasons of an outcome. */
  readonly phrases: Readonly<Record<string, string>>;
  /** Why its rules refuse something, by code. */
  readonly faults?: Readonly<Record<string, string>>;
}
/** The words of a game in another language: every key that it has in English, and no other. */
export type Translation<W extends GameWords> = GameWords<Extract<keyof W['messages'], string>>;

export const ENGLISH: Dictionary = { messages: en, phrases, faults };

class Words {
  dictionary: Dictionary = $state.raw(ENGLISH);
  lang: Lang = $state('en');
  /** The words of each game in the language that is read, by those in English. */
  #games: ReadonlyMap<GameWords, GameWords> = $state.raw(new Map());
  #plural = $derived(new Intl.PluralRules(this.lang));
  #number = $derived(new Intl.NumberFormat(this.lang));

  /** Takes another language. What games have words for is added to the shell's; on the same words the shell's count. */
  use(lang: Lang, shell: Dictionary, games: ReadonlyMap<GameWords, GameWords>): void {
    const all = [...games.values()];
    this.dictionary = {
      messages: shell.messages,
      phrases: Object.assign({}, ...all.map((game) => game.phrases), shell.phrases) as Dictionary['phrases'],
      faults: Object.assign({}, ...all.map((game) => game.faults ?? {}), shell.faults) as Dictionary['faults'],
    };
    this.#games = games;
    this.lang = lang;
  }

  t(key: Key, args: Args = {}): string {
    return this.#text(this.dictionary.messages[key], args);
  }

  /** A text of a game; English, where the language has none. */
  of<K extends string>(english: GameWords<K | GameKey>, key: K | GameKey, args: Args = {}): string {
    const translated = this.#games.get(english) as GameWords<K | GameKey> | undefined;
    return this.#text((translated ?? english).messages[key], args);
  }

  #text(message: Message, args: Args): string {
    const text =
      typeof message === 'string' ? message : (message[this.#plural.select(Number(args.n))] ?? message.other);
    return fill(text, args, (n) => this.#number.format(n));
  }

  phrase(text: string): string {
    return this.dictionary.phrases[text] ?? text;
  }

  fault(fault: Pick<Fault, 'code' | 'template'> & { args?: Record<string, unknown> }): string {
    const text = this.dictionary.faults[fault.code] ?? fault.template;
    return fill(text, (fault.args ?? {}) as Args, String);
  }

  number(n: number): string {
    return this.#number.format(n);
  }

  /** What came or went: with its sign. */
  signed(n: number): string {
    return new Intl.NumberFormat(this.lang, { signDisplay: 'exceptZero' }).format(n).replace('-', '−');
  }

  /** A day and a time of day. */
  when(at: number): string {
    return new Intl.DateTimeFormat(this.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  }

  /** How long ago something was. */
  ago(ms: number): string {
    const [n, unit] =
      ms < 3_600_000
        ? [ms / 60_000, 'minute' as const]
        : ms < 86_400_000
          ? [ms / 3_600_000, 'hour' as const]
          : [ms / 86_400_000, 'day' as const];
    return new Intl.RelativeTimeFormat(this.lang, { numeric: 'always', style: 'short' }).format(
      -Math.max(0, Math.round(n)),
      unit,
    );
  }

  /** A template of the game's own log. */
  line(line: { code: string; template: string; args?: Record<string, string> }): string {
    return fill(this.phrase(line.template), line.args ?? {}, String);
  }
}

export function fill(text: string, args: Args, number: (n: number) => string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = args[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });
}

export const words = new Words();
export const t = (key: Key, args?: Args): string => words.t(key, args);
export const phrase = (text: string): string => words.phrase(text);
export const ago = (ms: number): string => words.ago(ms);
/** Words that stand alone begin with a capital. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const fault = (why: Parameters<Words['fault']>[0]): string => words.fault(why);

/** The texts of a game in the language that is read, by its English words: `const w = wordsOf(en)`, then `w('title')`. */
export function wordsOf<K extends string>(english: GameWords<K | GameKey>): (key: K | GameKey, args?: Args) => string {
  return (key, args) => words.of(english, key, args);
}
