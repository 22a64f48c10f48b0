//! The rules of riichi hands, as vectors, as properties against slow twins, and as cases.

mod data;
mod vectors;
