// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-server --lib api::`. Do not edit.

/** How many choices may be picked. `count` takes precedence; with neither `min` nor `max` it is exactly one. */
export interface Bounds {
  /** The exact number. */
  readonly count?: number;
  /** The maximum number. */
  readonly max?: number;
  /** The minimum number. */
  readonly min?: number;
}

/** A choice, which may have inner choices. It also has the fields of its `Details`. */
export interface Choice {
  /** Choices inside this choice. */
  readonly choices?: readonly Choice[];
  /** The exact number. */
  readonly count?: number;
  /** Whether it cannot be combined with another choice. */
  readonly exclusive?: boolean;
  /** Whether it may be picked in addition to the others and is not counted. */
  readonly extra?: boolean;
  /** Distinguishes choices with the same title. */
  readonly id?: string;
  /** What kind of thing it is: a hint for the screen. */
  readonly kind?: string;
  /** The maximum number. */
  readonly max?: number;
  /** Anything that the screen needs to draw it. */
  readonly meta?: unknown;
  /** The minimum number. */
  readonly min?: number;
  /** The title; an answer names it. */
  readonly title: string;
  /** Why it is shown but cannot be picked. */
  readonly whyNot?: Fault;
}

/** One thing that is wrong with an input, or the reason why a choice is not available. */
export interface Fault {
  /** The values that fill the template. */
  readonly args?: { readonly [name: string]: unknown };
  /** What is wrong, for programs. */
  readonly code: string;
  /** What is wrong, for people; `{name}` stands for an argument. */
  readonly template: string;
}

/** Whether an answer picks from a list or is free-form. */
export type Form = 'select' | 'action';

/** A part of a message that was not followed, and why. */
export interface Ignored {
  /** Where in the message, as a JSON pointer. */
  readonly path: string;
  readonly reason: string;
}

/** The money of a table. The two are never exchanged for one another. */
export type Money = 'tokens' | 'play';

/** The result of a match: who won, in which places the seats ended, and why. */
export interface Outcome {
  /** The place of each seat, from 1; equal places share. */
  readonly places: readonly number[];
  /** A short code of the cause, such as `line` or `timeout`. */
  readonly reason: string;
  /** The winners; none in a draw. */
  readonly winners: number;
}

/** How a match ended, with what may be published about it. */
export interface Over {
  /** The result. */
  readonly outcome: Outcome;
  /** The seed, if the game's policy publishes it. */
  readonly seed?: string;
  /** The result in a sentence. */
  readonly text: string;
}

/** An open request, as the asked seat's clients see it. */
export interface Prompt {
  /** The name of the player who must answer; filled in by the server. */
  readonly actor?: string;
  /** Actions that are accepted instead of a selection: `true`, or a list of names. */
  readonly allowsAction?: unknown;
  /** The choices. */
  readonly choices?: readonly Choice[];
  /** The exact number. */
  readonly count?: number;
  /** `until` on the server's wall clock, in milliseconds since 1970. */
  readonly deadlineTs?: number;
  /** The id that an answer may name; counted for this seat alone. */
  readonly inputId: number;
  /** What the request means to the seat. */
  readonly kind: PromptKind;
  /** The maximum number. */
  readonly max?: number;
  /** Anything that the screen needs to draw the request. */
  readonly meta?: unknown;
  /** The minimum number. */
  readonly min?: number;
  /** Whether the request is never answered automatically, even if there is no choice. */
  readonly noAutoRespond?: boolean;
  /** The prompt; the answer repeats it. */
  readonly title: string;
  /** Whether to pick from choices, or answer in free form. */
  readonly type: Form;
  /** The match time, in milliseconds, at which time runs out. */
  readonly until?: number;
}

/** What an open request means to the seat that is asked. */
export type PromptKind = 'request' | 'offer' | 'draft' | 'undo';

/** How long a player is waited for, where everybody may know it; the same for every viewer. */
export interface SeatClock {
  /** What its bank has, in milliseconds, when its time begins; absent where it has none. */
  readonly bankMs?: number;
  /** `until` on the server's wall clock, in milliseconds since 1970. */
  readonly deadlineTs?: number;
  /** The seat that is waited for. */
  readonly seat: number;
  /** The match time, in milliseconds, at which its time runs out. */
  readonly until: number;
}

/** Who sits in a seat; the same for every viewer. */
export interface SeatInfo {
  /** Whether the seat's player is connected. */
  readonly here: boolean;
  /** Whether a bot plays the seat now. */
  readonly isBot: boolean;
  /** The name; empty for an empty seat. */
  readonly name: string;
}

/** The full description of a request to one seat. */
export interface Selector {
  /** The name of the player who must answer; filled in by the server. */
  readonly actor?: string;
  /** Actions that are accepted instead of a selection: `true`, or a list of names. */
  readonly allowsAction?: unknown;
  /** The choices. */
  readonly choices?: readonly Choice[];
  /** The exact number. */
  readonly count?: number;
  /** The maximum number. */
  readonly max?: number;
  /** Anything that the screen needs to draw the request. */
  readonly meta?: unknown;
  /** The minimum number. */
  readonly min?: number;
  /** Whether the request is never answered automatically, even if there is no choice. */
  readonly noAutoRespond?: boolean;
  /** The prompt; the answer repeats it. */
  readonly title: string;
  /** Whether to pick from choices, or answer in free form. */
  readonly type: Form;
}

/** The viewer's full state: view, open requests, seats. */
export interface Snapshot {
  readonly type: 'snapshot';
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** How long each player is waited for, where everybody may know it. */
  readonly clocks?: readonly SeatClock[];
  /** The server's commitment to the seed, made before the match began. */
  readonly commitment?: string;
  /** The number of the match at this table. */
  readonly matchNo: number;
  /** The result, once there is one. */
  readonly over?: Over;
  /** Why the table is paused, if it is. */
  readonly paused?: string;
  /** The viewer's open requests. */
  readonly requests: readonly Prompt[];
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
  /** The client's version after this message. */
  readonly v: number;
  /** The viewer's view. */
  readonly view: unknown;
  /** The hash of the view. */
  readonly viewHash: string;
}

/** Something happened that this viewer may know. */
export interface Update {
  readonly type: 'update';
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** How long each player is waited for, where everybody may know it; absent if that has not changed. */
  readonly clocks?: readonly SeatClock[];
  /** The events, in order. */
  readonly events: readonly unknown[];
  /** The result, once there is one. */
  readonly over?: Over;
  /** The changes to the view, as a JSON Patch. */
  readonly patch: readonly unknown[];
  /** The viewer's open requests; absent if they have not changed. */
  readonly requests?: readonly Prompt[];
  /** The client's version after this message. */
  readonly v: number;
  /** The hash of the view after these changes. */
  readonly viewHash: string;
}

/** A seat has a new player, or a player has connected or disconnected. */
export interface Seats {
  readonly type: 'seats';
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
  /** The client's version after this message. */
  readonly v: number;
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
  /** The viewer's head. The table refuses an answer that names another. */
  readonly branchId: number;
  /** The parts of the message that were not followed, and why. */
  readonly ignored?: readonly Ignored[];
  /** The sender's retry key. */
  readonly requestKey?: string;
}

/** The table refuses the sender's message; nothing has changed. */
export interface Refused {
  readonly type: 'refused';
  /** The viewer's head. */
  readonly branchId: number;
  /** The first reason, for programs. */
  readonly code: string;
  /** Every fault. */
  readonly faults: readonly Fault[];
  /** All reasons, for people. */
  readonly message: string;
  /** The sender's retry key. */
  readonly requestKey?: string;
}

/** A message to one client. */
export type ServerMessage = Snapshot | Update | Seats | Paused | Accepted | Refused;
