//! `cargo xtask soak new-game`: a game made by `parlor new --here` shows its table in a real browser without another edit,
//! and leaves no trace when it is removed.
//!
//! Everything happens in a clone of the last commit, in `target/new-game` or `PARLOR_SOAK_DIR`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::prerequisites::{self, Needs};
use crate::repo::Repo;
use crate::steps::{Outcome, Steps};
use crate::{item_docs, layering, purity, retired_names, run, test};

const GAME: &str = "dice";
/// The browser test that the template brings.
const BROWSER_TEST: &str = "a_match_of_dice_is_played_to_its_end";
/// What the command may change beside the game's folder.
const CHANGED: [&str; 3] =
    ["Cargo.lock", "crates/parlor-cli/Cargo.toml", "crates/parlor-cli/src/registry.rs"];

/// Runs it all; the table is printed as for the test command.
pub(crate) fn run(repo: &Repo) -> Outcome {
    let home = match std::env::var_os("PARLOR_SOAK_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => repo.target()?.join("new-game"),
    };
    let clone = Repo { root: home.join("clone") };
    let soak = Soak { clone: &clone, target: repo.target()? };
    let browser = prerequisites::ready(repo, Needs { rust: true, node: true, browser: true })?;
    let mut steps = Steps::default();
    steps.run("clone", &[], || soak.make(repo));
    steps.run("new", &["clone"], || soak.new_game());
    steps.run("files", &["new"], || soak.changed(&expected()));
    steps.run("checks", &["new"], || soak.checks());
    steps.run("npm install", &["new"], || test::npm_install(&clone));
    for (name, folder, script) in
        [("web lint", ".", "lint"), ("web check", "web", "check"), ("web build", "web", "build")]
    {
        steps.run(name, &["npm install"], || test::npm(&clone, folder, name, &["run", script], &[]));
    }
    steps.run("web tests", &["npm install"], || test::npm(&clone, "web", "web tests", &["test"], &[]));
    steps.run("its tests", &["new"], || soak.tests());
    steps.run("binary", &["web build"], || soak.build());
    steps.run("browser", &["binary"], || soak.play(browser.as_deref()));
    steps.run("remove", &["new"], || soak.remove());
    println!("{}", steps.summary());
    if !steps.all_well() {
        return Err(format!("see above; the clone is in {}", clone.root.display()));
    }
    fs::remove_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    Ok(format!(
        "a new game was played in a browser and removed; {} files besides its folder changed",
        CHANGED.len()
    ))
}

struct Soak<'a> {
    clone: &'a Repo,
    /// The repository's own build: what the game does not change is not built again.
    target: PathBuf,
}

impl Soak<'_> {
    fn make(&self, repo: &Repo) -> Outcome {
        let _ = fs::remove_dir_all(&self.clone.root);
        let mut command = Command::new("git");
        command.args(["clone", "--quiet", "--depth", "1"]);
        command.arg(format!("file://{}", repo.root.display())).arg(&self.clone.root);
        run::show("git clone", &mut command).map(|()| String::new())
    }

    fn cargo(&self, args: &[&str]) -> Command {
        let mut command = self.clone.cargo(args);
        command.env("CARGO_TARGET_DIR", &self.target);
        command
    }

    fn new_game(&self) -> Outcome {
        let args =
            ["run", "--quiet", "--locked", "-p", "parlor-cli", "--", "new", GAME, "--here", "--parlor", "."];
        let mut command = self.cargo(&args);
        run::show("parlor new", command.env("PARLOR_WEB", "skip")).map(|()| String::new())
    }

    /// Git must see exactly these changes.
    fn changed(&self, expected: &BTreeSet<String>) -> Outcome {
        let mut command = Command::new("git");
        command.args(["status", "--porcelain", "--untracked-files=normal"]).current_dir(&self.clone.root);
        let output = command.output().map_err(|error| format!("git: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let found: BTreeSet<String> = text.lines().map(|line| line[3..].to_owned()).collect();
        if found == *expected {
            return Ok(format!("{} changes", found.len()));
        }
        Err(format!("changed: {found:?}, expected: {expected:?}"))
    }

    /// The checks that need no build: they must know nothing of the game.
    fn checks(&self) -> Outcome {
        let format = run::show("format", &mut self.cargo(&["fmt", "--all", "--check"]));
        format.map(|()| String::new())?;
        for check in [layering::check, purity::check, retired_names::check, item_docs::check] {
            check(self.clone)?;
        }
        // Would fail if the lock file were not what cargo makes of it.
        let locked = self.cargo(&["metadata", "--locked", "--format-version=1"]).output();
        match locked {
            Ok(output) if output.status.success() => {
                Ok("format, layering, purity, names, item docs, lock".to_owned())
            }
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Err(format!("cargo: {error}")),
        }
    }

    fn tests(&self) -> Outcome {
        let package = format!("parlor-{GAME}");
        let mut command = self.cargo(&["test", "--locked", "-p", &package]);
        let (counts, outcome) = run::count_tests("its tests", command.env("PARLOR_WEB", "skip"));
        outcome.map(|()| counts.note())
    }

    fn build(&self) -> Outcome {
        let mut command = self.cargo(&["build", "--locked", "-p", "parlor-cli", "--bin", "parlor"]);
        run::show("binary", command.env("PARLOR_WEB", "require")).map(|()| String::new())
    }

    fn play(&self, browser: Option<&Path>) -> Outcome {
        let mut command = Command::new("npm");
        command.args(["run", "test:browser", "--", BROWSER_TEST]).current_dir(self.clone.root.join("web"));
        command.env("PARLOR_BIN", self.target.join("debug/parlor"));
        if let Some(browser) = browser {
            command.env("PARLOR_CHROMIUM", browser);
        }
        run::note("browser", &mut command, "browser: ")
    }

    /// Deletes the folder and the entries; then git sees no change.
    fn remove(&self) -> Outcome {
        let folder = self.clone.root.join("games").join(GAME);
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in CHANGED {
            let file = self.clone.root.join(path);
            let text = self.clone.read(path)?;
            fs::write(&file, without(&text)).map_err(|error| format!("{path}: {error}"))?;
        }
        self.changed(&BTreeSet::new())
    }
}

fn expected() -> BTreeSet<String> {
    CHANGED.iter().map(|path| (*path).to_owned()).chain([format!("games/{GAME}/")]).collect()
}

/// A file without what names the game: its package in the lock file, and lines elsewhere.
fn without(text: &str) -> String {
    let package = format!("\nname = \"parlor-{GAME}\"\n");
    let packages: Vec<&str> = text.split("\n\n").filter(|part| !part.contains(&package)).collect();
    let names = [format!("parlor-{GAME}"), format!("parlor_{GAME}")];
    let kept = packages.join("\n\n");
    kept.lines().filter(|line| !names.iter().any(|name| line.contains(name.as_str()))).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_the_game_is_taken_out() {
        let lock = "a\n\n[[package]]\nname = \"parlor-cli\"\n \"parlor-core\",\n \"parlor-dice\",\n\n\
                    [[package]]\nname = \"parlor-dice\"\n \"serde\",\n\n[[package]]\nname = \"x\"\n";
        let kept =
            "a\n\n[[package]]\nname = \"parlor-cli\"\n \"parlor-core\",\n\n[[package]]\nname = \"x\"\n";
        assert_eq!(without(lock), kept);
    }
}
