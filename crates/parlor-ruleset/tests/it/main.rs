//! The ruleset engine.

mod auto;
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
mod small;
mod sound;
mod strict;
mod view;
mod why;
