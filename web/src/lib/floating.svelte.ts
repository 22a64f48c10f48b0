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

/** Shows a reason on hover, focus and press. Nothing while there is none. */
export function whyNot(node: HTMLElement, reason: { title: string; text: string; note?: string } | null) {
  let current = reason;
  const show = () => current && (floating.why = { anchor: node, ...current });
  // A moment later: a thing that goes away under the focus is told so in the middle of drawing.
  const hide = () => queueMicrotask(() => floating.hide(node));
  const onkey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
  const events: [string, EventListener][] = [
    ['mouseenter', show],
    ['focus', () => node.matches(':focus-visible') && show()],
    ['click', show],
    ['touchstart', show],
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

const LOOK_AFTER_MS = 420;
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
  const hide = () => {
    clearTimeout(timer);
    if (floating.why?.look) floating.hide(node);
  };
  const events: [string, EventListener][] = [
    [
      'pointerenter',
      (event) => (event as PointerEvent).pointerType === 'mouse' && current && later(show, LOOK_AFTER_MS),
    ],
    ['pointerleave', (event) => (event as PointerEvent).pointerType === 'mouse' && hide()],
    ['touchstart', () => current && later(show, current.free ? 0 : LOOK_AFTER_MS)],
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
