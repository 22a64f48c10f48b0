//! The log of every table, and the accounts that move with it.
//!
//! A table's log is written by one owner at a time: an append names the owner's [`Epoch`] and the number of entries
//! it expects, and is refused when either is stale. Tokens move in the same instant as the entries that move them.
//! The store tells of a write when it is durable, never before.
//!
//! [`SqliteStore`] keeps everything in one file; [`MemoryLog`] forgets, when told to, what was not yet synced. Both
//! pass one suite (`conformance`), and so must every driver after them. What this crate never does: look at the
//! wall clock, draw luck, or know what an entry means to a game.
//!
//! ```
//! use parlor_store::{Currency, MatchLog, MemoryLog, Owner, PlayerId, Syncs, Transfer, Write};
//!
//! let log = MemoryLog::new(Syncs::AtOnce);
//! let (chips, ann) = (Currency::new("chips")?, Owner::Player(PlayerId::new("ann")?));
//! let gift = Transfer { from: Owner::Mint, to: ann.clone(), currency: chips.clone(), amount: 100 };
//! let welcome = Write::Post { key: "welcome/ann".to_owned(), transfers: vec![gift], at_ms: 0 };
//! for _ in 0..2 {
//!     log.write(welcome.clone())?; // the second time changes nothing
//! }
//! assert_eq!(log.balance(&ann, &chips)?, 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accounts;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod driver;
mod error;
mod id;
mod ledger;
mod log;
mod memory;
mod write;

pub use accounts::{AuditLine, Played, PlayedMatch, Player, Points, ROWS_PER_PAGE_MAX, RatingRow};
pub use error::{OpenError, ReadError, WriteError};
pub use id::{Currency, HoldId, ID_BYTES_MAX, IdError, PlayerId, TableId};
pub use ledger::{AMOUNT_MAX, Owner, TRANSFERS_MAX, Transfer};
pub use log::{
    ENTRIES_PER_TAIL_MAX, Health, Listing, MatchLog, MatchSelector, StoredMatch, TABLES_PER_PAGE_MAX,
    TableInfo,
};
pub use memory::{MemoryLog, Syncs};
pub use write::{
    Append, Done, ENTRIES_PER_APPEND_MAX, Epoch, Facts, KEY_CHARS_MAX, LogEntry, Snapshot, TableState,
    WRITE_BYTES_MAX, Write,
};
