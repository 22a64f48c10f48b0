//! The PostgreSQL driver against the suite, and what only that driver has.
//!
//! The tests start a primary and a synchronous standby of their own, kill them, freeze them and promote them. They run
//! one after the other: there is one pair for all of them.

mod admin;
mod bench;
mod claims;
mod doubt;
mod proxy;
mod servers;
mod serving;
mod suite;
mod timelines;
