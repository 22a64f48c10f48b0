// The four arrangements of a page. Which one holds is decided here and nowhere else: the page carries it as
// `data-layout`, styles select by it (`[data-layout='portrait'] .hand`), and sizes inside one follow the room there is
// (container units).

/**
 * `desk`: bar, table, rail. `tablet`: wider than high, the log in a sheet instead of the rail. `portrait`: higher than
 * wide, phones and tablets alike. `low`: a phone on its side.
 */
export type Layout = 'desk' | 'tablet' | 'portrait' | 'low';

const RAIL_WIDTH_MIN = 1200;
const LOW_HEIGHT_MAX = 499;
const PORTRAIT_WIDTH_MAX = 639;

export function layoutFor(width: number, height: number): Layout {
  if (width <= height || (width <= PORTRAIT_WIDTH_MAX && height > LOW_HEIGHT_MAX)) return 'portrait';
  if (height <= LOW_HEIGHT_MAX) return 'low';
  return width >= RAIL_WIDTH_MIN ? 'desk' : 'tablet';
}

/** Keeps `data-layout` of the page true while its window changes. */
export function followLayout(): void {
  const apply = () => (document.documentElement.dataset.layout = layoutFor(innerWidth, innerHeight));
  apply();
  addEventListener('resize', apply);
}
