//! `cargo xtask soak faults`: plants each fault of `faults.rs` in a copy of the tree and runs the test that must fail.
//!
//! The checkout itself is never changed. The copy and its target folder are kept: the next run builds little, and goes on
//! where the last one was stopped, as long as the file with the fault and the file with the test are what they were.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::citations;
use crate::faults::{self, Fault, Test, is_script};
use crate::repo::Repo;
use crate::steps::Outcome;
use crate::test;

/// After this no further fault is planted; the next run goes on.
const RUN_MAX: Duration = Duration::from_secs(95 * 60);
/// A test that has not ended by then never ends: the fault is noticed.
const TEST_MAX: Duration = Duration::from_secs(180);
/// What of a hundred faults must be caught.
const CAUGHT_MIN_PERCENT: usize = 95;

/// What came of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    /// The test failed; with the words it failed with.
    Caught(String),
    /// The test passed all the same.
    Survived,
    /// The code with the fault is no program: this says nothing about the test.
    NotBuilding(String),
    /// The test fails, or is not found, without the fault: this says nothing about the fault.
    NoTest(String),
}

impl Found {
    fn word(&self) -> &'static str {
        match self {
            Self::Caught(_) => "caught",
            Self::Survived => "SURVIVED",
            Self::NotBuilding(_) => "NOT BUILDING",
            Self::NoTest(_) => "NO TEST",
        }
    }

    fn note(&self) -> &str {
        match self {
            Self::Caught(note) | Self::NotBuilding(note) | Self::NoTest(note) => note,
            Self::Survived => "",
        }
    }

    fn of(word: &str, note: &str) -> Option<Self> {
        let note = note.to_owned();
        let all =
            [Self::Caught(note.clone()), Self::Survived, Self::NotBuilding(note.clone()), Self::NoTest(note)];
        all.into_iter().find(|found| found.word() == word)
    }
}

/// The long run. `only` chooses the faults in whose list, number, words, file or test it occurs.
pub(crate) fn run(repo: &Repo, only: Option<&str>) -> Outcome {
    let started = Instant::now();
    let all = faults::all(repo)?;
    let unfit = faults::unfit(repo, &all, &citations::all(repo)?)?;
    if !unfit.is_empty() {
        return Err(format!("{} faults do not fit the code\n{}", unfit.len(), unfit.join("\n")));
    }
    let mut chosen: Vec<Fault> =
        all.into_iter().filter(|fault| only.is_none_or(|word| has(fault, word))).collect();
    if chosen.is_empty() {
        return Err("no fault is chosen".to_owned());
    }
    let copy = Copy::of(repo)?;
    let mut results = Results::read(&copy.home.join("results.jsonl"))?;
    // Faults of one package behind each other: between two of them little is built.
    chosen.sort_by_cached_key(|fault| {
        (copy.package(&fault.file), copy.program(&fault.test.file), fault.file.clone())
    });
    let pending: Vec<&Fault> = chosen.iter().filter(|fault| results.of(&copy.key(fault)).is_none()).collect();
    println!("{} faults, {} of them known from before", chosen.len(), chosen.len() - pending.len());
    let stopped = plant_all(&copy, &pending, &mut results, started)?;
    let found: Vec<(&Fault, Option<&Found>)> =
        chosen.iter().map(|fault| (fault, results.of(&copy.key(fault)))).collect();
    tell(&found, stopped)
}

fn has(fault: &Fault, word: &str) -> bool {
    let Fault { list, cites, broken, file, test, .. } = fault;
    [list, cites, broken, file, &test.file, &test.name].iter().any(|text| text.contains(word))
}

/// Plants one after the other; true if time ran out before the last.
fn plant_all(
    copy: &Copy,
    pending: &[&Fault],
    results: &mut Results,
    started: Instant,
) -> Result<bool, String> {
    let sound = copy.without_faults(pending)?;
    for (at, fault) in pending.iter().enumerate() {
        if started.elapsed() > RUN_MAX {
            return Ok(true);
        }
        let begun = Instant::now();
        let found = match sound.get(&fault.test.file).and_then(|tests| tests.get(&fault.test.name)) {
            Some(Ok(name)) => copy.plant(fault, name)?,
            Some(Err(why)) => Found::NoTest(why.clone()),
            None => Found::NoTest("its program was not built".to_owned()),
        };
        let seconds = begun.elapsed().as_secs();
        println!("{}/{} {:<12} {seconds:>3} s  {}", at + 1, pending.len(), found.word(), fault.title());
        // What says nothing about the fault is tried again by the next run.
        results.add(copy.key(fault), fault, found, seconds)?;
    }
    Ok(false)
}

/// The table of what was not caught, and the counts.
fn tell(found: &[(&Fault, Option<&Found>)], stopped: bool) -> Outcome {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (fault, found) in found {
        let word = found.map_or("not run", Found::word);
        *counts.entry(word).or_default() += 1;
        if let Some(found) = found
            && !matches!(found, Found::Caught(_))
        {
            println!(
                "  {word:<12} {}\n    in {}, by {} {}",
                fault.title(),
                fault.file,
                fault.test.file,
                fault.test.name
            );
            found.note().lines().for_each(|line| println!("    {line}"));
        }
    }
    let words: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let note = format!("{} faults: {}", found.len(), words.join(", "));
    let run = found.len() - counts.get("not run").unwrap_or(&0);
    let caught = *counts.get("caught").unwrap_or(&0);
    if caught * 100 < run * CAUGHT_MIN_PERCENT {
        return Err(format!("{note}: fewer than {CAUGHT_MIN_PERCENT} % of those run are caught"));
    }
    Ok(if stopped { note + "; run it again to go on" } else { note })
}

/// The copy of the tree, with a target folder of its own.
struct Copy {
    home: PathBuf,
    tree: Repo,
    /// The checkout: for the reference data and npm's packages.
    data: Vec<(String, String)>,
}

/// The names of tests by file and function, as their program has them; or why there is none to run.
type Sound = BTreeMap<String, BTreeMap<String, Result<String, String>>>;

impl Copy {
    /// Brings the copy up to date: what is the same is left alone, so that cargo does not build it again.
    fn of(repo: &Repo) -> Result<Self, String> {
        let home = match std::env::var_os("PARLOR_SOAK_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => repo.target()?.join("faults"),
        };
        let root = home.join("tree");
        fs::create_dir_all(&root).map_err(|e| format!("{}: {e}", root.display()))?;
        let files = tracked(repo)?;
        for file in &files {
            bring(&repo.root.join(file), &root.join(file))?;
        }
        let tree = Repo { root };
        let known: BTreeSet<&str> = files.iter().map(String::as_str).collect();
        for extra in tree.files("", &["rs", "json", "toml", "ts", "py"]) {
            if !known.contains(extra.as_str()) {
                fs::remove_file(tree.root.join(&extra)).map_err(|e| format!("{extra}: {e}"))?;
            }
        }
        let mut with_data = Command::new("true");
        test::with_data(repo, &mut with_data)?;
        let text = |text: &std::ffi::OsStr| text.to_string_lossy().into_owned();
        let data = with_data.get_envs().filter_map(|(key, value)| Some((text(key), text(value?)))).collect();
        let copy = Self { home, tree, data };
        copy.lend_node_modules(repo)?;
        Ok(copy)
    }

    /// Tests of scripts find npm's packages of the checkout.
    fn lend_node_modules(&self, repo: &Repo) -> Result<(), String> {
        for folder in ["", test::TYPESCRIPT, "web"] {
            let (from, to) = (
                repo.root.join(folder).join("node_modules"),
                self.tree.root.join(folder).join("node_modules"),
            );
            if from.is_dir() && !to.exists() {
                std::os::unix::fs::symlink(&from, &to).map_err(|e| format!("{}: {e}", to.display()))?;
            }
        }
        Ok(())
    }

    /// The folder of the package that a file belongs to.
    fn package(&self, file: &str) -> String {
        let folders = Path::new(file).ancestors().skip(1);
        let manifest = if is_script(file) { "package.json" } else { "Cargo.toml" };
        let found = folders.into_iter().find(|folder| self.tree.root.join(folder).join(manifest).is_file());
        found.map_or(String::new(), |folder| folder.to_string_lossy().into_owned())
    }

    /// What cargo is asked for to build the tests in this file.
    fn program(&self, file: &str) -> Vec<String> {
        let package = self.package(file);
        let inside = file[package.len()..].trim_start_matches('/');
        let manifest = format!("{package}/Cargo.toml");
        let mut args = vec!["--manifest-path".to_owned(), manifest];
        match inside.strip_prefix("tests/").and_then(|rest| rest.split(['/', '.']).next()) {
            Some(name) => args.extend(["--test".to_owned(), name.to_owned()]),
            None if self.tree.root.join(&package).join("src/lib.rs").is_file() => {
                args.push("--lib".to_owned())
            }
            None => args.push("--bins".to_owned()),
        }
        args
    }

    /// What a result stands for: the fault itself, the file it changes and the file of the test.
    fn key(&self, fault: &Fault) -> String {
        let text = |file: &str| self.tree.read(file).unwrap_or_default();
        let Fault { file, old, new, test, .. } = fault;
        let parts = [file, old, new, &test.name, &test.file, &text(file), &text(&test.file)];
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{hash:016x}")
    }

    /// Builds and runs every test once as it is: a test that fails without any fault proves nothing.
    fn without_faults(&self, pending: &[&Fault]) -> Result<Sound, String> {
        let mut sound = Sound::new();
        let files: BTreeSet<&str> = pending.iter().map(|fault| fault.test.file.as_str()).collect();
        for file in files {
            let names: BTreeSet<&str> = pending
                .iter()
                .filter(|fault| fault.test.file == file)
                .map(|fault| fault.test.name.as_str())
                .collect();
            println!("without faults: {} in {file}", names.len());
            let program = if is_script(file) { Ok(PathBuf::new()) } else { self.build(file)? };
            let tests = sound.entry(file.to_owned()).or_default();
            for name in names {
                let test = Test { file: file.to_owned(), name: name.to_owned() };
                let passes = match &program {
                    Ok(program) => self.passes(program, &test)?,
                    Err(why) => Err(format!("does not build without a fault: {why}")),
                };
                tests.insert(name.to_owned(), passes);
            }
        }
        Ok(sound)
    }

    /// The test's name in its program, if it passes.
    fn passes(&self, program: &Path, test: &Test) -> Result<Result<String, String>, String> {
        if is_script(&test.file) {
            return Ok(match self.run_script(test)? {
                Ended::Well(said) if said.contains("1 passed") => Ok(test.name.clone()),
                Ended::Well(_) => Err("no such test ran".to_owned()),
                Ended::Badly(why) => Err(format!("fails without a fault: {why}")),
            });
        }
        let listed = Command::new(program).args(["--list", "--format=terse"]).output();
        let listed = listed.map_err(|e| format!("{}: {e}", program.display()))?;
        let Some(name) = listed_name(&String::from_utf8_lossy(&listed.stdout), test) else {
            return Ok(Err("its program does not list it".to_owned()));
        };
        Ok(match self.run_test(program, &test.file, &name)? {
            Ended::Well(said) if said.contains("1 passed") => Ok(name),
            Ended::Well(_) => Err("is ignored".to_owned()),
            Ended::Badly(why) => Err(format!("fails without a fault: {why}")),
        })
    }

    /// Plants a fault, builds, runs its test and takes the fault out again.
    fn plant(&self, fault: &Fault, name: &str) -> Result<Found, String> {
        let path = self.tree.root.join(&fault.file);
        let text = self.tree.read(&fault.file)?;
        let write = |text: &str| fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()));
        write(&fault.planted(&text)?)?;
        let found = self.look(fault, name);
        write(&text)?;
        found
    }

    fn look(&self, fault: &Fault, name: &str) -> Result<Found, String> {
        let ended = if is_script(&fault.test.file) {
            self.run_script(&fault.test)?
        } else {
            match self.build(&fault.test.file)? {
                Ok(program) => self.run_test(&program, &fault.test.file, name)?,
                Err(why) => return Ok(Found::NotBuilding(why)),
            }
        };
        Ok(match ended {
            Ended::Well(_) => Found::Survived,
            Ended::Badly(why) => Found::Caught(why),
        })
    }

    /// The program with the tests of this file, or what the compiler said.
    fn build(&self, file: &str) -> Result<Result<PathBuf, String>, String> {
        let mut command =
            self.tree.cargo(&["test", "--locked", "--no-run", "--message-format=json-render-diagnostics"]);
        self.prepare(command.args(self.program(file)));
        let output = command.output().map_err(|e| format!("cargo test: {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).take(3).collect();
            return Ok(Err(errors.join("\n")));
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let built = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let tests = built.filter(|message| message["profile"]["test"] == true);
        let program =
            tests.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back();
        Ok(program.ok_or_else(|| "cargo built no test program".to_owned()))
    }

    /// Quick builds count more than quick tests; the pages are not needed.
    fn prepare(&self, command: &mut Command) {
        command.env("CARGO_TARGET_DIR", self.home.join("target")).env("PARLOR_WEB", "skip");
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        command.env("CARGO_INCREMENTAL", "1").env_remove("CARGO_MANIFEST_DIR");
        command.envs(self.data.iter().map(|(key, value)| (key, value)));
    }

    fn run_test(&self, program: &Path, file: &str, name: &str) -> Result<Ended, String> {
        let folder = self.tree.root.join(self.package(file));
        let mut command = Command::new(program);
        command.args(["--exact", name]).current_dir(&folder);
        self.prepare(&mut command);
        command.env("CARGO_MANIFEST_DIR", &folder);
        self.ended(&mut command)
    }

    fn run_script(&self, test: &Test) -> Result<Ended, String> {
        let package = self.package(&test.file);
        let inside = test.file[package.len()..].trim_start_matches('/');
        let mut command = Command::new("npx");
        command.args(["vitest", "run", inside, "--testNamePattern", &literal(&test.name)]);
        self.ended(command.env("NO_COLOR", "1").current_dir(self.tree.root.join(package)))
    }

    /// Runs to the end or to the time limit; whatever the program has left behind is ended with it.
    fn ended(&self, command: &mut Command) -> Result<Ended, String> {
        let path = self.home.join("said.txt");
        let file = File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let both = file.try_clone().map_err(|e| format!("{}: {e}", path.display()))?;
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(both)
            .spawn()
            .map_err(|e| format!("`{}`: {e}", command.get_program().to_string_lossy()))?;
        let started = Instant::now();
        let status = loop {
            match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) => break Some(status),
                None if started.elapsed() > TEST_MAX => break None,
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
        let _ = child.wait();
        let said = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok(match status {
            Some(status) if status.success() => Ended::Well(said),
            Some(status) => Ended::Badly(reason(&said).unwrap_or_else(|| status.to_string())),
            None => Ended::Badly(format!("it had not ended after {} s", TEST_MAX.as_secs())),
        })
    }
}

/// How a test's program ended, with what it said.
enum Ended {
    Well(String),
    Badly(String),
}

/// The test's name in its program: its function, in the module of its file where several have one.
fn listed_name(list: &str, test: &Test) -> Option<String> {
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let last = |name: &str| name.rsplit("::").next() == Some(test.name.as_str());
    let found: Vec<&str> = names.filter(|name| last(name)).collect();
    let stem = Path::new(&test.file).file_stem().and_then(|stem| stem.to_str()).unwrap_or("");
    let here = |name: &&&str| name.split("::").any(|part| part == stem);
    found.iter().find(here).or(found.first()).map(|name| (*name).to_owned())
}

/// What a failed test said first: the line of the panic and the one after it, or vitest's line.
fn reason(said: &str) -> Option<String> {
    let lines: Vec<&str> = said.lines().collect();
    let at = lines.iter().position(|line| line.contains("panicked at") || line.contains("AssertionError"))?;
    let text: Vec<&str> = lines[at..].iter().take(2).map(|line| line.trim()).collect();
    Some(text.join(" ").chars().take(240).collect())
}

/// A title as a pattern that means it alone.
fn literal(title: &str) -> String {
    let mut pattern = String::new();
    for char in title.chars() {
        if !char.is_alphanumeric() && char != ' ' {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern + "$"
}

/// Every file that git has or would take.
fn tracked(repo: &Repo) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&repo.root)
        .output()
        .map_err(|e| format!("git ls-files: {e}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let exists = |file: &&str| !file.is_empty() && repo.root.join(file).is_file();
    Ok(text.split('\0').filter(exists).map(str::to_owned).collect())
}

/// Copies a file unless the copy is the same.
fn bring(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = to.parent().unwrap_or(to);
    let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(from, to));
    copied.map(|_| ()).map_err(|e| format!("{}: {e}", to.display()))
}

/// What is known of each fault, kept in a file as it becomes known.
struct Results {
    file: File,
    known: BTreeMap<String, Found>,
}

impl Results {
    fn read(path: &Path) -> Result<Self, String> {
        let wrong = |e: std::io::Error| format!("{}: {e}", path.display());
        let text = if path.is_file() { fs::read_to_string(path).map_err(wrong)? } else { String::new() };
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
        Ok(Self { file, known: text.lines().filter_map(known).collect() })
    }

    fn of(&self, key: &str) -> Option<&Found> {
        self.known.get(key)
    }

    fn add(&mut self, key: String, fault: &Fault, found: Found, seconds: u64) -> Result<(), String> {
        let line = json!({"key": key, "found": found.word(), "note": found.note(), "seconds": seconds,
            "cites": fault.cites, "broken": fault.broken, "file": fault.file});
        writeln!(self.file, "{line}").map_err(|e| format!("results: {e}"))?;
        self.known.insert(key, found);
        Ok(())
    }
}

/// A line of the results; one that was cut off by the end of the run says nothing, and what says nothing about its
/// fault is tried again.
fn known(line: &str) -> Option<(String, Found)> {
    let line: Value = serde_json::from_str(line).ok()?;
    let found = Found::of(line["found"].as_str()?, line["note"].as_str()?)?;
    let key = line["key"].as_str()?.to_owned();
    (!matches!(found, Found::NoTest(_))).then_some((key, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(cites: &str) -> Fault {
        Fault {
            list: "conformance/faults/000.json".into(),
            cites: cites.into(),
            broken: "nothing stops".into(),
            file: "crates/a/src/lib.rs".into(),
            old: "a".into(),
            new: "b".into(),
            test: Test { file: "crates/a/tests/it/rules.rs".into(), name: "holds".into() },
        }
    }

    #[test]
    fn a_test_is_found_in_the_module_of_its_file() {
        let list =
            "other::holds: test\nrules::deep::holds: test\nrules::holds_not: test\n\n3 tests, 0 benchmarks\n";
        assert_eq!(listed_name(list, &planted("000-1").test).as_deref(), Some("rules::deep::holds"));
        assert_eq!(listed_name("holds: test\n", &planted("000-1").test).as_deref(), Some("holds"));
        assert_eq!(listed_name("rules::holds_not: test\n", &planted("000-1").test), None);
    }

    #[test]
    fn a_failure_is_told_with_its_words() {
        let said = "running 1 test\nthread 'x' panicked at a.rs:1:2:\nassertion failed: no\nnote: more\n";
        assert_eq!(reason(said).unwrap(), "thread 'x' panicked at a.rs:1:2: assertion failed: no");
        assert_eq!(reason("error"), None);
    }

    #[test]
    fn results_are_read_again_and_what_proves_nothing_is_tried_again() {
        let line =
            |found: &Found| json!({"key": "k", "found": found.word(), "note": found.note()}).to_string();
        for found in [Found::Caught("why".into()), Found::Survived, Found::NotBuilding("why".into())] {
            assert_eq!(known(&line(&found)), Some(("k".to_owned(), found)));
        }
        assert_eq!(known(&line(&Found::NoTest("why".into()))), None);
        assert_eq!(known("{\"key\": \"k\", \"fou"), None);
    }

    #[test]
    fn what_does_not_build_and_what_is_not_run_counts_as_not_caught() {
        let faults: Vec<Fault> = (0..20).map(|n| planted(&format!("000-{n}"))).collect();
        let caught = Found::Caught(String::new());
        let mut found: Vec<(&Fault, Option<&Found>)> =
            faults.iter().map(|fault| (fault, Some(&caught))).collect();
        found[0].1 = Some(&Found::Survived);
        assert_eq!(tell(&found, false).unwrap(), "20 faults: 1 SURVIVED, 19 caught");
        let broken = Found::NotBuilding(String::new());
        found[1].1 = Some(&broken);
        assert!(tell(&found, false).unwrap_err().contains("fewer than 95 %"));
        found[1].1 = Some(&caught);
        found[2].1 = None;
        assert!(tell(&found, true).is_err(), "18 of the 19 that were run are fewer than 95 %");
        assert!(tell(&found[1..], true).unwrap().ends_with("18 caught, 1 not run; run it again to go on"));
    }

    #[test]
    fn a_program_that_does_not_end_and_one_that_fails_are_noticed() {
        let home = std::env::temp_dir().join(format!("parlor-planting-{}", std::process::id()));
        fs::create_dir_all(&home).unwrap();
        let copy = Copy { home: home.clone(), tree: Repo { root: home.clone() }, data: Vec::new() };
        let end = |script: &str| copy.ended(Command::new("sh").args(["-c", script])).unwrap();
        assert!(matches!(end("echo 1 passed"), Ended::Well(said) if said == "1 passed\n"));
        assert!(matches!(end("exit 101"), Ended::Badly(why) if why.contains("101")));
        fs::remove_dir_all(&home).unwrap();
    }

    #[test]
    fn a_title_is_no_pattern() {
        assert_eq!(literal("a (b)?"), "a \\(b\\)\\?$");
    }
}
