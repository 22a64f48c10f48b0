//! Licences and sources, read from the lock files and from what cargo knows of each package.

use serde_json::Value;

use crate::locks::{self, Locked};
use crate::repo::Repo;
use crate::spdx;
use crate::steps::Outcome;

/// Licences that ask for nothing but a notice. Others need a line in `EXCEPTIONS`, with the reason.
const ALLOWED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Packages that may carry another licence: name, that licence's expression, and why it does no harm here.
const EXCEPTIONS: [(&str, &str, &str); 0] = [];

/// Checks the licences of all packages of the workspace, and the sources in every lock file of the repository.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let locked = locks::cargo_lock(&repo.read("Cargo.lock")?);
    let metadata = metadata(repo)?;
    let mut faults = licence_faults(&metadata);
    faults.extend(locks::cargo_faults("Cargo.lock", &locked, Some(&members(&metadata))));
    faults.extend(other_locks(repo)?);
    let unread = unread(&locked, &metadata);
    if !unread.is_empty() {
        println!("licences not read, because these are not downloaded: {}", unread.join(", "));
    }
    if faults.is_empty() {
        return Ok(format!("{} packages, {} of them read", locked.len(), locked.len() - unread.len()));
    }
    Err(format!("{} packages that may not be here\n{}", faults.len(), faults.join("\n")))
}

/// What cargo knows of all packages; without a network, at least of those for this machine.
fn metadata(repo: &Repo) -> Result<Value, String> {
    let all = repo.metadata(&[]);
    let (Err(_), Some(host)) = (&all, host(repo)) else { return all };
    repo.metadata(&["--offline", "--filter-platform", &host]).or(all)
}

/// The target triple of this machine.
fn host(repo: &Repo) -> Option<String> {
    let output = repo.cargo(&["-vV"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_string)
}

fn licence_faults(metadata: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or("?");
        let version = package["version"].as_str().unwrap_or("?");
        let Some(licence) = package["license"].as_str() else {
            faults.push(format!("{name} {version}: names no licence"));
            continue;
        };
        if EXCEPTIONS.iter().any(|(package, excused, _)| *package == name && *excused == licence) {
            continue;
        }
        match spdx::satisfied(licence, &|id| ALLOWED.contains(&id)) {
            Ok(true) => {}
            Ok(false) => faults.push(format!(
                "{name} {version}: `{licence}` is not on the list; use another crate, or add an exception with \
                 its reason in xtask/src/licences.rs"
            )),
            Err(why) => faults.push(format!("{name} {version}: {why}")),
        }
    }
    faults
}

/// The names of the workspace's own packages.
fn members(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let ours = packages.filter(|package| {
        metadata["workspace_members"].as_array().is_some_and(|members| members.contains(&package["id"]))
    });
    ours.filter_map(|package| Some(package["name"].as_str()?.to_string())).collect()
}

/// Locked packages that cargo told nothing of.
fn unread(locked: &[Locked], metadata: &Value) -> Vec<String> {
    let known = |name: &str, version: &str| {
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        packages.any(|package| package["name"] == name && package["version"] == version)
    };
    let missing = locked.iter().filter(|package| !known(&package.name, &package.version));
    missing.map(|package| format!("{} {}", package.name, package.version)).collect()
}

/// The sources in the lock files of other workspaces (fuzzing, rivals) and of the web client.
fn other_locks(repo: &Repo) -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for path in repo.files("", &["lock", "json"]) {
        let name = path.rsplit('/').next().unwrap_or("");
        if name == "Cargo.lock" && path != "Cargo.lock" {
            faults.extend(locks::cargo_faults(&path, &locks::cargo_lock(&repo.read(&path)?), None));
        } else if name == "package-lock.json" {
            faults.extend(locks::npm_faults(&path, &repo.read(&path)?));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn planted(licence: Value) -> Vec<String> {
        licence_faults(&json!({"packages": [{"name": "planted", "version": "1.0.0", "license": licence}]}))
    }

    #[test]
    fn permissive_licences_pass() {
        for licence in ["MIT OR Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "MIT/Apache-2.0", "ISC"] {
            assert_eq!(planted(json!(licence)), Vec::<String>::new());
        }
    }

    #[test]
    fn planted_licences_are_caught() {
        for licence in
            ["AGPL-3.0-only", "MPL-2.0", "MIT AND GPL-3.0-or-later", "Apache-2.0 WITH Foo-exception"]
        {
            let faults = planted(json!(licence));
            assert!(faults.len() == 1 && faults[0].starts_with("planted 1.0.0: "), "{faults:?}");
        }
        assert_eq!(planted(Value::Null), ["planted 1.0.0: names no licence"]);
        assert_eq!(planted(json!("MIT OR")).len(), 1);
    }

    #[test]
    fn packages_that_cargo_does_not_know_are_named() {
        let locked = locks::cargo_lock("[[package]]\nname = \"far\"\nversion = \"2.0.0\"\n");
        assert_eq!(unread(&locked, &json!({"packages": []})), ["far 2.0.0"]);
        assert!(unread(&locked, &json!({"packages": [{"name": "far", "version": "2.0.0"}]})).is_empty());
    }

    #[test]
    fn a_path_dependency_is_no_member() {
        let metadata = json!({
            "packages": [{"name": "in", "id": "a"}, {"name": "out", "id": "b"}],
            "workspace_members": ["a"],
        });
        assert_eq!(members(&metadata), ["in"]);
    }
}
