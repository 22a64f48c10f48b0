// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-poker typescript`. Do not edit.

/** What is written: the table as everybody sees it, then what a screen needs around it. */
export type View = {
  format: Format;
  /** Where the small and the big blind are. */
  blinds: [number, number] | null;
  stakes: Stakes;
  terms: Terms;
  /** Who sits where, and with how much; `null` for an empty seat. */
  players: Array<PlayerView | null>;
  /** What each seat's cards make, as far as the viewer sees them all: a high hand, a low one, or both. */
  made: Array<Array<Made>>;
  /** What each seat wins on average, in thousandths, while cards are dealt out and all hands are open. */
  shares: Array<number | null>;
  /** How the hand ended. */
  ended: Ended | null;
  /** Clocks longer than a decision, as they were when the viewer was last told of them. */
  clocks: Array<ClockView>;
  /** The hand in the document's notation, for this viewer. Players are called by their seats. */
  notation: Record<string, unknown>;
  /** The deck's commitments, card by card in the order of dealing. */
  commitments: Array<string>;
  /** Cards that everybody has seen, with what opens their commitments. */
  opened: Array<OpenedCard>;
  tournament?: Tournament;
  closed: boolean;
  /** The number of the hand. */
  hand: number;
  /** The game's code. */
  variant: string;
  /** `waiting`, `deal`, `draw`, `bet`, `reveal` or `over`. */
  phase: 'waiting' | 'deal' | 'draw' | 'bet' | 'reveal' | 'over';
  button: number | null;
  /** One board, or two. */
  boards: Array<string>;
  /** All chips in the middle. */
  pot: number;
  /** Collected chips and who can win them, main pot first. */
  pots: Array<PotView>;
  turn: number | null;
  /** One for each seat, `None` for an empty one. */
  seats: Array<SeatView | null>;
  /** The viewer's own seat and what only they know. */
  own: OwnView | null;
};

/** What viewers are told. */
export type Event = TableEvent | HouseEvent;

/** One payment out of a pot. */
export type AwardView = {
  /** Which pot, main pot first. */
  pot: number;
  /** Which board decided it. */
  run: number;
  /** Whether it is the low half of a hi-lo pot. */
  low: boolean;
  seat: number;
  chips: number;
};

/** A clock longer than a decision. */
export type ClockView = {
  what: 'level' | 'rebuy' | 'pause' | 'away';
  /** Whose it is; the level is everybody's. */
  seat: number | null;
  leftMs: number;
};

/** How a hand ended. */
export type Ended = {
  /** The pots before they were paid out, main pot first. */
  pots: Array<PotView>;
  /** Every payment out of them. */
  awards: Array<AwardView>;
  rake: number;
  /** The hand in the notation of PHH, for this viewer. */
  phh: string;
  /** The hand as PokerStars writes it, for this viewer; not every game has such a form. */
  pokerstars: string | null;
};

/** What a table plays for. */
export type Format = "ring" | "sitAndGo";

/** What happened around the table. */
export type HouseEvent = {
  "type": "own";
  seat: number;
} | {
  "type": "presence";
  seat: number;
  away: boolean;
} | {
  "type": "clocks"
} | {
  "type": "levelUp";
  level: number;
} | {
  "type": "prize";
  seat: number;
  place: number;
  tokens: number;
} | {
  "type": "handEnd";
  number: number;
  closed: boolean;
};

/** The blinds of one level. */
export type Level = {
  smallBlind: number;
  bigBlind: number;
  ante: number;
  minutes: number;
  /** A break after the level, in minutes. */
  breakMinutes: number;
};

/** A hand by its name. */
export type Made = {
  kind: MadeKind;
  class: MadeClass;
  /** The cards that make it, those that decide first. */
  cards: string;
};

/** Classes of hands, the lowest first. */
export type MadeClass = "highCard" | "pair" | "twoPair" | "threeOfAKind" | "straight" | "flush" | "fullHouse" | "fourOfAKind" | "straightFlush";

/** How hands are compared. */
export type MadeKind = "high" | "low" | "badugi";

/** A card that everybody has seen, with what proves that it lay where it was dealt from. */
export type OpenedCard = {
  card: string;
  /** The place of its commitment in the list. */
  item: number;
  /** As 32 hexadecimal digits. */
  salt: string;
};

/** What only the player of a seat knows. */
export type OwnView = {
  seat: number;
  /** Chips that are added before the next hand. */
  topUp: number;
  /** Whether those that find no room then stay for later hands. */
  autoTopUp: boolean;
  straddle: boolean;
  runTwice: boolean;
  autoMuck: boolean;
  prepared: PreAction | null;
};

/** The player of a seat. */
export type PlayerView = {
  state: 'newcomer' | 'playing' | 'paused' | 'returning' | 'broke' | 'leaving';
  /** Chips brought since sitting down. */
  bought: number;
  /** Hands played since sitting down. */
  hands: number;
};

/** A pot. */
export type PotView = {
  chips: number;
  /** Seats that can win it. */
  seats: Array<number>;
};

/** An action prepared before it is one's turn. */
export type PreAction = "checkFold" | "check" | "call" | "fold";

/** A seat as everybody sees it; the cards are the viewer's own or lie face up. */
export type SeatView = {
  stack: number;
  /** Bet on this street. */
  bet: number;
  inactive: boolean;
  intent: number;
  deadBlinds: number;
  /** Whether the seat has a hand. */
  inHand: boolean;
  /** Cards, `??` for those the viewer does not see. */
  cards: string;
  away: boolean;
};

/** The bets that are played for. */
export type Stakes = {
  smallBlind: number;
  bigBlind: number;
  ante: number;
  smallBet: number;
  bigBet: number;
  bringIn: number;
  buyInMin: number;
  buyInMax: number;
  decimals: number;
};

/** One player's end. */
export type Standing = {
  seat: number;
  /** The place, 1 for the winner; `None` while they play. */
  place: number | null;
  chips: number;
  /** Tokens won. */
  prize: number;
};

/** One thing that happened. [`Event::only_for`] tells who may know. */
export type TableEvent = {
  "type": "sat";
  seat: number;
  chips: number;
} | {
  "type": "left";
  seat: number;
} | {
  "type": "wants";
  seat: number;
  intent: number;
} | {
  "type": "written";
  seat: number;
  intent: number;
  because: WrittenBecause;
} | {
  "type": "toppedUp";
  seat: number;
  chips: number;
} | {
  "type": "handStarted";
  number: number;
  variant: string;
  button: number;
} | {
  "type": "dead";
  seat: number;
  chips: number;
} | {
  "type": "blind";
  seat: number;
  chips: number;
} | {
  "type": "holeCards";
  seat: number;
  cards: string;
} | {
  "type": "dealt";
  seat: number;
  cards: string;
} | {
  "type": "board";
  run: number;
  /** How many cards lay there before. */
  lay: number;
  cards: string;
} | {
  "type": "folded";
  seat: number;
} | {
  "type": "called";
  seat: number;
  chips: number;
} | {
  "type": "raised";
  seat: number;
  to: number;
} | {
  "type": "broughtIn";
  seat: number;
  chips: number;
} | {
  "type": "drew";
  seat: number;
  count: number;
} | {
  "type": "shown";
  seat: number;
  cards: string;
} | {
  "type": "mucked";
  seat: number;
} | {
  "type": "turn";
  seat: number;
} | {
  "type": "preActionDropped";
  seat: number;
} | {
  "type": "uncalled";
  seat: number;
  chips: number;
} | {
  "type": "won";
  seat: number;
  chips: number;
} | {
  "type": "handOver";
  number: number;
  rake: number;
} | {
  "type": "timeAdded";
  seat: number;
  ms: number;
};

/** What the table does with those who come, pause and come back. */
export type Terms = {
  newcomers: 'free' | 'postBigBlind' | 'waitForBigBlind';
  missedBlinds: 'dead' | 'live';
  /** Whether whoever pauses plays their hand to its end. */
  finishHand: boolean;
  /** The most that anybody owes. */
  debtMax: number;
  /** Hundredths of a percent of the pot. */
  rakeBasisPoints: number;
  rakeCap: number;
};

/** How a sit-and-go stands. */
export type Tournament = {
  level: number;
  blinds: Level;
  levels: Array<Level>;
  prizePool: number;
  /** What each place wins, the first first. */
  prizes: Array<number>;
  standings: Array<Standing>;
  away: Array<number>;
};

/** Why the table wrote a player's intent (ruling 004/R12). */
export type WrittenBecause = "backOnBigBlind" | "cannotPay" | "pausedTooLong" | "noRebuy" | "removed" | "tableClosed" | "outOfChips" | "timedOut" | "connectionLost" | "connectionBack";
