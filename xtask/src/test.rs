//! `cargo xtask test`: everything that must hold before a commit. CI runs exactly this and nothing else.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::repo::Repo;
use crate::steps::{Outcome, Steps};
use crate::{deaf, layering, licences, requirements, run};

const STAGES: [&str; 4] = ["rust", "clients", "web", "browser"];
/// Where the TypeScript client is.
pub(crate) const TYPESCRIPT: &str = "clients/typescript";
const NO_WEB: &str = "not built yet: there is no web/ folder";

/// Runs the stages named, or every stage that exists.
pub(crate) fn run(repo: &Repo, named: &[&str]) -> ExitCode {
    if let Some(unknown) = named.iter().find(|name| !STAGES.contains(name)) {
        return crate::usage(&format!("there is no stage `{unknown}`; stages are {}", STAGES.join(", ")));
    }
    let mut steps = Steps::default();
    let has_web = repo.root.join("web").is_dir();
    for stage in stages(named, has_web) {
        match stage {
            "rust" => rust(repo, &mut steps),
            "clients" => clients(repo, &mut steps),
            not_built if !has_web => steps.run(not_built, &[], || Err(NO_WEB.to_string())),
            "web" => web(repo, &mut steps),
            _ => browser(repo, &mut steps),
        }
    }
    println!("{}", steps.summary());
    if steps.all_well() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The stages to run: those named, else those whose sources exist.
fn stages(named: &[&str], has_web: bool) -> Vec<&'static str> {
    let wanted = |stage: &&str| {
        if named.is_empty() { ["rust", "clients"].contains(stage) || has_web } else { named.contains(stage) }
    };
    STAGES.into_iter().filter(wanted).collect()
}

/// The cheap checks come first: they need no build, and their answers are there while the build runs.
fn rust(repo: &Repo, steps: &mut Steps) {
    steps.run("format", &[], || format(repo));
    steps.run("layering", &[], || layering::check(repo));
    steps.run("deaf", &[], || deaf::check(repo));
    steps.run("licences", &[], || licences::check(repo));
    steps.run("requirements", &[], || requirements::check(repo));
    steps.run("build", &[], || cargo(repo, "build", &["test", "--workspace", "--locked", "--no-run"]));
    steps.run("clippy", &["build"], || clippy(repo));
    steps.run("tests", &["build"], || tests(repo));
    steps.run("docs", &[], || docs(repo));
}

fn format(repo: &Repo) -> Outcome {
    component(repo, "fmt", "rustfmt")?;
    cargo(repo, "format", &["fmt", "--all", "--check"])
        .map_err(|why| format!("not formatted; `cargo fmt --all` does it\n{why}"))
}

fn clippy(repo: &Repo) -> Outcome {
    component(repo, "clippy", "clippy")?;
    let args = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    cargo(repo, "clippy", &args)
}

/// Unit, integration and documentation tests; all of them, even after a failure.
fn tests(repo: &Repo) -> Outcome {
    let mut command = repo.cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]);
    println!("{}", with_data(repo, &mut command)?);
    let (counts, outcome) = run::count_tests("tests", &mut command);
    outcome.map(|()| counts.note()).map_err(|why| format!("{}: {why}", counts.note()))
}

fn docs(repo: &Repo) -> Outcome {
    let mut command = repo.cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run::show("docs", &mut command).map(|()| "no warnings".to_string())
}

/// Tells the tests where the reference data is and that they must use it; says what it did.
pub(crate) fn with_data(repo: &Repo, command: &mut Command) -> Outcome {
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

/// The clients in other languages, alone and against the real server.
fn clients(repo: &Repo, steps: &mut Steps) {
    let npm = |what, script: &[&str]| npm(repo, TYPESCRIPT, what, script, &[]);
    steps.run("clients install", &[], || npm("clients install", &["ci", "--no-audit", "--no-fund"]));
    steps.run("clients check", &["clients install"], || npm("clients check", &["run", "check"]));
    steps.run("clients tests", &["clients install"], || npm("clients tests", &["test"]));
    let mut server = String::new();
    steps.run("clients server", &[], || {
        server = binary(repo, &[])?;
        Ok(String::new())
    });
    steps.run("clients live", &["clients install", "clients server"], || {
        self::npm(repo, TYPESCRIPT, "clients live", &["run", "test:live"], &[("PARLOR_BIN", &server)])
    });
}

/// Builds the binary with these arguments, and says where it is.
pub(crate) fn binary(repo: &Repo, args: &[&str]) -> Outcome {
    let all = [&["build", "--locked", "-p", "parlor-cli", "--bin", "parlor"], args].concat();
    cargo(repo, "the binary", &all)?;
    binary_path(repo, if args.contains(&"--release") { "release" } else { "debug" })
}

fn binary_path(repo: &Repo, profile: &str) -> Outcome {
    built(repo, &format!("{profile}/parlor"))
}

/// Where cargo puts this file.
fn built(repo: &Repo, path: &str) -> Outcome {
    let metadata = repo.metadata(&["--no-deps"])?;
    let target = metadata["target_directory"].as_str().ok_or("cargo does not say where it builds")?;
    Ok(format!("{target}/{path}"))
}

/// The web client's own checks: what its lock file pins, its types, its tests, its build.
fn web(repo: &Repo, steps: &mut Steps) {
    steps.run("web install", &[], || npm(repo, "web", "web install", &["ci"], &[]));
    steps.run("web check", &["web install"], || npm(repo, "web", "web check", &["run", "check"], &[]));
    steps.run("web tests", &["web install"], || npm(repo, "web", "web tests", &["test"], &[]));
    steps.run("web build", &["web install"], || npm(repo, "web", "web build", &["run", "build"], &[]));
}

/// The web client in a real browser, against the real server.
fn browser(repo: &Repo, steps: &mut Steps) {
    steps.run("browser install", &[], || installed(repo));
    steps.run("browser", &["browser install"], || played(repo));
    steps.run("screens", &["browser install"], || {
        npm(repo, "web", "screens", &["run", "screens", "--", "--check"], &[])
    });
}

/// The binary must have the client in it: what is tested is what is shipped.
fn played(repo: &Repo) -> Outcome {
    let build = ["build", "--locked", "-p", "parlor-cli", "--bin", "parlor"];
    run::show("the binary", repo.cargo(&build).env("PARLOR_WEB", "require"))?;
    let build = ["build", "--locked", "-p", "parlor-server", "--example", "twin_house"];
    run::show("the twins' servers", repo.cargo(&build).env("PARLOR_WEB", "require"))?;
    let twins = built(repo, "debug/examples/twin_house")?;
    let env = [("PARLOR_BIN", &*binary_path(repo, "debug")?), ("PARLOR_TWIN_HOUSE", &*twins)];
    npm(repo, "web", "browser", &["run", "test:browser"], &env)
}

/// Draws every screen from its fixture into docs/screens.
pub(crate) fn screens(repo: &Repo) -> Outcome {
    installed(repo)?;
    npm(repo, "web", "screens", &["run", "screens"], &[])
}

/// What the lock file pins, unless it is there already: the stage before has just installed it.
fn installed(repo: &Repo) -> Outcome {
    let written = |path: &str| {
        std::fs::metadata(repo.root.join("web").join(path)).and_then(|file| file.modified()).ok()
    };
    if written("node_modules/.package-lock.json") >= written("package-lock.json") {
        return Ok("is there".to_string());
    }
    npm(repo, "web", "browser install", &["ci"], &[])
}

/// Runs npm in a folder of the repository.
pub(crate) fn npm(repo: &Repo, folder: &str, what: &str, args: &[&str], env: &[(&str, &str)]) -> Outcome {
    for tool in ["node", "npm"] {
        if !run::works(Command::new(tool).arg("--version")) {
            return Err(format!("{tool} is missing: install Node.js 20 (https://nodejs.org) with npm"));
        }
    }
    let mut command = Command::new("npm");
    command.current_dir(repo.root.join(folder)).args(args).envs(env.iter().copied());
    run::show(what, &mut command).map(|()| String::new())
}

fn cargo(repo: &Repo, what: &str, args: &[&str]) -> Outcome {
    run::show(what, &mut repo.cargo(args)).map(|()| String::new())
}

/// Fails with the line to type if a part of the toolchain is missing.
fn component(repo: &Repo, subcommand: &str, name: &str) -> Result<(), String> {
    if run::works(&mut repo.cargo(&[subcommand, "--version"])) {
        return Ok(());
    }
    Err(format!("{name} is missing: rustup component add {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_every_stage_that_exists_runs() {
        assert_eq!(stages(&[], false), ["rust", "clients"]);
        assert_eq!(stages(&[], true), ["rust", "clients", "web", "browser"]);
    }

    #[test]
    fn a_stage_that_is_named_runs_even_if_it_can_only_say_that_it_is_not_built() {
        assert_eq!(stages(&["browser"], false), ["browser"]);
        let nowhere = Repo { root: PathBuf::from("/no/such/folder") };
        assert_eq!(run(&nowhere, &["web", "browser"]), ExitCode::FAILURE);
    }

    #[test]
    fn a_missing_component_is_named_with_the_line_to_type() {
        let why = component(&Repo::here(), "no-such-subcommand", "rustfmt").unwrap_err();
        assert_eq!(why, "rustfmt is missing: rustup component add rustfmt");
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
