//! Generated files that are kept in the repository.

use std::path::Path;

/// Compares with the file, by its path from the root; `PARLOR_BLESS=1` overwrites it.
pub(crate) fn same_as(path: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&file, made).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    let line = differs.unwrap_or_else(|| kept.lines().count().min(made.lines().count()));
    assert!(
        kept == made,
        "{path}:{} is not what the Rust types say now\n  was {}\n  is  {}\nPARLOR_BLESS=1 cargo test -p parlor-wire writes it anew",
        line + 1,
        kept.lines().nth(line).unwrap_or("(the end)"),
        made.lines().nth(line).unwrap_or("(the end)"),
    );
}
