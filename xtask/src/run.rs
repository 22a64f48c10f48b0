//! Running other programs: with a sign of life on long work, and with a count of the tests that really ran.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a long step says that it still runs.
const SIGN_OF_LIFE: Duration = Duration::from_secs(60);
/// How long is waited for a line before anything else is looked at.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a program's output is read after its end.
const LEFT_BEHIND: Duration = Duration::from_secs(2);

thread_local! {
    /// What this thread's programs have said, where it is collected.
    static COLLECTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does some work and collects what its programs say, for a thread whose lines must not mix with another's.
pub(crate) fn collected<T>(work: impl FnOnce() -> T) -> (T, String) {
    COLLECTED.set(Some(String::new()));
    let done = work();
    (done, COLLECTED.take().unwrap_or_default())
}

/// Shows a line on stdout, or keeps it for later.
pub(crate) fn say(line: &str) {
    keep_or(line, |line| println!("{line}"));
}

fn keep_or(line: &str, show: impl FnOnce(&str)) {
    COLLECTED.with_borrow_mut(|collected| match collected {
        Some(text) => {
            text.push_str(line);
            text.push('\n');
        }
        None => show(line),
    });
}

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

    /// Adds another program's tests.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }

    /// For the summary.
    pub(crate) fn note(&self) -> String {
        format!("{} tests ran well, {} did not, {} ignored", self.passed, self.failed, self.ignored)
    }
}

/// Runs a program to its end, its output shown as it comes.
pub(crate) fn show(what: &str, command: &mut Command) -> Result<(), String> {
    watch(what, command, |_| {})
}

/// Runs a program to its end and gives the rest of its last line that begins with this.
pub(crate) fn note(what: &str, command: &mut Command, begins: &str) -> Result<String, String> {
    let mut found = String::new();
    watch(what, command, |line| {
        if let Some(rest) = line.strip_prefix(begins) {
            found = rest.to_owned();
        }
    })?;
    Ok(found)
}

/// Runs `cargo test` or a test program, shows its output as it comes, and counts the tests in it.
pub(crate) fn count_tests(what: &str, command: &mut Command) -> (Counts, Result<(), String>) {
    let mut counts = Counts::default();
    let outcome = watch(what, command, |line| counts.add(line));
    (counts, outcome)
}

/// True if the program can be started and ends well; its output is thrown away.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// A line of a program's output.
enum Line {
    Out(String),
    Err(String),
}

/// Runs a program to its end, shows what it says, and gives `each` its lines. Where it fails, the lines that tell why
/// are part of the error: whoever sees only the end of a long log sees them too.
fn watch(what: &str, command: &mut Command, mut each: impl FnMut(&str)) -> Result<(), String> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let (said, lines) = mpsc::channel();
    relay(child.stdout.take(), said.clone(), Line::Out);
    relay(child.stderr.take(), said, Line::Err);
    let mut telling = Telling::default();
    let started = Instant::now();
    let mut alive = started;
    let mut ended = None;
    let status = loop {
        match lines.recv_timeout(PAUSE) {
            Ok(line) => {
                let text = match &line {
                    Line::Out(text) => {
                        say(text);
                        text
                    }
                    Line::Err(text) => {
                        keep_or(text, |line| eprintln!("{line}"));
                        text
                    }
                };
                each(text);
                telling.add(text);
            }
            Err(RecvTimeoutError::Disconnected) => break child.wait(),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if ended.is_none() && !matches!(child.try_wait(), Ok(None)) {
            ended = Some(Instant::now());
        }
        // A process that it left behind may hold its output open for ever.
        if ended.is_some_and(|at| at.elapsed() > LEFT_BEHIND) {
            break child.wait();
        }
        if alive.elapsed() >= SIGN_OF_LIFE {
            alive = Instant::now();
            eprintln!("... {what}: {} s so far", started.elapsed().as_secs());
        }
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{}` ended with {status}{}", spell(command), telling.text())),
        Err(error) => Err(format!("`{}`: {error}", spell(command))),
    }
}

fn relay(from: Option<impl Read + Send + 'static>, to: mpsc::Sender<Line>, line: fn(String) -> Line) {
    thread::spawn(move || {
        for bytes in from.into_iter().flat_map(|from| BufReader::new(from).split(b'\n')).map_while(Result::ok)
        {
            if to.send(line(String::from_utf8_lossy(&bytes).into_owned())).is_err() {
                return;
            }
        }
    });
}

/// The lines of a program's output that tell why it failed.
#[derive(Default)]
struct Telling {
    lines: VecDeque<String>,
}

impl Telling {
    /// Words of the programs that are run here, for what went wrong.
    const WORDS: [&str; 7] = ["FAILED", "FAIL ", "Error: ", "error: ", "error[", "panicked at", "failed ("];
    /// How many lines are told, and how much of each.
    const LINES_MAX: usize = 8;
    const CHARS_MAX: usize = 200;

    fn add(&mut self, line: &str) {
        let plain = without_colours(line);
        let plain = plain.trim();
        if Self::WORDS.iter().any(|word| plain.contains(word)) {
            if self.lines.len() == Self::LINES_MAX {
                self.lines.pop_front();
            }
            self.lines.push_back(plain.chars().take(Self::CHARS_MAX).collect());
        }
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("\n{line}")).collect()
    }
}

/// A line without a terminal's colours.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').trim_start_matches('m')
    })
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
    fn a_failure_says_which_lines_tell_why() {
        let script = "echo fine; printf '\\033[31mError: no such tile\\033[39m\\n' >&2; echo more; exit 3";
        let why = show("a script", Command::new("sh").args(["-c", script])).unwrap_err();
        assert!(why.ends_with("exit status: 3\nError: no such tile"), "{why}");
    }

    #[test]
    fn a_program_can_leave_a_note_for_the_table() {
        let script = "echo 'browser: 2 tests'; echo ok; echo 'browser: 3 tests, 1 flaky: a_name'";
        let (found, said) =
            collected(|| note("a script", Command::new("sh").args(["-c", script]), "browser: "));
        assert_eq!(found.unwrap(), "3 tests, 1 flaky: a_name");
        assert_eq!(said, "browser: 2 tests\nok\nbrowser: 3 tests, 1 flaky: a_name\n");
    }

    #[test]
    fn what_a_program_leaves_behind_is_not_waited_for() {
        let started = Instant::now();
        show("a script", Command::new("sh").args(["-c", "sleep 60 & exit 0"])).unwrap();
        assert!(started.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_command_is_spelled_with_its_environment() {
        let mut command = Command::new("/somewhere/cargo");
        command.arg("test").env("PARLOR_DATA", "require");
        assert_eq!(spell(&command), "PARLOR_DATA=require cargo test");
    }
}
