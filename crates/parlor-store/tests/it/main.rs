//! The driver in memory against the suite, and what only that driver has.

mod memory;
