//! Published rulesets: every version with its text, for good. The store never looks inside a ruleset.

use crate::error::ReadError;
use crate::id::PlayerId;

/// Bytes of the name of a ruleset.
pub const RULESET_NAME_BYTES_MAX: usize = 64;

/// One version of a ruleset. It never changes: matches that were begun under it are replayed under it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesetVersion {
    /// The name of the ruleset. It belongs to the author of its first version.
    pub name: String,
    /// Counted from 1 for each name.
    pub version: u32,
    /// The hash that names these rules in the header of every match.
    pub identity: [u8; 32],
    /// None for a ruleset of the house.
    pub author: Option<PlayerId>,
    /// The name for people.
    pub title: String,
    /// The whole ruleset: nothing that it extends is needed beside it.
    pub text: String,
    /// When it was published, in milliseconds since 1970.
    pub at_ms: u64,
}

/// Whether new tables of a ruleset may be opened. Tables that run go on in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesetState {
    /// Anybody may open one.
    #[default]
    Listed,
    /// Its author has withdrawn it; the next version lists it again.
    Withdrawn,
    /// An operator has taken it down; only an operator lists it again.
    TakenDown,
}

/// A ruleset as a list shows it: its newest version, without the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesetInfo {
    /// Its name.
    pub name: String,
    /// Whether new tables may be opened.
    pub state: RulesetState,
    /// The newest version.
    pub version: u32,
    /// The hash that names the newest version.
    pub identity: [u8; 32],
    /// None for a ruleset of the house.
    pub author: Option<PlayerId>,
    /// The name for people.
    pub title: String,
    /// When the newest version was published, in milliseconds since 1970.
    pub at_ms: u64,
}

impl RulesetInfo {
    /// For drivers: what a list shows of this version.
    #[must_use]
    pub fn of(newest: &RulesetVersion, state: RulesetState) -> Self {
        let RulesetVersion { name, version, identity, author, title, at_ms, .. } = newest.clone();
        Self { name, state, version, identity, author, title, at_ms }
    }
}

/// The rulesets a store keeps. [`Write::Ruleset`](crate::Write::Ruleset) adds a version,
/// [`Write::RulesetState`](crate::Write::RulesetState) withdraws one.
pub trait Rulesets: Send + Sync {
    /// The rulesets by name; only those after this name, where it is given, up to
    /// [`ROWS_PER_PAGE_MAX`](crate::ROWS_PER_PAGE_MAX).
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rulesets(&self, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>, ReadError>;

    /// One ruleset.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn ruleset(&self, name: &str) -> Result<Option<RulesetInfo>, ReadError>;

    /// One version of a ruleset, with its text.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn ruleset_version(&self, name: &str, version: u32) -> Result<Option<RulesetVersion>, ReadError>;

    /// The newest version of a ruleset that has this identity: versions that differ only in their translations share
    /// one.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn ruleset_of(&self, name: &str, identity: &[u8; 32]) -> Result<Option<RulesetVersion>, ReadError>;

    /// How many versions this author has published since this time, in milliseconds since 1970.
    ///
    /// # Errors
    /// Why they cannot be counted.
    fn ruleset_versions_since(&self, author: &PlayerId, since_ms: u64) -> Result<usize, ReadError>;
}
