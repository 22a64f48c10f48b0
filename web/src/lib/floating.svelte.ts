// What floats over the table for a moment: the reason why something cannot be had, and short confirmations.

import { untrack } from 'svelte';

export interface Why {
  readonly anchor: Element;
  readonly title: string;
  readonly text: string;
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
export function whyNot(node: HTMLElement, reason: { title: string; text: string } | null) {
  let current = reason;
  const show = () => current && (floating.why = { anchor: node, ...current });
  // A moment later: a thing that goes away under the focus is told so in the middle of drawing.
  const hide = () => queueMicrotask(() => floating.hide(node));
  const onkey = (event: KeyboardEvent) => event.key === 'Escape' && hide();
  const events: [string, EventListener][] = [
    ['mouseenter', show], ['focus', show], ['click', show], ['touchstart', show],
    ['mouseleave', hide], ['blur', hide], ['keydown', onkey as EventListener],
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
