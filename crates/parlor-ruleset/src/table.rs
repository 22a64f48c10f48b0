//! A ruleset at the house's table: entries, requests and answers, reasons, views, twins, simulation.

mod choose;
pub mod game_def;
mod hosted;
mod legal;
mod offer;
mod pose;
pub(crate) mod price;
pub mod request;
mod sim;
pub(crate) mod stack;
mod twin;
pub mod view;
pub mod why;
pub(crate) mod words;

pub use game_def::{GameFactory, game_def};
pub use hosted::RulesetGame;
