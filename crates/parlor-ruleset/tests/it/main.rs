//! The ruleset engine.

mod atelier;
mod bombs;
mod checker;
mod decks;
mod dialect;
mod document;
mod folds;
mod fuzz;
mod hearts;
mod hidden;
mod items;
mod later;
mod orcain;
mod order;
mod replace;
mod rules;
mod scenarios;
mod spans;
mod teams;
mod variants;
