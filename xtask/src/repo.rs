//! The checkout: where it is, which files it has, what cargo says of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The root folder of the checkout that xtask was started in.
pub(crate) struct Repo {
    pub(crate) root: PathBuf,
}

/// Folders that hold nothing written by people, or another workspace's build.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "dist", ".git"];

impl Repo {
    /// The checkout this xtask belongs to; at run time, because a shared target folder may serve several checkouts.
    pub(crate) fn here() -> Self {
        let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").to_string());
        let root = Path::new(&manifest).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        Self { root }
    }

    /// Every file under `folder` (relative to the root) whose extension is listed, sorted, as paths from the root.
    pub(crate) fn files(&self, folder: &str, extensions: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.root.join(folder), &mut |path| {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
            if extensions.contains(&extension)
                && let Ok(relative) = path.strip_prefix(&self.root)
            {
                found.push(relative.to_string_lossy().replace('\\', "/"));
            }
        });
        found.sort();
        found
    }

    /// The text of a file, by its path from the root.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        fs::read_to_string(self.root.join(path)).map_err(|e| format!("{path}: {e}"))
    }

    /// The folders directly under `folder`, sorted, as paths from the root.
    pub(crate) fn folders(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return Vec::new() };
        let mut found: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy()))
            .collect();
        found.sort();
        found
    }

    /// A cargo command in the root. `CARGO` names the cargo that started us, so that one toolchain does all.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root).args(args);
        command
    }

    /// What `cargo metadata` says, with `--locked` and the arguments given.
    pub(crate) fn metadata(&self, args: &[&str]) -> Result<Value, String> {
        let all = [&["metadata", "--format-version", "1", "--locked"], args].concat();
        let output = self.cargo(&all).output().map_err(|e| format!("cargo metadata: {e}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr)));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| format!("cargo metadata: {e}"))
    }

    /// The folder that cargo builds into.
    pub(crate) fn target(&self) -> Result<PathBuf, String> {
        let metadata = self.metadata(&["--no-deps"])?;
        let target = metadata["target_directory"].as_str().ok_or("cargo does not say where it builds")?;
        Ok(PathBuf::from(target))
    }
}

fn walk(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_file() {
            visit(&entry.path());
        } else if kind.is_dir() && !NOT_OURS.contains(&name.as_ref()) && !name.starts_with("target-") {
            walk(&entry.path(), visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_and_from_the_root() {
        let files = Repo::here().files("xtask", &["rs"]);
        assert!(files.contains(&"xtask/src/repo.rs".to_string()));
        assert!(files.is_sorted());
    }

    #[test]
    fn a_missing_file_is_named() {
        assert!(Repo::here().read("no/such.file").unwrap_err().starts_with("no/such.file: "));
    }
}
