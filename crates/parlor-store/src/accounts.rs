//! People: their accounts, the matches they have played, how they stand, and what operators did.

use std::fmt;

use parlor_core::{Json, MatchResult};

use crate::id::{PlayerId, TableId};

/// Matches in one answer of [`MatchLog::history`](crate::MatchLog::history), and lines in one of
/// [`MatchLog::audit_lines`](crate::MatchLog::audit_lines).
pub const ROWS_PER_PAGE_MAX: usize = 200;

/// Somebody with an account. Of his token only the hash is kept, and `Debug` does not show even that.
#[derive(Clone, PartialEq, Eq)]
pub struct Player {
    /// His name for programs.
    pub id: PlayerId,
    /// His name for people.
    pub name: String,
    /// The hash of his token; whoever calls has hashed it.
    pub token_hash: [u8; 32],
    /// Since when, in milliseconds since 1970.
    pub created_ms: u64,
    /// The language he wants to read, as a code; the server says which there are.
    pub language: String,
    /// His picture, by name; the server says which there are.
    pub avatar: String,
    /// How often he has changed his name.
    pub renames: u32,
    /// What he may do beyond playing, as the server counts its rights.
    pub rights: u32,
    /// When he gave his account up, in milliseconds since 1970. His name is free then, and no token is his.
    pub deleted_ms: Option<u64>,
}

impl Player {
    /// A new account.
    #[must_use]
    pub fn new(id: PlayerId, name: &str, token_hash: [u8; 32], created_ms: u64) -> Self {
        let (language, avatar) = (String::new(), String::new());
        let (renames, rights, deleted_ms) = (0, 0, None);
        Self {
            id,
            name: name.to_owned(),
            token_hash,
            created_ms,
            language,
            avatar,
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
    /// Nobody falls below this.
    pub floor: i64,
}

/// A match that ends for a player, with the entry that ends it.
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
    /// What was noted when it ended.
    pub played: Played,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// How a player stands in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RatingRow {
    /// Which game.
    pub game: String,
    /// His points.
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

/// Something an operator did.
#[derive(Clone, PartialEq, Debug)]
pub struct AuditLine {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// What, for programs.
    pub what: String,
    /// The particulars; never a secret.
    pub about: Json,
}
