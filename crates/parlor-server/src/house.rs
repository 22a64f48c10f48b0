//! What tables share: the hub that finds and creates them, rooms, queues, accounts, stakes.
//!
//! Nothing here uses a socket. A table is reached only through its mailbox.

pub(crate) mod accounts;
pub(crate) mod chat;
pub(crate) mod deleted_players;
pub(crate) mod games;
pub(crate) mod hub;
pub(crate) mod idempotency;
pub(crate) mod log_readers;
pub(crate) mod matchmaking;
pub(crate) mod names;
pub(crate) mod private_tables;
pub(crate) mod queue;
pub(crate) mod quiet_threads;
pub(crate) mod room;
pub(crate) mod ruleset_files;
pub(crate) mod rulesets;
pub(crate) mod sessions;
pub(crate) mod signed_in;
pub(crate) mod stakes;
pub(crate) mod store_threads;
pub(crate) mod store_watch;
pub(crate) mod sweep;
