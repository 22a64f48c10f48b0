//! The ruleset engine.

mod bombs;
mod checker;
mod decks;
mod dialect;
mod document;
mod folds;
mod fuzz;
mod hearts;
mod orcain;
mod replace;
mod rules;
mod scenarios;
mod sheet;
mod teams;
mod variants;
