// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-oxo typescript`. Do not edit.

/** What everybody sees. */
export type View = {
  /** Nine characters from the top left: `x`, `o` or `.`. */
  board: string;
  /** Moves made so far. */
  turn: number;
};

/** What happened. */
export type Event = {
  "type": "taken";
  seat: Seat;
  cell: string;
};

/** A seat at the table, counted from 0. */
export type Seat = number;
