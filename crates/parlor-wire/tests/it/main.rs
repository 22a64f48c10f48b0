//! What clients in other languages are made from: the types of the wire, and examples to compare with.

mod committed;
mod declared;
mod typescript;
mod vectors;
