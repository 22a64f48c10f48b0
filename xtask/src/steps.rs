//! A run of named steps: each is timed, none hides another's result, and one table at the end tells all.

use std::time::{Duration, Instant};

/// What a step says at its end: a short note, or why it failed (the details it has printed itself or puts here).
pub(crate) type Outcome = Result<String, String>;

enum Status {
    Passed(String),
    Failed(String),
    Skipped(String),
}

struct Done {
    name: &'static str,
    status: Status,
    took: Duration,
}

/// The steps of one run, in order.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Done>,
}

impl Steps {
    /// Runs a step. A step that `needs` one that did not pass is skipped, with that step's name.
    pub(crate) fn run(&mut self, name: &'static str, needs: &[&str], step: impl FnOnce() -> Outcome) {
        if let Some(broken) = needs.iter().find(|needed| !self.passed(needed)) {
            println!("\n=== {name}: skipped, because `{broken}` did not pass");
            let status = Status::Skipped(format!("needs `{broken}`"));
            self.done.push(Done { name, status, took: Duration::ZERO });
            return;
        }
        println!("\n=== {name}");
        let started = Instant::now();
        let status = match step() {
            Ok(note) => Status::Passed(note),
            Err(why) => {
                println!("{why}");
                Status::Failed(why)
            }
        };
        let took = started.elapsed();
        let word = if matches!(status, Status::Passed(_)) { "ok" } else { "FAILED" };
        println!("=== {name}: {word}, {}", seconds(took));
        self.done.push(Done { name, status, took });
    }

    fn passed(&self, name: &str) -> bool {
        self.done.iter().any(|d| d.name == name && matches!(d.status, Status::Passed(_)))
    }

    /// True if nothing failed; what was skipped was skipped because something failed.
    pub(crate) fn all_well(&self) -> bool {
        self.done.iter().all(|d| matches!(d.status, Status::Passed(_)))
    }

    /// The table, and a last line with the totals that no reader of cargo's own lines can mistake for one.
    pub(crate) fn summary(&self) -> String {
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        let mut text = String::from("\nsummary\n");
        for Done { name, status, took } in &self.done {
            let (word, note) = match status {
                Status::Passed(note) => (count("ok", &mut passed), note),
                Status::Failed(why) => (count("FAILED", &mut failed), why),
                Status::Skipped(why) => (count("skipped", &mut skipped), why),
            };
            let note = note.lines().next().unwrap_or("");
            text += &format!("  {word:<8} {name:<14} {:>8}  {note}\n", seconds(*took));
        }
        for Done { name, status, .. } in &self.done {
            if let Status::Failed(why) = status {
                text += &format!("\n{name}: {why}\n");
            }
        }
        text += &format!("steps: {passed} passed, {failed} failed");
        if skipped > 0 {
            text += &format!(", {skipped} skipped");
        }
        text
    }
}

fn count(word: &'static str, counter: &mut u32) -> &'static str {
    *counter += 1;
    word
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_hides_nothing_and_skips_what_needs_it_by_name() {
        let mut steps = Steps::default();
        steps.run("build", &[], || Err("does not compile\ndetails".into()));
        steps.run("tests", &["build"], || panic!("must not run"));
        steps.run("deaf", &[], || Ok("3 crates".into()));
        let summary = steps.summary();
        assert!(!steps.all_well());
        assert!(summary.contains("needs `build`"), "{summary}");
        let (table, reasons) = summary.split_once("\nbuild: does not compile\n").unwrap();
        assert!(table.contains("does not compile") && !table.contains("details"), "{summary}");
        assert!(reasons.starts_with("details\n"), "{summary}");
        assert!(summary.ends_with("steps: 1 passed, 1 failed, 1 skipped"), "{summary}");
    }

    #[test]
    fn all_well_only_when_every_step_passed() {
        let mut steps = Steps::default();
        steps.run("one", &[], || Ok(String::new()));
        steps.run("two", &["one"], || Ok(String::new()));
        assert!(steps.all_well());
        assert!(steps.summary().ends_with("steps: 2 passed, 0 failed"));
    }
}
