// Whom this person does not want to hear at tables, and whether they hear anybody. Nobody else notices. The browser
// remembers it; where the person has an account, so does the server, and another browser of theirs has it from there.

import type { ChatLine } from '@parlor/client';
import { api } from './api.ts';
import { accountToken } from './session.ts';

const KEY = 'parlor.mutes';
/** The oldest go first. */
const MUTED_MAX = 200;
/** So long is a name that the server keeps. */
const NAME_CHARS_MAX = 64;

interface Kept {
  readonly off: boolean;
  readonly names: readonly string[];
  /** Whether the account has what stands here; unknown before there is one. */
  readonly sent?: boolean;
}

function read(): Kept {
  const fresh: Kept = { off: false, names: [] };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>) };
  } catch {
    return fresh;
  }
}

/** The latest names of both, each once. */
const joined = (one: readonly string[], other: readonly string[]): readonly string[] =>
  [...new Set([...one, ...other])].slice(-MUTED_MAX);

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
    this.#change({ ...this.#kept, off });
  }

  /** A name is one person at a table, and the same one at others where they kept it. */
  mute(name: string, muted: boolean): void {
    const rest = this.#kept.names.filter((each) => each !== name);
    this.#change({ ...this.#kept, names: muted ? [...rest, name].slice(-MUTED_MAX) : rest });
  }

  /** What is shown of a chat. */
  heard(lines: readonly ChatLine[]): readonly ChatLine[] {
    return this.off ? [] : lines.filter((line) => !this.has(line.name));
  }

  /** What the account has. What was changed here before the account had it is not lost. */
  async look(): Promise<void> {
    const token = accountToken();
    if (!token) return;
    try {
      const { off, names } = await api.as(token).mutes();
      const own = this.#kept;
      if (own.sent ?? (!own.off && own.names.length === 0)) this.#keep({ off, names, sent: true });
      else this.#change({ off: own.off || off, names: joined(names, own.names) });
    } catch {
      // What this browser remembers holds.
    }
  }

  #change(kept: Kept): void {
    this.#keep({ ...kept, sent: false });
    const token = accountToken();
    if (!token) return;
    const { off } = kept;
    const names = kept.names.filter((name) => name && name.length <= NAME_CHARS_MAX);
    void api
      .as(token)
      .setMutes({ off, names })
      // Unless it was changed again meanwhile.
      .then(() => this.#kept.names === kept.names && this.#kept.off === off && this.#keep({ ...kept, sent: true }))
      .catch(() => undefined);
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
