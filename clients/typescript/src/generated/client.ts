// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-server --lib api::`. Do not edit.

/** Take a seat, or return to it. */
export interface JoinGame {
  readonly type: 'join_game';
  /** What the player brings, at a table where players come and go. */
  readonly buy_in?: number | null;
  /** The table, for a connection that has not named one yet. */
  readonly game_id?: string | null;
  /** The code of a private table. */
  readonly invite?: string | null;
  /** The number of the last chat message that the client has, if it returns. */
  readonly last_chat?: number | null;
  /** The last version that the client has, if it returns. */
  readonly last_v?: number | null;
  /** May be left out by a spectator, and by a player with an account. */
  readonly player_name?: string;
  /** The token of the player's account, if they play under it. */
  readonly player_token?: string | null;
  /** The seat that the client wants, at a table that runs; any if none. */
  readonly seat?: number | null;
  /** The client's own token, if it has one. */
  readonly session_token?: string | null;
  /** Whether the client only wants to watch. */
  readonly spectate?: boolean;
}

/** Keep a free seat for a minute, while the player chooses what to bring. */
export interface ReserveSeat {
  readonly type: 'reserve_seat';
  /** Any if none. */
  readonly seat?: number | null;
}

/** A spectator takes a seat at a table that runs. */
export interface SitDown {
  readonly type: 'sit_down';
  /** What they bring; the most that is allowed if none. */
  readonly buy_in?: number | null;
  /** Any if none. */
  readonly seat?: number | null;
}

/** Leave the seat. */
export interface LeaveGame {
  readonly type: 'leave_game';
}

/** Answer a request. */
export interface GameActionAnswer {
  readonly type: 'game_action';
  readonly action: 'answer';
  /** The head that the client had. */
  readonly branchId?: number | null;
  /** The answer, in the form that the request asks for. */
  readonly data?: unknown;
  /** The request that is answered. */
  readonly inputId?: number | null;
  /** The retry key. */
  readonly requestKey?: string | null;
}

/** Take back the last answer, or the record that the client names. */
export interface GameActionUndo {
  readonly type: 'game_action';
  readonly action: 'undo';
  /** The record. */
  readonly data?: { readonly to?: number | null } | null;
  /** The retry key. */
  readonly requestKey?: string | null;
}

/** Send a chat message. */
export interface Chat {
  readonly type: 'chat';
  readonly text: string;
}

/** Keep the connection alive. */
export interface Ping {
  readonly type: 'ping';
}

/** A message from a client to a table. */
export type ClientMessage = JoinGame | ReserveSeat | SitDown | LeaveGame | GameActionAnswer | GameActionUndo | Chat | Ping;

/** Sign in. Without a token the server creates an account for a guest. */
export interface Hello {
  readonly type: 'hello';
  /** The language of a new guest. */
  readonly language?: string | null;
  /** The name that a new guest would like. */
  readonly nickname?: string | null;
  /** The account's token; `authToken` is the same. */
  readonly token?: string | null;
}

/** Join the queue. */
export interface QueueJoin {
  readonly type: 'queue_join';
  /** After how many milliseconds bots may take the empty seats; never if omitted. */
  readonly fillWithBotsAfterMs?: number | null;
  /** May be omitted if the dialect or the server knows which game is meant. */
  readonly game?: string | null;
  /** The number of seats; the game's minimum if omitted. */
  readonly seats?: number | null;
  /** The table's settings. */
  readonly settings?: unknown;
}

/** Leave the queue. */
export interface QueueLeave {
  readonly type: 'queue_leave';
}

/** Play against bots at once. */
export interface PlayBots {
  readonly type: 'play_bots';
  /** The number of bots; all other seats if omitted. */
  readonly bots?: number | null;
  readonly game?: string | null;
  /** The table's settings. */
  readonly settings?: unknown;
}

/** Say whether the player is ready, in a room. */
export interface RoomReady {
  readonly type: 'room_ready';
  readonly ready?: boolean;
}

/** The owner starts the match with the people who are there; bots take the other seats. */
export interface RoomStart {
  readonly type: 'room_start';
}

/** The owner removes a member. */
export interface RoomKick {
  readonly type: 'room_kick';
  readonly player_name: string;
}

/** The owner makes another member the owner. */
export interface RoomOwner {
  readonly type: 'room_owner';
  readonly player_name: string;
}

/** Ask for a rematch with the same people after a match. */
export interface Rematch {
  readonly type: 'rematch';
  /** `false` withdraws the request. */
  readonly agree?: boolean;
}

/** A message from a client to the lobby. */
export type LobbyMessage = Hello | QueueJoin | QueueLeave | PlayBots | RoomReady | RoomStart | RoomKick | RoomOwner | Rematch;
