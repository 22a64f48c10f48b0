//! Games as straight-line code: rules written in the order in which people explain them, in an `async fn` that awaits
//! its requests.
//!
//! A [`Script`] is a plain state and one function, [`Script::segment`]: a hand, a round, a turn. It asks with
//! [`Table::single`], [`Table::many`] and [`Table::any`], or with helpers such as [`Table::choose`], and continues
//! where it stopped when the answer comes. [`Script::def`] makes it a game like any other.
//!
//! Everything that must outlast a request belongs in the state, `t.game`. So does everything hidden: never keep it in
//! a local variable that is still needed after a request. The state is saved between segments; a copy, an undo and a
//! restart run only the open segment again, from its start and with the random words it drew.
//!
//! This crate never wakes a future, never polls one twice, and never knows the time. The executor polls one future
//! when one input has arrived; a future that waits for anything but a request is an error and does not hang.

mod asking;
mod bridge;
mod dyn_game;
mod game_def;
mod helpers;
mod journal;
mod open;
mod output;
mod running;
mod script;
mod sim;
mod table;

pub mod cards;
pub mod log;
pub mod players;
pub mod question;

pub use cards::{Cards, Sight, Zone};
pub use game_def::suspended;
pub use log::{GameLog, Line};
pub use open::SeatAnswer;
pub use output::ScriptOutput;
pub use players::{Counter, Players};
pub use question::{CheckedAnswer, Either, Free, Item, Offer, One, Pick, Question, Terms};
pub use running::Footprint;
pub use script::{Interrupt, Next, Script};
pub use table::Table;
