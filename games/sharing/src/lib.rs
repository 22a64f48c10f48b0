//! Sharing: a small game in which the state decides whether one seat or several are asked.
//!
//! When a player calls, every player who shows at least as many symbols joins in, and all of them choose at once. If
//! nobody joins, the caller chooses alone.

mod animal;
mod event;
mod rules;
mod view;

pub use animal::Animal;
pub use event::Event;
pub use rules::{Settings, Sharing};
pub use view::{SeatSeen, View};
