//! Tests of hearts.

mod kit;
mod rules;
