//! Runs the binary as people use it, and checks its output and exit codes.

#[path = "../../../parlor-server/tests/it/certificates.rs"]
#[expect(dead_code, reason = "the server's own tests use more of it")]
mod certificates;
mod docs;
mod freeze;
mod games;
mod kill;
mod ledger;
mod new;
mod operator_log;
mod page;
mod poker;
mod readme;
mod replay;
mod riichi;
mod riichi_records;
mod ruleset;
mod sim;
mod table;
mod tls;
mod tools;
mod verify;
