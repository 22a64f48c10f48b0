//! Cube draft: packs go round the table. Players pick from the pack in front of them at any time, and build a deck from
//! their picks. Two simultaneous picks never conflict: they are made from different packs.

mod cube;
mod event;
mod rules;
mod view;

pub use cube::Card;
pub use event::Event;
pub use rules::{Draft, Settings};
pub use view::View;
