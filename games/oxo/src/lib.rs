//! Oxo: three in a row on nine cells. No secrets and no random numbers: the smallest complete game.

mod event;
mod rules;
mod view;

pub use event::Event;
pub use rules::Oxo;
pub use view::View;

/// The program on the first screen of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
