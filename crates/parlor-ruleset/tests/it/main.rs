//! The ruleset engine.

mod hearts;
