//! Games as straight-line code: rules told as people tell them, in an `async fn` that awaits its requests.
//!
//! A [`Script`] is a plain state and one function, [`Script::segment`]: a hand, a round, a turn. It asks with
//! [`Table::single`], [`Table::many`] and [`Table::any`], or with the helpers on top of them ([`Table::choose`] and its
//! kin), and goes on where it stopped when the answer comes. [`Script::def`] makes it a game of the house like any other.
//!
//! What lives where: everything that must outlast a request lives in the state, `t.game`; what is hidden lives there
//! too, never in a local variable that is still needed after a request. The state is saved between segments; a copy, an
//! undo and a restart run only the open segment again, from its own start and with the words of luck it drew.
//!
//! What this crate never does: wake anything, poll anything twice, or know the time. The executor polls one future when
//! one input has come; a future that waits for anything but a request is an error and not a hang.

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
