// A text that has too little room ends with a sign that there is more: after as many whole lines as there is room for.

const fit = (node: HTMLElement): void => {
  node.style.removeProperty('--lines');
  if (node.scrollHeight <= node.clientHeight) return;
  const { maxHeight, lineHeight } = getComputedStyle(node);
  const lines = Math.floor(Number.parseFloat(maxHeight) / Number.parseFloat(lineHeight));
  if (lines > 0) node.style.setProperty('--lines', String(lines));
};

let watcher: ResizeObserver | undefined;

/** For a text whose style reads `--lines`; `text` is what stands in it, so that another is measured anew. */
export function clamped(node: HTMLElement, _text: string): { update: () => void; destroy: () => void } {
  watcher ??= new ResizeObserver((seen) => seen.forEach(({ target }) => fit(target as HTMLElement)));
  watcher.observe(node);
  fit(node);
  return { update: () => fit(node), destroy: () => watcher?.unobserve(node) };
}
