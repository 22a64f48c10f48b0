//! Tests of the crate through its public face. Tables of facts live in `tests/data`; real hands are read from the data
//! folder when it is there.

mod blinds;
mod bots;
mod cash;
mod convert;
mod data;
mod deaths;
mod eval;
mod fuzz;
mod house;
mod kit;
mod live;
mod merge;
mod model;
mod mutate;
mod oracle;
mod pokerstars;
mod random;
mod seats;
mod secrets;
mod seed;
mod served;
mod sit_and_go;
mod soak;
mod stats;
mod table;
mod twin;
