//! The rules of riichi hands, as vectors, as properties against slow twins, and as cases.

mod corpus;
mod data;
mod properties;
mod random;
mod twin_score;
mod twin_shape;
mod vectors;
