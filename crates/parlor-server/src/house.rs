//! What is shared between tables: the hub that finds and creates them, waiting rooms, the queue, accounts, stakes.
//!
//! Nothing here knows a socket. A table is reached through its mailbox alone.

pub(crate) mod accounts;
pub(crate) mod deleted_players;
pub(crate) mod hub;
pub(crate) mod matchmaking;
pub(crate) mod queue;
pub(crate) mod room;
pub(crate) mod sessions;
pub(crate) mod stakes;
