// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-server --lib api::`. Do not edit.

import type { Json } from '../types.ts';
import type { Profile, Rated, Sitting } from './lobby.ts';
import type { Fault, Ignored, Money, Outcome, SeatInfo, Snapshot } from './wire.ts';

/** Something that a target can be, or why it cannot. */
export interface ActionOption {
  readonly cost?: string;
  readonly id: string;
  readonly whyNot?: WhyNot;
}

/** What to do, in the game's own words: it reads the rest. */
export interface ActionOrder {
  readonly type: string;
}

/** Something that can be done now. */
export interface ActionRow {
  /** What it costs, or from where to where. */
  readonly cost: string | null;
  readonly description: string;
  readonly id: string;
  readonly name: string;
  readonly targets: { readonly [name: string]: ActionTarget };
  readonly timing: ActionTiming;
  /** Hints for a screen. */
  readonly ui: Json;
}

/** What an action is about. */
export interface ActionTarget {
  readonly constraints: readonly string[];
  readonly count: number;
  /** What has been chosen so far: ids by the names of the targets. */
  readonly given?: { readonly [name: string]: Json };
  /** Fewer than `count` where fewer will do. */
  readonly min: number;
  readonly options: readonly ActionOption[];
  /** What it is taken from. */
  readonly selector: string | null;
}

/** When an action takes effect. */
export type ActionTiming = 'stack' | 'instant';

/** What somebody can do now. */
export interface Actions {
  readonly actions: readonly ActionRow[];
  readonly refused: readonly RefusedAction[];
  /** Why nothing can be done at all. */
  readonly whyNot?: WhyNot;
}

/** Who wants another match. */
export interface Agreed {
  readonly agreed: readonly string[];
  /** The table, once all want it. */
  readonly game_id: string | null;
}

/** It was taken. */
export interface Answered {
  /** The head after it. */
  readonly branchId: number;
  /** What of it was not followed, and why. */
  readonly ignored?: readonly Ignored[];
  /** The key that was given with it. */
  readonly requestKey: string | null;
  readonly success: boolean;
}

/** What a player owns. */
export interface Balances {
  /** By currency. */
  readonly balances: { readonly [name: string]: number };
}

/** Which bot plays a seat. */
export interface BotChoice {
  /** `BotDef::name`; the game's first bot if empty. */
  readonly bot?: string;
  /** From 1; 0 leaves it to the bot. */
  readonly level?: number;
}

/** A bot that a game ships. `/catalog` lists it. */
export interface BotDef {
  /** The highest level, where a higher one plays better; 1 if there is only one. */
  readonly levels: number;
  /** The name in commands and requests, such as `greedy`. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
}

/** The games. */
export interface Catalog {
  readonly games: readonly CatalogGame[];
}

/** A game that is served here. */
export interface CatalogGame {
  readonly bots: readonly BotDef[];
  readonly leagues: readonly League[];
  readonly lobby: CatalogLobby;
  /** For programs. */
  readonly name: string;
  /** How players take seats while a table runs, under the usual settings. */
  readonly openSeating: OpenSeating | null;
  /** Null for rules that the server was built with. */
  readonly published: Publication | null;
  readonly rated: boolean;
  /** The number of its rules. */
  readonly rules: number;
  /** Whether its rules are data; then it has a sheet. */
  readonly ruleset: boolean;
  /** The JSON Schema of the settings. */
  readonly schema: { readonly [name: string]: Json };
  readonly seats: SeatRange;
  /** What a table has unless it says otherwise. */
  readonly settings: Json;
  /** Whether tokens can be at stake. */
  readonly staked: boolean;
  /** What its author says of it in a sentence; empty where the rules are no ruleset. */
  readonly text: string;
  /** The same in other languages, where the rules have words for it. */
  readonly texts: { readonly [name: string]: string };
  /** For people. */
  readonly title: string;
  /** The title in other languages, where the rules have words for it. */
  readonly titles: { readonly [name: string]: string };
  readonly undo: Undo;
  /** Whether people come and go while it runs. */
  readonly visits: boolean;
}

/** What a lobby knows of a game. */
export interface CatalogLobby {
  /** Requests that mean this game when they name none. */
  readonly default_for: readonly Route[];
  /** Served, but not listed. */
  readonly hidden: boolean;
  /** The place in the list, lower first. */
  readonly order: number;
  /** Of a table that is opened without a number of seats. */
  readonly seats: number;
  /** Of a table that is opened from the lobby; null for the defaults. */
  readonly settings: Json;
  /** Marks by which a lobby groups games. */
  readonly tags: readonly string[];
}

/** A bot that the creator chose. */
export interface ChosenBot {
  /** `BotDef::name`; the game's first bot if empty. */
  readonly bot?: string;
  /** From 1; 0 leaves it to the bot. */
  readonly level?: number;
  /** The operator's program that plays it, if it is none of the game's bots. */
  readonly program?: string | null;
  /** Any seat that is left if none. */
  readonly seat?: number | null;
}

/** A position in a match: the table, the number of the match there, and the number of records. */
export interface Continued {
  readonly at: number;
  readonly id: string;
  readonly match: number;
}

/** It is done. */
export interface Done {
  readonly success: boolean;
}

/** What everybody may know of a player. */
export interface Face {
  readonly avatar: string;
  /** The matches that you have both played; only for a player who asks of another. */
  readonly headToHead?: readonly HeadToHead[];
  /** The league they make. */
  readonly leagueKey: string;
  /** Their name for people. */
  readonly nickname: string;
  /** Their name for programs. */
  readonly player_id: string;
  /** Their points in the game that requests mean when they name none, or else in the first that rates players. */
  readonly rating: number;
  /** How they stand in every game. */
  readonly ratings: readonly Rated[];
}

/** How bad a finding is. */
export type FindingLevel = 'error' | 'warning';

/** From where to play on. */
export interface ForkOrder {
  /** The record up to which the log is taken. */
  readonly at: number;
  readonly player_name?: string | null;
  /** Whose seat is yours. */
  readonly seat: number;
}

/** A table that plays on from a moment of another. */
export interface Forked {
  readonly id: string;
  /** Where the web client finds it. */
  readonly link: string;
  readonly seat: number;
  /** The key to the seat. */
  readonly session_token: string;
}

/** A game, with what a screen needs that knows nothing of it. */
export interface GameInfo {
  readonly bots: readonly BotDef[];
  readonly leagues: readonly League[];
  readonly lobby: CatalogLobby;
  /** For programs. */
  readonly name: string;
  /** How players take seats while a table runs, under the usual settings. */
  readonly openSeating: OpenSeating | null;
  /** Null for rules that the server was built with. */
  readonly published: Publication | null;
  readonly rated: boolean;
  /** The number of its rules. */
  readonly rules: number;
  /** Whether its rules are data; then it has a sheet. */
  readonly ruleset: boolean;
  /** The JSON Schema of the settings. */
  readonly schema: { readonly [name: string]: Json };
  readonly seats: SeatRange;
  /** What a table has unless it says otherwise. */
  readonly settings: Json;
  /** What never changes at its tables; null where its rules are code. */
  readonly sheet: Json;
  /** Whether tokens can be at stake. */
  readonly staked: boolean;
  /** What its author says of it in a sentence; empty where the rules are no ruleset. */
  readonly text: string;
  /** The same in other languages, where the rules have words for it. */
  readonly texts: { readonly [name: string]: string };
  /** For people. */
  readonly title: string;
  /** The title in other languages, where the rules have words for it. */
  readonly titles: { readonly [name: string]: string };
  readonly undo: Undo;
  /** Whether people come and go while it runs. */
  readonly visits: boolean;
}

/** It waits for its people. */
export interface GameMade {
  readonly game_id: string;
  readonly num_bots: number;
  readonly status: string;
}

/** A new table, in the words of the mahjong document. */
export interface GameOrder {
  /** Which bots in which seats; `num_bots` counts the others. */
  readonly bots?: readonly ChosenBot[];
  readonly game?: string | null;
  readonly game_id?: string | null;
  readonly num_bots?: number | null;
  readonly settings?: Json;
}

/** A table that waits or runs. */
export interface GameRow {
  readonly game: string;
  /** The table. */
  readonly game_id: string;
  readonly max_players: number;
  readonly num_bots: number;
  /** People who are there. */
  readonly player_count: number;
  readonly started: boolean;
}

/** Tables, in the words of the mahjong document. */
export interface Games {
  readonly games: readonly GameRow[];
  /** There are more: what `after` takes for the next page. */
  readonly next?: string;
}

/** What a new player would like. */
export interface GuestOrder {
  readonly language?: 'en' | 'ja' | 'ru' | null;
  /** As near to it as is free. */
  readonly nickname?: string | null;
}

/** How your matches with another player went for you, in one game. */
export interface HeadToHead {
  readonly drawn: number;
  readonly game: string;
  readonly lost: number;
  readonly won: number;
}

/** The server answers. */
export interface Health {
  readonly status: string;
}

/** What somebody has played, newest first. */
export interface History {
  readonly matches: readonly Played[];
}

/** A wish for a seat. */
export interface JoinOrder {
  /** What you bring, where players come and go; the most unless said. */
  readonly buyIn?: number | null;
  readonly invite?: string | null;
  /** Needed without an account. */
  readonly player_name?: string | null;
  /** At a table that runs; any free one unless said. */
  readonly seat?: number | null;
}

/** A seat. */
export interface Joined {
  /** The table. */
  readonly id: string;
  /** At a table that runs. */
  readonly seat?: number;
  /** The key to the seat. */
  readonly session_token: string;
  readonly started: boolean;
}

/** A player in the list of those with the highest ratings. */
export interface Leader {
  readonly avatar: string;
  /** Matches drawn. */
  readonly drawn: number;
  /** The game. */
  readonly game: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** Matches lost. */
  readonly lost: number;
  readonly nickname: string;
  readonly player_id: string;
  /** The rating points. */
  readonly rating: number;
  /** Matches won. */
  readonly won: number;
}

/** Who leads in a game, the highest rating first. */
export interface Leaders {
  readonly leaders: readonly Leader[];
}

/** A league, and from how many points on. */
export interface League {
  readonly from: number;
  readonly key: string;
}

/** What somebody may see of a table. */
export interface MatchInfo {
  /** While it waits. */
  readonly bots?: number;
  /** The moment of another match from which this one plays on. */
  readonly continuedFrom?: Continued | null;
  readonly game: string;
  readonly id: string;
  /** The number of the match. */
  readonly match?: number;
  readonly over?: boolean;
  /** Why it is paused. */
  readonly paused?: string | null;
  /** While it waits: who is there. */
  readonly players?: readonly string[];
  /** While it waits. */
  readonly private?: boolean;
  /** The version of a published ruleset that it is played by. */
  readonly ruleset: Publication | null;
  /** While it waits, their number; then, who sits there. */
  readonly seats: number | readonly SeatInfo[];
  /** Somebody chose the seed, or may know it: never ranked, never staked. */
  readonly seeded: boolean;
  /** While it waits. */
  readonly settings?: Json;
  /** What they see, once it has begun. */
  readonly snapshot?: Snapshot | null;
  /** While it waits: what each will stake. */
  readonly stake?: number;
  readonly status: MatchState;
}

/** A table that waits for its people. */
export interface MatchMade {
  readonly bots: number;
  readonly id: string;
  /** The code of a private table. */
  readonly invite: string | null;
  /** Where the web client finds it. */
  readonly link: string;
  /** Needed to start or kill the table. */
  readonly owner_token: string;
  readonly seats: number;
  /** What each will stake. */
  readonly stake: number;
  readonly status: MatchState;
}

/** A new table. */
export interface MatchOrder {
  /** How long a player who is lost has to come back. */
  readonly awayGraceMs?: number | null;
  /** How long a bot takes for its turn. */
  readonly botMs?: number | null;
  /** How many of the seats are bots', or which bots in which seats. */
  readonly bots?: number | readonly ChosenBot[] | null;
  readonly game: string;
  /** Made up unless said. */
  readonly id?: string | null;
  /** How long the table waits for its last player. */
  readonly lastHumanGraceMs?: number | null;
  /** How many more, where `bots` is a list. */
  readonly num_bots?: number | null;
  /** Only for those who have its invitation. */
  readonly private?: boolean;
  /** It begins when everybody is ready. */
  readonly readyCheck?: boolean;
  /** As few as the game allows unless said. */
  readonly seats?: number | null;
  /** Makes the match repeatable; it is marked `seeded` and never staked. */
  readonly seed?: string | null;
  readonly settings?: Json;
  /** How much later the gallery sees it. */
  readonly spectatorDelayMs?: number | null;
  /** The bot that plays for a lost player. */
  readonly standInBot?: string | BotChoice | null;
}

/** A table in a list. */
export interface MatchRow {
  /** While it waits: how many bots will be. */
  readonly bots?: number;
  /** Where it was asked for by its stakes. */
  readonly buyInMax?: number;
  /** Where it was asked for by its stakes. */
  readonly buyInMin?: number;
  /** Where it was asked for by its stakes. */
  readonly currency?: Money;
  readonly game: string;
  readonly id: string;
  /** Once it runs: the number of the match. */
  readonly match?: number;
  /** The smallest bet, where it was asked for by its stakes. */
  readonly minBet?: number;
  /** While it waits: who is there. */
  readonly people?: number;
  /** Once it runs: the people by their seats, and when it is over the bots too. */
  readonly players?: readonly (string | null)[];
  /** When it is over. */
  readonly result?: TableResult;
  /** While it runs: what each seat has, as those who watch see it; null for a free seat. Missing where the game has no such number, or where those who watch see it later. */
  readonly scores?: readonly (number | null)[];
  readonly seats: number;
  /** Where it was asked for by its stakes. */
  readonly seatsFree?: number;
  readonly status: MatchState;
  /** Once it runs: when it last changed, in milliseconds since 1970. */
  readonly updated?: number;
}

/** How far a table is. */
export type MatchState = 'waiting' | 'running' | 'paused' | 'finished';

/** Tables. */
export interface Matches {
  readonly matches: readonly MatchRow[];
  /** There may be more: what `after` takes for the next page. */
  readonly next?: string;
}

/** A player as they see themselves, with what they sit at. */
export interface Me {
  /** The player's picture. */
  readonly avatar: string;
  /** Whether the next change of name is free. */
  readonly free_rename: boolean;
  /** The player's language. */
  readonly language: string;
  /** The league for these points. */
  readonly leagueKey: string;
  /** What they sit at. */
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
  /** The balance in tokens. */
  readonly tokens: number;
}

/** Whom a player does not want to hear at tables. */
export interface Mutes {
  /** By the names under which people speak, the latest last. */
  readonly names: readonly string[];
  /** Whether they hear nobody at all. */
  readonly off: boolean;
}

/** Whom a player does not want to hear at tables, from now on. */
export interface MutesOrder {
  /** By the names under which people speak; at most 200. */
  readonly names: readonly string[];
  /** Whether they hear nobody at all. */
  readonly off: boolean;
}

/** A player who was not there before. */
export interface NewPlayer {
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
  /** The only key to the account: told this once. */
  readonly token: string;
  /** The balance in tokens. */
  readonly tokens: number;
}

/** Another token for the same account. */
export interface NewToken {
  /** The only key to the account from now on: told this once. */
  readonly token: string;
}

/** How players take and leave seats while a table runs. A game without it starts when every seat is taken. */
export interface OpenSeating {
  /** The most that a player brings. */
  readonly buyInMax: number;
  /** The least that a player brings. */
  readonly buyInMin: number;
  readonly money: Money;
  /** The seats that must be taken before the first match starts. */
  readonly startWith: number;
}

/** A match that somebody has played. */
export interface Played {
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly game: string;
  /** The table. */
  readonly game_id: string;
  readonly match: number;
  /** What `after` takes. */
  readonly no: number;
  /** By how much their rating changed; null where it was not rated. */
  readonly points: number | null;
  readonly reason: string;
  readonly seat: number;
  readonly went: Went;
}

/** Where a player is. */
export interface PlayerSessions {
  /** What the player sits at. */
  readonly matches: readonly Sitting[];
  readonly sessions: readonly SignedIn[];
}

/** Why something was refused. */
export interface Problem {
  /** The head as it is, where an answer came too late. */
  readonly branchId?: number;
  /** For programs. */
  readonly code: string;
  readonly error: string;
  /** Everything that is wrong with an answer. */
  readonly faults?: readonly Fault[];
  /** Everything that is wrong with a ruleset. */
  readonly findings?: readonly RulesetFinding[];
  /** For people. */
  readonly message: string;
  /** The status of a refusal; or `error`, where the input-requests document asks for that. */
  readonly status: number | string;
  readonly title: string;
  readonly type: string;
}

/** What is to be another. */
export interface ProfileOrder {
  readonly avatar?: 'orc' | 'knight' | 'mage' | 'rogue' | 'ranger' | 'paladin' | null;
  readonly language?: 'en' | 'ja' | 'ru' | null;
}

/** Who published a ruleset, and which version it is. */
export interface Publication {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** Null for the house. */
  readonly author: PublishedBy | null;
  /** The hash that names these rules in every log. */
  readonly identity: string;
  readonly version: number;
}

/** The player who published a ruleset. */
export interface PublishedBy {
  /** Null for a player who has given their account up. */
  readonly name: string | null;
  readonly player_id: string;
}

/** They wait no longer. */
export interface QueueLeft {
  /** Whether they were in it. */
  readonly left: boolean;
  readonly success: boolean;
}

/** Where somebody stands in a queue, or the match that was found. */
export interface QueuePlace {
  readonly game?: string;
  /** The table that was found. */
  readonly game_id?: string;
  /** From 1. */
  readonly position?: number;
  readonly seat?: number;
  /** With `anySeat`: the token of that seat. */
  readonly session_token?: string;
  readonly status: QueueState;
  /** What they still own. */
  readonly tokens?: number;
  /** How many wait. */
  readonly waiting?: number;
}

/** How the waiting goes. */
export type QueueState = 'waiting' | 'matched';

/** Which opponents one waits for. */
export interface QueueWish {
  /** Where players come and go: a seat at a table with these settings, or at a new one. */
  readonly anySeat?: boolean;
  /** After so long bots take the seats that are still empty. */
  readonly fillWithBotsAfterMs?: number | null;
  /** As few as the game allows unless said. */
  readonly seats?: number | null;
  readonly settings?: Json;
}

/** Something that cannot be done now. */
export interface RefusedAction {
  readonly id: string;
  readonly name: string;
  readonly whyNot: WhyNot;
}

/** Whether somebody wants another match. */
export interface RematchOrder {
  /** False withdraws it. */
  readonly agree?: boolean;
}

/** Who leaves when this match is over. */
export interface RemoveOrder {
  /** False lets them stay after all. */
  readonly remove?: boolean;
  /** Whose. */
  readonly seat: number;
}

/** Another nickname. */
export interface RenameOrder {
  readonly nickname: string;
}

/** A match that is over, step by step. */
export interface Replay {
  readonly id: string;
  readonly outcome: Outcome | null;
  /** The version of a published ruleset that it was played by. */
  readonly ruleset: Publication | null;
  readonly steps: readonly ReplayStep[];
}

/** A moment of a match. */
export interface ReplayStep {
  /** When, in milliseconds since the match began. */
  readonly at?: number;
  /** What was told. */
  readonly events?: readonly Json[];
  /** The record that led to it. */
  readonly seq: number;
  /** What was seen then. */
  readonly view: Json;
}

/** A wish to keep a seat. */
export interface ReserveOrder {
  /** Any free one unless said. */
  readonly seat?: number | null;
}

/** An answer to a request. */
export interface ResponseOrder {
  /** Of the request. */
  readonly actor?: string | null;
  /** The head that the answer was given under. */
  readonly branchId?: number | null;
  /** The request that it answers. */
  readonly inputId?: number | null;
  /** Said twice, it is taken once. */
  readonly requestKey?: string | null;
  /** What is chosen. */
  readonly selection?: readonly Json[] | null;
  /** Of the request. */
  readonly title?: string | null;
}

/** A request that may leave out its game, because the document that describes it knows one game only. */
export type Route = 'games' | 'queue';

/** A ruleset without mistakes. */
export interface RulesetChecked {
  /** The name of its game. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What was found beside errors. */
  readonly warnings: readonly RulesetFinding[];
}

/** Something that was found in a ruleset. */
export interface RulesetFinding {
  /** The kind of mistake, for programs. */
  readonly code: string;
  /** The column in characters, from 1. */
  readonly column: number;
  /** The file it lies in, where that is not the ruleset itself. */
  readonly file?: string;
  /** What to do. */
  readonly help?: string;
  readonly level: FindingLevel;
  /** The line, from 1. */
  readonly line: number;
  /** What is wrong. */
  readonly message: string;
  /** Where in the value: a JSON pointer. */
  readonly pointer: string;
}

/** The version that was published, or that is there already. */
export interface RulesetMade {
  /** When that version was published, in milliseconds since 1970. */
  readonly at: number;
  /** The player who published it; null for the house. */
  readonly author: string | null;
  /** The hash that names these rules in every log. */
  readonly identity: string;
  /** The name of its game. */
  readonly name: string;
  readonly state: RulesetState;
  /** For people. */
  readonly title: string;
  /** Which version it is, from 1. */
  readonly version: number;
  /** What was found beside errors. */
  readonly warnings: readonly RulesetFinding[];
}

/** What is wrong with it. */
export interface RulesetReport {
  readonly text: string;
}

/** A ruleset that was published. */
export interface RulesetRow {
  /** When that version was published, in milliseconds since 1970. */
  readonly at: number;
  /** The player who published it; null for the house. */
  readonly author: string | null;
  /** The hash that names these rules in every log. */
  readonly identity: string;
  /** The name of its game. */
  readonly name: string;
  readonly state: RulesetState;
  /** For people. */
  readonly title: string;
  /** Which version it is, from 1. */
  readonly version: number;
}

/** Whether new tables may be opened. */
export type RulesetState = 'listed' | 'withdrawn' | 'taken_down';

/** How the file of a ruleset stands. */
export interface RulesetStatus {
  /** With an error among them the version before is still served. */
  readonly findings: readonly RulesetFinding[];
  /** Counts its changes. */
  readonly v: number;
  /** The version that is served. */
  readonly version: number;
}

/** One version of a ruleset. */
export interface RulesetText {
  /** When that version was published, in milliseconds since 1970. */
  readonly at: number;
  /** The player who published it; null for the house. */
  readonly author: string | null;
  /** The hash that names these rules in every log. */
  readonly identity: string;
  /** The name of its game. */
  readonly name: string;
  readonly state: RulesetState;
  /** The whole ruleset. */
  readonly text: string;
  /** For people. */
  readonly title: string;
  /** Which version it is, from 1. */
  readonly version: number;
}

/** Rulesets, by name. */
export interface Rulesets {
  readonly rulesets: readonly RulesetRow[];
}

/** How many can play. */
export interface SeatRange {
  readonly max: number;
  readonly min: number;
}

/** A seat that is kept while its player chooses what to bring. */
export interface SeatReserved {
  /** The most that a player brings. */
  readonly buyInMax: number;
  /** The least that a player brings. */
  readonly buyInMin: number;
  readonly currency: Money;
  /** For how long, in milliseconds. */
  readonly forMs: number;
  readonly seat: number;
}

/** The settings from the next match on. */
export interface SettingsOrder {
  /** In the game's own form. */
  readonly settings: Json;
}

/** A connection that is signed in as a player. */
export interface SignedIn {
  /** From where. */
  readonly address: string;
  /** When, in milliseconds since 1970. */
  readonly since: number;
}

/** Everything that came to an account or went. */
export interface Statement {
  readonly lines: readonly StatementLine[];
}

/** A line of a statement. */
export interface StatementLine {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** What was there after it. */
  readonly balance: number;
  /** What came, or went if it is below 0. */
  readonly change: number;
  /** Tokens or play. */
  readonly currency: string;
  /** The table that it was at. */
  readonly game_id: string | null;
  /** What `after` takes. */
  readonly no: number;
  /** Such as `buy_in`, `top_up`, `cash_out`, `payout`, `refund`, `hold`, `release`, `refill`. */
  readonly reason: string;
  /** The other side. */
  readonly with: StatementSide;
}

/** The other side of a line of a statement. */
export type StatementSide = 'player' | 'table' | 'hold' | 'house' | 'burn' | 'mint';

/** How many tables there are. */
export interface Status {
  readonly active_games: number;
  readonly max_games: number;
  readonly status: string;
}

/** In which order tables are listed. */
export type TableOrder = 'name' | 'newest';

/** How a table ended. */
export interface TableResult {
  /** Of each seat, from 1. */
  readonly places: readonly number[];
  /** A short code of the cause. */
  readonly reason: string;
  /** What each seat had, where the game has such a number. */
  readonly scores?: readonly number[];
}

/** What somebody was told of a match. */
export interface Told {
  readonly events: readonly ToldEvent[];
  /** The table. */
  readonly id: string;
  /** Where in their stream the last of it is; null where nobody is at the table. */
  readonly v: number | null;
}

/** Something that somebody was told. */
export interface ToldEvent {
  /** When, in milliseconds since the match began. */
  readonly at: number;
  /** In the game's own words. */
  readonly event: Json;
  /** Counted for them alone. */
  readonly n: number;
}

/** Who may take an answer back (000/R5). */
export type Undo = 'none' | 'own' | 'consent';

/** A wish to take an answer back. */
export interface UndoOrder {
  readonly requestKey?: string | null;
  /** Back to this head; the last answer unless said. */
  readonly to?: number | null;
}

/** How a match went for a player. */
export type Went = 'won' | 'lost' | 'drawn' | 'stopped';

/** Why something cannot be had. */
export interface WhyNot {
  /** The values in the text. */
  readonly args: { readonly [name: string]: Json };
  /** For programs. */
  readonly code: string;
  /** For people. */
  readonly text: string;
}

/** What each operation takes, and what it gives. */
export interface Operations {
  /** The same as /players/me/nickname. */
  accountNickname: { body: RenameOrder; reply: Profile };
  /** The same as /players/me/profile. */
  accountProfile: { body: ProfileOrder; reply: Profile };
  /** The same for the sockets. */
  asyncapi: { body: undefined; reply: Json };
  /** The same as /players/guest, as the battle's document has it. */
  authGuest: { body: GuestOrder; reply: NewPlayer };
  /** The same as /players/me. */
  authMe: { body: undefined; reply: Me };
  /** The games, and what can be set. */
  catalog: { body: undefined; reply: Catalog };
  /** One game, with what a screen needs to draw it. */
  game: { body: undefined; reply: GameInfo };
  /** Tables that wait or run. */
  listGames: { body: undefined; reply: Games };
  /** Make a table, in the words of the mahjong document. */
  createGame: { body: GameOrder; reply: GameMade };
  /** Whether the server answers. */
  health: { body: undefined; reply: Health };
  /** The same. */
  healthz: { body: undefined; reply: Health };
  /** The players with the highest ratings in a game. */
  leaders: { body: undefined; reply: Leaders };
  /** Tables, in pages. */
  listMatches: { body: undefined; reply: Matches };
  /** Make a table that waits for its people. */
  createMatch: { body: MatchOrder; reply: MatchMade };
  /** What you may see of a table. */
  viewMatch: { body: undefined; reply: MatchInfo };
  /** What you can do now, in the game's own words. */
  actions: { body: undefined; reply: Actions };
  /** Do it, or answer, in the game's own words. */
  act: { body: ActionOrder; reply: Answered };
  /** Play on from a moment of a match that is over, against bots. */
  fork: { body: ForkOrder; reply: Forked };
  /** Take a seat. */
  joinMatch: { body: JoinOrder; reply: Joined };
  /** End a table: every stake goes back. */
  killMatch: { body: undefined; reply: Done };
  /** Get up for good. */
  leaveMatch: { body: undefined; reply: Done };
  /** The log of a match that is over. */
  log: { body: undefined; reply: Told };
  /** Pause a table of yours. */
  pauseMatch: { body: undefined; reply: Done };
  /** Once more with the same people. */
  rematch: { body: RematchOrder; reply: Agreed };
  /** Remove a player when this match is over. */
  removePlayer: { body: RemoveOrder; reply: Done };
  /** A match that is over, step by step. */
  replay: { body: undefined; reply: Replay };
  /** Keep a free seat while you choose what to bring. */
  reserveSeat: { body: ReserveOrder; reply: SeatReserved };
  /** Answer a request. */
  respond: { body: ResponseOrder; reply: Answered };
  /** Go on with a table that you paused. */
  resumeMatch: { body: undefined; reply: Done };
  /** Change the settings of a table of yours from the next match on. */
  changeSettings: { body: SettingsOrder; reply: Answered };
  /** Begin with whoever is there. */
  startMatch: { body: undefined; reply: Done };
  /** Ask to take back your last answer. */
  undo: { body: UndoOrder; reply: Answered };
  /** The table in a form of its game's own, as you see it. */
  document: { body: undefined; reply: Json };
  /** The same as you would have it; a guest asks for a seat so. */
  merge: { body: Json; reply: Json };
  /** Your statement: every token that came or went. */
  ledger: { body: undefined; reply: Statement };
  /** What is counted, for Prometheus. */
  metrics: { body: undefined; reply: string };
  /** This page. */
  openapi: { body: undefined; reply: Json };
  /** Open an account; its token is told this once. */
  guest: { body: GuestOrder; reply: NewPlayer };
  /** Give your account up. */
  deleteMe: { body: undefined; reply: Done };
  /** Your account. */
  me: { body: undefined; reply: Me };
  /** What you own. */
  balance: { body: undefined; reply: Balances };
  /** The same. */
  myLedger: { body: undefined; reply: Statement };
  /** What you have played. */
  myMatches: { body: undefined; reply: History };
  /** Whom you do not want to hear at tables. */
  mutes: { body: undefined; reply: Mutes };
  /** Change whom you do not want to hear. */
  setMutes: { body: MutesOrder; reply: Mutes };
  /** Change your nickname. */
  rename: { body: RenameOrder; reply: Profile };
  /** Change your language or picture. */
  setProfile: { body: ProfileOrder; reply: Profile };
  /** Where your account is signed in. */
  sessions: { body: undefined; reply: PlayerSessions };
  /** Another token; the old one, and whoever signed in with it, are out. */
  changeToken: { body: undefined; reply: NewToken };
  /** What everybody may know of a player. */
  player: { body: undefined; reply: Face };
  /** What a player has played at public tables. */
  playerMatches: { body: undefined; reply: History };
  /** Stop looking. */
  queueLeave: { body: undefined; reply: QueueLeft };
  /** Where you stand, or the match that was found. */
  queuePlace: { body: undefined; reply: QueuePlace };
  /** Find people to play with. */
  queueJoin: { body: QueueWish; reply: QueuePlace };
  /** Whether tables can be played and stored. */
  ready: { body: undefined; reply: Health };
  /** Rulesets that were published, in pages. */
  listRulesets: { body: undefined; reply: Rulesets };
  /** Publish a game as a JSON ruleset: the body. */
  publishRuleset: { body: Json; reply: RulesetMade };
  /** Say what is wrong with a ruleset, and publish nothing. */
  checkRuleset: { body: Json; reply: RulesetChecked };
  /** Withdraw a ruleset of yours; its tables go on. */
  withdrawRuleset: { body: undefined; reply: Done };
  /** One version of a ruleset, with its text. */
  ruleset: { body: undefined; reply: RulesetText };
  /** Tell the operator what is wrong with it. */
  reportRuleset: { body: RulesetReport; reply: Done };
  /** How the file of a ruleset stands. */
  rulesetStatus: { body: undefined; reply: RulesetStatus };
  /** How many tables there are. */
  status: { body: undefined; reply: Status };
}
