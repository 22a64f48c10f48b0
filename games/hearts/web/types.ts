// What hearts shows and tells, as its rules write it.

export type View = {
  /** Deals that are over. */
  deal: number;
  scores: [number, number, number, number];
  passing: boolean;
  hand: Array<string>;
  counts: [number, number, number, number];
  trick: Array<string>;
  leader: number | null;
  turn: number | null;
  points: [number, number, number, number];
  tricks: number;
  broken: boolean;
  gone: Array<string>;
};

export type Event =
  | { type: 'dealt'; deal: number }
  | { type: 'passed'; to: number; cards: [string, string, string] }
  | { type: 'leads'; seat: number }
  | { type: 'played'; seat: number; card: string }
  | { type: 'took'; seat: number; points: number }
  | {
      type: 'scored';
      points: [number, number, number, number];
      scores: [number, number, number, number];
      moon: number | null;
    };
