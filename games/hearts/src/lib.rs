//! Hearts: four players, thirteen tricks, and the fewest points win. Written as a script, in the order of play.

mod bot;
mod card;
mod event;
mod rules;
mod view;

pub use card::{Card, Suit};
pub use event::Event;
pub use rules::{Hearts, Settings};
pub use view::View;
