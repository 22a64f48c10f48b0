//! The binary, as people use it: it is run, and what it says and how it exits is looked at.

mod docs;
mod games;
mod kill;
mod ledger;
mod page;
mod readme;
mod replay;
mod riichi;
mod ruleset;
mod sim;
mod table;
mod tools;
mod verify;
