//! The small games at a table, and what each of them shows of the way games are written.

mod draft;
mod hearts;
mod kit;
mod sharing;
mod words;
