//! The SQLite driver against the suite, and what only that driver has.

mod bench;
mod copies;
mod disk;
mod files;
mod flushes;
mod golden;
mod groups;
mod identity;
mod kill;
mod release;
mod statements;
mod suite;
