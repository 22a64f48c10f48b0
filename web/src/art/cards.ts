// Playing cards: 64 x 90, a big index, one big pip, no court art. Ranks and suits are outlines of our own, so that a
// card looks the same on a machine without any fonts.

export type SuitName = 'c' | 'd' | 's' | 'h';

export interface Face {
  readonly rank: string;
  readonly suit: SuitName;
}

const SIGNS: Record<string, SuitName> = { '♣': 'c', '♦': 'd', '♠': 's', '♥': 'h' };

/** A suit on a grid of 24. */
export const SUIT_PATHS: Record<SuitName, string> = {
  h: 'M12 21C5.5 15.5 2 12 2 7.8 2 4.8 4.3 2.6 7.1 2.6c2 0 3.8 1.1 4.9 2.9 1.1-1.8 2.9-2.9 4.9-2.9C19.7 2.6 22 4.8 22 7.8c0 4.2-3.5 7.7-10 13.2z',
  d: 'M12 1.6 20.4 12 12 22.4 3.6 12z',
  s: 'M12 1.8C8 6.5 2.5 9.6 2.5 14.2c0 2.7 2.1 4.6 4.5 4.6 1.7 0 3.1-.8 4-2.2-.1 2.4-.9 4.2-2.6 5.6h7.2c-1.7-1.4-2.5-3.2-2.6-5.6.9 1.4 2.3 2.2 4 2.2 2.4 0 4.5-1.9 4.5-4.6C21.5 9.6 16 6.5 12 1.8z',
  c: 'M12 1.9a4.7 4.7 0 0 0-3.6 7.7 4.7 4.7 0 1 0 2.7 6.9c-.1 2.4-1 4.3-2.7 5.7h7.2c-1.7-1.4-2.6-3.3-2.7-5.7a4.7 4.7 0 1 0 2.7-6.9A4.7 4.7 0 0 0 12 1.9z',
};

export const SUIT_FILLS: Record<SuitName, string> = {
  c: 'var(--p-green)',
  d: 'var(--p-blue)',
  s: 'var(--p-black)',
  h: 'var(--p-red)',
};

/** A rank in a box of 14 x 20, drawn with a stroke; the ten is wider. */
export const RANK_PATHS: Record<string, { d: string; w: number }> = {
  '2': { d: 'M1.4 5.2C1.5 2 3.9 0 7 0s5.5 2 5.5 5c0 4-4.2 6.8-11.3 15H13', w: 14 },
  '3': { d: 'M1.6 0H12.2L6.4 7.6C10.5 7.5 13 10 13 13.7S10.2 20 6.7 20C4 20 1.9 18.9.8 16.7', w: 14 },
  '4': { d: 'M10.2 20V0L.8 14.2H13.6', w: 14 },
  '5': { d: 'M12 0H3L2 9C3.2 7.9 5 7.2 6.8 7.2 10.5 7.2 13 9.8 13 13.5S10.4 20 6.6 20C4 20 2 18.9 1 16.9', w: 14 },
  '6': {
    d: 'M11.4 1.4C10.5.5 9.2 0 7.6 0 3.2 0 1 4.5 1 11.5 1 17 3.3 20 7 20c3.5 0 6-2.6 6-6.2S10.5 7.8 7.2 7.8c-3 0-5.6 1.8-6.1 4.7',
    w: 14,
  },
  '7': { d: 'M1 0H13L5.4 20', w: 14 },
  '8': {
    d: 'M7 9.3C4.1 9.3 2 7.4 2 4.7S4.1 0 7 0s5 2 5 4.7-2.1 4.6-5 4.6c-3.6 0-6 2.3-6 5.4S3.4 20 7 20s6-2.2 6-5.3-2.4-5.4-6-5.4z',
    w: 14,
  },
  '9': {
    d: 'M2.6 18.6C3.5 19.5 4.8 20 6.4 20 10.8 20 13 15.5 13 8.5 13 3 10.7 0 7 0 3.5 0 1 2.6 1 6.2s2.5 6 5.8 6c3 0 5.6-1.8 6.1-4.7',
    w: 14,
  },
  '10': { d: 'M0 4.2 4.6 0V20M15 0c-3.6 0-5.2 4-5.2 10S11.4 20 15 20s5.2-4 5.2-10S18.6 0 15 0z', w: 21 },
  J: { d: 'M10.8 0V14C10.8 17.9 8.9 20 5.8 20 3 20 1.2 18.2 1.1 15', w: 14 },
  Q: { d: 'M7 0C2.6 0 .6 4 .6 10S2.6 20 7 20s6.4-4 6.4-10S11.4 0 7 0zM8.4 14.5 14 21', w: 14 },
  K: { d: 'M1.5 0V20M13 0 1.8 11.8M5.6 7.9 13.2 20', w: 14 },
  A: { d: 'M.6 20 7 0 13.4 20M3 13H11', w: 14 },
};

/** Reads `Q♠`, `10♥` or `Qs`; nothing for anything else. */
export function face(text: string): Face | null {
  const sign = text.slice(-1);
  const suit = SIGNS[sign] ?? (/^[cdsh]$/.test(sign) ? (sign as SuitName) : undefined);
  const rank = text.slice(0, -1).replace('T', '10');
  return suit && rank in RANK_PATHS ? { rank, suit } : null;
}

/** Text cut where it names a card: `Noor leads 7♦` gives words and faces. */
export function cutCards(text: string): (string | Face)[] {
  const parts: (string | Face)[] = [];
  let from = 0;
  for (const match of text.matchAll(/(10|[2-9JQKA])[♣♦♠♥]/g)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(face(match[0])!);
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
