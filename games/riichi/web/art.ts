// The faces of tiles as shapes on a plate of 60 x 84: our own drawings. Face, edge and inks are variables of the page,
// so a shaded or barred tile needs no other drawing.

import { type Char, GLYPHS } from './glyphs.ts';

export type Shape =
  | {
      readonly as: 'circle';
      readonly cx: number;
      readonly cy: number;
      readonly r: number;
      readonly fill: string;
      readonly line?: string;
      readonly width?: number;
    }
  | {
      readonly as: 'rect';
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
      readonly rx: number;
      readonly fill: string;
      readonly line?: string;
      readonly width?: number;
      readonly move?: string;
    }
  | {
      readonly as: 'path';
      readonly d: string;
      readonly fill: string;
      readonly line?: string;
      readonly width?: number;
      readonly move?: string;
    }
  | {
      readonly as: 'text';
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly fill: string;
      readonly text: string;
      readonly mid?: boolean;
    };

const INK = { k: 'var(--p-black)', r: 'var(--p-red)', b: 'var(--p-blue)', g: 'var(--p-green)' } as const;
type Ink = keyof typeof INK;
const FACE = 'var(--tile-face)';
const round = (n: number) => Math.round(n * 10) / 10;

export const BODY: readonly Shape[] = [
  { as: 'rect', x: 0, y: 5, w: 60, h: 79, rx: 8, fill: 'var(--tile-edge)' },
  { as: 'rect', x: 0.5, y: 0.5, w: 59, h: 78, rx: 7.5, fill: FACE, line: 'var(--tile-line)', width: 1 },
];
export const BACK: readonly Shape[] = [
  { as: 'rect', x: 0, y: 5, w: 60, h: 79, rx: 8, fill: 'var(--tile-edge)' },
  {
    as: 'rect',
    x: 0.5,
    y: 0.5,
    w: 59,
    h: 78,
    rx: 7.5,
    fill: 'var(--tile-back)',
    line: 'var(--tile-back-edge)',
    width: 1,
  },
  { as: 'rect', x: 9, y: 9, w: 42, h: 61, rx: 4, fill: 'none', line: '#ffffff38', width: 2 },
];

function glyph(char: Char, x: number, y: number, size: number, fill: string): Shape {
  const { d, w, h } = GLYPHS[char] ?? { d: '', w: 1, h: 1 };
  // The one is a single stroke: it keeps the width of the other numbers.
  const scale = size / Math.max(w, h, char === '一' ? 78 : 0);
  return { as: 'path', d, fill, move: `translate(${x} ${y}) scale(${scale.toFixed(3)})` };
}

function dot(x: number, y: number, r: number, fill: string): Shape[] {
  return [
    { as: 'circle', cx: x, cy: y, r, fill },
    { as: 'circle', cx: x, cy: y, r: round(r * 0.58), fill: 'none', line: FACE, width: round(r * 0.2) },
  ];
}

function stalk(x: number, y: number, height: number, fill: string, width: number, turn = 0): Shape[] {
  const half = height / 2;
  const move = `translate(${x} ${y})${turn ? ` rotate(${turn})` : ''}`;
  const bar = { as: 'rect', x: -width / 2, w: width, h: half - 0.7, rx: width * 0.42, fill, move } as const;
  return [
    { ...bar, y: -half },
    { ...bar, y: 0.7 },
    { as: 'rect', x: -width / 2 - 0.6, y: -1.5, w: width + 1.2, h: 3, rx: 1.5, fill, move },
  ];
}

type Spot = readonly [x: number, y: number, ink: Ink];
const across = (xs: readonly number[], y: number, ink: Ink): Spot[] => xs.map((x) => [x, y, ink]);
const DOTS: Readonly<Record<number, readonly Spot[]>> = {
  2: [
    [0, -0.52, 'g'],
    [0, 0.52, 'b'],
  ],
  3: [
    [-0.6, -0.66, 'b'],
    [0, 0, 'r'],
    [0.6, 0.66, 'g'],
  ],
  4: [
    [-0.5, -0.52, 'b'],
    [0.5, -0.52, 'g'],
    [-0.5, 0.52, 'g'],
    [0.5, 0.52, 'b'],
  ],
  5: [
    [-0.6, -0.64, 'b'],
    [0.6, -0.64, 'g'],
    [0, 0, 'r'],
    [-0.6, 0.64, 'g'],
    [0.6, 0.64, 'b'],
  ],
  6: [...across([-0.5, 0.5], -0.7, 'g'), ...across([-0.5, 0.5], 0.04, 'r'), ...across([-0.5, 0.5], 0.72, 'r')],
  7: [
    [-0.66, -0.78, 'g'],
    [0, -0.55, 'g'],
    [0.66, -0.32, 'g'],
    ...across([-0.48, 0.48], 0.24, 'r'),
    ...across([-0.48, 0.48], 0.8, 'r'),
  ],
  8: [-0.8, -0.27, 0.27, 0.8].flatMap((y) => across([-0.48, 0.48], y, 'b')),
  9: (['b', 'r', 'g'] as const).flatMap((ink, n) => across([-0.68, 0, 0.68], (n - 1) * 0.72, ink)),
};
const DOT_SIZES: Readonly<Record<number, number>> = { 2: 12.5, 3: 9.6, 4: 10.4, 5: 8.8, 6: 9, 7: 7.2, 8: 7.6, 9: 7.6 };

type Stalk = readonly [x: number, y: number, height: number, ink: Ink];
const stand = (xs: readonly number[], y: number, height: number, ink: Ink): Stalk[] =>
  xs.map((x) => [x, y, height, ink]);
const STALKS: Readonly<Record<number, readonly Stalk[]>> = {
  2: [
    [0, -0.5, 26, 'b'],
    [0, 0.5, 26, 'g'],
  ],
  3: [[0, -0.5, 26, 'b'], ...stand([-0.55, 0.55], 0.5, 26, 'g')],
  4: [
    [-0.5, -0.5, 26, 'b'],
    [0.5, -0.5, 26, 'g'],
    [-0.5, 0.5, 26, 'g'],
    [0.5, 0.5, 26, 'b'],
  ],
  5: [
    [-0.68, -0.5, 26, 'g'],
    [0.68, -0.5, 26, 'b'],
    [0, 0, 26, 'r'],
    [-0.68, 0.5, 26, 'b'],
    [0.68, 0.5, 26, 'g'],
  ],
  6: [...stand([-0.62, 0, 0.62], -0.5, 26, 'g'), ...stand([-0.62, 0, 0.62], 0.5, 26, 'b')],
  7: [[0, -0.7, 17, 'r'], ...stand([-0.62, 0, 0.62], 0.02, 17, 'g'), ...stand([-0.62, 0, 0.62], 0.72, 17, 'b')],
  9: (['g', 'r', 'b'] as const).flatMap((ink, n) => [-0.7, 0, 0.7].map((y): Stalk => [(n - 1) * 0.62, y, 17, ink])),
};
/** An M over a W. */
const EIGHT: readonly (readonly [x: number, y: number, turn: number, ink: Ink])[] = [
  [-1, -0.5, 0, 'g'],
  [-0.36, -0.5, -20, 'g'],
  [0.36, -0.5, 20, 'g'],
  [1, -0.5, 0, 'g'],
  [-1, 0.5, 0, 'b'],
  [-0.36, 0.5, 20, 'b'],
  [0.36, 0.5, -20, 'b'],
  [1, 0.5, 0, 'b'],
];

function bird(cx: number, cy: number): Shape[] {
  const move = `translate(${cx - 30} ${cy - 42})`;
  return [
    {
      as: 'path',
      d: 'M40 52c6 4 10 10 11 19M37 55c4 5 6 10 6 16M34 57c2 4 3 9 2 14',
      fill: 'none',
      line: INK.b,
      width: 3.4,
      move,
    },
    {
      as: 'path',
      d: 'M14 22c-1 6 1 10 1 15 1 13 10 21 20 20 9-1 15-8 15-20-6 6-14 5-19 0-3-3-3-8-4-13z',
      fill: INK.g,
      move,
    },
    { as: 'path', d: 'M27 42c3 5 9 7 15 5-2 5-8 7-12 5-3-1-4-5-3-10z', fill: FACE, move },
    { as: 'path', d: 'M28 20a8 8 0 1 1-16 0 8 8 0 0 1 16 0z', fill: INK.g, move },
    { as: 'path', d: 'M12.5 17 5 21l8 3z', fill: INK.r, move },
    {
      as: 'path',
      d: 'M19 12c-1-4 1-6 4-7M23 12c1-3 3-5 6-5',
      fill: 'none',
      line: INK.r,
      width: 2.6,
      move,
    },
    { as: 'path', d: 'M20.3 19a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0z', fill: FACE, move },
  ];
}

const NUMBERS = ['一', '二', '三', '四', '五', '六', '七', '八', '九'] as const;
const HONOURS = {
  1: ['東', 'k', 'E'],
  2: ['南', 'k', 'S'],
  3: ['西', 'k', 'W'],
  4: ['北', 'k', 'N'],
  6: ['發', 'g', 'G'],
  7: ['中', 'r', 'R'],
} as const;

/** The picture on the face; with an index in the corner it is a little smaller and lower. */
function picture(code: string, index: boolean): Shape[] {
  const red = code[0] === '0';
  const n = red ? 5 : Number(code[0]);
  const [cx, cy, hw, hh] = index ? [30, 47, 22, 26.5] : [30, 40, 23, 33];
  const ink = (of: Ink) => (red ? INK.r : INK[of]);
  switch (code[1]) {
    case 'm':
      return index
        ? [glyph(NUMBERS[n - 1], 33, 25, 27, ink('k')), glyph('萬', 32, 58, 32, INK.r)]
        : [glyph(NUMBERS[n - 1], 30, 22, 29, ink('k')), glyph('萬', 30, 56, 32, INK.r)];
    case 'p':
      if (n === 1)
        return [
          { as: 'circle', cx, cy, r: 21, fill: INK.b },
          { as: 'circle', cx, cy, r: 17, fill: 'none', line: FACE, width: 2.4 },
          { as: 'circle', cx, cy, r: 11, fill: INK.r },
          { as: 'circle', cx, cy, r: 5, fill: FACE },
        ];
      return DOTS[n].flatMap(([x, y, of]) =>
        dot(round(cx + x * hw), round(cy + y * hh), round(DOT_SIZES[n] * (index ? 0.9 : 1.04)), ink(of)),
      );
    case 's': {
      const grow = index ? 0.92 : 1.1;
      if (n === 1) return bird(cx, cy + 1);
      if (n === 8)
        return EIGHT.flatMap(([x, y, turn, of]) =>
          stalk(round(cx + x * 18.5), round(cy + y * hh), 26 * grow, INK[of], 6, turn),
        );
      return STALKS[n].flatMap(([x, y, height, of]) =>
        stalk(round(cx + x * hw * 0.92), round(cy + y * hh), height * grow, ink(of), 7.4),
      );
    }
    default:
      break;
  }
  if (n === 5) {
    const [x, y, w, h] = index ? [16, 23, 28, 47] : [14, 13, 32, 54];
    return [
      { as: 'rect', x, y, w, h, rx: 2, fill: 'none', line: INK.b, width: 3.6 },
      { as: 'rect', x: x + 5, y: y + 5, w: w - 10, h: h - 10, rx: 1, fill: 'none', line: INK.b, width: 1.4 },
    ];
  }
  const [char, of] = HONOURS[n as keyof typeof HONOURS];
  return [glyph(char, index ? 32 : 30, index ? 46 : 40, index ? 44 : 48, INK[of])];
}

function corner(code: string, index: boolean): Shape[] {
  const red = code[0] === '0';
  if (!index) return red ? [{ as: 'path', d: 'M45.5.5H52a7.5 7.5 0 0 1 7.5 7.5v6.5z', fill: INK.r }] : [];
  if (red)
    return [
      { as: 'circle', cx: 10.5, cy: 11, r: 8.2, fill: INK.r },
      { as: 'text', x: 10.5, y: 15.8, size: 13.5, fill: '#fff', text: '5', mid: true },
    ];
  const honour = code[0] === '5' ? 'Wh' : HONOURS[Number(code[0]) as keyof typeof HONOURS]?.[2];
  const text = code[1] === 'z' ? honour : code[0];
  return [{ as: 'text', x: 5, y: 16.5, size: 15, fill: INK.k, text }];
}

/** A whole tile: `5m`, `0p` for a red five, `7z`, `back`. */
export function tileShapes(code: string, index: boolean): readonly Shape[] {
  return code === 'back' ? BACK : [...BODY, ...picture(code, index), ...corner(code, index)];
}

/** Every face there is. */
export const CODES: readonly string[] = [
  ...['m', 'p', 's'].flatMap((suit) => Array.from({ length: 10 }, (_, n) => `${n}${suit}`)),
  ...Array.from({ length: 7 }, (_, n) => `${n + 1}z`),
];
