//! Accounts: players, what they own, the matches they have played, their ratings; and what operators did.

use std::fmt;

use parlor_core::{Json, MatchResult};

use crate::error::ReadError;
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::{Owner, Reason};

/// Matches in one answer of [`Accounts::history`], lines in one of [`Accounts::statement`] or
/// [`Accounts::audit_lines`], holds in one of [`Accounts::holds`].
pub const ROWS_PER_PAGE_MAX: usize = 200;

/// A person with an account. The store keeps only the hash of their token, and `Debug` does not show even that.
#[derive(Clone, PartialEq, Eq)]
pub struct Player {
    /// The name for programs.
    pub id: PlayerId,
    /// The name for people.
    pub name: String,
    /// The hash of the token; the caller has hashed it.
    pub token_hash: [u8; 32],
    /// When the account was opened, in milliseconds since 1970.
    pub created_ms: u64,
    /// The language they read, as a code; the server decides which there are.
    pub language: String,
    /// Their picture, by name; the server decides which there are.
    pub avatar: String,
    /// What they have set for themselves alone, as the server writes it; empty if nothing.
    pub preferences: String,
    /// How often they have changed their name.
    pub renames: u32,
    /// What they may do beyond playing: bits that the server defines.
    pub rights: u32,
    /// When they closed the account, in milliseconds since 1970. From then on the name is free and no token is theirs.
    pub deleted_ms: Option<u64>,
}

impl Player {
    /// A new account.
    #[must_use]
    pub fn new(id: PlayerId, name: &str, token_hash: [u8; 32], created_ms: u64) -> Self {
        let (language, avatar, preferences) = (String::new(), String::new(), String::new());
        let (renames, rights, deleted_ms) = (0, 0, None);
        Self {
            id,
            name: name.to_owned(),
            token_hash,
            created_ms,
            language,
            avatar,
            preferences,
            renames,
            rights,
            deleted_ms,
        }
    }

    /// For drivers: the name as it is compared, so that two players never have the same. None for a closed account.
    #[must_use]
    pub fn name_key(&self) -> Option<String> {
        self.deleted_ms.is_none().then(|| self.name.to_lowercase())
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, name, created_ms, .. } = self;
        write!(f, "Player({id:?}, {name:?}, token …, {created_ms})")
    }
}

/// Points that a match moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Points {
    /// By how much.
    pub by: i64,
    /// No player falls below this.
    pub floor: i64,
}

/// A match that ends for a player, stored with the entry that ends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Who.
    pub player: PlayerId,
    /// Which match of the table.
    pub match_no: u32,
    /// Of which game.
    pub game: String,
    /// In which seat.
    pub seat: u8,
    /// How it went.
    pub went: MatchResult,
    /// Why it ended, as the game says it.
    pub reason: String,
    /// The points it moves; none where it does not count.
    pub points: Option<Points>,
}

/// One row of a player's history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMatch {
    /// The number of the row; later ones are higher.
    pub no: u64,
    /// At which table.
    pub table: TableId,
    /// What was stored when it ended.
    pub played: Played,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A player's rating in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RatingRow {
    /// Which game.
    pub game: String,
    /// Their points.
    pub points: i64,
    /// Rated matches won.
    pub won: u64,
    /// Rated matches lost.
    pub lost: u64,
    /// Rated matches drawn.
    pub drawn: u64,
}

impl RatingRow {
    /// For drivers: counts one more match.
    pub fn count(&mut self, went: MatchResult, points: Points) {
        self.points = self.points.saturating_add(points.by).max(points.floor);
        match went {
            MatchResult::Won => self.won += 1,
            MatchResult::Lost => self.lost += 1,
            MatchResult::Drawn => self.drawn += 1,
            MatchResult::Stopped => {}
        }
    }
}

/// How the matches that two players have both played went for the first of them, in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeadToHead {
    /// Which game.
    pub game: String,
    /// Matches that the first one won.
    pub won: u64,
    /// Matches that they lost.
    pub lost: u64,
    /// Matches that they drew.
    pub drawn: u64,
}

impl HeadToHead {
    /// For drivers: counts one more match.
    pub fn count(&mut self, went: MatchResult) {
        match went {
            MatchResult::Won => self.won += 1,
            MatchResult::Lost => self.lost += 1,
            MatchResult::Drawn => self.drawn += 1,
            MatchResult::Stopped => {}
        }
    }
}

/// One line of an account's statement: one transfer, seen from the account's side.
///
/// The lines of a write stand in the order in which its transfers were given, what comes in before what goes out. Each
/// line's balance is that of the line before it in the same currency plus the change, and none but the mint's is ever
/// below zero. A transfer from an account to itself changes nothing and has no line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementLine {
    /// The number of the line; later ones are higher. Not all numbers are lines.
    pub no: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// In which currency.
    pub currency: Currency,
    /// What came in; below zero, what went out.
    pub change: i64,
    /// What the account held after it.
    pub balance: i64,
    /// The account on the other side.
    pub with: Owner,
    /// Why.
    pub reason: Reason,
    /// The table with whose entries it moved, for an [`Append`](crate::Append).
    pub table: Option<TableId>,
    /// The name of the event, for a [`Write::Post`](crate::Write::Post) or
    /// [`Write::PlayerPays`](crate::Write::PlayerPays).
    pub key: Option<String>,
}

/// A hold that still has something, in one currency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenHold {
    /// The hold.
    pub hold: HoldId,
    /// In which currency.
    pub currency: Currency,
    /// What is in it now.
    pub amount: i64,
    /// Who paid into it first since it was last empty: a player, for a [`Write::hold`](crate::Write::hold).
    pub payer: Owner,
    /// When they did, in milliseconds since 1970.
    pub at_ms: u64,
}

/// One line of the audit log: something an operator did.
#[derive(Clone, PartialEq, Debug)]
pub struct AuditLine {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// What, for programs.
    pub what: String,
    /// The particulars; never a secret.
    pub about: Json,
}

/// The players of a store: accounts, balances, histories, ratings, and the audit log. Reads only: writes go through
/// [`MatchLog::submit`](crate::MatchLog::submit), because tokens move with the entries that move them.
pub trait Accounts: Send + Sync {
    /// A player.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn player(&self, id: &PlayerId) -> Result<Option<Player>, ReadError>;

    /// The player with this token.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, ReadError>;

    /// The player with this name, in upper or lower case; none for names of closed accounts.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn player_by_name(&self, name: &str) -> Result<Option<Player>, ReadError>;

    /// What an account holds.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn balance(&self, owner: &Owner, currency: &Currency) -> Result<i64, ReadError>;

    /// What each player is due when a table stops now: what they have put on it since it was last empty, less what
    /// they have had back, and no more than lies there. What came out of a hold was put there by the hold's payer.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn due(&self, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>, ReadError>;

    /// The lines of an account, newest first; only those in one currency and those before line `before`, where they are
    /// given, up to [`ROWS_PER_PAGE_MAX`]. The next page begins before the last line of this one. A page costs the
    /// same however many lines there are.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn statement(
        &self,
        owner: &Owner,
        currency: Option<&Currency>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StatementLine>, ReadError>;

    /// The holds that still have something, by name; only those after this one, where it is given, up to
    /// [`ROWS_PER_PAGE_MAX`]. One that holds several currencies has a row for each and is never cut by the limit.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn holds(&self, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>, ReadError>;

    /// A player's ratings, by the names of the games.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn standings(&self, id: &PlayerId) -> Result<Vec<RatingRow>, ReadError>;

    /// The players with the highest ratings in a game, the highest first, up to [`ROWS_PER_PAGE_MAX`]. Closed accounts are
    /// left out.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn leaders(&self, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>, ReadError>;

    /// How the matches that both have played went for the first, by the names of the games. Matches that were stopped do
    /// not count.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn head_to_head(&self, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>, ReadError>;

    /// A player's matches, newest first; only those before row `before`, where it is given, up to
    /// [`ROWS_PER_PAGE_MAX`].
    ///
    /// # Errors
    /// Why they cannot be read.
    fn history(
        &self,
        id: &PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PlayedMatch>, ReadError>;

    /// The audit log, newest line first, with the numbers of the lines; only lines before `before`, where it is given.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn audit_lines(&self, before: Option<u64>, limit: usize) -> Result<Vec<(u64, AuditLine)>, ReadError>;

    /// Adds all balances up again from the journal, every line of every statement and every currency by itself, and
    /// lists what is wrong, in words. Empty when the books balance.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn audit(&self) -> Result<Vec<String>, ReadError>;
}
