//! Games as data: a ruleset in JSON is read, checked and compiled, and played by a machine with one stack of events and
//! reactions.
//!
//! `language` reads a file and keeps places; `compiler` checks everything and makes a [`Program`]; `machine` runs it;
//! `game` puts it behind the house's contract. What this crate never does: read a clock, a file, a socket or the
//! environment, or panic because of what a ruleset says.

pub mod compiler;
pub mod dialect;
pub mod game;
pub mod language;
pub mod limits;
pub mod machine;
pub mod scenario;
pub mod shipped;

pub use compiler::{compile, compile_beside, merged};
pub use game::{RulesetGame, game_def};
pub use language::edit_distance::suggest;
pub use language::{Finding, Level};
pub use machine::program::Program;
