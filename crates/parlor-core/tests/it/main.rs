//! The parts of the contract that need no game.

mod rng;
mod select;
mod view;
