//! The contract, proved on the probes, on oxo, and on a game that asks whatever a test wants.

mod asker;
mod bad_input;
mod boom;
mod clocks;
mod contract;
mod crashes;
mod faults;
mod golden;
mod hasty;
mod heads;
mod people;
mod probes;
mod rules;
mod soak;
mod undo;
