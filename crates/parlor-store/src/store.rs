//! A whole store: what the server runs on.

use crate::accounts::Accounts;
use crate::log::MatchLog;
use crate::rooms::Rooms;

/// Logs, accounts and rooms behind one queue of writes. Every driver that has the three is a store.
///
/// They are one store and not three, because tokens move in the same transaction as the entries that move them. Code
/// that reads only one of the three takes that trait alone.
pub trait Store: MatchLog + Accounts + Rooms {}

impl<T: MatchLog + Accounts + Rooms> Store for T {}
