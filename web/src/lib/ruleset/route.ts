// The way of an arrow: straight where nothing is between, else along the gaps between rows and cards. A card is gone
// around whatever it costs; other words are crossed only where there is no other way. Pure: boxes in, points out.

/** A rectangle by its middle and half its sides. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}
export type Point = readonly [x: number, y: number];

/** Ways keep this far from what they go around. */
const ROOM = 7;
/** What is nearer than this is crossed. */
const NEAR = 2;
/** What a bend costs, as length; and how many times its length a way costs through words, and through a card. */
const BEND = 28;
const WORDS = 4;
/** Close by a card is a little dearer than between two rows of them. */
const CLOSE = 1.2;
const CLOSE_BY = 10;
const CARDS = 400;
const BOW_MAX = 48;
const CORNER = 14;
/** Where a curve is looked at. */
const SAMPLES = 24;

const inside = ([x, y]: Point, box: Box, room: number): boolean =>
  Math.abs(x - box.x) < box.w + room && Math.abs(y - box.y) < box.h + room;
/** Whether a piece of a way, level or upright, goes through a box. */
function through([ax, ay]: Point, [bx, by]: Point, box: Box, near = NEAR): boolean {
  return (
    Math.min(ax, bx) < box.x + box.w + near &&
    Math.max(ax, bx) > box.x - box.w - near &&
    Math.min(ay, by) < box.y + box.h + near &&
    Math.max(ay, by) > box.y - box.h - near
  );
}

/** The edge of a box on the way from its middle to somewhere. */
function edge(of: Box, [x, y]: Point): Point {
  const [dx, dy] = [x - of.x, y - of.y];
  const part = Math.min(1, of.w / Math.max(1, Math.abs(dx)), of.h / Math.max(1, Math.abs(dy)));
  return [of.x + dx * part, of.y + dy * part];
}

/** A bow from edge to edge: its two ends, and the point that it bends to. */
function bow(from: Box, to: Box): [Point, Point, Point] {
  const [a, b] = [edge(from, [to.x, to.y]), edge(to, [from.x, from.y])];
  const bend = Math.min(BOW_MAX, Math.hypot(b[0] - a[0], b[1] - a[1]) / 4);
  return [
    a,
    [
      (a[0] + b[0]) / 2 + (a[1] === b[1] ? 0 : bend * Math.sign(b[0] - a[0] || 1)),
      (a[1] + b[1]) / 2 - (a[1] === b[1] ? bend : 0),
    ],
    b,
  ];
}
const onBow = ([a, m, b]: [Point, Point, Point], t: number): Point =>
  [0, 1].map((k) => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * m[k] + t * t * b[k]) as unknown as Point;

/** The way through the gaps, from middle to middle, cut off at the edges of both. */
function around(from: Box, to: Box, cards: readonly Box[], words: readonly Box[]): Point[] {
  const all = [...cards, ...words, from, to];
  const lines = (at: (box: Box) => number[]): number[] =>
    [...new Set(all.flatMap(at).map(Math.round))].filter((n) => n > 0).sort((a, b) => a - b);
  const xs = lines((box) => [
    box.x - box.w - ROOM,
    box.x + box.w + ROOM,
    ...(box === from || box === to ? [box.x] : []),
  ]);
  const rows = lines((box) => [
    box.y - box.h - ROOM,
    box.y + box.h + ROOM,
    ...(box === from || box === to ? [box.y] : []),
  ]);
  // Rows have gaps between them: the middle of a gap is a way too.
  const ys = rows.flatMap((y, n) =>
    n + 1 < rows.length && rows[n + 1] - y > 3 ? [y, Math.round((y + rows[n + 1]) / 2)] : [y],
  );
  const [sx, sy, tx, ty] = [
    xs.indexOf(Math.round(from.x)),
    ys.indexOf(Math.round(from.y)),
    xs.indexOf(Math.round(to.x)),
    ys.indexOf(Math.round(to.y)),
  ];
  // A place and whether one came to it level (0) or upright (1).
  const key = (x: number, y: number, way: number): number => (y * xs.length + x) * 2 + way;
  const best = new Map<number, number>();
  const back = new Map<number, number>();
  const open = new Heap();
  for (const way of [0, 1]) {
    best.set(key(sx, sy, way), 0);
    open.push(0, key(sx, sy, way));
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [cost, here] = next;
    const [way, x, y] = [here & 1, (here >> 1) % xs.length, Math.floor((here >> 1) / xs.length)];
    if (x === tx && y === ty) return cut(path(here, back, xs, ys), from, to);
    if (cost > best.get(here)!) continue;
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const [nx, ny, turned] = [x + dx, y + dy, dx === 0 ? 1 : 0];
      if (nx < 0 || ny < 0 || nx >= xs.length || ny >= ys.length) continue;
      const [a, b]: [Point, Point] = [
        [xs[x], ys[y]],
        [xs[nx], ys[ny]],
      ];
      const long = Math.abs(b[0] - a[0]) + Math.abs(b[1] - a[1]);
      const factor = cards.some((box) => through(a, b, box))
        ? CARDS
        : words.some((box) => through(a, b, box))
          ? WORDS
          : cards.some((box) => through(a, b, box, CLOSE_BY))
            ? CLOSE
            : 1;
      const sum = cost + long * factor + (turned === way ? 0 : BEND);
      const there = key(nx, ny, turned);
      if (sum < (best.get(there) ?? Infinity)) {
        best.set(there, sum);
        back.set(there, here);
        open.push(sum, there);
      }
    }
  }
  return [
    [from.x, from.y],
    [to.x, to.y],
  ];
}

/** The corners of a way that was found. */
function path(end: number, back: ReadonlyMap<number, number>, xs: readonly number[], ys: readonly number[]): Point[] {
  const points: Point[] = [];
  for (let at: number | undefined = end; at !== undefined; at = back.get(at))
    points.unshift([xs[(at >> 1) % xs.length], ys[Math.floor((at >> 1) / xs.length)]]);
  return points.filter((point, n) => {
    const [before, after] = [points[n - 1], points[n + 1]];
    return (
      !before ||
      !after ||
      !((before[0] === point[0] && point[0] === after[0]) || (before[1] === point[1] && point[1] === after[1]))
    );
  });
}

/** Without what lies inside the two boxes it goes between. */
function cut(points: Point[], from: Box, to: Box): Point[] {
  const leaves = points.findLastIndex((point) => inside(point, from, 0));
  const begin =
    leaves >= 0 && leaves < points.length - 1
      ? [level(points[leaves], points[leaves + 1], from), ...points.slice(leaves + 1)]
      : points;
  const comes = begin.findIndex((point) => inside(point, to, 0));
  return comes > 0 ? [...begin.slice(0, comes), level(begin[comes], begin[comes - 1], to)] : begin;
}
/** Where a level or upright way from inside a box to outside leaves it. */
const level = ([x, y]: Point, [ox, oy]: Point, box: Box): Point =>
  ox === x ? [x, box.y + Math.sign(oy - y) * box.h] : [box.x + Math.sign(ox - x) * box.w, y];

/** The way as a path of SVG. */
export function route(from: Box, to: Box, cards: readonly Box[], words: readonly Box[]): string {
  const straight = bow(from, to);
  const free = Array.from({ length: SAMPLES + 1 }, (_, n) => onBow(straight, n / SAMPLES)).every(
    (point) => ![...cards, ...words].some((box) => inside(point, box, NEAR)),
  );
  if (free) return `M${straight[0].join(' ')}Q${straight[1].join(' ')} ${straight[2].join(' ')}`;
  return rounded(around(from, to, cards, words));
}

/** A way with its corners rounded. */
function rounded(points: readonly Point[]): string {
  const toward = ([ax, ay]: Point, [bx, by]: Point, far: number): Point => {
    const long = Math.hypot(bx - ax, by - ay) || 1;
    return [ax + ((bx - ax) / long) * far, ay + ((by - ay) / long) * far];
  };
  return points
    .map((point, n) => {
      const [before, after] = [points[n - 1], points[n + 1]];
      if (!before) return `M${point.join(' ')}`;
      if (!after) return `L${point.join(' ')}`;
      const far = Math.min(
        CORNER,
        Math.hypot(point[0] - before[0], point[1] - before[1]) / 2,
        Math.hypot(after[0] - point[0], after[1] - point[1]) / 2,
      );
      return `L${toward(point, before, far).join(' ')}Q${point.join(' ')} ${toward(point, after, far).join(' ')}`;
    })
    .join('');
}

/** The cheapest first. */
class Heap {
  readonly #items: [number, number][] = [];

  push(cost: number, item: number): void {
    const items = this.#items;
    let at = items.push([cost, item]) - 1;
    for (let up = (at - 1) >> 1; at > 0 && items[up][0] > items[at][0]; at = up, up = (at - 1) >> 1)
      [items[up], items[at]] = [items[at], items[up]];
  }

  pop(): [number, number] | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (!first || !last || !items.length) return first;
    items[0] = last;
    for (let at = 0; ;) {
      const [l, r] = [at * 2 + 1, at * 2 + 2];
      const least = [l, r]
        .filter((n) => n < items.length)
        .reduce((low, n) => (items[n][0] < items[low][0] ? n : low), at);
      if (least === at) return first;
      [items[least], items[at]] = [items[at], items[least]];
      at = least;
    }
  }
}
