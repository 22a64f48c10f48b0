//! Where test data lies: fixtures of our own in the crate, real hands in a folder that is not part of the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) use parlor_testkit::soak::{Progress, count};

/// A fixture of our own.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A file of the data folder; `None`, said aloud, when the folder is not there.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PARLOR_DATA_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = root.join("poker").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var("PARLOR_DATA").as_deref() != Ok("require"),
        "PARLOR_DATA=require but {} is not there",
        path.display()
    );
    println!("SKIPPED: {} is not there", path.display());
    None
}

/// The lines of a gzipped text.
pub(crate) fn gzip_lines(path: &Path) -> Vec<String> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(str::to_owned).collect()
}
