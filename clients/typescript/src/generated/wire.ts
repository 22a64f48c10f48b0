// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-wire`. Do not edit.

/** One thing that is wrong with an input, or the reason why a choice is not available. */
export interface Fault {
  /** What is wrong, for programs. */
  readonly code: string;
  /** What is wrong, for people; `{name}` stands for an argument. */
  readonly template: string;
  /** The values that fill the template. */
  readonly args?: { readonly [name: string]: unknown };
}

/** The result of a match: who won, in which places the seats ended, and why. */
export interface Outcome {
  /** The winners; none in a draw. */
  readonly winners: number;
  /** The place of each seat, from 1; equal places share. */
  readonly places: readonly number[];
  /** A short code of the cause, such as `line` or `timeout`. */
  readonly reason: string;
}

/** Whether an answer picks from a list or is free-form. */
export type Form = 'select' | 'action';

/** How many choices may be picked. `count` takes precedence; with neither `min` nor `max` it is exactly one. */
export interface Bounds {
  /** The minimum number. */
  readonly min?: number;
  /** The maximum number. */
  readonly max?: number;
  /** The exact number. */
  readonly count?: number;
}

/** Fields that few choices have. */
export interface Details extends Bounds {
  /** What kind of thing it is: a hint for the screen. */
  readonly kind?: string;
  /** Anything that the screen needs to draw it. */
  readonly meta?: unknown;
  /** Whether it may be picked in addition to the others and is not counted. */
  readonly extra?: boolean;
  /** Whether it cannot be combined with another choice. */
  readonly exclusive?: boolean;
  /** Why it is shown but cannot be picked. */
  readonly whyNot?: Fault;
  /** Choices inside this choice. */
  readonly choices?: readonly Choice[];
}

/** A choice, which may have inner choices. It also has the fields of its `Details`. */
export interface Choice extends Details {
  /** The title; an answer names it. */
  readonly title: string;
  /** Distinguishes choices with the same title. */
  readonly id?: string;
}

/** The full description of a request to one seat. */
export interface Selector extends Bounds {
  /** Whether to pick from choices, or answer in free form. */
  readonly type: Form;
  /** The name of the player who must answer; filled in by the server. */
  readonly actor?: string;
  /** The prompt; the answer repeats it. */
  readonly title: string;
  /** The choices. */
  readonly choices?: readonly Choice[];
  /** Actions that are accepted instead of a selection: `true`, or a list of names. */
  readonly allowsAction?: unknown;
  /** Whether the request is never answered automatically, even if there is no choice. */
  readonly noAutoRespond?: boolean;
  /** Anything that the screen needs to draw the request. */
  readonly meta?: unknown;
}

/** What an open request means to the seat that is asked. */
export type PromptKind = 'request' | 'offer' | 'draft' | 'undo';

/** An open request, as the asked seat's clients see it. */
export interface Prompt extends Selector {
  /** The id that an answer may name; counted for this seat alone. */
  readonly inputId: number;
  /** What the request means to the seat. */
  readonly kind: PromptKind;
  /** The match time, in milliseconds, at which time runs out. */
  readonly until?: number;
  /** `until` on the server's wall clock, in milliseconds since 1970. */
  readonly deadlineTs?: number;
}

/** Who sits in a seat; the same for every viewer. */
export interface SeatInfo {
  /** The name; empty for an empty seat. */
  readonly name: string;
  /** Whether a bot plays the seat now. */
  readonly isBot: boolean;
  /** Whether the seat's player is connected. */
  readonly here: boolean;
}

/** How long a player is waited for, where everybody may know it; the same for every viewer. */
export interface SeatClock {
  /** The seat that is waited for. */
  readonly seat: number;
  /** The match time, in milliseconds, at which its time runs out. */
  readonly until: number;
  /** What its bank has, in milliseconds, when its time begins; absent where it has none. */
  readonly bankMs?: number;
  /** `until` on the server's wall clock, in milliseconds since 1970. */
  readonly deadlineTs?: number;
}

/** A part of a message that was not followed, and why. */
export interface Ignored {
  /** Where in the message, as a JSON pointer. */
  readonly path: string;
  /**  */
  readonly reason: string;
}

/** How a match ended, with what may be published about it. */
export interface Over {
  /** The result. */
  readonly outcome: Outcome;
  /** The result in a sentence. */
  readonly text: string;
  /** The seed, if the game's policy publishes it. */
  readonly seed?: string;
}

/** The money of a table. The two are never exchanged for one another. */
export type Money = 'tokens' | 'play';

/** The viewer's full state: view, open requests, seats. */
export interface Snapshot {
  readonly type: 'snapshot';
  /** The client's version after this message. */
  readonly v: number;
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** The number of the match at this table. */
  readonly matchNo: number;
  /** The viewer's view. */
  readonly view: unknown;
  /** The hash of the view. */
  readonly viewHash: string;
  /** The viewer's open requests. */
  readonly requests: readonly Prompt[];
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
  /** How long each player is waited for, where everybody may know it. */
  readonly clocks?: readonly SeatClock[];
  /** The server's commitment to the seed, made before the match began. */
  readonly commitment?: string;
  /** Why the table is paused, if it is. */
  readonly paused?: string;
  /** The result, once there is one. */
  readonly over?: Over;
}

/** Something happened that this viewer may know. */
export interface Update {
  readonly type: 'update';
  /** The client's version after this message. */
  readonly v: number;
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** The events, in order. */
  readonly events: readonly unknown[];
  /** The changes to the view, as a JSON Patch. */
  readonly patch: readonly unknown[];
  /** The hash of the view after these changes. */
  readonly viewHash: string;
  /** The viewer's open requests; absent if they have not changed. */
  readonly requests?: readonly Prompt[];
  /** How long each player is waited for, where everybody may know it; absent if that has not changed. */
  readonly clocks?: readonly SeatClock[];
  /** The result, once there is one. */
  readonly over?: Over;
}

/** A seat has a new player, or a player has connected or disconnected. */
export interface Seats {
  readonly type: 'seats';
  /** The client's version after this message. */
  readonly v: number;
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
}

/** The table is paused or resumed. */
export interface Paused {
  readonly type: 'paused';
  /** The client's version after this message. */
  readonly v: number;
  /** Why it is paused; null if it is resumed. */
  readonly why: string | null;
}

/** The table accepts the sender's message. */
export interface Accepted {
  readonly type: 'accepted';
  /** The sender's retry key. */
  readonly requestKey?: string;
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** The parts of the message that were not followed, and why. */
  readonly ignored?: readonly Ignored[];
}

/** The table refuses the sender's message; nothing has changed. */
export interface Refused {
  readonly type: 'refused';
  /** The sender's retry key. */
  readonly requestKey?: string;
  /** The first reason, for programs. */
  readonly code: string;
  /** All reasons, for people. */
  readonly message: string;
  /** Every fault. */
  readonly faults: readonly Fault[];
  /** The viewer's head. */
  readonly branchId: number;
}

/** A message to one client. */
export type ServerMessage = Snapshot | Update | Seats | Paused | Accepted | Refused;
