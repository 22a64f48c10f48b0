//! The small games, and the way of writing games that each of them demonstrates.

mod draft;
mod hearts;
mod kit;
mod sharing;
mod words;
