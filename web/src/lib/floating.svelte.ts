// What floats over the table for a moment: the reason why something cannot be had, and short confirmations.

import { untrack } from 'svelte';

export interface Why {
  readonly anchor: Element;
  readonly title: string;
  readonly text: string;
  /** What the thing itself says, under the reason. */
  readonly note?: string;
  /** No reason at all: something is looked at closely. */
  readonly look?: boolean;
}

class Floating {
  why: Why | null = $state.raw(null);
  toasts: { id: number; text: string }[] = $state([]);
  #next = 0;

  toast(text: string): void {
    const id = this.#next++;
    this.toasts.push({ id, text });
    setTimeout(() => (this.toasts = this.toasts.filter((toast) => toast.id !== id)), 4000);
  }

  hide(anchor?: Element): void {
    if (!anchor || this.why?.anchor === anchor) this.why = null;
  }
}

export const floating = new Floating();

/** A pointer has to stay so long on a thing before anything opens. */
const OPEN_AFTER_MS = 350;

/** Where the pointer was last, and whether it was moved there: a page that moves under it sends events too. */
let pointer: { x: number; y: number } | undefined;
let byHand = false;
if (typeof addEventListener === 'function')
  addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      byHand = pointer?.x !== x || pointer.y !== y;
      pointer = { x, y };
    },
    { capture: true, passive: true },
  );

/**
 * Shows a reason: to a mouse that was moved onto the thing and stays, to a finger that stays, to the focus, and to a
 * press. A pointer at rest opens nothing, whatever comes to lie under it.
 */
export function whyNot(node: HTMLElement, reason: { title: string; text: string; note?: string } | null) {
  let current = reason;
  const show = () => current && (floating.why = { anchor: node, ...current });
  // A moment later: a thing that goes away under the focus is told so in the middle of drawing.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(show, OPEN_AFTER_MS);
  };
  const hide = () => {
    clearTimeout(timer);
    timer = undefined;
    queueMicrotask(() => floating.hide(node));
  };
  const onmove = (event: PointerEvent) => {
    if (current && event.pointerType === 'mouse' && byHand && timer === undefined && floating.why?.anchor !== node)
      later();
  };
  const onkey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
  const events: [string, EventListener][] = [
    ['pointermove', onmove as EventListener],
    ['focus', () => node.matches(':focus-visible') && show()],
    ['click', show],
    ['touchstart', later],
    ['touchend', () => floating.why?.anchor !== node && clearTimeout(timer)],
    ['mouseleave', hide],
    ['blur', hide],
    ['keydown', onkey as EventListener],
  ];
  for (const [name, handler] of events) node.addEventListener(name, handler, { passive: true });
  return {
    update(next: typeof reason) {
      const same = current?.title === next?.title && current?.text === next?.text;
      current = next;
      // Whoever renders this must not come to depend on what is shown: showing would then render it again, for ever.
      untrack(() => {
        if (!next) hide();
        else if (!same && floating.why?.anchor === node) show();
      });
    },
    destroy() {
      for (const [name, handler] of events) node.removeEventListener(name, handler);
      hide();
    },
  };
}

const LOOK_FOR_MS = 2600;

/**
 * Shows a thing closely: with a mouse that rests on it, with a finger that stays on it, at once where a press means
 * nothing else. What is written small can be read so on every screen.
 */
export function closely(
  node: HTMLElement,
  about: { title: string; text: string; note?: string; free?: boolean } | null,
) {
  let current = about;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () =>
    current &&
    (floating.why = {
      anchor: node,
      look: true,
      title: current.title,
      text: current.text,
      ...(current.note && { note: current.note }),
    });
  const later = (what: () => unknown, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(what, ms);
  };
  let near = false;
  const onmove = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || !byHand || near || !current) return;
    near = true;
    later(show, OPEN_AFTER_MS);
  };
  const hide = () => {
    clearTimeout(timer);
    near = false;
    if (floating.why?.look) floating.hide(node);
  };
  const events: [string, EventListener][] = [
    ['pointermove', onmove as EventListener],
    ['pointerleave', (event) => (event as PointerEvent).pointerType === 'mouse' && hide()],
    ['touchstart', () => current && later(show, current.free ? 0 : OPEN_AFTER_MS)],
    ['touchend', () => (floating.why?.anchor === node ? later(hide, LOOK_FOR_MS) : clearTimeout(timer))],
    ['click', () => !current?.free && hide()],
    ['dragstart', hide],
  ];
  for (const [name, handler] of events) node.addEventListener(name, handler, { passive: true });
  return {
    update(next: typeof about) {
      current = next;
      if (!next) untrack(hide);
    },
    destroy() {
      for (const [name, handler] of events) node.removeEventListener(name, handler);
      queueMicrotask(hide);
    },
  };
}
