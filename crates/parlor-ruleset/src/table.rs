//! A ruleset at the house's table: entries, requests and answers, reasons, views, twins, simulation.

mod choose;
pub mod entry;
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

pub use entry::{Maker, entry};
pub use hosted::Table;
