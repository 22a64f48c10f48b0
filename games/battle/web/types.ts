// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-battle typescript`. Do not edit.

/** What one viewer may know. */
export type View = {
  /** Where the viewer sits; nowhere in the gallery. */
  seat: Seat | null;
  /** The round, from 1. */
  round: number;
  phase: Phase;
  /** Whether it is beyond the limit. */
  suddenDeath: boolean;
  hp: [number, number];
  /** What lies in the pot. */
  pot: number;
  /** The viewer's own hand. */
  hand: Hand | null;
  /** What the viewer has drafted or confirmed in this round. */
  layout: Layout | null;
  /** Whether the viewer has confirmed it. */
  confirmed: boolean;
  /** What was turned over in this round. */
  shown: Array<[Card | null, Card | null]>;
  /** What was turned over in the round before. */
  last: Array<[Card | null, Card | null]>;
  end: End | null;
};

/** What happened. HP and cards of both are in the order of the seats. */
export type Event = {
  "type": "prep_start";
  /** Counted from 1. */
  round: number;
  /** Whether this is a round beyond the limit. */
  suddenDeath: boolean;
  /** How long layouts are taken at most. */
  prepMs: number;
  hp: [number, number];
  /** What lies in the pot. */
  pot: number;
  /** The recipient's own cards; `None` for the gallery. */
  hand: Hand | null;
} | {
  "type": "drafted";
  layout: Layout;
  /** Slots whose entry was no card of the hand and was taken out. */
  invalid: Array<number>;
} | {
  "type": "confirmed";
  layout: Layout;
} | {
  "type": "present";
  /** What is wrong with it. */
  error: Fault;
} | {
  "type": "reveal_start";
  round: number;
} | {
  "type": "step_reveal";
  round: number;
  /** The slot, from 0. */
  step: number;
  /** What lay there. */
  cards: [Card | null, Card | null];
  /** HP of both afterwards. */
  hp: [number, number];
} | {
  "type": "round_end";
  round: number;
  /** Whether it was beyond the limit. */
  suddenDeath: boolean;
  hp: [number, number];
} | {
  "type": "match_end";
  reason: Reason;
  /** Who won, if one did. */
  winner: Seat | null;
  /** Who lost to the winner. */
  loser: Seat | null;
  /** Whether nobody lost. With neither a winner nor a draw, both have. */
  draw: boolean;
  hp: [number, number];
};

/** A card. It is serialized as the id that clients use. */
export type Card = "attack" | "defense" | "heal" | "counter";

/** The end of a match. */
export type End = {
  reason: Reason;
  verdict: Verdict;
};

/** One thing that is wrong with an input, or the reason why a choice is not available. */
export type Fault = {
  /** What is wrong, for programs. */
  code: string;
  /** What is wrong, for people; `{name}` stands for an argument. */
  template: string;
  /** The values that fill the template. */
  args?: { [key in string]: JsonValue };
};

/** The four cards that a player has for the whole match. A card that is in the hand twice may be laid twice. */
export type Hand = [Card, Card, Card, Card];

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** The layout of a player: three empty slots until they send one. */
export type Layout = [Card | null, Card | null, Card | null];

/** The phase of a round. */
export type Phase = "PREP" | "REVEAL" | "END";

/** Why a match ended. */
export type Reason = "normal" | "timeout" | "disconnect";

/** A seat at the table, counted from 0. */
export type Seat = number;

/** Who won. */
export type Verdict = {
  "won": Seat
} | "draw" | "bothLost";
