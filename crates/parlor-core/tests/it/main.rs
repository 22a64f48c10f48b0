//! The parts of the contract that need no game.

mod luck;
mod select;
mod view;
