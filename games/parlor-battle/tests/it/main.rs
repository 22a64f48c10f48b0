//! The battle's rules.
mod kit;
