// One player's turn: the open request, what they have picked so far, and sending it. Picks belong to one request: a
// new one starts empty, and a reload loses nothing that was sent.

import type { Prompt } from '@parlor/client';
import type { TableModel } from './model.ts';
import { type Missing, type Path, type Picks, answerOf, bounds, isSingle, missing, pickedAt, press } from './select.ts';
import { settings } from './settings.svelte.ts';

const NONE: Picks = [];

/** What pressed last: a finger hits the wrong card more easily than a mouse does, so it always presses twice. */
let lastPointer = '';
if (typeof addEventListener === 'function')
  addEventListener('pointerdown', (event) => (lastPointer = event.pointerType), { capture: true, passive: true });

export class Turn {
  readonly #model: TableModel;
  #kept: { id: number; picks: Picks } = $state.raw({ id: -1, picks: NONE });

  constructor(model: TableModel) {
    this.#model = model;
  }

  /** The request that the game waits for; offers and drafts are not turns. */
  get request(): Prompt | undefined {
    return this.#model.state.requests.find((request) => request.kind === 'request');
  }

  get picks(): Picks {
    return this.#kept.id === this.request?.inputId ? this.#kept.picks : NONE;
  }

  set picks(picks: Picks) {
    this.#kept = { id: this.request?.inputId ?? -1, picks };
  }

  /** Nothing can be said now: the connection is lost, the table is paused, or this is the past. */
  get halted(): boolean {
    const { status, paused } = this.#model.state;
    return status !== 'live' || paused !== undefined || !!this.#model.past;
  }

  /** Nothing can be said now, or an answer is on its way. */
  get busy(): boolean {
    return this.halted || this.#model.state.pending !== undefined;
  }

  get missing(): Missing | null {
    return this.request ? missing(this.request, this.picks) : null;
  }

  get chosen(): number {
    return this.request ? pickedAt(this.request, this.picks, '').length : 0;
  }

  get wanted(): { min: number; max: number } {
    return this.request ? bounds(this.request) : { min: 0, max: 0 };
  }

  /** A press on a choice. Where one pick is the whole answer, a second press sends it (or the first, if so set). */
  press(path: Path): void {
    const request = this.request;
    if (!request || this.busy) return;
    const single = isSingle(request);
    if (single && ((settings.oneTap && lastPointer !== 'touch') || this.picks.includes(path))) {
      this.picks = [path];
      void this.send();
    } else {
      this.picks = press(request, this.picks, path);
    }
  }

  /** Picks and sends at once. */
  take(path: Path): void {
    if (!this.request || this.busy) return;
    this.picks = [path];
    void this.send();
  }

  clear(): void {
    this.picks = NONE;
  }

  async send(): Promise<void> {
    const request = this.request;
    if (!request || this.busy || this.missing) return;
    await this.#model.submit(request, answerOf(request, this.picks));
  }
}

/** Presses of Enter that go to the primary button instead of the card under the focus. */
const sent = new WeakSet<KeyboardEvent>();

/** The key of a press that is meant for the table: no modifier, no dialog, nobody typing. */
export function tableKey(event: KeyboardEvent): string {
  const target = event.target as HTMLElement;
  const typing = target.closest('input, textarea, select, dialog');
  // Several parts of the page ask for the same press.
  if (sent.has(event)) return 'Enter';
  if (typing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return '';
  // Enter does what the button says that has it printed on it, also while a card has the focus.
  const printed = event.key === 'Enter' && document.querySelector('.prompt .btn.pri:not([aria-disabled])');
  if (printed && target.closest('.card, .bc, .bslot, .rc, .wcard')) {
    event.preventDefault();
    sent.add(event);
    return 'Enter';
  }
  // Enter and Space on a focused control press that control.
  const onControl = target.closest('button, a, [role=slider]');
  if (onControl && (event.key === 'Enter' || event.key === ' ')) return '';
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
