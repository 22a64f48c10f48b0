//! What every game must pass: one call, [`Kit::run`], per game.
//!
//! The kit plays random matches at a real table with a virtual clock and checks the engine's invariants on the way:
//! replay, restart after every record, undo to every record, deltas against snapshots, twins, bad answers, a faulty
//! network, a store that loses unsafe writes, chips against the ledger. It prints how much it compared.

pub mod bad;
pub mod client;
pub mod cpu;
pub mod fuzz;
pub mod kit;
pub mod moves;
pub mod net;
pub mod playthrough;
pub mod probes;
pub mod random;
pub mod restart;
pub mod soak;
pub mod twins;
pub mod typescript;
pub mod undo;
pub mod world;

pub use kit::{Kit, Report};
