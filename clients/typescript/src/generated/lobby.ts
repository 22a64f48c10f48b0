// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-server --lib api::`. Do not edit.

import type { Money } from './wire.ts';

/** A player's own account. */
export interface Profile {
  /** The player's picture. */
  readonly avatar: string;
  /** Whether the next change of name is free. */
  readonly free_rename: boolean;
  /** The player's language. */
  readonly language: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** The name that other players see. */
  readonly nickname: string;
  /** The account's id. */
  readonly player_id: string;
  /** The rating points in the game that requests mean when they name none, or else in the first that rates players; 0 if none does. */
  readonly rating: number;
  /** The ratings in all games. */
  readonly ratings: readonly Rated[];
  /** What the player may do beyond playing. */
  readonly rights: readonly string[];
  /** The balance in tokens. */
  readonly tokens: number;
}

/** A player's rating in one game. */
export interface Rated {
  /** Matches drawn. */
  readonly drawn: number;
  /** The game. */
  readonly game: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** Matches lost. */
  readonly lost: number;
  /** The rating points. */
  readonly rating: number;
  /** Matches won. */
  readonly won: number;
}

/** A player of a match that has just begun. */
export interface SeatNews {
  /** Whether a bot plays it. */
  readonly is_bot: boolean;
  /** The name at the table. */
  readonly name: string;
  /** The player's account; absent for a bot, and for a guest without one. */
  readonly player_id?: string;
  /** The seat, from 0. */
  readonly seat: number;
}

/** An unfinished match in which a player has a seat. */
export interface Sitting {
  /** The game. */
  readonly game: string;
  /** The table. */
  readonly game_id: string;
  /** The player's seat. */
  readonly seat: number;
}

/** A member of a room. */
export interface Waiting {
  /** Whether the player is connected. */
  readonly here: boolean;
  /** The name at the table. */
  readonly name: string;
  /** Whether the player owns the room. */
  readonly owner: boolean;
  /** Whether the player is ready. */
  readonly ready: boolean;
}

/** The client is signed in. */
export interface HelloOk {
  readonly type: 'hello_ok';
  /** The player's picture. */
  readonly avatar: string;
  /** Whether the next change of name is free. */
  readonly free_rename: boolean;
  /** The player's language. */
  readonly language: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** Unfinished matches of the player. */
  readonly matches: readonly Sitting[];
  /** The name that other players see. */
  readonly nickname: string;
  /** The account's id. */
  readonly player_id: string;
  /** The rating points in the game that requests mean when they name none, or else in the first that rates players; 0 if none does. */
  readonly rating: number;
  /** The ratings in all games. */
  readonly ratings: readonly Rated[];
  /** What the player may do beyond playing. */
  readonly rights: readonly string[];
  /** The token of an account that was created just now; sent only this once. */
  readonly token?: string;
  /** The balance in tokens. */
  readonly tokens: number;
}

/** The player's balance or ratings have changed. */
export interface Account {
  readonly type: 'account';
  /** The player's picture. */
  readonly avatar: string;
  /** Whether the next change of name is free. */
  readonly free_rename: boolean;
  /** The player's language. */
  readonly language: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** The name that other players see. */
  readonly nickname: string;
  /** The account's id. */
  readonly player_id: string;
  /** The rating points in the game that requests mean when they name none, or else in the first that rates players; 0 if none does. */
  readonly rating: number;
  /** The ratings in all games. */
  readonly ratings: readonly Rated[];
  /** What the player may do beyond playing. */
  readonly rights: readonly string[];
  /** The balance in tokens. */
  readonly tokens: number;
}

/** The player is in the queue. */
export interface QueueOk {
  readonly type: 'queue_ok';
  /** The position in the queue, from 1. */
  readonly position: number;
  /** The balance in tokens. */
  readonly tokens: number;
  /** How many players wait in all. */
  readonly waiting: number;
}

/** The player is not in the queue. */
export interface QueueLeft {
  readonly type: 'queue_left';
}

/** A match has begun on this connection. */
export interface MatchFound {
  readonly type: 'match_found';
  /** The game. */
  readonly game: string;
  /** The table. */
  readonly game_id: string;
  /** All players. */
  readonly players: readonly SeatNews[];
  /** Whether the match had begun before and the player returns to it. */
  readonly returning?: boolean;
  /** The player's seat. */
  readonly seat: number;
  /** The token to return to the seat with. */
  readonly session_token: string;
  /** The stake of each player, in tokens. */
  readonly stake: number;
}

/** The state of a room. */
export interface Room {
  readonly type: 'room';
  /** The table. */
  readonly game_id: string;
  /** How many people the room waits for in all. */
  readonly humans: number;
  /** The members. */
  readonly members: readonly Waiting[];
}

/** The client has joined the table. */
export interface GameJoined {
  readonly type: 'game_joined';
  /** The table. */
  readonly game_id: string;
  /** The names of the players who are there. */
  readonly players: readonly string[];
  /** The token to return to the seat with; null for a spectator. */
  readonly session_token: string | null;
}

/** A player has joined. */
export interface PlayerJoined {
  readonly type: 'player_joined';
  /** The player's name. */
  readonly player_name: string;
}

/** A player has left. */
export interface PlayerLeft {
  readonly type: 'player_left';
  /** The player's name. */
  readonly player_name: string;
}

/** The match begins. */
export interface GameStarted {
  readonly type: 'game_started';
  /** All players. */
  readonly players: readonly SeatNews[];
}

/** The client has left the table. */
export interface GameLeft {
  readonly type: 'game_left';
}

/** The answer to a ping. */
export interface Pong {
  readonly type: 'pong';
}

/** A chat message in the room or at the table. It is no part of the match. */
export interface Chat {
  readonly type: 'chat';
  /** The number of the message at its table, from 1; none in a room. */
  readonly n?: number;
  /** The sender's name. */
  readonly player_name: string;
  /** The message. */
  readonly text: string;
}

/** Who wants a rematch. */
export interface Rematch {
  readonly type: 'rematch';
  /** The names of the players who have agreed. */
  readonly agreed: readonly string[];
  /** The new table, once all have agreed. */
  readonly game_id: string | null;
}

/** A seat is kept for the player while they choose what to bring. */
export interface SeatReserved {
  readonly type: 'seat_reserved';
  /** The most that a player brings. */
  readonly buy_in_max: number;
  /** The least that a player brings. */
  readonly buy_in_min: number;
  /** What it is counted in. */
  readonly currency: Money;
  /** For how long, in milliseconds. */
  readonly for_ms: number;
  /** The seat. */
  readonly seat: number;
}

/** A notice about the server. */
export interface Notice {
  readonly type: 'notice';
  /** The notice, for programs. */
  readonly code: string;
  /** The notice, for people. */
  readonly message: string;
}

/** The server refuses the client's message. */
export interface SessionError {
  readonly type: 'session_error';
  /** The reason, for programs. */
  readonly code: string;
  /** The reason, for people. */
  readonly message: string;
}

/** A message from the server outside a match. */
export type LobbyNews = HelloOk | Account | QueueOk | QueueLeft | MatchFound | Room | GameJoined | PlayerJoined | PlayerLeft | GameStarted | GameLeft | Pong | Chat | Rematch | SeatReserved | Notice | SessionError;
