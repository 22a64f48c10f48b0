//! Games as data: a ruleset in JSON is read, checked and compiled, and played by a machine with one stack of events and
//! reactions.
//!
//! `ir` reads a file and keeps places; `compile` checks everything and makes a [`Program`]; `vm` runs it; `table` puts
//! it behind the house's contract. What this crate never does: read a clock, a file, a socket or the environment, or
//! panic because of what a ruleset says.

pub mod compile;
pub mod dialect;
pub mod ir;
pub mod limits;
mod lint;
pub mod program;
pub mod scenario;
pub mod schema;
pub mod shipped;
pub mod table;
pub mod vm;

pub use compile::{compile, compile_beside, merged};
pub use ir::edit_distance::suggest;
pub use ir::{Finding, Level};
pub use program::Program;
pub use table::{RulesetGame, game_def};
