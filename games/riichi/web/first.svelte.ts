// What a player is told when something is asked for the first time, and never again in this browser.

const KEY = 'parlor.riichi.told';
const HINTS = ['turn', 'call', 'riichi'] as const;
export type Hint = (typeof HINTS)[number];

function kept(): readonly Hint[] {
  try {
    const told = (localStorage.getItem(KEY) ?? '').split(' ');
    return HINTS.filter((hint) => told.includes(hint));
  } catch {
    // A browser that keeps nothing is told nothing, rather than everything every time.
    return HINTS;
  }
}

class FirstTimes {
  #told: readonly Hint[] = $state.raw(kept());

  isNew(hint: Hint): boolean {
    return !this.#told.includes(hint);
  }

  told(hint: Hint): void {
    if (!this.isNew(hint)) return;
    this.#told = [...this.#told, hint];
    try {
      localStorage.setItem(KEY, this.#told.join(' '));
    } catch {
      // It is told again in the next page.
    }
  }
}

export const first = new FirstTimes();
