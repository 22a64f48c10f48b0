//! A ruleset at the house's table: entries, requests and answers, views, twins, simulation.

mod choose;
pub mod entry;
mod hosted;
pub mod request;
mod sim;
mod twin;
pub mod view;

pub use entry::{Maker, entry};
pub use hosted::Table;
