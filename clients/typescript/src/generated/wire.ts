// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-wire`. Do not edit.

/** One thing that is wrong, or one reason why a choice is not to be had. */
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
  /** The winners; nobody in a draw. */
  readonly winners: number;
  /** The place of each seat, from 1; equal places share. */
  readonly places: readonly number[];
  /** A short code of the cause, such as `line` or `timeout`. */
  readonly reason: string;
}

/** Whether an answer picks from a list or is free in form. */
export type Form = 'select' | 'action';

/** How many may be picked. `count` wins; with neither `min` nor `max` it is exactly one. */
export interface Bounds {
  /** At least so many. */
  readonly min?: number;
  /** At most so many. */
  readonly max?: number;
  /** Exactly so many. */
  readonly count?: number;
}

/** What few choices have. */
export interface Details extends Bounds {
  /** What kind of thing it is: a hint for the screen. */
  readonly kind?: string;
  /** Whatever the screen needs to draw it. */
  readonly meta?: unknown;
  /** Selectable beside the others and not counted. */
  readonly extra?: boolean;
  /** Cannot be combined with another choice. */
  readonly exclusive?: boolean;
  /** Shown, but not to be had, and why. */
  readonly whyNot?: Fault;
  /** Choices inside this choice. */
  readonly choices?: readonly Choice[];
}

/** One thing that can be picked, perhaps with choices of its own. It has the fields of its `Details`, too. */
export interface Choice extends Details {
  /** What it is called; an answer names it. */
  readonly title: string;
  /** Tells apart two choices of one title. */
  readonly id?: string;
}

/** The full description of a request to one seat. */
export interface Selector extends Bounds {
  /** Pick from choices, or say anything. */
  readonly type: Form;
  /** Who must answer; filled in by the house with the player's name. */
  readonly actor?: string;
  /** The prompt; the answer repeats it. */
  readonly title: string;
  /** What can be picked. */
  readonly choices?: readonly Choice[];
  /** Actions that are accepted instead of a selection: `true`, or a list of names. */
  readonly allowsAction?: unknown;
  /** Never answered by itself, although there is no choice. */
  readonly noAutoRespond?: boolean;
  /** Whatever the screen needs to draw the request. */
  readonly meta?: unknown;
}

/** One thing a seat is asked, as its clients see it. */
export interface Prompt extends Selector {
  /** The id that an answer may name; counted for this seat alone. */
  readonly inputId: number;
  /** `request`, `offer` or `draft`. */
  readonly kind: string;
  /** The match time, in milliseconds, at which time runs out. */
  readonly until?: number;
  /** `until` on the server's wall clock, in milliseconds since 1970. */
  readonly deadlineTs?: number;
}

/** Who sits in a seat, for everybody. */
export interface SeatInfo {
  /** The name; empty for an empty seat. */
  readonly name: string;
  /** Whether a bot plays it now. */
  readonly isBot: boolean;
  /** Whether its player is connected. */
  readonly here: boolean;
}

/** How a match ended, with what may be published about it. */
export interface Over {
  /** The result. */
  readonly outcome: Outcome;
  /** The result in a sentence. */
  readonly text: string;
  /** The seed, where the game's policy publishes it. */
  readonly seed?: string;
}

/** Everything this viewer may know, and everything that stands for him. */
export interface Snapshot {
  readonly type: 'snapshot';
  /** The version this brings the client to. */
  readonly v: number;
  /** The lock for the next answer. */
  readonly branchId: number;
  /** The number of the match at this table. */
  readonly matchNo: number;
  /** What the viewer sees. */
  readonly view: unknown;
  /** The hash of the view. */
  readonly viewHash: string;
  /** What stands for him. */
  readonly requests: readonly Prompt[];
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
  /** What the server committed to before the cards were dealt. */
  readonly commitment?: string;
  /** Why the table stands still, if it does. */
  readonly paused?: string;
  /** The result, once there is one. */
  readonly over?: Over;
}

/** Something happened that this viewer may know. */
export interface Update {
  readonly type: 'update';
  /** The version this brings the client to. */
  readonly v: number;
  /** The lock for the next answer. */
  readonly branchId: number;
  /** What happened, in order. */
  readonly events: readonly unknown[];
  /** The changes to the view, as a JSON Patch. */
  readonly patch: readonly unknown[];
  /** The hash of the view after them. */
  readonly viewHash: string;
  /** What stands for him now; absent when that has not changed. */
  readonly requests?: readonly Prompt[];
  /** The result, once there is one. */
  readonly over?: Over;
}

/** Who sits where has changed. */
export interface Seats {
  readonly type: 'seats';
  /** The version this brings the client to. */
  readonly v: number;
  /** Who sits where. */
  readonly seats: readonly SeatInfo[];
}

/** Somebody said something. */
export interface Chat {
  readonly type: 'chat';
  /** The version this brings the client to. */
  readonly v: number;
  /** Who. */
  readonly player_name: string;
  /** What. */
  readonly text: string;
}

/** The table stands still, or goes on. */
export interface Paused {
  readonly type: 'paused';
  /** The version this brings the client to. */
  readonly v: number;
  /** Why; nothing when it goes on. */
  readonly why: string | null;
}

/** The sender's submission was taken. */
export interface Accepted {
  readonly type: 'accepted';
  /** The sender's key for retries. */
  readonly requestKey?: string;
  /** The lock for the next answer. */
  readonly branchId: number;
}

/** The sender's submission was not taken; nothing has changed. */
export interface Refused {
  readonly type: 'refused';
  /** The sender's key for retries. */
  readonly requestKey?: string;
  /** The first reason, for programs. */
  readonly code: string;
  /** All reasons, for people. */
  readonly message: string;
  /** Every fault. */
  readonly faults: readonly Fault[];
  /** The lock that would have been right. */
  readonly branchId: number;
}

/** A message to one client. */
export type ServerMessage = Snapshot | Update | Seats | Chat | Paused | Accepted | Refused;
