//! Games as straight-line code: rules told as people tell them, in an `async fn` that awaits its requests.
//!
//! A [`Script`] is a plain state and one function, [`Script::segment`]: a hand, a round, a turn. It asks with
//! [`Table::single`], [`Table::many`] and [`Table::any`], or with the helpers on top of them ([`Table::choose`] and its
//! kin), and goes on where it stopped when the answer comes. [`entry`] makes it a game of the house like any other.
//!
//! What lives where: everything that must outlast a request lives in the state, `t.game`; what is hidden lives there
//! too, never in a local variable that is still needed after a request. The state is saved between segments; a copy, an
//! undo and a restart run only the open segment again, from its own start and with the words of luck it drew.
//!
//! What this crate never does: wake anything, poll anything twice, or know the time. The executor polls one future when
//! one input has come; a future that waits for anything but a request is an error and not a hang.

mod desk;
mod effects;
mod entry;
mod helpers;
mod hosted;
mod open;
mod pose;
mod running;
mod script;
mod sim;
mod table;
mod tape;

pub mod cards;
pub mod log;
pub mod players;
pub mod wish;

pub use cards::{Cards, Sight, Zone};
pub use effects::Effects;
pub use entry::{entry, suspended};
pub use log::{GameLog, Line};
pub use open::Given;
pub use players::{Counter, Players};
pub use running::Footprint;
pub use script::{Interrupt, Next, Script};
pub use table::Table;
pub use wish::{Either, Free, Item, Offer, One, Pick, Said, Terms, Wish};
