// Words. The engine speaks codes and English; every other language is rendered here, at the edge.

import type { Fault } from '@parlor/client';
import { settings, type Lang } from '../settings.svelte.ts';
import { en, faults, phrases } from './en.ts';

/** A text with `{name}` for an argument; one for each plural form where it depends on `{n}`. */
export type Message = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });
export type Key = keyof typeof en;
export type Args = Record<string, string | number>;

export interface Dictionary {
  readonly messages: Record<Key, Message>;
  /** What the engine says in English, by its own words: titles of requests, choices, reasons of an outcome. */
  readonly phrases: Record<string, string>;
  /** Reasons by their code; English has the engine's own words. */
  readonly faults: Record<string, string>;
}

const ENGLISH: Dictionary = { messages: en, phrases, faults };
const LOADERS: Record<Lang, () => Promise<Dictionary>> = {
  en: () => Promise.resolve(ENGLISH),
  ja: async () => (await import('./ja.ts')).ja,
  ru: async () => (await import('./ru.ts')).ru,
};

class Words {
  dictionary: Dictionary = $state.raw(ENGLISH);
  lang: Lang = $state('en');
  #plural = $derived(new Intl.PluralRules(this.lang));
  #number = $derived(new Intl.NumberFormat(this.lang));

  async load(lang: Lang): Promise<void> {
    this.dictionary = await LOADERS[lang]();
    this.lang = lang;
  }

  t(key: Key, args: Args = {}): string {
    const message = this.dictionary.messages[key];
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
export const useLanguage = (): Promise<void> => words.load(settings.lang);
