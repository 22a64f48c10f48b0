//! Why a write was not taken, why nothing could be read, why a store did not open.

use crate::id::Currency;
use crate::ledger::Owner;
use crate::write::Epoch;

/// Why a write was not taken. Nothing of it was stored, and no token moved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Another writer was first, or owns the table now. The fields say what the table has.
    #[error("the table stands at epoch {epoch}, entry {seq}", epoch = epoch.0)]
    Conflict {
        /// The epoch that owns the table; 0 where there is no such table.
        epoch: Epoch,
        /// How many entries the table has.
        seq: u64,
    },
    /// An account would fall below zero.
    #[error("{owner} has {balance} {currency} and would need {needed}")]
    Unfunded {
        /// Whose account.
        owner: Owner,
        /// In which currency.
        currency: Currency,
        /// What is there.
        balance: i64,
        /// What would leave it.
        needed: i64,
    },
    /// The key was used for something else.
    #[error("`{0}` was used for something else")]
    KeyReused(String),
    /// The name is another player's, or a ruleset of another author has it.
    #[error("`name` was used for something else")]
    NameTaken,
    /// The write cannot be right, whatever stands.
    #[error("{0}")]
    Malformed(&'static str),
    /// There is no such table.
    #[error("there is no such table")]
    Unknown,
    /// One write is too big.
    #[error("{bytes} bytes in one write; the limit is {bytes_max}")]
    TooLarge {
        /// How big it is.
        bytes: usize,
        /// How big it may be.
        bytes_max: usize,
    },
    /// Too many writes wait.
    #[error("too many writes wait for the store")]
    Overloaded,
    /// The disk, or the quota, is full.
    #[error("the disk is full")]
    Full,
    /// The disk, or the store, is read-only.
    #[error("the store is read-only")]
    ReadOnly,
    /// Another process keeps the store locked.
    #[error("another process keeps the store locked")]
    Busy,
    /// What is stored is damaged.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The store's file is not the one that was opened: what is written to it would be gone with the process.
    #[error("the store's file is not what it was: {0}")]
    Lost(String),
    /// The store has less than it has acknowledged: an old copy was put in its place, or a database that had fallen behind
    /// took over. Nothing is written on top of that; an operator must find out what was lost.
    #[error("the store went back: {acknowledged} were acknowledged, and it has {found}")]
    WentBack {
        /// How many entries of the table, or flushes of the node, were acknowledged.
        acknowledged: u64,
        /// How many of them are there.
        found: u64,
    },
    /// The disk fails.
    #[error("the disk fails: {0}")]
    Io(String),
    /// The store is closed, or died before it answered: nobody knows, and asking again is safe.
    #[error("the store is closed")]
    Closed,
}

impl WriteError {
    /// The reason, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "conflict",
            Self::Unfunded { .. } => "unfunded",
            Self::KeyReused(_) | Self::NameTaken => "key_reused",
            Self::Malformed(_) => "malformed",
            Self::Unknown => "unknown_table",
            Self::TooLarge { .. } => "too_large",
            Self::Overloaded => "overloaded",
            Self::Full => "disk_full",
            Self::ReadOnly => "read_only",
            Self::Busy => "busy",
            Self::Damaged(_) => "damaged",
            Self::Lost(_) => "lost",
            Self::WentBack { .. } => "went_back",
            Self::Io(_) => "io",
            Self::Closed => "closed",
        }
    }

    /// Whether the store is at fault and not the write: the same write may be taken later, unchanged.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(
            self,
            Self::Overloaded
                | Self::Full
                | Self::ReadOnly
                | Self::Busy
                | Self::Lost(_)
                | Self::Io(_)
                | Self::Closed
        )
    }
}

/// Why nothing could be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// What is stored does not decode or fails its checksum.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// Another process keeps the store locked.
    #[error("another process keeps the store locked")]
    Busy,
    /// The disk fails.
    #[error("the disk fails: {0}")]
    Io(String),
}

/// Why a store did not open, or could not be copied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A later build has changed the layout: this build would not understand it.
    #[error("the store has schema {found}; this build knows schemas up to {known}")]
    TooNew {
        /// The schema found.
        found: u32,
        /// The newest schema this build knows.
        known: u32,
    },
    /// Some other program's file.
    #[error("that file is no store of Parlor")]
    Foreign,
    /// Another process serves this store.
    #[error("another process serves this store: two would take each other's tables")]
    InUse,
    /// There is something already; it is not overwritten.
    #[error("{0} exists already")]
    Exists(String),
    /// What is stored is damaged.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The database would not take a setting on which durability rests.
    #[error("the database did not take {0}")]
    Setting(&'static str),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file cannot be had.
    #[error("{0}")]
    Io(String),
}

impl OpenError {
    /// Whether the same store may open later, unchanged.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Full)
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => Self::Full,
            _ => Self::Io(error.to_string()),
        }
    }
}
