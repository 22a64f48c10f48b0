//! Where test data lies: fixtures of our own in the crate, real hands in a folder that is not part of the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

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

/// The number in an environment variable, or `default`.
pub(crate) fn count(name: &str, default: usize) -> usize {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: not a number")))
}

/// Where a long run goes on: what it has done, and the number of what comes next. With `PARLOR_SOAK_DIR` set it is kept
/// there, so that a run that was stopped continues.
pub(crate) struct Progress {
    path: Option<PathBuf>,
    pub(crate) done: usize,
    pub(crate) next: u64,
}

impl Progress {
    pub(crate) fn of(name: &str) -> Self {
        let path = std::env::var_os("PARLOR_SOAK_DIR").map(|folder| PathBuf::from(folder).join(name));
        let text = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let mut numbers = text.split_whitespace().filter_map(|number| number.parse().ok());
        let (done, next) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        if done > 0 {
            println!("{name}: goes on after {done}");
        }
        Self { path, done: done as usize, next }
    }

    /// Something was done; the next one is tried with another number.
    pub(crate) fn add(&mut self, done: usize) {
        let before = self.done / 100;
        self.done += done;
        self.next += 1;
        if let Some(path) = self.path.as_ref().filter(|_| self.done / 100 != before) {
            std::fs::write(path, format!("{} {}\n", self.done, self.next)).unwrap();
        }
    }
}
