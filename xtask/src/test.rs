//! `cargo xtask test`: everything that must hold before a commit. CI runs exactly this and nothing else.
//!
//! The web client is built first; then one build makes all tests, the binary and the example that the clients and the browser
//! use. Where nothing is built yet, clippy lints as the build compiles, and nothing is kept for a faster second build; where
//! somebody develops, clippy and rustdoc compile the workspace once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::prerequisites::{self, Needs};
use crate::repo::Repo;
use crate::steps::{Outcome, Step, Steps};
use crate::{
    item_docs, layering, licences, linted_build::LintedBuild, purity, requirements, retired_names, run,
    test_programs, unrun_tests,
};

const STAGES: [&str; 4] = ["rust", "clients", "web", "browser"];
/// The npm workspaces.
pub(crate) const TYPESCRIPT: &str = "clients/typescript";
const WEB: &str = "web";

/// Runs the stages named, or all.
pub(crate) fn run(repo: &Repo, named: &[&str]) -> ExitCode {
    if let Some(unknown) = named.iter().find(|name| !STAGES.contains(name)) {
        return crate::usage(&format!("there is no stage `{unknown}`; stages are {}", STAGES.join(", ")));
    }
    let mut steps = Steps::default();
    all(repo, Stages::of(named), &mut steps);
    println!("{}", steps.summary());
    if steps.all_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Which stages are to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stages {
    rust: bool,
    clients: bool,
    web: bool,
    browser: bool,
}

impl Stages {
    /// Those named; all, if none is.
    fn of(named: &[&str]) -> Self {
        let wanted = |stage| named.is_empty() || named.contains(&stage);
        Self {
            rust: wanted("rust"),
            clients: wanted("clients"),
            web: wanted("web"),
            browser: wanted("browser"),
        }
    }

    /// Whether something needs the binary, and with it the pages in it.
    fn binary(self) -> bool {
        self.rust || self.clients || self.browser
    }

    fn needs(self) -> Needs {
        Needs { rust: self.rust, node: true, browser: self.browser }
    }
}

/// The cheap checks come first. What has no part in a stage is left out; what a stage rests on is part of it.
fn all(repo: &Repo, stages: Stages, steps: &mut Steps) {
    let mut found = None;
    steps.run("prerequisites", &[], || {
        found = prerequisites::ready(repo, stages.needs())?;
        Ok(found.as_deref().map(|browser| format!("browser {}", browser.display())).unwrap_or_default())
    });
    if !steps.all_well() {
        return;
    }
    if stages.rust {
        cheap(repo, steps);
    }
    let build = &match Build::of(repo) {
        Ok(build) => build,
        Err(why) => return steps.run("build", &[], || Err(why)),
    };
    steps.run("npm install", &[], || npm_install(repo));
    // The checks of npm use one core, and so does the end of the build.
    let mut rows = vec![node_checks(repo, stages)];
    if stages.binary() {
        steps.run("web build", &["npm install"], || npm(repo, WEB, "web build", &["run", "build"], &[]));
        rows.push(vec![Step::new("build", &["web build"], move || build.everything(stages))]);
    }
    steps.beside(rows);
    if stages.rust {
        steps.run("tests", &["build"], || build.tests());
    }
    if stages.clients {
        steps.run("clients live", &["build"], || clients_live(repo));
    }
    let mut rows = Vec::new();
    if stages.browser {
        let browser = found.as_deref();
        rows.push(vec![
            Step::new("browser", &["build"], move || played(repo, browser, "--untimed")),
            Step::new("screens", &["npm install"], move || screens_checked(repo, browser)),
        ]);
    }
    if stages.rust {
        rows.push(vec![
            Step::new("clippy", &["build"], move || build.clippy()),
            Step::new("docs", &["build"], move || build.docs()),
        ]);
    }
    steps.beside(rows);
    if stages.browser {
        // These measure time: nothing runs beside them.
        steps.run("browser speed", &["build"], || played(repo, found.as_deref(), "--timed"));
    }
}

/// What needs no build.
fn cheap(repo: &Repo, steps: &mut Steps) {
    steps.run("format", &[], || format(repo));
    steps.run("layering", &[], || layering::check(repo));
    steps.run("purity", &[], || purity::check(repo));
    steps.run("names", &[], || retired_names::check(repo));
    steps.run("item docs", &[], || item_docs::check(repo));
    steps.run("unrun tests", &[], || unrun_tests::check(repo));
    steps.run("licences", &[], || licences::check(repo));
    steps.run("requirements", &[], || requirements::check(repo));
}

/// What needs npm alone.
fn node_checks(repo: &Repo, stages: Stages) -> Vec<Step<'_>> {
    let npm = |name: &'static str, folder: &'static str, args: &'static [&'static str]| {
        let check =
            move || run::show(name, &mut npm_command(repo, folder, args, &[])).map(|()| String::new());
        Step::new(name, &["npm install"], check)
    };
    let mut checks = Vec::new();
    if stages.web {
        checks.push(npm("web lint", ".", &["run", "lint"]));
        checks.push(npm("web check", WEB, &["run", "check"]));
        checks.push(npm("web tests", WEB, &["test"]));
    }
    if stages.clients {
        checks.push(npm("clients check", TYPESCRIPT, &["run", "check"]));
        checks.push(npm("clients tests", TYPESCRIPT, &["test"]));
    }
    checks
}

fn format(repo: &Repo) -> Outcome {
    run::show("format", &mut repo.cargo(&["fmt", "--all", "--check"]))
        .map(|()| String::new())
        .map_err(|why| format!("not formatted; `cargo fmt --all` does it\n{why}"))
}

/// How everything in Rust is built.
struct Build<'a> {
    repo: &'a Repo,
    /// In a clean checkout crates of ours are linted as they are compiled, in one piece: without what cargo keeps to compile
    /// only the parts that change, and without what debuggers read. Where somebody develops, the build is the one of their
    /// own `cargo test`.
    in_one_piece: Option<LintedBuild>,
}

impl<'a> Build<'a> {
    fn of(repo: &'a Repo) -> Result<Self, String> {
        let decided = std::env::var_os("CARGO_INCREMENTAL").is_some();
        let target = repo.target()?;
        let clean = !decided && !is_developed_in(&target);
        let in_one_piece = if clean { Some(LintedBuild::prepare(&target)?) } else { None };
        Ok(Self { repo, in_one_piece })
    }

    /// A cargo command of this build. Every one has the same mode for the pages: with another one the server, and all that
    /// stands on it, would be compiled again.
    fn cargo(&self, args: &[&str]) -> Command {
        let mut command = self.repo.cargo(args);
        command.env("PARLOR_WEB", "require");
        if let Some(linted) = &self.in_one_piece {
            command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1");
            command.env("CARGO_PROFILE_DEV_DEBUG", "none");
            linted.apply(&mut command);
        }
        command
    }

    /// All tests, and with them the binary and the examples. Where no test is to run, the binary and the example alone:
    /// they are the same, because an example takes the dev-dependencies' features as the tests do.
    fn everything(&self, stages: Stages) -> Outcome {
        let args: &[&str] = match stages.rust {
            true => &["test", "--workspace", "--locked", "--no-run"],
            false => &["build", "--workspace", "--locked", "--bin", "parlor", "--example", "twin_house"],
        };
        run::show("build", &mut self.cargo(args))?;
        if stages.rust && self.in_one_piece.is_some() {
            // Nobody runs them here: they are compiled to be linted. `--benches` would compile every library once more.
            let benches = ["test", "--workspace", "--locked", "--no-run", "--bench", "*"];
            run::show("benches", &mut self.cargo(&benches))?;
        }
        Ok(String::new())
    }

    fn tests(&self) -> Outcome {
        let mut data = Command::new("true");
        println!("{}", with_data(self.repo, &mut data)?);
        // Tests that build something build it as this build does.
        let build = self.cargo(&[]);
        let with_data = |program: &mut Command| {
            for from in [&data, &build] {
                program.envs(from.get_envs().filter_map(|(key, value)| Some((key, value?))));
            }
        };
        test_programs::run(|args| self.cargo(args), with_data)
    }

    fn clippy(&self) -> Outcome {
        if self.in_one_piece.is_some() {
            return Ok("done by the build".to_string());
        }
        let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
        run::show("clippy", &mut gently(self.cargo(&args))).map(|()| String::new())
    }

    fn docs(&self) -> Outcome {
        if let Some(linted) = &self.in_one_piece {
            return linted.docs(&self.repo.target()?.join("doc"));
        }
        let mut command = self.cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
        command.env("RUSTDOCFLAGS", "-D warnings");
        run::show("docs", &mut gently(command)).map(|()| "no warnings".to_string())
    }
}

/// Whether cargo keeps parts of our crates in this target folder. Those of xtask say nothing: it is built to run this.
fn is_developed_in(target: &Path) -> bool {
    let Ok(kept) = fs::read_dir(target.join("debug/incremental")) else { return false };
    kept.flatten().any(|folder| folder.file_name().to_string_lossy().starts_with("parlor"))
}

/// What the clients and the browser are given: the programs that the build has left.
fn binaries(repo: &Repo) -> Result<[(&'static str, String); 2], String> {
    let debug = repo.target()?.join("debug");
    let path = |name: &str| {
        let path = debug.join(name);
        if path.is_file() { Ok(path.display().to_string()) } else { Err(format!("the build left no {name}")) }
    };
    Ok([("PARLOR_BIN", path("parlor")?), ("PARLOR_TWIN_HOUSE", path("examples/twin_house")?)])
}

/// The same command for work beside a browser: pages that wait for a busy machine fail tests that measure time.
fn gently(command: Command) -> Command {
    if !run::works(Command::new("nice").arg("true")) {
        return command;
    }
    let mut gentle = Command::new("nice");
    gentle.args(["-n", "10"]).arg(command.get_program()).args(command.get_args());
    gentle.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    gentle.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    gentle
}

/// Tells the tests where the reference data is and that they must use it, and PostgreSQL too; says what it did.
pub(crate) fn with_data(repo: &Repo, command: &mut Command) -> Outcome {
    if std::env::var_os("PARLOR_POSTGRES").is_none() {
        command.env("PARLOR_POSTGRES", "require");
    }
    let set = std::env::var_os("PARLOR_DATA_DIR").map(PathBuf::from);
    let Some(folder) = data_folder(repo, set)? else {
        return Ok(
            "no reference data (PARLOR_DATA_DIR, or ../shared/data beside the checkout): tests that compare \
                   with it say so"
                .to_string(),
        );
    };
    command.env("PARLOR_DATA_DIR", &folder);
    if let Some(mode) = std::env::var_os("PARLOR_DATA") {
        return Ok(format!("reference data in {}, PARLOR_DATA={}", folder.display(), mode.display()));
    }
    command.env("PARLOR_DATA", "require");
    Ok(format!("reference data in {}: PARLOR_DATA=require", folder.display()))
}

/// The folder that was set, which must exist, or the one beside the checkout, which need not.
fn data_folder(repo: &Repo, set: Option<PathBuf>) -> Result<Option<PathBuf>, String> {
    match set {
        Some(folder) if folder.is_dir() => Ok(Some(folder)),
        Some(folder) => Err(format!("PARLOR_DATA_DIR={} is no folder", folder.display())),
        None => {
            Ok(repo.root.parent().map(|parent| parent.join("shared/data")).filter(|folder| folder.is_dir()))
        }
    }
}

/// The TypeScript client against the real server.
fn clients_live(repo: &Repo) -> Outcome {
    npm(repo, TYPESCRIPT, "clients live", &["run", "test:live"], &borrowed(&binaries(repo)?))
}

/// The web client in a real browser, against the real server: the tests that measure time, or all others.
fn played(repo: &Repo, browser: Option<&Path>, which: &str) -> Outcome {
    let args = ["run", "test:browser", "--", which];
    let mut command = npm_command(repo, WEB, &args, &borrowed(&binaries(repo)?));
    run::note("browser", with_browser(&mut command, browser), "browser: ")
}

/// Every browser test many times over, beside a process that burns one core.
pub(crate) fn browser_soak(repo: &Repo) -> Outcome {
    let browser = prerequisites::ready(repo, Needs { node: true, browser: true, ..Needs::default() })?;
    npm_install(repo)?;
    let binary = release_binary(repo)?;
    let args = ["build", "--locked", "--release", "-p", "parlor-server", "--example", "twin_house"];
    run::show("twin_house", &mut repo.cargo(&args))?;
    let twins = repo.target()?.join("release/examples/twin_house").display().to_string();
    let env = [("PARLOR_BIN", binary.as_str()), ("PARLOR_TWIN_HOUSE", twins.as_str())];
    let mut command = npm_command(repo, WEB, &["run", "test:browser", "--", "--soak"], &env);
    run::note("browser", with_browser(&mut command, browser.as_deref()), "browser: ")
}

/// Every screen is drawn and looked at; no picture is kept.
fn screens_checked(repo: &Repo, browser: Option<&Path>) -> Outcome {
    let mut command = npm_command(repo, WEB, &["run", "screens", "--", "--check"], &[]);
    run::note("screens", with_browser(&mut command, browser), "screens: ")
}

/// Draws every screen from its fixture into docs/screens.
pub(crate) fn screens(repo: &Repo) -> Outcome {
    screens_with(repo, &["run", "screens"])
}

/// Looks at every screen in every size, theme and language; no picture is kept.
pub(crate) fn screens_everywhere(repo: &Repo) -> Outcome {
    screens_with(repo, &["run", "screens", "--", "--every"])
}

fn screens_with(repo: &Repo, args: &[&str]) -> Outcome {
    let browser = prerequisites::ready(repo, Needs { node: true, browser: true, ..Needs::default() })?;
    npm_install(repo)?;
    let mut command = npm_command(repo, WEB, args, &[]);
    run::note("screens", with_browser(&mut command, browser.as_deref()), "screens: ")
}

fn with_browser<'a>(command: &'a mut Command, browser: Option<&Path>) -> &'a mut Command {
    if let Some(browser) = browser {
        command.env("PARLOR_CHROMIUM", browser);
    }
    command
}

fn borrowed<'a>(env: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    env.iter().map(|(key, value)| (*key, value.as_str())).collect()
}

/// Builds the binary of the release profile, and says where it is.
pub(crate) fn release_binary(repo: &Repo) -> Outcome {
    let args = ["build", "--locked", "--release", "-p", "parlor-cli", "--bin", "parlor"];
    run::show("the binary", &mut repo.cargo(&args))?;
    Ok(repo.target()?.join("release/parlor").display().to_string())
}

/// Installs what the lock file pins, unless that was done after it was last written.
pub(crate) fn npm_install(repo: &Repo) -> Outcome {
    let written = |path: &str| fs::metadata(repo.root.join(path)).and_then(|file| file.modified()).ok();
    if written("node_modules/.package-lock.json") >= written("package-lock.json") {
        return Ok("is there".to_string());
    }
    npm(repo, ".", "npm install", &["ci", "--no-audit", "--no-fund"], &[])
}

/// Runs npm in a folder of the repository.
pub(crate) fn npm(repo: &Repo, folder: &str, what: &str, args: &[&str], env: &[(&str, &str)]) -> Outcome {
    run::show(what, &mut npm_command(repo, folder, args, env)).map(|()| String::new())
}

fn npm_command(repo: &Repo, folder: &str, args: &[&str], env: &[(&str, &str)]) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(repo.root.join(folder)).args(args).envs(env.iter().copied());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_every_stage_runs() {
        assert_eq!(Stages::of(&[]), Stages { rust: true, clients: true, web: true, browser: true });
        let browser = Stages::of(&["browser"]);
        assert_eq!(browser, Stages { rust: false, clients: false, web: false, browser: true });
        assert!(browser.binary() && !Stages::of(&["web"]).binary());
    }

    #[test]
    fn a_folder_in_which_only_xtask_was_built_is_clean() {
        let target = std::env::temp_dir().join(format!("parlor-target-{}", std::process::id()));
        let build = |name: &str| fs::create_dir_all(target.join("debug/incremental").join(name)).unwrap();
        assert!(!is_developed_in(&target));
        build("xtask-1a2b");
        assert!(!is_developed_in(&target));
        build("parlor_core-1a2b");
        assert!(is_developed_in(&target));
        fs::remove_dir_all(&target).unwrap();
    }

    #[test]
    fn gentle_work_is_the_same_work() {
        let mut command = Command::new("printenv");
        command.arg("PARLOR_WEB").env("PARLOR_WEB", "require").current_dir("/");
        let gentle = gently(command);
        assert_eq!(gentle.get_current_dir(), Some(Path::new("/")));
        let (found, _) = run::collected(|| run::note("printenv", &mut { gentle }, "req"));
        assert_eq!(found.unwrap(), "uire");
    }

    #[test]
    fn reference_data_is_optional_unless_a_folder_is_named() {
        let nowhere = Repo { root: PathBuf::from("/no/such/folder") };
        assert_eq!(data_folder(&nowhere, None), Ok(None));
        let here = Repo::here().root;
        assert_eq!(data_folder(&nowhere, Some(here.clone())), Ok(Some(here)));
        let why = data_folder(&nowhere, Some(PathBuf::from("/no/such/data"))).unwrap_err();
        assert_eq!(why, "PARLOR_DATA_DIR=/no/such/data is no folder");
    }
}
