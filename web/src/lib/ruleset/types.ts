// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-ruleset typescript`. Do not edit.

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

/** A seat at the table, counted from 0. */
export type Seat = number;

/** A seat where a card or an item may stand as well. */
export type SeatRef = {
  seat: Seat;
};

/** A card that the viewer knows. */
export type CardRef = {
  /** What clients call it. */
  id: string;
  /** Its name in the ruleset. */
  card: string;
};

/** A seat, a card, or an item by its id. What the viewer may not know is null instead. */
export type Thing = string | SeatRef | CardRef;

/** One thing that was said. */
export type AnswerValue = boolean | number | string | Thing;

/** What a seat has said to the question that stands. */
export type Answer = {
  /** The question's name in the ruleset. */
  ask: string;
  /** What was said; null for an empty place. */
  said: Array<AnswerValue | null>;
  /** Whether it is no longer a draft. */
  sealed: boolean;
};

/** How a seat passes automatically. */
export type PassUntil = {
  /** `off`, `response`, `turn_end`, `my_turn`, or `step:` and the name of a step. */
  until: string;
  /** Whether it also passes on what others put onto the stack. */
  through: boolean;
  /** The steps whose beginning ends it. */
  stops: Array<string>;
  /** Whether the seat is asked even where everybody can tell that it can do nothing; rulesets of the first edition always ask. */
  full?: boolean;
};

/** Where the turn is. */
export type Turn = {
  phase: string | null;
  step: string | null;
  activePlayer: Seat;
  turnNumber: number;
  round: number;
};

/** A card with everything that the viewer sees on it. */
export type SeenCard = {
  /** What clients call it. */
  id: string;
  /** Its name in the ruleset; none for a card that lies face down. */
  card?: string;
  /** Whose it is, where it is not the zone's owner's. */
  owner?: Seat;
  /** Who controls it, where it is not the zone's owner. */
  controller?: Seat;
  /** Who put it into a zone of the game. */
  by?: Seat;
  /** Keywords in force; there is at least one. */
  keywords?: Array<string>;
  /** Counters on it, by name; there is at least one. */
  counters?: { [key in string]: number };
  /** It is true where it is there. */
  faceDown?: boolean;
  /** The cell of a grid in which it lies. */
  cell?: number;
} & ({ [key in string]: JsonValue });

/** A zone, as far as the viewer sees into it; there is at least one of these fields. */
export type SeenZone = {
  /** How many cards lie there. */
  count?: number;
  /** Those that the viewer knows of. Where they see the places, null stands for a card that they do not know. */
  cards?: Array<SeenCard | null>;
};

/** A player, as far as the viewer may know. */
export type SeenPlayer = {
  vars: { [key in string]: JsonValue };
  zones: { [key in string]: SeenZone };
  lost: boolean;
};

/** A team, as far as the viewer may know. */
export type SeenTeam = {
  name: string;
  seats: Array<Seat>;
  vars: { [key in string]: JsonValue };
};

/** What an item is: an event, or a reaction to one. */
export type ItemKind = "event" | "reaction";

/** What was done with an item so far. */
export type ItemFlags = {
  /** Whether the reactions that come before it were put above it. */
  beforeScheduled: boolean;
};

/** What put an item there. */
export type Cause = {
  /** The item, where it still waits. */
  id: string | null;
  /** The number of the event. */
  event: number;
  title: string | null;
};

/** What countered an item. */
export type CounteredBy = {
  /** What clients called the item that did it. */
  id: string;
  title: string;
  seat: Seat | null;
  source: CardRef | null;
};

/** A target of an action. One that the viewer may not know has only its name among the targets. */
export type SeenTarget = {
  /** What it is to the action. */
  target: string;
  /** What clients call it. */
  id?: string;
  /** The seat that it is. */
  seat?: Seat;
  /** The name of the card that it is. */
  card?: string;
};

/** What waits on the stack. */
export type SeenItem = {
  /** What clients call it. */
  id: string;
  kind: ItemKind;
  /** The name of the action, the event or the trigger in the ruleset. */
  refId: string;
  /** What people call it: a card that is played has its title. */
  title: string;
  /** The number of the event that it is, or that it reacts to. */
  event: number;
  createdAtOrder: number;
  flags: ItemFlags;
  controller: SeatRef | null;
  source: Thing | null;
  causedBy: Cause | null;
  /** It is true where it is there. */
  countered?: boolean;
  counteredBy?: CounteredBy;
  /** The action that it is. */
  action?: string;
  /** The mode that was chosen; null where the card no longer has it. */
  mode?: string | null;
  /** The ability that was chosen; null where the card no longer has it. */
  ability?: string | null;
  targets: Array<SeenTarget>;
};

/** What one viewer sees of a match. */
export type View = {
  /** The viewer's own seat; none for the gallery. */
  you: Seat | null;
  /** Where the turn is; only where the ruleset has steps. */
  turn?: Turn;
  /** The variables of the game, by name. */
  vars: { [key in string]: JsonValue };
  /** The zones of the game, by name. */
  zones: { [key in string]: SeenZone };
  /** The players by seat. */
  players: Array<SeenPlayer>;
  /** Only where the ruleset has teams. */
  teams?: Array<SeenTeam>;
  /** What waits, the next to resolve last; only where something can wait. */
  stack?: Array<SeenItem>;
  /** Who may act now; it is there where the stack is. */
  priority?: Seat | null;
  /** Who has passed since somebody last acted; it is there where the stack is. */
  passes?: Array<Seat>;
  /** Who has yet to answer, where the ruleset shows it. */
  waitingFor?: Array<Seat>;
  /** What the viewer has said to the question that stands. */
  answer?: Answer;
  /** How the viewer passes automatically; only for players of a ruleset in which one can act or pass. */
  passUntil?: PassUntil;
  /** Whether the match is over. */
  over: boolean;
};

/** What has become of an event. */
export type EventStatus = "pending" | "applied" | "prevented" | "failed";

/** An event of the rules, as far as the viewer may know it. */
export type RuleEvent = {
  /** Its name in the ruleset, or one that every ruleset has. */
  type: string;
  /** Its number in the match, from 1. */
  id: number;
  /** The number of the event that caused it. */
  causedBy: number | null;
  status: EventStatus;
  /** What it carries, by the names of its fields. */
  payload: { [key in string]: JsonValue };
  /** The item on the stack that it is. */
  item?: string;
  /** What people call that item. */
  title?: string;
  /** What countered that item. */
  counteredBy?: CounteredBy;
};

/** What the engine tells beside the events of the rules. */
export type Notice = {
  "type": "changed";
} | {
  "type": "priority.changed";
  seat: Seat;
  stack: boolean;
} | {
  "type": "pass_until";
  set: PassUntil;
} | {
  "type": "drafted";
  ask: string;
} | {
  "type": "answered";
  ask: string;
} | {
  "type": "present";
  ask: string;
};

/** What viewers are told: something that happened by the rules, or a word of the engine. */
export type Event = RuleEvent | Notice;

/** The payload of `ZoneMoved`, which every ruleset has. */
export type ZoneMoved = {
  /** None for a card that the viewer may not know. */
  card: CardRef | null;
  from: string | null;
  to: string | null;
  /** Whose zone it was; none for a zone of the game. */
  fromSeat: Seat | null;
  toSeat: Seat | null;
};

/** Until when one can pass. */
export type UntilOption = {
  id: string;
  label: string;
};

/** To act or to pass, and the offer to pass automatically. */
export type WindowMeta = {
  "kind": "action";
} | {
  "kind": "pass_until";
  options: Array<UntilOption>;
  stops: Array<string>;
};

/** What is chosen for an action: what it is aimed at, what it is paid with, or one of its modes or abilities. */
export type TargetKind = "target_select" | "pay_cost" | "mode_pick";

/** What is still to be chosen for an action that was begun. */
export type TargetMeta = {
  kind: TargetKind;
  action: string;
  actionName: string;
  /** The first thing that was chosen: the action starts from it. */
  source: string | null;
  /** What was chosen so far; null for a card that the seat does not know. */
  chosen: Array<string | null>;
  /** The names of the targets that were chosen, and of the next. */
  names: Array<string>;
  /** The mode that was chosen; null where the card no longer has it. */
  mode?: string | null;
  /** The ability that was chosen; null where the card no longer has it. */
  ability?: string | null;
};

/** Whether a rule applies, which comes first, or the order of all. */
export type RuleKind = "confirm" | "mode_pick" | "order_select";

/** Which rules apply to an event, or in which order. */
export type RuleMeta = {
  kind: RuleKind;
  /** The name of the event. */
  event: string;
};

/** A thing that can be laid into a place, or given a share. */
export type AskOption = {
  id: string;
  ref: string;
  title: string;
};

/** What a statement asks for. */
export type Question = {
  "kind": "target_select";
} | {
  "kind": "order_select";
} | {
  "kind": "mode_pick";
} | {
  "kind": "confirm";
} | {
  "kind": "number";
  min: number | null;
  max: number | null;
} | {
  "kind": "slots";
  slots: number;
  options: Array<AskOption>;
} | {
  "kind": "distribute";
  sum: number;
  options: Array<AskOption>;
};

/** What the ruleset asks by a statement of its own. */
export type StatementMeta = {
  /** The question's name in the ruleset. */
  ask: string;
  /** The thing that asks, where the seat knows it. */
  source?: string;
  /** The number of the event that made it ask. */
  event?: number;
} & ({
  "kind": "target_select";
} | {
  "kind": "order_select";
} | {
  "kind": "mode_pick";
} | {
  "kind": "confirm";
} | {
  "kind": "number";
  min: number | null;
  max: number | null;
} | {
  "kind": "slots";
  slots: number;
  options: Array<AskOption>;
} | {
  "kind": "distribute";
  sum: number;
  options: Array<AskOption>;
});

/** What a request carries, by who asks. A question that a rule of the engine asks has no name in the ruleset. */
export type AskMeta = WindowMeta | TargetMeta | RuleMeta | StatementMeta;

/** What a choice carries: the thing that it is, with what it costs; or an action, a mode or an ability. */
export type ChoiceMeta = {
  ref: string;
  cost?: string;
} | {
  action: string;
  /** Hints for screens: whatever the author wrote. */
  ui: JsonValue;
} | {
  mode: string;
} | {
  leads: PassLeads;
} | {
  ability: string;
};

/** Something with a name, and what its author says of it for screens. */
export type Named = {
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** Whether every player has one, or the game has one for all. */
export type Owner = "player" | "game";

/** Who sees into a zone. */
export type SeenBy = "all" | "owner" | "none";

/** A zone. */
export type ZoneDef = {
  owner: Owner;
  ordered: boolean;
  see: SeenBy;
  /** `hand`, `deck`, `pile`, `row` or `stack`; whatever else an author writes is a row. */
  role: string;
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** An attribute of cards. */
export type AttrDef = {
  /** `bool`, `int`, `thing`, or the name of an enum. */
  type: string;
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** A variable. */
export type VarDef = {
  owner: Owner;
  /** `bool`, `int`, `thing`, or the name of an enum. */
  type: string;
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** A step of a phase. */
export type StepDef = {
  /** Whether players may act in it while nothing waits on the stack. */
  window: boolean;
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** A phase of a turn. */
export type PhaseDef = {
  steps: Array<StepDef>;
  id: string;
  label?: string;
  text?: string;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
};

/** What is printed on a card. */
export type CardDef = {
  title: string;
  /** Whatever the author wrote; a text, if it is to be read. */
  text?: JsonValue;
  /** Hints for screens: whatever the author wrote. */
  ui?: JsonValue;
  /** Attributes by name. */
  attrs: { [key in string]: JsonValue };
  /** There is at least one. */
  keywords?: Array<string>;
};

/** What is shown for the values of an enum. */
export type Labels = { [key in string]: string };

/** The author's own words, and what is said for them in another language. */
export type Words = { [key in string]: string };

/** What never changes at a table of a ruleset. */
export type Sheet = {
  /** The ruleset's id. */
  ruleset: string;
  name: string;
  version: string;
  text: string | null;
  zones: Array<ZoneDef>;
  attributes: Array<AttrDef>;
  vars: Array<VarDef>;
  counters: Array<Named>;
  keywords: Array<Named>;
  /** Labels of values, for enums that have them. */
  enums: { [key in string]: Labels };
  phases: Array<PhaseDef>;
  cards: { [key in string]: CardDef };
  actions: Array<Named>;
  /** Those that have hints for screens. */
  events: Array<Named>;
  /** What is shown, in other languages: by language, by the author's own words. */
  words?: { [key in string]: Words };
};

/** Where a pass leads if the others pass too. */
export type PassLeads = {
  "to": "item";
  title: string;
} | {
  "to": "step";
  title: string;
} | {
  "to": "turn_end";
};
