// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-hearts typescript`. Do not edit.

/** What one viewer sees. */
export type View = {
  /** The number of the deal, from 0. */
  deal: number;
  /** Points of the whole match. */
  scores: [number, number, number, number];
  /** Whether cards are being passed. */
  passing: boolean;
  /** The viewer's own hand, sorted; nothing for the gallery. */
  hand: Array<Card>;
  /** How many cards each hand has. */
  counts: [number, number, number, number];
  /** The cards on the table, from the leader on. */
  trick: Array<Card>;
  /** Who leads the trick; nobody knows before the cards are passed. */
  leader: Seat | null;
  /** Whose turn it is. */
  turn: Seat | null;
  /** Points taken in this deal. */
  points: [number, number, number, number];
  /** Tricks taken in this deal. */
  tricks: number;
  /** Whether a heart was played. */
  broken: boolean;
  /** Every card played in this deal before the trick on the table. */
  gone: Array<Card>;
};

/** What happened. */
export type Event = {
  "type": "dealt";
  deal: number;
} | {
  "type": "passed";
  to: Seat;
  cards: [Card, Card, Card];
} | {
  "type": "leads";
  seat: Seat;
} | {
  "type": "played";
  seat: Seat;
  card: Card;
} | {
  "type": "took";
  seat: Seat;
  points: number;
} | {
  "type": "scored";
  points: [number, number, number, number];
  scores: [number, number, number, number];
  moon: Seat | null;
};

/** A card: thirteen ranks in each suit, from the two (0) to the ace (12). */
export type Card = string;

/** A seat at the table, counted from 0. */
export type Seat = number;
