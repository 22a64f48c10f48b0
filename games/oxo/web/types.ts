// What oxo shows and tells, as its rules write it.

export type View = {
  /** Nine characters from the top left: `x`, `o` or `.`. */
  board: string;
  /** Moves made so far. */
  turn: number;
};

export type Event = { type: 'taken'; seat: number; cell: string };
