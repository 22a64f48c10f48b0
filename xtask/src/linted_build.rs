//! One pass of the compiler for three steps. In a clean checkout clippy and rustdoc would each read every dependency and
//! check every crate of ours again. Here the build itself is done by clippy's driver, which compiles what it lints; and the
//! arguments of each crate are kept, so that rustdoc reads the libraries that the build has left.
//!
//! Cargo calls this program for each crate of the workspace instead of rustc.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::{Value, json};

use crate::run;
use crate::steps::Outcome;

/// Names the folder of kept arguments; where it is set, this program is the compiler.
const FOLDER: &str = "PARLOR_LINTED_BUILD";
/// What clippy's driver reads as arguments of its own, and what stands between two of them.
const CLIPPY_ARGS: (&str, &str) = ("CLIPPY_ARGS", "__CLIPPY_HACKERY__");
/// How many of rustdoc run beside each other.
const WIDTH: usize = 2;

/// A build whose compiler is this program.
#[derive(Clone, Debug)]
pub(crate) struct LintedBuild {
    folder: PathBuf,
    compiler: PathBuf,
}

impl LintedBuild {
    /// Makes the folder, and puts a copy of this program in it: cargo may build the original anew meanwhile.
    pub(crate) fn prepare(target: &Path) -> Result<Self, String> {
        let folder = target.join("linted");
        let compiler = folder.join("compiler");
        let copied = fs::create_dir_all(&folder)
            .and_then(|()| std::env::current_exe())
            .and_then(|this| fs::copy(this, &compiler));
        copied.map_err(|error| format!("{}: {error}", compiler.display()))?;
        Ok(Self { folder, compiler })
    }

    /// Every command of the build needs it: with another compiler cargo would build all crates of ours again.
    pub(crate) fn apply(&self, command: &mut Command) {
        command.env("RUSTC_WORKSPACE_WRAPPER", &self.compiler).env(FOLDER, &self.folder);
        command.env(CLIPPY_ARGS.0, ["-D", "warnings", ""].join(CLIPPY_ARGS.1));
    }

    /// Documents every library and program that the build has compiled; a warning fails.
    pub(crate) fn docs(&self, out: &Path) -> Outcome {
        let mut kept = Vec::new();
        for file in fs::read_dir(&self.folder).map_err(|error| error.to_string())?.flatten() {
            if file.path().extension().is_some_and(|extension| extension == "json") {
                let text = fs::read_to_string(file.path()).map_err(|error| error.to_string())?;
                kept.push(serde_json::from_str::<Value>(&text).map_err(|error| error.to_string())?);
            }
        }
        if kept.is_empty() {
            return Err("the build has kept no arguments".to_owned());
        }
        let count = kept.len();
        let (rest, faults) = (Mutex::new(kept), Mutex::new(Vec::new()));
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let work = || {
            while let Some(krate) = next() {
                let (done, said) = run::collected(|| run::show("rustdoc", &mut rustdoc(&krate, out)));
                if let Err(why) = done {
                    let fault = format!("{}: {why}\n{said}", krate["name"]);
                    faults.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
                }
            }
        };
        thread::scope(|scope| (0..WIDTH).for_each(|_| drop(scope.spawn(work))));
        let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        match faults.is_empty() {
            true => Ok(format!("{count} crates, no warnings")),
            false => Err(faults.join("\n")),
        }
    }
}

/// Whether cargo has called this program as its compiler: then its first argument is rustc's path.
pub(crate) fn is_compiler(args: &[&str]) -> bool {
    let rustc =
        args.first().and_then(|first| Path::new(first).file_stem()).is_some_and(|name| name == "rustc");
    rustc && std::env::var_os(FOLDER).is_some()
}

/// Compiles and lints one crate, and keeps its arguments.
pub(crate) fn compile(args: &[&str]) -> ExitCode {
    let kept = std::env::var_os(FOLDER).map(PathBuf::from).map(|folder| keep(&folder, args));
    if let Some(Err(why)) = kept {
        eprintln!("error: the arguments of a crate cannot be kept: {why}");
        return ExitCode::FAILURE;
    }
    let driver = std::env::var_os("CLIPPY_DRIVER").unwrap_or_else(|| OsString::from("clippy-driver"));
    match Command::new(&driver).args(args).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: {}: {error}", driver.display());
            ExitCode::FAILURE
        }
    }
}

/// Writes down what rustdoc needs to know of a crate: its arguments, and what cargo tells the compiler by the environment.
fn keep(folder: &Path, args: &[&str]) -> Result<(), String> {
    let Some(args) = documented(args) else { return Ok(()) };
    let name = args.iter().skip_while(|arg| *arg != "--crate-name").nth(1).cloned().unwrap_or_default();
    // The jobs that cargo hands out end with it.
    let ours = |key: &str| key != "CARGO_MAKEFLAGS" && (key.starts_with("CARGO_") || key == "OUT_DIR");
    let env: serde_json::Map<String, Value> =
        std::env::vars().filter(|(key, _)| ours(key)).map(|(key, value)| (key, value.into())).collect();
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let text = json!({ "name": name, "args": args, "env": env, "folder": here }).to_string();
    let written = folder.join(name).with_extension("json");
    // Two features of one crate may be compiled at the same time.
    let draft = written.with_extension(std::process::id().to_string());
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, &written)).map_err(|error| error.to_string())
}

/// The compiler's arguments that are rustdoc's too; none for what has no documentation: tests, examples, build scripts, and
/// the compiler's questions about itself.
fn documented(args: &[&str]) -> Option<Vec<String>> {
    let name = args.iter().skip_while(|arg| **arg != "--crate-name").nth(1)?;
    let source = args.iter().find(|arg| arg.ends_with(".rs"))?;
    let apart = ["/tests/", "/examples/", "/benches/"].iter().any(|folder| source.contains(folder));
    if args.contains(&"--test") || apart || ["build_script_build", "___"].contains(name) {
        return None;
    }
    let mut kept = vec![(*source).to_owned()];
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--crate-name" | "--crate-type" | "--cfg" | "--check-cfg" | "-L" | "--extern" => {
                kept.extend([(*arg).to_owned(), (*rest.next()?).to_owned()]);
            }
            arg if arg.starts_with("--edition=") => kept.push(arg.to_owned()),
            _ => {}
        }
    }
    Some(kept)
}

fn rustdoc(krate: &Value, out: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| OsString::from("rustdoc")));
    command.current_dir(krate["folder"].as_str().unwrap_or("."));
    command.args(krate["args"].as_array().into_iter().flatten().filter_map(Value::as_str));
    let env = krate["env"].as_object().into_iter().flatten();
    command.envs(env.filter_map(|(key, value)| Some((key, value.as_str()?))));
    command.args(["-D", "warnings", "--out-dir"]).arg(out);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_documented_with_what_it_was_compiled_with() {
        let args = [
            "rustc",
            "--crate-name",
            "parlor_core",
            "--edition=2024",
            "crates/core/src/lib.rs",
            "--crate-type",
            "lib",
            "--emit=link",
            "-C",
            "opt-level=1",
            "--cfg",
            "feature=\"a\"",
            "-L",
            "dependency=deps",
            "--extern",
            "serde=s",
        ];
        let kept = [
            "crates/core/src/lib.rs",
            "--crate-name",
            "parlor_core",
            "--edition=2024",
            "--crate-type",
            "lib",
            "--cfg",
            "feature=\"a\"",
            "-L",
            "dependency=deps",
            "--extern",
            "serde=s",
        ];
        assert_eq!(documented(&args).unwrap(), kept);
    }

    #[test]
    fn tests_and_questions_about_the_compiler_are_not_documented() {
        assert_eq!(documented(&["rustc", "-vV"]), None);
        assert_eq!(documented(&["rustc", "-", "--crate-name", "___", "--print=cfg"]), None);
        assert_eq!(
            documented(&["rustc", "--crate-name", "it", "crates/core/tests/it/main.rs", "--test"]),
            None
        );
        let script = ["rustc", "--crate-name", "build_script_build", "crates/server/build.rs"];
        assert_eq!(documented(&script), None);
    }
}
