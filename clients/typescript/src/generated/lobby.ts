// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-wire`. Do not edit.

/** Who plays in a match that has just begun. */
export interface SeatNews {
  /** Where. */
  readonly seat: number;
  /** The name at the table. */
  readonly name: string;
  /** Whether it is a bot. */
  readonly is_bot: boolean;
  /** Whose account it is; nobody's for a bot, and for a guest without one. */
  readonly player_id?: string;
}

/** A match that a player sits at. */
export interface Sitting {
  /** The table. */
  readonly game_id: string;
  /** The game. */
  readonly game: string;
  /** His seat. */
  readonly seat: number;
}

/** How a player stands in one game. */
export interface Rated {
  /** The game. */
  readonly game: string;
  /** His points. */
  readonly rating: number;
  /** The league they make. */
  readonly leagueKey: string;
  /** Matches won. */
  readonly won: number;
  /** Matches lost. */
  readonly lost: number;
  /** Matches drawn. */
  readonly drawn: number;
}

/** A player as he sees himself. */
export interface Profile {
  /** His name for programs. */
  readonly player_id: string;
  /** His name for people. */
  readonly nickname: string;
  /** The language he reads. */
  readonly language: string;
  /** His picture. */
  readonly avatar: string;
  /** What he owns. */
  readonly tokens: number;
  /** His points in the first game that rates him; 0 where none does yet. */
  readonly rating: number;
  /** The league they make. */
  readonly leagueKey: string;
  /** How he stands in every game. */
  readonly ratings: readonly Rated[];
  /** Whether the next change of name costs nothing. */
  readonly free_rename: boolean;
  /** What he may do beyond playing. */
  readonly rights: readonly string[];
}

/** One of the people in a room. */
export interface Waiting {
  /** The name at the table. */
  readonly name: string;
  /** Whether he is ready. */
  readonly ready: boolean;
  /** Whether the room is his. */
  readonly owner: boolean;
  /** Whether he is connected. */
  readonly here: boolean;
}

/** This is who you are. */
export interface HelloOk extends Profile {
  readonly type: 'hello_ok';
  /** The token of an account that was opened just now: shown this once. */
  readonly token?: string;
  /** Matches that wait for you. */
  readonly matches: readonly Sitting[];
}

/** What you own and how you stand has changed. */
export interface Account extends Profile {
  readonly type: 'account';
}

/** You are in the queue. */
export interface QueueOk {
  readonly type: 'queue_ok';
  /** What you own. */
  readonly tokens: number;
  /** Your place, from 1. */
  readonly position: number;
  /** How many wait with you. */
  readonly waiting: number;
}

/** You are in no queue. */
export interface QueueLeft {
  readonly type: 'queue_left';
}

/** A match has begun, and this connection carries it. */
export interface MatchFound {
  readonly type: 'match_found';
  /** The table. */
  readonly game_id: string;
  /** The game. */
  readonly game: string;
  /** Your seat. */
  readonly seat: number;
  /** Your right to return. */
  readonly session_token: string;
  /** Everybody. */
  readonly players: readonly SeatNews[];
  /** What each has staked. */
  readonly stake: number;
  /** Whether it had begun before: you come back to it. */
  readonly returning?: boolean;
}

/** Who is in the room, and how it stands. */
export interface Room {
  readonly type: 'room';
  /** The table. */
  readonly game_id: string;
  /** The people. */
  readonly members: readonly Waiting[];
  /** How many people it waits for in all. */
  readonly humans: number;
}

/** You have a place at the table. */
export interface GameJoined {
  readonly type: 'game_joined';
  /** The table. */
  readonly game_id: string;
  /** The names of those who are there. */
  readonly players: readonly string[];
  /** Your right to return; none for a spectator. */
  readonly session_token: string | null;
}

/** Somebody came. */
export interface PlayerJoined {
  readonly type: 'player_joined';
  /** Who. */
  readonly player_name: string;
}

/** Somebody went. */
export interface PlayerLeft {
  readonly type: 'player_left';
  /** Who. */
  readonly player_name: string;
}

/** The match begins. */
export interface GameStarted {
  readonly type: 'game_started';
  /** Everybody. */
  readonly players: readonly SeatNews[];
}

/** You have left. */
export interface GameLeft {
  readonly type: 'game_left';
}

/** Still here. */
export interface Pong {
  readonly type: 'pong';
}

/** Somebody in the room said something. */
export interface Chat {
  readonly type: 'chat';
  /** Who. */
  readonly player_name: string;
  /** What. */
  readonly text: string;
}

/** Who wants a rematch. */
export interface Rematch {
  readonly type: 'rematch';
  /** Those who have agreed. */
  readonly agreed: readonly string[];
  /** The new table, once all have. */
  readonly game_id: string | null;
}

/** Something about the server. */
export interface Notice {
  readonly type: 'notice';
  /** What, for programs. */
  readonly code: string;
  /** What, for people. */
  readonly message: string;
}

/** What you said could not be done. */
export interface SessionError {
  readonly type: 'session_error';
  /** Why, for programs. */
  readonly code: string;
  /** Why, for people. */
  readonly message: string;
}

/** What the server says beside a match. */
export type LobbyNews = HelloOk | Account | QueueOk | QueueLeft | MatchFound | Room | GameJoined | PlayerJoined | PlayerLeft | GameStarted | GameLeft | Pong | Chat | Rematch | Notice | SessionError;
