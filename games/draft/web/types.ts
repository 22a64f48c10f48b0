// What the cube draft shows and tells, as its rules write it.

export type View = {
  round: number;
  pack: Array<string>;
  picked: Array<string>;
  counts: Array<number>;
  decks: Array<Array<string>>;
};

export type Event =
  | { type: 'round'; round: number }
  | { type: 'pack' }
  | { type: 'picked'; card: string }
  | { type: 'took'; seat: number }
  | { type: 'decks'; scores: Array<number> };
