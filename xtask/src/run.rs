//! Running other programs: with a sign of life on long work, and with a count of the tests that really ran.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a long step says that it still runs.
const SIGN_OF_LIFE: Duration = Duration::from_secs(60);

/// How many tests cargo's result lines speak of.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
}

impl Counts {
    /// Adds one of cargo's `test result:` lines; any other line adds nothing.
    fn add(&mut self, line: &str) {
        let Some((_, rest)) = line.trim_start().split_once("test result: ") else { return };
        for part in rest.split(['.', ';']) {
            let mut words = part.split_whitespace();
            let (Some(number), Some(word)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }

    /// For the summary.
    pub(crate) fn note(&self) -> String {
        format!("{} tests ran well, {} did not, {} ignored", self.passed, self.failed, self.ignored)
    }
}

/// Runs a program to its end, its output shown as it comes.
pub(crate) fn show(what: &str, command: &mut Command) -> Result<(), String> {
    let child = command.spawn().map_err(|e| cannot_start(command, &e))?;
    finish(what, command, child)
}

/// Runs `cargo test`, shows its output as it comes, and counts the tests in it.
pub(crate) fn count_tests(what: &str, command: &mut Command) -> (Counts, Result<(), String>) {
    let mut counts = Counts::default();
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(e) => return (counts, Err(cannot_start(command, &e))),
    };
    let stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        for line in stdout.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            println!("{line}");
            counts.add(&line);
        }
        counts
    });
    let outcome = finish(what, command, child);
    (reader.join().unwrap_or_default(), outcome)
}

/// True if the program can be started and ends well; its output is thrown away.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn finish(what: &str, command: &Command, mut child: Child) -> Result<(), String> {
    let (ended, wait) = mpsc::channel::<()>();
    let name = what.to_string();
    let clock = thread::spawn(move || {
        let started = Instant::now();
        while wait.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
            eprintln!("... {name}: {} s so far", started.elapsed().as_secs());
        }
    });
    let status = child.wait();
    drop(ended);
    let _ = clock.join();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ended with {status}", spell(command))),
        Err(e) => Err(format!("`{}`: {e}", spell(command))),
    }
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("`{}` cannot be started: {error}", spell(command))
}

/// The command as one would type it, with the environment it is given.
pub(crate) fn spell(command: &Command) -> String {
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(key, value)| Some(format!("{}={}", key.to_string_lossy(), value?.to_string_lossy())))
        .map(|pair| if pair.contains(' ') { format!("\"{pair}\"") } else { pair })
        .collect();
    let program = std::path::Path::new(command.get_program());
    words.push(program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned());
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_lines_are_added_up() {
        let mut counts = Counts::default();
        counts.add(
            "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 1 filtered out; finished in 0.1s",
        );
        counts.add("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        counts.add("steps: 9 passed, 1 failed");
        counts.add("test some::name ... ok");
        assert_eq!(counts, Counts { passed: 13, failed: 2, ignored: 3 });
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let why = show("nothing", &mut Command::new("no-such-program-here")).unwrap_err();
        assert!(why.contains("no-such-program-here"), "{why}");
    }

    #[test]
    fn a_command_is_spelled_with_its_environment() {
        let mut command = Command::new("/somewhere/cargo");
        command.arg("test").env("PARLOR_DATA", "require");
        assert_eq!(spell(&command), "PARLOR_DATA=require cargo test");
    }
}
