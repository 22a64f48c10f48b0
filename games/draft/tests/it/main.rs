//! Tests of draft.

mod kit;
mod rules;
