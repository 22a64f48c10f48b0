// What sharing shows and tells, as its rules write it.

export type View = {
  hand: Array<string>;
  seats: Array<{ hand: number; table: Array<string>; symbols: number; points: number }>;
  deck: number;
  active: number | null;
  round: number;
};

export type Event =
  | { type: 'drew'; seat: number }
  | { type: 'card'; card: string }
  | { type: 'order'; order: Array<number> }
  | { type: 'laid'; seat: number; card: string }
  | { type: 'called'; seat: number; sharing: Array<number> }
  | { type: 'scored'; seat: number; card: string }
  | { type: 'turn'; seat: number };
