// Whom this browser does not want to hear at tables, and whether it hears anybody. The server does not know: it has no
// word for it, and nobody else notices.

import type { ChatLine } from '@parlor/client';

const KEY = 'parlor.mutes';
/** The oldest go first. */
const MUTED_MAX = 200;

interface Kept {
  readonly off: boolean;
  readonly names: readonly string[];
}

function read(): Kept {
  const fresh: Kept = { off: false, names: [] };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) };
  } catch {
    return fresh;
  }
}

class Mutes {
  #kept: Kept = $state.raw(read());

  /** Whether the chat is off as a whole. */
  get off(): boolean {
    return this.#kept.off;
  }

  has(name: string): boolean {
    return this.#kept.names.includes(name);
  }

  turnOff(off: boolean): void {
    this.#keep({ ...this.#kept, off });
  }

  /** A name is one person at a table, and the same one at others where they kept it. */
  mute(name: string, muted: boolean): void {
    const rest = this.#kept.names.filter((each) => each !== name);
    this.#keep({ ...this.#kept, names: muted ? [...rest, name].slice(-MUTED_MAX) : rest });
  }

  /** What is shown of a chat. */
  heard(lines: readonly ChatLine[]): readonly ChatLine[] {
    return this.off ? [] : lines.filter((line) => !this.has(line.name));
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // It holds until the page is loaded again.
    }
  }
}

export const mutes = new Mutes();
