//! `cargo xtask dist`: a tarball of the release binary with its manual pages, its completions and the files that operators
//! start from.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::repo::Repo;
use crate::steps::Outcome;

/// The completions and the names under which shells look for them.
const SHELLS: [(&str, &str); 3] = [("bash", "parlor.bash"), ("zsh", "_parlor"), ("fish", "parlor.fish")];

pub(crate) fn make(repo: &Repo) -> Outcome {
    run(repo.cargo(&["build", "--release", "--locked", "-p", "parlor-cli"]))?;
    let target = repo.target()?;
    let binary = target.join("release").join("parlor");
    let version = output(Command::new(&binary).arg("--version"))?;
    let version = version.split_whitespace().last().ok_or("`parlor --version` says nothing")?.to_owned();
    let name = format!("parlor-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let dist = target.join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    fill(repo, &binary, &folder)?;
    let tarball = dist.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--owner=0", "--group=0", "--sort=name", "-czf"]).arg(&tarball).arg("-C").arg(&dist).arg(&name);
    run(tar)?;
    let pages =
        if std::env::var_os("PARLOR_WEB").is_some_and(|web| web == "skip") { ", without pages" } else { "" };
    Ok(format!("{}{pages}", tarball.display()))
}

fn fill(repo: &Repo, binary: &Path, folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    for part in ["bin", "man", "completions", "operate"] {
        fs::create_dir_all(folder.join(part)).map_err(failed)?;
    }
    fs::copy(binary, folder.join("bin").join("parlor")).map_err(failed)?;
    run({
        let mut man = Command::new(binary);
        man.args(["man", "--out"]).arg(folder.join("man"));
        man
    })?;
    for (shell, file) in SHELLS {
        let text = output(Command::new(binary).args(["completions", shell]))?;
        fs::write(folder.join("completions").join(file), text).map_err(failed)?;
    }
    for entry in fs::read_dir(repo.root.join("docs/operate")).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::copy(entry.path(), folder.join("operate").join(entry.file_name())).map_err(failed)?;
    }
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/operate.md"] {
        let name = Path::new(file).file_name().ok_or("a file has a name")?;
        fs::copy(repo.root.join(file), folder.join(name)).map_err(failed)?;
    }
    Ok(())
}

fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

fn output(command: &mut Command) -> Result<String, String> {
    let done = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{command:?}: {}", done.status));
    }
    String::from_utf8(done.stdout).map_err(|error| error.to_string())
}
