//! `parlor ruleset test`: runs the scenarios inside a ruleset and in the file beside it, plays random matches, and tells
//! what never ran.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parlor_core::Json;
use parlor_ruleset::Program;
use parlor_ruleset::scenario::{self, Failure as Failed, Report, place};
use serde_json::json;

use super::never_ran::{self, Wish};
use super::{TestArgs, read, traced};
use crate::shell::{Done, Failure, Paint};

/// A scenario and its location.
pub(super) struct Scenario {
    file: PathBuf,
    /// The JSON Pointer to it in its file.
    pointer: String,
    pub(super) json: Json,
}

impl Scenario {
    fn name(&self) -> &str {
        self.json["name"].as_str().unwrap_or("a scenario")
    }
}

pub(super) fn run(args: &TestArgs) -> Done {
    let program = traced(&args.file)?;
    let mut all = all(&args.file, &program)?;
    if all.is_empty() && args.matches == Some(0) {
        return Err(none(&args.file));
    }
    let wanted = args.filter.as_ref().map(|filter| filter.to_lowercase());
    let count = all.len();
    all.retain(|test| wanted.as_ref().is_none_or(|wanted| test.name().to_lowercase().contains(wanted)));
    if all.is_empty() && count > 0 {
        return Err(Failure::failed(format!("none of {count} scenarios has this text in its name")));
    }
    let paint = Paint::stdout();
    let mut out = io::stdout().lock();
    let (mut failed, mut spent) = (0, Duration::ZERO);
    for test in &all {
        let began = Instant::now();
        let played = scenario::differences(&program, &test.json);
        let took = began.elapsed();
        spent += took;
        failed += usize::from(played.is_err());
        let line =
            if args.json { described(test, &played, took)? } else { told(paint, test, &played, took)? };
        writeln!(out, "{line}")?;
    }
    if !args.json {
        let left =
            if all.len() < count { format!(", {} left out", count - all.len()) } else { String::new() };
        let passed = all.len() - failed;
        writeln!(out, "scenarios: {passed} passed, {failed} failed{left}, in {}", time(spent))?;
    }
    if all.len() == count || args.matches.is_some() {
        let wish = Wish {
            matches: args.matches.unwrap_or(never_ran::MATCHES),
            seed: args.seed.unwrap_or_else(any_seed),
            json: args.json,
        };
        never_ran::run(&args.file, &program, &wish, &mut out)?;
    }
    if failed > 0 { Err(Failure::Told) } else { Ok(()) }
}

/// A seed that nobody has chosen: short enough to be typed.
fn any_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |since| u64::from(since.subsec_micros()))
}

/// All scenarios of a ruleset: those inside it and those beside it.
pub(super) fn all(file: &Path, program: &Program) -> Result<Vec<Scenario>, Failure> {
    let mut all = listed(file, None)?;
    let beside = file.with_extension("tests.json");
    if beside.exists() {
        all.extend(listed(&beside, Some(program))?);
    }
    Ok(all)
}

/// A ruleset without scenarios, where they are needed.
pub(super) fn none(file: &Path) -> Failure {
    let beside = file.with_extension("tests.json");
    Failure::failed("there are no scenarios")
        .hint(format!("write them into `tests` of the ruleset, or into {}", beside.display()))
}

/// The scenarios in a file. A file beside a ruleset must belong to that ruleset.
fn listed(file: &Path, of: Option<&Program>) -> Result<Vec<Scenario>, Failure> {
    let text = read(file)?;
    let whole = scenario::read(&text)
        .map_err(|finding| Failure::failed(finding.text(&file.display().to_string(), &text)))?;
    if let Some(wrong) = of.and_then(|program| scenario::of_another(program, &whole)) {
        return Err(Failure::failed(format!("{}: {}", file.display(), wrong.what)));
    }
    let tests = whole["tests"].as_array().cloned().unwrap_or_default();
    let scenario = |(n, json)| Scenario { file: file.to_owned(), pointer: format!("/tests/{n}"), json };
    Ok(tests.into_iter().enumerate().map(scenario).collect())
}

/// Where a failure is: JSON Pointer, line and column.
fn located(test: &Scenario, failure: &Failed) -> Result<(String, usize, usize), Failure> {
    let pointer = format!("{}{}", test.pointer, failure.pointer);
    let (line, column) = place(&read(&test.file)?, &pointer);
    Ok((pointer, line, column))
}

fn told(
    paint: Paint,
    test: &Scenario,
    played: &Result<Report, Vec<Failed>>,
    took: Duration,
) -> Result<String, Failure> {
    let failures = match played {
        Ok(report) => {
            let about = format!("({} lines, {} events, {})", report.lines, report.events, time(took));
            return Ok(format!("{}      {} {}", paint.good("ok"), test.name(), paint.aside(&about)));
        }
        Err(failures) => failures,
    };
    let file = test.file.display();
    let mut said = format!("{}  {}", paint.bad("FAILED"), test.name());
    for failure in failures {
        let (pointer, line, column) = located(test, failure)?;
        said.push_str(&format!("\n  {file}:{line}:{column}: {}\n  at {pointer}", failure.what));
        for (word, text) in [("expected", &failure.expected), ("got", &failure.got)] {
            if let Some(text) = text {
                said.push_str(&format!("\n  {word}: {text}"));
            }
        }
    }
    Ok(said)
}

fn described(
    test: &Scenario,
    played: &Result<Report, Vec<Failed>>,
    took: Duration,
) -> Result<String, Failure> {
    let mut row = json!({
        "name": test.name(), "file": test.file.display().to_string(), "pointer": test.pointer, "ok": played.is_ok(),
        "micros": u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
    });
    match played {
        Ok(report) => {
            row["lines"] = json!(report.lines);
            row["events"] = json!(report.events);
        }
        Err(failures) => {
            let mut all = Vec::new();
            for failure in failures {
                let (pointer, line, column) = located(test, failure)?;
                all.push(json!({
                    "pointer": pointer, "line": line, "column": column, "what": failure.what,
                    "expected": failure.expected, "got": failure.got,
                }));
            }
            row["failure"] = all[0].clone();
            row["failures"] = Json::Array(all);
        }
    }
    Ok(row.to_string())
}

fn time(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
