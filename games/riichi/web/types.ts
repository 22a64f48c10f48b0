// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-riichi typescript`. Do not edit.

/** What one viewer may know. */
export type View = {
  /** Clocks and manners of the table: the profile, and what differs from it. */
  pace: {[key: string]: unknown};
  /** The round, counted from 1 through the whole game. */
  round: number;
  /** What the viewer's own tiles mean; none for a spectator. */
  hints: Hints | null;
  /** What the server does for the viewer; none for a spectator. */
  automatic: Automatic | null;
  /** The fu of each win, line by line, once the round is over. */
  fu: Array<Array<FuPart>>;
  /** The preset, and what differs from it. */
  settings: {[key: string]: unknown};
  standing: Standing;
  dealer: Seat;
  round_wind: Wind;
  /** Tiles left to draw. */
  left: number;
  /** The indicators that lie open. */
  dora: Array<Tile>;
  /** By seat. */
  players: Array<SeatView>;
  /** None for a spectator. */
  own: OwnView | null;
  phase: PhaseView;
};

/** One thing that happened, as one audience hears it. */
export type Event = TableEvent | OwnEvent;

/** What a seat wants done by itself. The house keeps it for the seat and answers for it; the rules never look at it. */
export type Automatic = {
  /** Takes every win. */
  win: boolean;
  /** Passes whatever is no win. */
  noCalls: boolean;
  /** Discards what was drawn, unless it wins. */
  discardDrawn: boolean;
};

/** What a seat may call. */
export type CallView = {
  kind: WindowKind;
  tile: Tile;
  from: Seat;
  offer: Offer;
  /** The ways to pon. */
  pon: Array<[Tile, Tile]>;
  /** The ways to chi. */
  chi: Array<[Tile, Tile]>;
};

/** A tile in a river. Written down it is one number: the tile's id, 256 if it was the tile just drawn, 512 if it was discarded with a riichi, and 1024 times one more than the seat that called it. Rivers are most of what lies open, and every viewer has them. */
export type Discarded = number;

/** The ways to end a round without a win. */
export type DrawKind = "exhaustive" | "nagashi_mangan" | "nine_kinds" | "four_winds" | "four_riichi" | "four_kans" | "triple_ron";

/** One source of fu. */
export type FuPart = {
  fu: number;
  what: FuWhat;
  /** The tiles of a set or a pair; its first kind. */
  kind: Kind | null;
};

/** What fu are given for. */
export type FuWhat = "base" | "seven_pairs" | "closed_ron" | "open_triplet" | "closed_triplet" | "open_kan" | "closed_kan" | "pair" | "middle_wait" | "edge_wait" | "pair_wait" | "tsumo" | "open_without_fu";

/** Why a seat is furiten, with the tiles that make it so. */
export type Furiten = {
  /** Waits among the seat's own discards. */
  discards: KindSet;
  /** A tile that went by since the seat's last discard. */
  missed: Tile | null;
  /** A tile that went by after riichi. */
  missed_in_riichi: Tile | null;
};

/** How a game ended. */
export type GameEnd = {
  /** With the leftover sticks. */
  scores: [number, number, number, number];
  /** Place of each seat, from 1; equal where equal points share a place. */
  places: [number, number, number, number];
  /** Final points in tenths: uma and oka included. */
  points: [number, number, number, number];
};

/** What a seat is told about its own hand beside the tiles. */
export type Hints = {
  /** How many tiles the hand is from tenpai; 0 in tenpai, -1 when it is complete. */
  shanten: number;
  /** What completes the hand now, without a tile just drawn. */
  waits: Array<WaitHint>;
  /** In its turn: the discards that leave it tenpai. */
  discards: Array<TenpaiDiscard>;
  kuikae: Array<Kuikae>;
};

/** One of the 34 faces. */
export type Kind = number;

/** A set of kinds, one bit each. */
export type KindSet = Array<number>;

/** A kind that the last call forbids to discard. */
export type Kuikae = {
  kind: Kind;
  reason: KuikaeReason;
};

/** Why a call forbids a discard. */
export type KuikaeReason = "called" | "other_end";

/** The steps above counted points. */
export type Limit = "none" | "mangan" | "haneman" | "baiman" | "sanbaiman" | {
  "kazoe": number
} | {
  "yakuman": number
};

/** A meld: its tiles fit its kind. */
export type Meld = [MeldKind, Array<Tile>];

/** The five ways to meld. */
export type MeldKind = "chi" | "pon" | "daiminkan" | "ankan" | "kakan";

/** What a seat may call. */
export type Offer = {
  ron: boolean;
  pon: boolean;
  kan: boolean;
  chi: boolean;
};

/** What only the seat itself hears. */
export type OwnEvent = {
  "type": "answered"
} | {
  "type": "automatic";
  /** All of it. */
  automatic: Automatic;
};

/** What a seat sees of itself. */
export type OwnView = {
  seat: Seat;
  tiles: TileSet;
  drawn: Tile | null;
  waits: KindSet;
  furiten: Furiten;
  /** What the last call forbids to discard. */
  forbidden: KindSet;
  turn: TurnOptions | null;
  call: CallView | null;
  /** The seat is asked to confirm the round. */
  confirm: boolean;
};

/** What the table waits for, as everybody sees it. */
export type PhaseView = {
  "turn": {
    seat: Seat;
  }
} | {
  "window": {
    tile: Tile;
    from: Seat;
  }
} | {
  "round_end": {
    result: RoundResult;
    next: Standing;
  }
} | {
  "over": {
    result: RoundResult;
    end: GameEnd;
  }
};

/** Where a seat stands with riichi. */
export type RiichiState = "no" | {
  "declared": {
    /** On the first turn that nobody interrupted. */
    double: boolean;
  }
} | {
  "accepted": {
    double: boolean;
  }
};

/** How a round ended. */
export type RoundResult = {
  "wins": Array<WinResult>
} | {
  "draw": {
    kind: DrawKind;
    /** The declarer of nine kinds. */
    by: Seat | null;
    /** Who laid the hand open: the tenpai seats, the declarer, all after four riichi, the callers of a triple ron. */
    shown: Array<[Seat, Array<Tile>]>;
    /** Whose river made nagashi mangan. */
    nagashi: Array<Seat>;
    deltas: [number, number, number, number];
  }
};

/** A seat at the table, 0..=3, counted in turn order. */
export type Seat = number;

/** What everybody sees of a seat. */
export type SeatView = {
  wind: Wind;
  score: number;
  /** How many tiles are concealed. */
  concealed: number;
  river: Array<Discarded>;
  melds: Array<TableMeld>;
  riichi: RiichiState;
};

/** Where a game stands between two rounds. */
export type Standing = {
  /** The hand, counted from 0: East 1, East 2 and so on. */
  kyoku: number;
  honba: number;
  /** Riichi sticks on the table. */
  sticks: number;
  scores: [number, number, number, number];
  /** Who was dealer in East 1. */
  first_dealer: Seat;
  /** How many hands in a row the dealer has won. */
  dealer_wins: number;
};

/** One thing that happened. What the state tells is whole; [`Event::seen_by`] is what a viewer hears. */
export type TableEvent = {
  "type": "round_started";
  standing: Standing;
  /** By seat; empty where the viewer does not see them. */
  hands: [Array<Tile>, Array<Tile>, Array<Tile>, Array<Tile>];
  dora: Tile;
} | {
  "type": "draw";
  seat: Seat;
  /** None where the viewer does not see it. */
  tile: Tile | null;
  rinshan: boolean;
} | {
  "type": "discard";
  seat: Seat;
  tile: Tile;
  tsumogiri: boolean;
  riichi: boolean;
} | {
  "type": "meld";
  seat: Seat;
  kind: MeldKind;
  /** Lowest id first. */
  tiles: Array<Tile>;
  from: Seat;
  /** The tile that was called or, for an added kan, added. */
  tile: Tile | null;
} | {
  "type": "dora";
  tile: Tile;
} | {
  "type": "riichi_accepted";
  seat: Seat;
} | {
  "type": "furiten";
  seat: Seat;
  is_furiten: boolean;
} | {
  "type": "round_end";
  result: RoundResult;
  scores: [number, number, number, number];
} | {
  "type": "game_end";
  end: GameEnd;
};

/** A meld on the table. */
export type TableMeld = {
  meld: Meld;
  /** Who fed it; the seat itself for a closed kan. */
  from: Seat;
  /** The tile that was called; none for a closed kan. */
  called: Tile | null;
  /** The tile that was added to a pon. */
  added: Tile | null;
};

/** A discard that leaves the hand tenpai. */
export type TenpaiDiscard = {
  kind: Kind;
  /** Riichi may be declared with it. */
  riichi: boolean;
  /** A wait would be among the seat's own discards. */
  furiten: boolean;
  waits: Array<WaitHint>;
};

/** One of the 136 pieces. */
export type Tile = number;

/** A set of tiles, one bit each. */
export type TileSet = Array<number>;

/** What a seat may do in its turn. */
export type TurnOptions = {
  discards: TileSet;
  /** What may be discarded with riichi. */
  riichi: KindSet;
  tsumo: boolean;
  ankan: KindSet;
  /** Tiles that can be added to a pon. */
  kakan: TileSet;
  nine: boolean;
};

/** A tile that completes a hand. */
export type WaitHint = {
  kind: Kind;
  /** Tiles of the kind that neither lie open nor are the seat's own. */
  left: number;
  /** None without a yaku. */
  ron: Worth | null;
  /** None without a yaku. */
  tsumo: Worth | null;
  /** On a discard after riichi, without ippatsu; only for a discard with which it may be declared. */
  riichi?: Worth;
};

/** One win. */
export type WinResult = {
  who: Seat;
  /** The discarder, or the seat whose kan was robbed; none for a self-draw. */
  from: Seat | null;
  tile: Tile;
  /** The concealed tiles, the winning one among them, lowest id first. */
  hand: Array<Tile>;
  melds: Array<TableMeld>;
  /** Each yaku with its han; yakuman with 13 or 26. */
  yaku: Array<[Yaku, number]>;
  /** Han by dora, red fives and ura. */
  dora: number;
  reds: number;
  ura: number;
  han: number;
  fu: number;
  limit: Limit;
  /** All payments together, without honba and sticks. */
  points: number;
  /** By the discarder, or by the dealer (by each where the dealer won); then by each of the others. */
  cost: [number, number];
  dora_indicators: Array<Tile>;
  /** Turned only for a seat in riichi. */
  ura_indicators: Array<Tile>;
  /** The honba that are paid to this winner. */
  honba: number;
  /** The riichi sticks that this winner takes. */
  sticks: number;
  /** Who is liable for a yakuman of the hand. */
  liable: Seat | null;
  deltas: [number, number, number, number];
};

/** A wind: of a seat or of the round. */
export type Wind = "east" | "south" | "west" | "north";

/** What lies there to be taken. */
export type WindowKind = "discard" | "added_kan" | "closed_kan";

/** What a win is worth, without honba, sticks and ura. */
export type Worth = {
  han: number;
  fu: number;
  /** All payments together. */
  points: number;
};

/** A yaku, in the order they are listed in a result. Dora, red and ura dora stand in the list of a result as well, but are no yaku: they are counts. */
export type Yaku = "riichi" | "double_riichi" | "open_riichi" | "double_open_riichi" | "ippatsu" | "menzen_tsumo" | "rinshan" | "chankan" | "haitei" | "houtei" | "pinfu" | "tanyao" | "iipeikou" | "white" | "green" | "red" | "seat_east" | "seat_south" | "seat_west" | "seat_north" | "round_east" | "round_south" | "round_west" | "round_north" | "seven_pairs" | "chanta" | "ittsu" | "sanshoku_doujun" | "sanshoku_doukou" | "sankantsu" | "toitoi" | "sanankou" | "shousangen" | "honroutou" | "ryanpeikou" | "junchan" | "honitsu" | "chinitsu" | "renhou" | "renhou_yakuman" | "tenhou" | "chiihou" | "daisangen" | "suuankou" | "suuankou_tanki" | "tsuuiisou" | "ryuuiisou" | "chinroutou" | "chuuren" | "junsei_chuuren" | "kokushi" | "kokushi_thirteen" | "daisuushii" | "shousuushii" | "suukantsu" | "daisharin" | "daichikurin" | "daisuurin" | "daichisei" | "sashikomi" | "paarenchan";
