// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-draft typescript`. Do not edit.

/** What one viewer sees. */
export type View = {
  /** The round, from 0. */
  round: number;
  /** The pack in front of the viewer. */
  pack: Array<Card>;
  /** What the viewer has picked. */
  picked: Array<Card>;
  /** How many cards each seat has picked. */
  counts: Array<number>;
  /** The decks, once they are laid open. */
  decks: Array<Array<Card>>;
  log: Array<LogLine>;
};

/** What happened. */
export type Event = {
  "type": "round";
  round: number;
} | {
  "type": "pack"
} | {
  "type": "picked";
  card: Card;
} | {
  "type": "took";
  seat: Seat;
} | {
  "type": "decks";
  scores: Array<number>;
};

/** A card of the cube. */
export type Card = string;

/** A line as one viewer reads it. */
export type LogLine = {
  /** The number of the line in the match. */
  id: number;
  /** For programs. */
  code: string;
  /** For people; `{name}` stands for an argument. */
  template: string;
  /** Text and whole numbers. */
  args?: { [key in string]: string };
  /** The level of indentation. */
  indent: number;
};

/** A seat at the table, counted from 0. */
export type Seat = number;
