//! What long runs share: their size, and where a run that was stopped goes on.

use std::path::PathBuf;

/// The number in an environment variable, or `default`.
///
/// # Panics
/// When the variable holds something else: a long run with a mistyped size would show nothing.
#[must_use]
pub fn count(name: &str, default: usize) -> usize {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: not a number")))
}

/// Where a long run goes on: what it has done, and the number of what comes next. With `PARLOR_SOAK_DIR` set it is kept
/// there, so that a run that was stopped continues.
pub struct Progress {
    path: Option<PathBuf>,
    /// What earlier runs and this one have done.
    pub done: usize,
    /// The number of what comes next: its seed.
    pub next: u64,
}

impl Progress {
    /// The progress of the run with this name.
    #[must_use]
    pub fn of(name: &str) -> Self {
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
    ///
    /// # Panics
    /// When the progress cannot be written.
    pub fn add(&mut self, done: usize) {
        let before = self.done / 100;
        self.done += done;
        self.next += 1;
        if let Some(path) = self.path.as_ref().filter(|_| self.done / 100 != before) {
            std::fs::write(path, format!("{} {}\n", self.done, self.next))
                .expect("PARLOR_SOAK_DIR is writable");
        }
    }
}
