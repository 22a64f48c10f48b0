// Many things in a row are one stop for Tab; arrows, Home and End walk among them. The stop is where one was last, else
// the first thing from which something starts. A player at the keyboard stays where they were: when the thing under the
// focus goes, its neighbour has it, and when all go because somebody else is to play, it comes back with them.

const THINGS = 'button, [data-rove]';

export function rove(node: HTMLElement) {
  let last: HTMLElement | undefined;
  let place = 0;
  /** Whether the focus was in here and nobody has taken it elsewhere since. */
  let held = false;
  const things = () => [...node.querySelectorAll<HTMLElement>(THINGS)];
  const nowhere = () => document.activeElement === null || document.activeElement === document.body;
  function settle() {
    const all = things();
    if (held && nowhere() && all.length && !node.closest('[inert]')) {
      const hot = all
        .slice(place)
        .concat(all.slice(0, place))
        .find((thing) => thing.classList.contains('hot'));
      (hot ?? all[Math.min(place, all.length - 1)]).focus({ preventScroll: true });
    }
    if (!last || !all.includes(last)) last = undefined;
    const stop = last ?? all.find((thing) => thing.classList.contains('hot')) ?? all[0];
    for (const thing of all) thing.tabIndex = thing === stop ? 0 : -1;
  }
  function onfocus(event: FocusEvent) {
    const thing = (event.target as HTMLElement).closest<HTMLElement>(THINGS);
    if (thing && node.contains(thing)) {
      last = thing;
      place = things().indexOf(thing);
      held = true;
    }
    settle();
  }
  /** The focus went to something else, and did not only fall off something that is gone. */
  const elsewhere = (event: FocusEvent) => {
    if (!node.contains(event.target as Node)) held = false;
  };
  function onkey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = things();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || !all.length) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[(to + all.length) % all.length].focus();
  }
  const watcher = new MutationObserver(settle);
  watcher.observe(node, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });
  node.addEventListener('focusin', onfocus);
  node.addEventListener('keydown', onkey);
  document.addEventListener('focusin', elsewhere);
  settle();
  return {
    destroy() {
      watcher.disconnect();
      node.removeEventListener('focusin', onfocus);
      node.removeEventListener('keydown', onkey);
      document.removeEventListener('focusin', elsewhere);
    },
  };
}
