//! Runs the workspace's tests, several programs at a time. `cargo test` runs one after the other: while the last tests of
//! one wait for a clock or a socket, nothing else happens.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::Value;

use crate::run::{self, Counts};
use crate::steps::Outcome;

/// Programs that run beside each other; each has as many threads as there are cores.
const WIDTH: usize = 2;
/// Packages whose tests take longest, the longest first: none of them is left over at the end. For speed alone; a name
/// that is missing costs nothing else.
const LONGEST: [&str; 6] =
    ["parlor-ruleset", "parlor-server", "parlor-testkit", "parlor-poker", "parlor-riichi", "parlor-cli"];

/// One program of tests, or all documentation tests.
struct Job {
    name: String,
    command: Command,
}

/// What all programs together have said.
#[derive(Default)]
struct Total {
    counts: Counts,
    faults: Vec<String>,
}

/// Unit, integration and documentation tests; all of them, even after a failure. `cargo` makes a cargo command as the
/// build has it; `prepare` gives a program of tests its environment.
pub(crate) fn run(cargo: impl Fn(&[&str]) -> Command, prepare: impl Fn(&mut Command)) -> Outcome {
    let output = cargo(&["test", "--workspace", "--locked", "--no-run", "--message-format=json"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo test: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo cannot name the test programs: {}", output.status));
    }
    let mut programs = programs(&String::from_utf8_lossy(&output.stdout))?;
    programs.sort_by_key(|program| {
        LONGEST.iter().position(|name| *name == program.package).unwrap_or(LONGEST.len())
    });
    let doc = cargo(&["test", "--workspace", "--locked", "--doc", "--no-fail-fast"]);
    let mut jobs = VecDeque::from([Job { name: "documentation tests".to_owned(), command: doc }]);
    jobs.extend(programs.iter().map(Program::job));
    jobs.iter_mut().for_each(|job| prepare(&mut job.command));
    finish(beside(jobs))
}

/// Runs all jobs and adds up what they found.
fn beside(jobs: VecDeque<Job>) -> Total {
    let (jobs, total) = (Mutex::new(jobs), Mutex::new(Total::default()));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || {
        while let Some(Job { name, mut command }) = next() {
            let ((counts, outcome), lines) = run::collected(|| run::count_tests(&name, &mut command));
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            println!("\n--- {name}\n{lines}");
            total.counts.add_all(&counts);
            total.faults.extend(outcome.err().map(|why| format!("{name}: {why}")));
        }
    };
    thread::scope(|scope| {
        for _ in 0..WIDTH {
            scope.spawn(work);
        }
    });
    total.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn finish(Total { counts, faults }: Total) -> Outcome {
    match faults.is_empty() {
        true => Ok(counts.note()),
        false => Err(format!("{}\n{}", counts.note(), faults.join("\n"))),
    }
}

/// A test program that cargo has built.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    package: String,
    target: String,
    path: PathBuf,
    /// The package's folder, where its tests expect to be.
    folder: PathBuf,
}

impl Program {
    fn job(&self) -> Job {
        let mut command = Command::new(&self.path);
        // What xtask itself was given names its own package.
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        Job { name: format!("{} {}", self.package, self.target), command }
    }
}

/// The test programs among cargo's messages.
fn programs(messages: &str) -> Result<Vec<Program>, String> {
    let mut found = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value =
            serde_json::from_str(line).map_err(|error| format!("cargo's messages: {error}"))?;
        if message["profile"]["test"] != true {
            continue;
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let manifest = message["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
        let (Some(path), Some(folder)) = (text(&message["executable"]), manifest) else { continue };
        let name = text(&message["target"]["name"]).unwrap_or_default();
        let kind = text(&message["target"]["kind"][0]).unwrap_or_default();
        found.push(Program {
            package: package_name(&message),
            target: format!("{kind} {name}"),
            path: path.into(),
            folder: folder.into(),
        });
    }
    if found.is_empty() {
        return Err("cargo has built no test program".to_owned());
    }
    Ok(found)
}

/// `path+file:///somewhere/games/oxo#parlor-oxo@0.1.0`, or without the name where the folder has it.
fn package_name(message: &Value) -> String {
    let id = message["package_id"].as_str().unwrap_or_default();
    let (folder, name) = id.rsplit_once('#').unwrap_or((id, ""));
    match name.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => folder.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(name: &str, text: &str) -> Job {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        Job { name: name.to_owned(), command }
    }

    #[test]
    fn test_programs_are_found_among_cargos_messages() {
        let messages = r##"{"reason":"compiler-artifact","package_id":"path+file:///x/games/oxo#parlor-oxo@0.1.0","manifest_path":"/x/games/oxo/Cargo.toml","target":{"kind":["test"],"name":"it"},"profile":{"test":true},"executable":"/t/it-1"}
{"reason":"compiler-artifact","package_id":"path+file:///x/xtask#0.1.0","manifest_path":"/x/xtask/Cargo.toml","target":{"kind":["bin"],"name":"xtask"},"profile":{"test":true},"executable":"/t/xtask-1"}
{"reason":"compiler-artifact","package_id":"p#a@1","manifest_path":"/x/a/Cargo.toml","target":{"kind":["bin"],"name":"a"},"profile":{"test":false},"executable":"/t/a"}
{"reason":"build-finished","success":true}"##;
        let program = |package: &str, target: &str, path: &str, folder: &str| Program {
            package: package.into(),
            target: target.into(),
            path: path.into(),
            folder: folder.into(),
        };
        let expected = vec![
            program("parlor-oxo", "test it", "/t/it-1", "/x/games/oxo"),
            program("xtask", "bin xtask", "/t/xtask-1", "/x/xtask"),
        ];
        assert_eq!(programs(messages), Ok(expected));
        assert!(programs("{\"reason\":\"build-finished\",\"success\":true}").is_err());
    }

    #[test]
    fn every_program_runs_and_every_failure_is_told() {
        let jobs = VecDeque::from([
            script("one", "echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored'; exit 101"),
            script("two", "echo 'test result: ok. 3 passed; 0 failed; 1 ignored'"),
            script("three", "exit 7"),
        ]);
        let why = finish(beside(jobs)).unwrap_err();
        assert!(why.starts_with("4 tests ran well, 1 did not, 1 ignored\n"), "{why}");
        assert!(why.contains("one: ") && why.contains("three: ") && !why.contains("two: "), "{why}");
    }

    #[test]
    fn two_programs_run_beside_each_other() {
        let folder = std::env::temp_dir().join(format!("parlor-beside-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // Each waits for the other: one after the other they would both give up.
        let meet = |own: &str, other: &str| {
            let own = folder.join(own).display().to_string();
            let other = folder.join(other).display().to_string();
            format!("touch {own}; for n in $(seq 600); do test -e {other} && exit 0; sleep 0.1; done; exit 1")
        };
        let total = beside(VecDeque::from([script("a", &meet("a", "b")), script("b", &meet("b", "a"))]));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(total.faults, Vec::<String>::new());
    }
}
