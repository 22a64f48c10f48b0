//! The ruleset engine.

mod bombs;
mod checker;
mod dialect;
mod document;
mod folds;
mod fuzz;
mod hearts;
mod orcain;
mod rules;
mod scenarios;
mod sheet;
