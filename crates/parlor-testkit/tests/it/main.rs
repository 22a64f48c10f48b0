//! Tests the contract with the probes, with oxo, and with a game whose settings list its requests.

mod asker;
mod bad_input;
mod boom;
mod bot_pace;
mod clocks;
mod contract;
mod crashes;
mod faults;
mod golden;
mod hasty;
mod heads;
mod links;
mod log_size;
mod people;
mod probes;
mod rules;
mod soak;
mod undo;
