/**
 * A client for Parlor tables.
 *
 * - `TableClient`: a seat, or a place in the gallery, at one table.
 * - `LobbyClient`: queues, and the matches that come out of them.
 * - `Api`: the REST side.
 * - `pickOf`, `whyNot`, `boundsOf`: answers from the choices of a request.
 */

export { Api } from './api.ts';
export type { ApiOptions, LogLine } from './api.ts';
export { canonical, viewHash } from './canonical.ts';
export { ParlorError } from './error.ts';
export type {
  ActionRow,
  ActionTarget,
  Actions,
  Balances,
  CatalogGame,
  Face,
  Forked,
  GameInfo,
  MatchInfo,
  MatchMade,
  Leader,
  MatchOrder,
  MatchRow,
  MatchState,
  Me,
  NewPlayer,
  Operations,
  Played,
  QueuePlace,
  Replay,
  ReplayStep,
  SeatReserved,
  Statement,
  StatementLine,
  Told,
} from './generated/rest.ts';
export type { Bounds, Selector } from './generated/wire.ts';
export { LobbyClient } from './lobby.ts';
export type {
  LobbyEvents,
  LobbyOptions,
  LobbyState,
  LobbyStatus,
  MatchFound,
  Player,
  QueueOrder,
  Rated,
  Sitting,
} from './lobby.ts';
export { changed, patched, PatchError } from './patch.ts';
export { boundsOf, deadline, faultText, pickOf, seatsOf, whyNot } from './picks.ts';
export type { Answer, Choosable, Picked } from './picks.ts';
export { TableClient, hasSeat, keepSeat } from './table.ts';
export type {
  ChatLine,
  Choice,
  Closed,
  CodecName,
  Conflict,
  Desync,
  Fault,
  Heard,
  Ignored,
  Json,
  KeptSeat,
  LinkOptions,
  Money,
  Notice,
  Outcome,
  Over,
  PickInput,
  Prompt,
  RematchState,
  Result,
  RoomState,
  SeatClock,
  SeatInfo,
  SeatResult,
  SitOrder,
  Snapshot,
  SocketFactory,
  SocketLike,
  Status,
  StorageLike,
  Submission,
  TableEvents,
  TableOptions,
  TableState,
  Timing,
  Update,
} from './types.ts';
