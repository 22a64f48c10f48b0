//! Tests of sharing.

mod kit;
mod rules;
