// Where something that floats may lie: over nothing that must stay in reach, near what it is about, over as little as
// can be. Pure: rectangles in, a rectangle out.

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Room {
  /** What it may lie in. */
  readonly within: Rect;
  /** What it never lies over. */
  readonly kept: readonly Rect[];
  /** What it lies over if it must. */
  readonly pieces: readonly Rect[];
  /** What it is about. */
  readonly about?: Rect | undefined;
}

const GAP = 8;
/** Places that are tried across and down. */
const STEPS = 48;

/** The same rectangle, smaller on all sides. */
export const inset = ({ left, top, width, height }: Rect, by: number): Rect => ({
  left: left + by,
  top: top + by,
  width: width - 2 * by,
  height: height - 2 * by,
});

/** The area that two rectangles share; `gap` makes the second one larger. */
export function shared(one: Rect, other: Rect, gap = 0): number {
  const across = Math.min(one.left + one.width, other.left + other.width + gap) - Math.max(one.left, other.left - gap);
  const down = Math.min(one.top + one.height, other.top + other.height + gap) - Math.max(one.top, other.top - gap);
  return across > 0 && down > 0 ? across * down : 0;
}

const far = (from: Rect, to: Rect): number =>
  Math.hypot(
    Math.max(to.left - (from.left + from.width), from.left - (to.left + to.width), 0),
    Math.max(to.top - (from.top + from.height), from.top - (to.top + to.height), 0),
  );

/** The best place for a box of this size; none, where there is no room. */
export function spotFor(size: { width: number; height: number }, room: Room): Rect | undefined {
  const { within, kept, pieces, about } = room;
  const [right, down] = [within.width - size.width, within.height - size.height];
  if (right < 0 || down < 0) return undefined;
  let best: { rect: Rect; cost: number } | undefined;
  const middle = within.left + within.width / 2 - size.width / 2;
  for (let y = 0; y <= STEPS; y++)
    for (let x = 0; x <= STEPS; x++) {
      const rect = { ...size, left: within.left + (right * x) / STEPS, top: within.top + (down * y) / STEPS };
      if (kept.some((each) => shared(rect, each, GAP / 2) > 0)) continue;
      const area = size.width * size.height;
      const over = pieces.reduce((sum, each) => sum + shared(rect, each), 0) / area;
      const hides = about ? shared(rect, about, GAP) / area : 0;
      // As far as the box is high counts as much as lying over pieces with a fifth of it.
      const away = (about ? far(rect, about) : Math.abs(rect.left - middle) + rect.top - within.top) / size.height;
      const cost = over * 5 + hides * 8 + away + Math.abs(rect.left - middle) / within.width / 4;
      if (!best || cost < best.cost) best = { rect, cost };
    }
  return best?.rect;
}
