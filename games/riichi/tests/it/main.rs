//! The rules of riichi hands, as vectors, as properties against slow twins, and as cases.

mod cases;
mod corpus;
mod data;
mod faults;
mod properties;
mod random;
mod twin_score;
mod twin_shape;
mod vectors;
