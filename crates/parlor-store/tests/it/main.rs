//! Both drivers against the one suite, and what only one of them has.

mod bench;
mod copies;
mod disk;
mod files;
mod flushes;
mod golden;
mod groups;
mod kill;
mod memory;
mod release;
mod sqlite;
