//! A table before it starts: a room that waits for its players. `state` is one room; `registry` is all of them, kept
//! in the store so that a restart loses nobody's place, and turned into tables when their players are there.

pub(crate) mod registry;
pub(crate) mod state;
