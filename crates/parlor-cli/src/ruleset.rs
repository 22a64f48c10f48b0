//! `parlor ruleset new|check|test|mutate|fmt|schema`: tools for authors of rulesets (games written as JSON).

pub(crate) mod files;
mod mutate;
mod never_ran;
mod new;
mod scenarios;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_core::{GameDef, Json};
use parlor_ruleset::{Finding, Level, Program, game_def};
use serde_json::json;

use crate::shell::{Done, Failure, Paint};

/// Arguments of `parlor ruleset`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset new mygame\n  parlor ruleset check mygame.json\n  parlor ruleset test mygame.json\n  \
    parlor ruleset schema > parlor-ir.schema.json\n  parlor try mygame.json"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Create a small whole ruleset to start yours from
    New(new::Args),
    /// Report every error and warning in a ruleset, with line and column
    Check(CheckArgs),
    /// Run the scenarios of a ruleset, play random matches, and name what never ran
    Test(TestArgs),
    /// Change one node of a ruleset at a time, and name what no scenario notices
    Mutate(mutate::Args),
    /// Write rulesets in their one layout: fields in order, short values on one line
    Fmt(FmtArgs),
    /// Print the JSON Schema of rulesets for editors, or of one ruleset with its names
    Schema(SchemaArgs),
}

/// Arguments of `parlor ruleset fmt`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset fmt mygame.json\n  parlor ruleset fmt rulesets --check\n\n\
    What the rules are stays the same: running matches go on."
)]
struct FmtArgs {
    /// Rulesets, or folders of rulesets
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; fail if a file has another layout
    #[arg(long)]
    check: bool,
}

/// Arguments of `parlor ruleset check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor ruleset check mygame.json\n  parlor ruleset check rulesets\n  \
    parlor ruleset check mygame.json --json")]
struct CheckArgs {
    /// Rulesets, or folders of rulesets
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write today's words in place of older ones
    #[arg(long)]
    fix: bool,
    /// Print one JSON object per line and finding
    #[arg(long)]
    json: bool,
}

/// Arguments of `parlor ruleset test`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset test mygame.json\n  parlor ruleset test mygame.json --matches 5000 --seed 7\n  \
    parlor ruleset test mygame.json --filter \"example 2\" --json\n\n\
    What neither a scenario nor a random match has run is named with its place: it is no failure."
)]
struct TestArgs {
    /// A ruleset; its scenarios are in its `tests` and in NAME.tests.json beside it
    file: PathBuf,
    /// Run only scenarios whose name contains this text (ignoring case)
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Random matches to play, at most 20 seconds long; 0 plays none [default: 200, with --filter 0]
    #[arg(long, value_name = "N")]
    matches: Option<u64>,
    /// The seed of the random matches, to play the same again [default: another each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print one JSON object per line and scenario
    #[arg(long)]
    json: bool,
}

/// Arguments of `parlor ruleset schema`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset schema > parlor-ir.schema.json\n  parlor ruleset schema mygame.json"
)]
struct SchemaArgs {
    /// A ruleset: the schema then offers and checks the names it declares
    file: Option<PathBuf>,
}

/// Runs the sub-command.
pub(crate) fn run(args: &Args) -> Done {
    match &args.command {
        Command::New(args) => new::run(args),
        Command::Check(args) => check(args),
        Command::Test(args) => scenarios::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Fmt(args) => fmt(args),
        Command::Schema(args) => {
            let schema = match &args.file {
                None => parlor_ruleset::schema(),
                Some(file) => parlor_ruleset::schema_for(&read(file)?),
            };
            writeln!(io::stdout().lock(), "{schema:#}")?;
            Ok(())
        }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", path.display())))
}

/// Compiles a ruleset; it may extend a file beside it.
fn compiled(path: &Path, text: &str) -> Result<parlor_ruleset::Compiled, Vec<Finding>> {
    parlor_ruleset::compile_beside(text, &|name| beside(path, name))
}

/// The text of a file beside this one.
fn beside(path: &Path, name: &str) -> Option<String> {
    let file = Path::new(name);
    let near = file.is_relative() && file.extension().is_some_and(|extension| extension == "json");
    let folder = path.parent().unwrap_or(Path::new(""));
    near.then(|| std::fs::read_to_string(folder.join(file)).ok()).flatten()
}

/// The definition of the game in a ruleset file.
pub(crate) fn def(path: &Path) -> Result<GameDef, Failure> {
    let program = program(path)?;
    let name = program.id.clone();
    Ok(game_def(program, &name))
}

/// The program of a ruleset file.
pub(crate) fn program(path: &Path) -> Result<Arc<Program>, Failure> {
    let text = read(path)?;
    playable(path, &text, compiled(path, &text))
}

/// The same, so that what runs is noted.
fn traced(path: &Path) -> Result<Arc<Program>, Failure> {
    let text = read(path)?;
    playable(path, &text, parlor_ruleset::coverage::traced(&text, &|name| beside(path, name)))
}

fn playable(
    path: &Path,
    text: &str,
    compiled: Result<parlor_ruleset::Compiled, Vec<Finding>>,
) -> Result<Arc<Program>, Failure> {
    match compiled {
        Ok(compiled) => Ok(Arc::new(compiled.program)),
        Err(findings) => {
            let errors: Vec<&Finding> = findings.iter().filter(|f| f.level == Level::Error).collect();
            let first = errors
                .first()
                .map_or(String::new(), |finding| finding.text(&path.display().to_string(), text));
            let message = format!("{} has {} errors; the first:\n{first}", path.display(), errors.len());
            Err(Failure::failed(message)
                .hint(format!("run `parlor ruleset check {}` to see all of them", path.display())))
        }
    }
}

/// The rulesets to check: named files as they are, and in a folder all JSON files except scenarios.
fn rulesets(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let cannot = |error| Failure::failed(format!("cannot read {}: {error}", path.display()));
        let mut inside = Vec::new();
        for def in std::fs::read_dir(path).map_err(cannot)? {
            let file = def.map_err(cannot)?.path();
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.ends_with(".json") && !name.ends_with(".tests.json") {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(Failure::failed(format!("there is no ruleset in {}", path.display())));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// Writes each file in its one layout, or says which have another.
fn fmt(args: &FmtArgs) -> Done {
    let mut out = io::stdout().lock();
    let mut other = 0;
    for path in &rulesets(&args.files)? {
        let text = read(path)?;
        let laid_out = parlor_ruleset::format(&text)
            .map_err(|finding| Failure::failed(finding.text(&path.display().to_string(), &text)))?;
        if laid_out == text {
            continue;
        }
        other += 1;
        if args.check {
            writeln!(out, "{} has another layout", path.display())?;
            continue;
        }
        std::fs::write(path, laid_out)
            .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
        writeln!(out, "{} written", path.display())?;
    }
    if args.check && other > 0 {
        return Err(Failure::failed(format!("{other} to be laid out"))
            .hint("run `parlor ruleset fmt` without --check"));
    }
    Ok(())
}

fn check(args: &CheckArgs) -> Done {
    let files = rulesets(&args.files)?;
    let paint = Paint::stdout();
    let mut out = io::stdout().lock();
    let (mut wrong, mut doubtful) = (0, 0);
    for path in &files {
        let mut text = read(path)?;
        let mut result = compiled(path, &text);
        if args.fix {
            let found = result.as_ref().map_or_else(Vec::as_slice, |compiled| &compiled.warnings);
            if let Some(mended) = parlor_ruleset::mended(&text, found) {
                std::fs::write(path, &mended)
                    .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
                (result, text) = (compiled(path, &mended), mended);
            }
        }
        let (findings, name) = match result {
            Ok(compiled) => {
                let mut all = compiled.warnings;
                all.extend(parlor_ruleset::scenario::findings(&compiled.program, &text, None));
                let beside = path.with_extension("tests.json");
                if beside.exists() {
                    let file = beside.display().to_string();
                    let found =
                        parlor_ruleset::scenario::findings(&compiled.program, &read(&beside)?, Some(&file));
                    all.extend(found);
                }
                (all, Some(compiled.program.name))
            }
            Err(findings) => (findings, None),
        };
        let file = path.display().to_string();
        for finding in &findings {
            if args.json {
                writeln!(out, "{}", described(finding, &file, &text))?;
            } else {
                writeln!(out, "{}", painted(paint, finding, &file, &text))?;
            }
        }
        let errors = findings.iter().filter(|finding| finding.level == Level::Error).count();
        let warnings = findings.len() - errors;
        if !args.json {
            let title = name.unwrap_or(file);
            writeln!(out, "{title}: {errors} errors, {warnings} warnings")?;
        }
        (wrong, doubtful) = (wrong + errors, doubtful + warnings);
    }
    if files.len() > 1 && !args.json {
        writeln!(out, "{} rulesets: {wrong} errors, {doubtful} warnings", files.len())?;
    }
    if wrong > 0 { Err(Failure::Told) } else { Ok(()) }
}

/// A finding as a compiler would print it, with its level in colour.
fn painted(paint: Paint, finding: &Finding, file: &str, text: &str) -> String {
    let said = finding.text(file, text);
    let (word, colour): (&str, fn(Paint, &str) -> String) = match finding.level {
        Level::Error => ("error", Paint::bad),
        Level::Warning => ("warning", Paint::doubtful),
    };
    let mark = format!(" {word}[{}]", finding.code);
    said.replacen(&mark, &format!(" {}", colour(paint, &mark[1..])), 1)
}

fn described(finding: &Finding, file: &str, text: &str) -> Json {
    let (line, column) = finding.place(text);
    let level = if finding.level == Level::Error { "error" } else { "warning" };
    json!({
        "level": level, "code": finding.code, "pointer": finding.pointer, "line": line, "column": column,
        "file": finding.elsewhere.as_ref().map_or(file, |elsewhere| elsewhere.file.as_str()),
        "message": finding.message, "help": finding.help,
    })
}
