//! The battle's rules: what cards do, which layouts are accepted, how rounds and matches end.

mod bot;
mod cards;
mod ends;
mod house;
mod kit;
mod layouts;
mod ring;
mod rounds;
mod soak;
mod table;
mod words;
