//! The parts of the contract that can be tested without a game.

mod rng;
mod select;
mod view;
