//! Players: accounts, ratings, statements, histories, and the queue.

use std::collections::BTreeMap;

use parlor_core::Json;
use parlor_wire::lobby::{FILL_MS_MAX, Profile, Rated, Sitting};
use serde::{Deserialize, Serialize};

use super::{OneOf, Text, UpTo, Words};
use crate::house::accounts::{AVATARS, LANGUAGES};

/// The languages that the house speaks.
pub(crate) struct Languages;

impl Words for Languages {
    const WORDS: &'static [&'static str] = &LANGUAGES;
}

/// The pictures that a player can choose.
pub(crate) struct Avatars;

impl Words for Avatars {
    const WORDS: &'static [&'static str] = &AVATARS;
}

/// What a new player would like.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GuestOrder {
    /// As near to it as is free.
    pub(crate) nickname: Option<Text<0, 50>>,
    pub(crate) language: Option<OneOf<Languages>>,
}

/// Another nickname.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RenameOrder {
    pub(crate) nickname: Text<0, 50>,
}

/// What is to be another.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProfileOrder {
    pub(crate) language: Option<OneOf<Languages>>,
    pub(crate) avatar: Option<OneOf<Avatars>>,
}

/// Whom a player does not want to hear at tables, from now on.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MutesOrder {
    /// Whether they hear nobody at all.
    pub(crate) off: bool,
    /// By the names under which people speak; at most 200.
    pub(crate) names: Vec<Text<1, 64>>,
}

/// A player who was not there before.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewPlayer {
    #[serde(flatten)]
    pub(crate) profile: Profile,
    /// The only key to the account: told this once.
    pub(crate) token: String,
}

/// Another token for the same account.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewToken {
    /// The only key to the account from now on: told this once.
    pub(crate) token: String,
}

/// A player as they see themselves, with what they sit at.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Me {
    #[serde(flatten)]
    pub(crate) profile: Profile,
    /// What they sit at.
    pub(crate) matches: Vec<Sitting>,
}

/// Where a player is.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlayerSessions {
    pub(crate) sessions: Vec<SignedIn>,
    /// What the player sits at.
    pub(crate) matches: Vec<Sitting>,
}

/// A connection that is signed in as a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SignedIn {
    /// From where.
    pub(crate) address: String,
    /// When, in milliseconds since 1970.
    pub(crate) since: u64,
}

/// What everybody may know of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Face {
    /// Their name for programs.
    #[serde(rename = "player_id")]
    pub(crate) player_id: String,
    /// Their name for people.
    pub(crate) nickname: String,
    pub(crate) avatar: String,
    /// Their points in the game that requests mean when they name none, or else in the first that rates players.
    pub(crate) rating: i64,
    /// The league they make.
    pub(crate) league_key: String,
    /// How they stand in every game.
    pub(crate) ratings: Vec<Rated>,
    /// The matches that you have both played; only for a player who asks of another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) head_to_head: Option<Vec<HeadToHead>>,
}

/// How your matches with another player went for you, in one game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HeadToHead {
    pub(crate) game: String,
    pub(crate) won: u64,
    pub(crate) lost: u64,
    pub(crate) drawn: u64,
}

/// Who leads in a game, the highest rating first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Leaders {
    pub(crate) leaders: Vec<Leader>,
}

/// A player in the list of those with the highest ratings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Leader {
    pub(crate) player_id: String,
    pub(crate) nickname: String,
    pub(crate) avatar: String,
    #[serde(flatten)]
    pub(crate) rated: Rated,
}

/// What a player owns.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Balances {
    /// By currency.
    pub(crate) balances: BTreeMap<&'static str, i64>,
}

/// Everything that came to an account or went.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Statement {
    pub(crate) lines: Vec<StatementLine>,
}

/// A line of a statement.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatementLine {
    /// What `after` takes.
    pub(crate) no: u64,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// Tokens or play.
    pub(crate) currency: String,
    /// What came, or went if it is below 0.
    pub(crate) change: i64,
    /// What was there after it.
    pub(crate) balance: i64,
    /// Such as `buy_in`, `top_up`, `cash_out`, `payout`, `refund`, `hold`, `release`, `refill`.
    pub(crate) reason: &'static str,
    /// The other side.
    pub(crate) with: StatementSide,
    /// The table that it was at.
    pub(crate) game_id: Option<String>,
}

/// The other side of a line of a statement.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum StatementSide {
    Player,
    Table,
    Hold,
    House,
    Burn,
    Mint,
}

/// Which lines of a statement.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StatementQuery {
    /// Only this one: tokens or play.
    pub(crate) currency: Option<String>,
    /// The `no` of the last row you have; older ones follow.
    pub(crate) after: Option<u64>,
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
}

/// What somebody has played, newest first.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct History {
    pub(crate) matches: Vec<Played>,
}

/// A match that somebody has played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Played {
    /// What `after` takes.
    pub(crate) no: u64,
    /// The table.
    pub(crate) game_id: String,
    #[serde(rename = "match")]
    pub(crate) match_no: u32,
    pub(crate) game: String,
    pub(crate) seat: u8,
    pub(crate) went: Went,
    pub(crate) reason: String,
    /// By how much their rating changed; null where it was not rated.
    pub(crate) points: Option<i64>,
    /// When it ended, in milliseconds since 1970.
    pub(crate) at: u64,
}

/// How a match went for a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Went {
    Won,
    Lost,
    Drawn,
    Stopped,
}

/// Which rows of a list that is numbered.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct HistoryQuery {
    /// The `no` of the last row you have; older ones follow.
    pub(crate) after: Option<u64>,
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
}

/// How much of a list.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LeadersQuery {
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
}

/// Which opponents one waits for.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueueWish {
    #[serde(default)]
    pub(crate) settings: Json,
    /// As few as the game allows unless said.
    pub(crate) seats: Option<u8>,
    /// Where players come and go: a seat at a table with these settings, or at a new one.
    #[serde(default)]
    pub(crate) any_seat: bool,
    /// After so long bots take the seats that are still empty.
    pub(crate) fill_with_bots_after_ms: Option<UpTo<{ FILL_MS_MAX as u64 }>>,
}

/// Where somebody stands in a queue, or the match that was found.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct QueuePlace {
    pub(crate) status: QueueState,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<u64>,
    /// How many wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waiting: Option<u64>,
    /// What they still own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<i64>,
    /// The table that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<u8>,
    /// With `anySeat`: the token of that seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_token: Option<String>,
}

/// How the waiting goes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum QueueState {
    Waiting,
    Matched,
}

impl QueuePlace {
    /// A place in a queue: the position from 1, and how many wait.
    pub(crate) fn waiting(position: u64, waiting: u64, tokens: Option<i64>) -> Self {
        Self { position: Some(position), waiting: Some(waiting), tokens, ..Self::at(QueueState::Waiting) }
    }

    /// A table that was found.
    pub(crate) fn found(status: QueueState, game_id: &str, game: &str) -> Self {
        Self { game_id: Some(game_id.to_owned()), game: Some(game.to_owned()), ..Self::at(status) }
    }

    fn at(status: QueueState) -> Self {
        Self {
            status,
            position: None,
            waiting: None,
            tokens: None,
            game_id: None,
            game: None,
            seat: None,
            session_token: None,
        }
    }
}

/// They wait no longer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct QueueLeft {
    pub(crate) success: bool,
    /// Whether they were in it.
    pub(crate) left: bool,
}
