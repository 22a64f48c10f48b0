//! The rules of riichi hands, as vectors, as properties against slow twins, and as cases.

mod answers;
mod bots;
mod bounds;
mod cases;
mod corpus;
mod data;
mod endings;
mod faults;
mod games;
mod hanchan;
mod house;
mod kit;
mod notations;
mod properties;
mod random;
mod scene;
mod screen;
mod served;
mod sessions;
mod settings;
mod table;
mod told;
mod twin_score;
mod twin_shape;
mod vectors;
mod words;
