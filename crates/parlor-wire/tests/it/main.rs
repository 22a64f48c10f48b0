//! What clients in other languages are built from: the types of the wire, and vectors to compare with.

mod committed;
mod vectors;
