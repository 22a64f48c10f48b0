//! `parlor ruleset check|test|schema`: games as data, for those who write them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_core::{Entry, Json};
use parlor_ruleset::{Finding, Level, Program, scenario, table};
use serde_json::json;

use crate::shell::{Done, Failure};

/// What `parlor ruleset` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset check mygame.json\n  parlor ruleset test mygame.json\n  \
    parlor ruleset schema > parlor-ir.schema.json\n  parlor try mygame.json"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Say everything that is wrong with a ruleset, and where
    Check(CheckArgs),
    /// Play the scenarios inside and beside a ruleset
    Test(TestArgs),
    /// Print the JSON Schema of rulesets, for editors
    Schema,
}

/// What `parlor ruleset check` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset check mygame.json\n  parlor ruleset check mygame.json --json"
)]
struct CheckArgs {
    /// A ruleset
    file: PathBuf,
    /// Print one JSON object a line, one for each finding
    #[arg(long)]
    json: bool,
}

/// What `parlor ruleset test` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor ruleset test mygame.json")]
struct TestArgs {
    /// A ruleset; its scenarios are its `tests`, and those of FILE.tests.json beside it
    file: PathBuf,
}

/// Runs the sub-command.
pub(crate) fn run(args: &Args) -> Done {
    match &args.command {
        Command::Check(args) => check(args),
        Command::Test(args) => test(args),
        Command::Schema => {
            writeln!(io::stdout().lock(), "{:#}", parlor_ruleset::schema::schema())?;
            Ok(())
        }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.display())))
}

/// Compiles a ruleset that may be a variant of a file beside it.
fn compiled(path: &Path, text: &str) -> Result<parlor_ruleset::compile::Compiled, Vec<Finding>> {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let beside = |name: &str| {
        let file = Path::new(name);
        let near = file.is_relative() && file.extension().is_some_and(|extension| extension == "json");
        near.then(|| std::fs::read_to_string(folder.join(file)).ok()).flatten()
    };
    parlor_ruleset::compile_beside(text, &beside)
}

/// The entry of the ruleset in a file.
pub(crate) fn entry(path: &Path) -> Result<Entry, Failure> {
    let program = program(path)?;
    let name = program.id.clone();
    Ok(table::entry(program, &name))
}

fn program(path: &Path) -> Result<Arc<Program>, Failure> {
    let text = read(path)?;
    match compiled(path, &text) {
        Ok(compiled) => Ok(Arc::new(compiled.program)),
        Err(findings) => {
            let errors: Vec<&Finding> = findings.iter().filter(|f| f.level == Level::Error).collect();
            let first = errors
                .first()
                .map_or(String::new(), |finding| finding.text(&path.display().to_string(), &text));
            let message = format!("{} has {} errors; the first:\n{first}", path.display(), errors.len());
            Err(Failure::failed(message).hint(format!("parlor ruleset check {}", path.display())))
        }
    }
}

fn check(args: &CheckArgs) -> Done {
    let text = read(&args.file)?;
    let (findings, name) = match compiled(&args.file, &text) {
        Ok(compiled) => (compiled.warnings, Some(compiled.program.name)),
        Err(findings) => (findings, None),
    };
    let mut out = io::stdout().lock();
    let file = args.file.display().to_string();
    for finding in &findings {
        if args.json {
            writeln!(out, "{}", described(finding, &text))?;
        } else {
            writeln!(out, "{}", finding.text(&file, &text))?;
        }
    }
    let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
    let warnings = findings.len() - errors;
    if !args.json {
        let title = name.map_or(String::new(), |name| format!("{name}: "));
        writeln!(out, "{title}{errors} errors, {warnings} warnings")?;
    }
    if errors > 0 { Err(Failure::Told) } else { Ok(()) }
}

fn described(finding: &Finding, text: &str) -> Json {
    let (line, column) = finding.place(text);
    let level = if finding.level == Level::Error { "error" } else { "warning" };
    json!({
        "level": level, "code": finding.code, "pointer": finding.pointer, "line": line, "column": column,
        "file": finding.elsewhere.as_ref().map(|elsewhere| elsewhere.file.as_str()),
        "message": finding.message, "help": finding.help,
    })
}

fn test(args: &TestArgs) -> Done {
    let program = program(&args.file)?;
    let mut tests = Vec::new();
    let parse = |path: &Path| -> Result<Json, Failure> {
        serde_json::from_str(&read(path)?)
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
    };
    tests.extend(parse(&args.file)?["tests"].as_array().cloned().unwrap_or_default());
    let beside = args.file.with_extension("tests.json");
    if beside.exists() {
        tests.extend(parse(&beside)?["tests"].as_array().cloned().unwrap_or_default());
    }
    let mut out = io::stdout().lock();
    let mut failed = 0;
    for test in &tests {
        let name = test["name"].as_str().unwrap_or("a scenario");
        match scenario::run(&program, test) {
            Ok(report) => writeln!(out, "ok      {name} ({} lines, {} events)", report.lines, report.events)?,
            Err(why) => {
                failed += 1;
                writeln!(out, "FAILED  {why}")?;
            }
        }
    }
    writeln!(out, "scenarios: {} passed, {failed} failed", tests.len() - failed)?;
    if tests.is_empty() {
        return Err(Failure::failed("there are no scenarios")
            .hint("write them into `tests`, or into a file beside it"));
    }
    if failed > 0 { Err(Failure::Told) } else { Ok(()) }
}
