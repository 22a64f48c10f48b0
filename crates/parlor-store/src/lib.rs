//! What a store does: it keeps the logs of all tables ([`MatchLog`]), the accounts that move with them ([`Accounts`]),
//! the rooms that wait for players ([`Rooms`]) and the rulesets that were published ([`Rulesets`]). A driver has all
//! four and is a [`Store`].
//!
//! One owner at a time writes a table's log: an append names the owner's [`Epoch`] and the number of entries the owner
//! expects, and the store refuses it when either is stale. Tokens move in the same transaction as the entries that
//! move them. The store acknowledges a write when it is durable, never before.
//!
//! An account's [statement](Accounts::statement) has a line for every transfer, newest first: how much, with whom,
//! [why](Reason), and what the account held after it. A [hold](Write::hold) sets tokens aside under a name that the
//! caller chooses. An append that names the hold takes what it needs and gives the rest back in one transaction;
//! [`Write::Release`] gives all of it back; nothing else touches it. [`Accounts::holds`] lists the holds that still have
//! something, so that a server that starts can release those nobody waits for any more.
//!
//! [`MemoryLog`] is the driver in memory: it loses, when told to, what was not yet synced. `parlor-store-sqlite` keeps
//! everything in one file. Both pass one suite (`conformance`), and so must every driver after them; [`driver`] holds
//! what their authors need. This crate never looks at the wall clock, draws luck, or knows what an entry means to a
//! game.
//!
//! ```
//! use parlor_store::{Accounts, Currency, MatchLog, MemoryLog, Owner, PlayerId, Reason, Syncs, Transfer, Write};
//!
//! let log = MemoryLog::new(Syncs::AtOnce);
//! let (chips, ann) = (Currency::new("chips")?, Owner::Player(PlayerId::new("ann")?));
//! let (from, to, reason) = (Owner::Mint, ann.clone(), Reason::Welcome);
//! let gift = Transfer { from, to, currency: chips.clone(), amount: 100, reason };
//! let welcome = Write::Post { key: "welcome/ann".to_owned(), transfers: vec![gift], at_ms: 0 };
//! for _ in 0..2 {
//!     log.write(welcome.clone())?; // the second time changes nothing
//! }
//! assert_eq!(log.balance(&ann, &chips)?, 100);
//! let line = &log.statement(&ann, None, None, 10)?[0];
//! assert_eq!((line.change, line.balance, line.reason), (100, 100, Reason::Welcome));
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
mod rooms;
mod rulesets;
mod store;
mod write;

pub use accounts::{
    Accounts, AuditLine, HeadToHead, OpenHold, Played, PlayedMatch, Player, Points, ROWS_PER_PAGE_MAX,
    RatingRow, StatementLine,
};
pub use error::{OpenError, ReadError, WriteError};
pub use id::{Currency, HoldId, ID_BYTES_MAX, IdError, PlayerId, TableId};
pub use ledger::{AMOUNT_MAX, Owner, Reason, TRANSFERS_MAX, Transfer};
pub use log::{
    Health, ListOrder, Listing, MatchLog, MatchSelector, StoredMatch, TABLES_PER_PAGE_MAX, TableInfo,
};
pub use memory::{MemoryLog, Syncs};
pub use rooms::Rooms;
pub use rulesets::{RULESET_NAME_BYTES_MAX, RulesetInfo, RulesetState, RulesetVersion, Rulesets};
pub use store::Store;
pub use write::{
    Append, Done, ENTRIES_PER_APPEND_MAX, Epoch, Facts, KEY_CHARS_MAX, LogEntry, TableState, WRITE_BYTES_MAX,
    Write,
};
