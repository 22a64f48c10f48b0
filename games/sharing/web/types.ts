// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-sharing typescript`. Do not edit.

/** What one viewer sees. */
export type View = {
  /** The viewer's own hand. */
  hand: Array<Animal>;
  /** What lies before each seat. */
  seats: Array<SeatSeen>;
  /** Cards left to draw. */
  deck: number;
  /** Whose turn it is, once everybody has laid a card. */
  active: Seat | null;
  /** The round, from 1; 0 while the first cards are laid. */
  round: number;
};

/** What happened. */
export type Event = {
  "type": "drew";
  seat: Seat;
} | {
  "type": "card";
  card: Animal;
} | {
  "type": "order";
  order: Array<Seat>;
} | {
  "type": "laid";
  seat: Seat;
  card: Animal;
} | {
  "type": "called";
  seat: Seat;
  sharing: Array<Seat>;
} | {
  "type": "scored";
  seat: Seat;
  card: Animal;
} | {
  "type": "turn";
  seat: Seat;
};

/** An animal. */
export type Animal = string;

/** One change of a counter. */
export type Change = {
  delta: number;
  /** The total after the change. */
  total: number;
  /** What the change was for. */
  source: string;
  round: number;
  turn: number;
};

/** A seat at the table, counted from 0. */
export type Seat = number;

/** What lies before one seat. */
export type SeatSeen = {
  /** How many cards it holds. */
  hand: number;
  /** What it laid open. */
  table: Array<Animal>;
  /** The symbols that count when a player calls. */
  symbols: number;
  points: number;
  /** Where they came from. */
  history: Array<Change>;
};
