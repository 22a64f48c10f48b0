//! The tasks of this repository: `cargo xtask test`.

fn main() {}
