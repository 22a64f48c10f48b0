// How the client looks and sounds. Kept in this browser; nothing here is known to the server.

export type Theme = 'system' | 'dark' | 'light';
export type Lang = 'en' | 'ja' | 'ru';

const KEY = 'parlor.settings';

interface Kept {
  theme: Theme;
  lang: Lang;
  sound: boolean;
  /** Colours of the deck: one for each suit, or red and black. */
  deck: 4 | 2;
  /** Whether a single press plays a card, or chooses it first. */
  oneTap: boolean;
  notify: boolean;
}

function systemLang(): Lang {
  const wanted = typeof navigator === 'undefined' ? [] : navigator.languages;
  return (
    (wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'en' || tag === 'ja' || tag === 'ru') as Lang) ?? 'en'
  );
}

function read(): Kept {
  const fresh: Kept = { theme: 'system', lang: systemLang(), sound: true, deck: 4, oneTap: false, notify: false };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) };
  } catch {
    return fresh;
  }
}

class Settings {
  #kept: Kept = $state(read());

  get theme(): Theme {
    return this.#kept.theme;
  }
  get lang(): Lang {
    return this.#kept.lang;
  }
  get sound(): boolean {
    return this.#kept.sound;
  }
  get deck(): 4 | 2 {
    return this.#kept.deck;
  }
  get oneTap(): boolean {
    return this.#kept.oneTap;
  }
  get notify(): boolean {
    return this.#kept.notify;
  }

  set(change: Partial<Kept>): void {
    Object.assign(this.#kept, change);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // A browser that keeps nothing still plays.
    }
    this.apply();
  }

  /** Puts the settings that style sheets read onto the page. */
  apply(): void {
    const root = document.documentElement;
    const light = matchMedia('(prefers-color-scheme: light)').matches;
    root.dataset.theme = this.theme === 'system' ? (light ? 'light' : 'dark') : this.theme;
    root.dataset.deck = String(this.deck);
    root.lang = this.lang;
  }
}

export const settings = new Settings();
