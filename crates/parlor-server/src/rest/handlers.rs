//! The handlers, by subject. The table of routes is in `routes`.

pub(super) mod actions;
pub(super) mod catalog;
pub(super) mod documents;
pub(super) mod fork;
pub(super) mod games;
pub(super) mod lists;
pub(super) mod logs;
pub(super) mod matches;
pub(super) mod open_tables;
pub(super) mod owner;
pub(super) mod play;
pub(super) mod players;
pub(super) mod queue;
pub(super) mod rulesets;
pub(super) mod socket;
pub(super) mod system;
