//! A run of named steps: each is timed, none hides another's result, and one table at the end tells all.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::run;

/// What a clean checkout may take on two idle cores: steps that share it, and their minutes together. Nothing fails by it.
const BUDGETS: [(&[&str], u64); 6] = [
    (&["build"], 9),
    (&["clippy", "format", "web lint"], 2),
    (&["tests"], 5),
    (&["clients check", "clients tests", "clients live", "web check", "web tests", "web build"], 2),
    (&["browser"], 4),
    (&["screens"], 3),
];

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

/// A step that is not run yet.
pub(crate) struct Step<'a> {
    name: &'static str,
    needs: &'a [&'a str],
    work: Box<dyn FnOnce() -> Outcome + Send + 'a>,
}

impl<'a> Step<'a> {
    pub(crate) fn new(
        name: &'static str,
        needs: &'a [&'a str],
        work: impl FnOnce() -> Outcome + Send + 'a,
    ) -> Self {
        Self { name, needs, work: Box::new(work) }
    }
}

/// The steps of one run, in order.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Done>,
}

impl Steps {
    /// Runs a step. A step that `needs` one that did not pass is skipped, with that step's name.
    pub(crate) fn run(&mut self, name: &'static str, needs: &[&str], step: impl FnOnce() -> Outcome) {
        let done = match missing(needs, &[&self.done]) {
            Some(broken) => skipped(name, broken),
            None => {
                println!("\n=== {name}");
                timed(name, step)
            }
        };
        println!("{}", ending(&done));
        self.done.push(done);
    }

    /// Runs several rows of steps beside each other, each row in its order. What a step says is shown in one piece when it
    /// ends. A step may need what ran before all rows, or what is above it in its own row.
    pub(crate) fn beside<'a>(&mut self, rows: Vec<Vec<Step<'a>>>) {
        let (before, said) = (&self.done, Mutex::new(()));
        let done: Vec<Vec<Done>> = thread::scope(|scope| {
            let threads: Vec<_> =
                rows.into_iter().map(|row| scope.spawn(|| run_row(row, before, &said))).collect();
            threads.into_iter().map(|row| row.join().expect("a step does not panic")).collect()
        });
        self.done.extend(done.into_iter().flatten());
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
            text += format!("  {word:<8} {name:<14} {:>8}  {note}", seconds(*took)).trim_end();
            text += "\n";
        }
        text += &self.budgets();
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

    /// What the steps that ran were given, and what they took of it.
    fn budgets(&self) -> String {
        let mut text = String::new();
        for (names, minutes) in BUDGETS {
            let ran: Vec<&Done> = self.done.iter().filter(|done| names.contains(&done.name)).collect();
            if ran.is_empty() {
                continue;
            }
            let (took, budget) = (ran.iter().map(|done| done.took).sum(), Duration::from_secs(60 * minutes));
            let mark = if took > budget { "OVER" } else { "within" };
            let names: Vec<&str> = ran.iter().map(|done| done.name).collect();
            text += &format!("  {mark:<8} {minutes} min: {}, {}\n", seconds(took), names.join(", "));
        }
        if text.is_empty() { text } else { format!("budget\n{text}") }
    }
}

/// One of several rows that run beside each other.
fn run_row(row: Vec<Step<'_>>, before: &[Done], said: &Mutex<()>) -> Vec<Done> {
    let mut row_done: Vec<Done> = Vec::new();
    for Step { name, needs, work } in row {
        let (done, lines) = match missing(needs, &[before, &row_done]) {
            Some(broken) => (skipped(name, broken), String::new()),
            None => run::collected(|| timed(name, work)),
        };
        let one_at_a_time = said.lock();
        println!("\n=== {name}\n{lines}{}", ending(&done));
        drop(one_at_a_time);
        row_done.push(done);
    }
    row_done
}

/// The first step needed that did not pass.
fn missing<'a>(needs: &[&'a str], done: &[&[Done]]) -> Option<&'a str> {
    let passed = |name: &str| {
        let mut all = done.iter().flat_map(|done| done.iter());
        all.any(|done| done.name == name && matches!(done.status, Status::Passed(_)))
    };
    needs.iter().copied().find(|name| !passed(name))
}

fn skipped(name: &'static str, broken: &str) -> Done {
    Done { name, status: Status::Skipped(format!("needs `{broken}`")), took: Duration::ZERO }
}

fn timed(name: &'static str, step: impl FnOnce() -> Outcome) -> Done {
    let started = Instant::now();
    let status = match step() {
        Ok(note) => Status::Passed(note),
        Err(why) => {
            run::say(&why);
            Status::Failed(why)
        }
    };
    Done { name, status, took: started.elapsed() }
}

/// The line that ends a step.
fn ending(done: &Done) -> String {
    let Done { name, status, took } = done;
    match status {
        Status::Passed(_) => format!("=== {name}: ok, {}", seconds(*took)),
        Status::Failed(_) => format!("=== {name}: FAILED, {}", seconds(*took)),
        Status::Skipped(why) => format!("=== {name}: skipped, {why}, which did not pass"),
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
        steps.run("purity", &[], || Ok("3 crates".into()));
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

    #[test]
    fn rows_run_beside_each_other_and_stand_in_the_table_in_their_order() {
        let mut steps = Steps::default();
        steps.run("build", &[], || Ok(String::new()));
        // Each waits for the other: rows that ran one after the other would never end.
        let both = &std::sync::Barrier::new(2);
        let meet = move || {
            both.wait();
            Ok(String::new())
        };
        steps.beside(vec![
            vec![
                Step::new("browser", &["build"], meet),
                Step::new("screens", &["browser"], || Err("one".into())),
            ],
            vec![
                Step::new("clippy", &["build"], meet),
                Step::new("docs", &["browser"], || Ok("beside".into())),
            ],
        ]);
        let names: Vec<&str> = steps.done.iter().map(|done| done.name).collect();
        assert_eq!(names, ["build", "browser", "screens", "clippy", "docs"]);
        // A row knows nothing of the other one: whether that had come so far would be luck.
        assert!(steps.summary().contains("needs `browser`"), "{}", steps.summary());
        assert!(steps.summary().ends_with("steps: 3 passed, 1 failed, 1 skipped"));
    }

    #[test]
    fn steps_over_their_common_budget_are_marked_and_fail_nothing() {
        let done = |name, seconds| Done {
            name,
            status: Status::Passed(String::new()),
            took: Duration::from_secs(seconds),
        };
        let steps = Steps { done: vec![done("web lint", 30), done("purity", 999), done("clippy", 91)] };
        assert!(
            steps.summary().contains("budget\n  OVER     2 min: 121.0 s, web lint, clippy\nsteps: 3 passed")
        );
        assert!(steps.all_well());
    }

    #[test]
    fn every_row_of_the_table_has_its_time_and_its_note() {
        let done = |name, status, ms| Done { name, status, took: Duration::from_millis(ms) };
        let steps = Steps {
            done: vec![
                done("build", Status::Passed(String::new()), 61_234),
                done("browser", Status::Passed("28 tests, 1 flaky: two_tabs".into()), 90_050),
            ],
        };
        let table = "\nsummary\n  ok       build            61.2 s\n  \
            ok       browser          90.0 s  28 tests, 1 flaky: two_tabs\nbudget\n  \
            within   9 min: 61.2 s, build\n  within   4 min: 90.0 s, browser\nsteps: 2 passed, 0 failed";
        assert_eq!(steps.summary(), table);
    }
}
