//! A whole store: what the server runs on.

use crate::accounts::Accounts;
use crate::log::MatchLog;
use crate::rooms::Rooms;
use crate::rulesets::Rulesets;

/// Logs, accounts, rooms and rulesets behind one queue of writes. Every driver that has the four is a store.
///
/// They are one store and not four, because tokens move in the same transaction as the entries that move them. Code
/// that reads only one of the four takes that trait alone.
pub trait Store: MatchLog + Accounts + Rooms + Rulesets {}

impl<T: MatchLog + Accounts + Rooms + Rulesets> Store for T {}
