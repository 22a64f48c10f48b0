//! The tasks of this repository: one place for what people and CI run. `cargo xtask` alone prints what there is.
//!
//! It needs nothing but the toolchain: every checker is plain std and `serde_json`, so that CI compiles no cargo
//! tool. A new stage of the test command goes to `test.rs`, a new long run to `soak.rs`.

mod citations;
mod dist;
mod faults;
mod fresh;
mod fuzz;
mod item_docs;
mod layering;
mod licences;
mod linted_build;
mod locks;
mod new_game;
mod planting;
mod prerequisites;
mod purity;
mod repo;
mod requirements;
mod retired_names;
mod run;
mod soak;
mod source;
mod spdx;
mod steps;
mod test;
mod test_programs;
mod unrun_tests;

use std::process::ExitCode;

use repo::Repo;

const HELP: &str = "\
cargo xtask: the tasks of this repository

  cargo xtask test [STAGE]...      everything that must hold before a commit; CI runs exactly this
  cargo xtask requirements         every numbered requirement and ruling, with the tests that cite it
  cargo xtask soak [NAME]          long runs that are too slow for the test command; no name lists them
  cargo xtask soak fuzz [--target NAME] [--minutes N]
                                   input that nobody meant, for every reader of bytes from outside or for one
  cargo xtask screens              a picture of every screen, in every size, theme and language, into docs/screens
  cargo xtask dist                 a tarball of the release binary, its manual pages and completions, in target/dist
  cargo xtask help                 this page

Stages of `test` (none named: all of them):
  rust       format, layering, purity, names, item docs, unrun tests, licences, requirements, build, tests with
             doctests, clippy, docs
  clients    the TypeScript client, alone and against the real server
  web        lint, types and unit tests of the web client
  browser    the web client in a real browser, and every screen in it

It needs Rust with rustfmt and clippy, a C compiler, Node.js 20 and Python 3. A browser, a Japanese font and Python's
venv are installed by apt on Debian as root; elsewhere the browser comes from the npm registry into the target folder.

Single checks, for the time between two runs of `test`:
  cargo xtask layering             which crate may depend on which
  cargo xtask purity               no clock, file, socket, thread, float or hashed order where the rules live
  cargo xtask names                no name that was given up for the usual word
  cargo xtask item-docs            every public item of a library has a doc comment
  cargo xtask unrun-tests          no test in a crate whose manifest says that it has none
  cargo xtask licences             licences of all packages, sources of all lock files

Options:
  cargo xtask requirements --missing     only those without a citation
  cargo xtask requirements --json        for other programs
  cargo xtask requirements --faults      the planted faults, and what has none
  cargo xtask soak faults --only TEXT    only the planted faults in whose number, words, file or test TEXT occurs

Environment:
  PARLOR_DATA_DIR   folder with the reference data (default: ../shared/data beside the checkout). Where it
                    exists the tests run with PARLOR_DATA=require: a comparison that cannot be made fails.
  PARLOR_POSTGRES   `require` (so the test command sets it): tests that need PostgreSQL fail where there is none
  PARLOR_CHROMIUM   the browser to use (default: the one found in PATH)
  PARLOR_SOAK_DIR   the folder of `soak fresh` and `soak faults` (default: in the target folder)
  PARLOR_SOAK_*     the size of a long run; what you set wins over the table in `cargo xtask soak`

Exit codes: 0 all well, 1 something failed, 2 wrong usage.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if linted_build::is_compiler(&args) {
        return linted_build::compile(&args);
    }
    let repo = Repo::here();
    match args.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        ["test", stages @ ..] => test::run(&repo, stages),
        ["requirements", options @ ..] => requirements::run(&repo, options),
        ["soak", "fuzz", options @ ..] => fuzz::run(&repo, options),
        ["soak", names @ ..] => soak::run(&repo, names),
        ["screens"] => report("screens", test::screens(&repo)),
        ["dist"] => report("dist", dist::make(&repo)),
        ["layering"] => report("layering", layering::check(&repo)),
        ["purity"] => report("purity", purity::check(&repo)),
        ["names"] => report("names", retired_names::check(&repo)),
        ["item-docs"] => report("item-docs", item_docs::check(&repo)),
        ["unrun-tests"] => report("unrun-tests", unrun_tests::check(&repo)),
        ["licences"] => report("licences", licences::check(&repo)),
        [other, ..] => usage(&format!("there is no task `{}`", other)),
    }
}

/// Wrong usage: says what was wrong and where the help is.
fn usage(what: &str) -> ExitCode {
    eprintln!("xtask: {what}; see `cargo xtask help`");
    ExitCode::from(2)
}

/// Prints a single check's outcome, as `test` would.
fn report(name: &str, outcome: steps::Outcome) -> ExitCode {
    match outcome {
        Ok(note) => {
            println!("{name}: {note}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("{name}: FAILED: {why}");
            ExitCode::FAILURE
        }
    }
}
