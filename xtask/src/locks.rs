//! Where packages come from, by the lock files alone: crates.io and the npm registry, nothing else.

use serde_json::Value;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A `[[package]]` of a Cargo.lock. A package in a local folder has no source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Locked {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) source: Option<String>,
}

/// The packages of a Cargo.lock; its lines are written by cargo, so a reader of lines is enough.
pub(crate) fn cargo_lock(text: &str) -> Vec<Locked> {
    let mut packages: Vec<Locked> = Vec::new();
    for line in text.lines() {
        if line == "[[package]]" {
            packages.push(Locked::default());
        }
        let (Some(package), Some((key, value))) = (packages.last_mut(), line.split_once(" = ")) else {
            continue;
        };
        let value = value.trim_matches('"').to_string();
        match key {
            "name" => package.name = value,
            "version" => package.version = value,
            "source" => package.source = Some(value),
            _ => {}
        }
    }
    packages
}

/// Packages that come from elsewhere. `local` names those that may lie in a folder; `None` lets every folder pass.
pub(crate) fn cargo_faults(path: &str, packages: &[Locked], local: Option<&[String]>) -> Vec<String> {
    let mut faults = Vec::new();
    for Locked { name, version, source } in packages {
        match source.as_deref() {
            Some(CRATES_IO) => {}
            Some(other) => {
                faults.push(format!("{path}: {name} {version} comes from {other}; only crates.io is allowed"))
            }
            None if local.is_some_and(|members| !members.contains(name)) => {
                faults.push(format!("{path}: {name} {version} is a folder outside the workspace"));
            }
            None => {}
        }
    }
    faults
}

/// Packages of a package-lock.json that come from elsewhere than the registry npm is set to, or without a hash.
pub(crate) fn npm_faults(path: &str, text: &str) -> Vec<String> {
    let lock: Value = match serde_json::from_str(text) {
        Ok(lock) => lock,
        Err(e) => return vec![format!("{path}: {e}")],
    };
    let Some(packages) = lock["packages"].as_object() else {
        return vec![format!("{path}: has no `packages`; write it anew with npm 7 or later")];
    };
    packages.iter().filter_map(|(key, package)| npm_fault(path, key, package)).collect()
}

fn npm_fault(path: &str, key: &str, package: &Value) -> Option<String> {
    let Some(name) = key.rsplit_once("node_modules/").map(|(_, name)| name) else {
        return None; // the project itself, or a folder of its own workspace
    };
    if package["link"] == true || package["inBundle"] == true {
        return None;
    }
    match package["resolved"].as_str() {
        // Without an address the package comes from the registry npm is set to; the hash says what it must be.
        None if package["integrity"].is_string() => None,
        None => Some(format!("{path}: {name} has no `integrity`")),
        Some(url) => Some(format!(
            "{path}: {name} names an address, {url}; write the lock with `npm install --omit-lockfile-registry-resolved`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"good\"\nversion = \"1.0.0\"\n\
        source = \"registry+https://github.com/rust-lang/crates.io-index\"\ndependencies = [\n \"other\",\n]\n\n\
        [[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n";

    #[test]
    fn a_lock_file_is_read() {
        let packages = cargo_lock(LOCK);
        assert_eq!(packages.len(), 2);
        assert_eq!((packages[0].name.as_str(), packages[0].version.as_str()), ("good", "1.0.0"));
        assert_eq!(packages[1].source, None);
        assert!(cargo_faults("Cargo.lock", &packages, Some(&["ours".to_string()])).is_empty());
    }

    #[test]
    fn git_mirrors_and_folders_outside_are_caught() {
        for source in
            ["git+https://github.com/a/b#1", "registry+https://mirror.example/index", "sparse+https://x/"]
        {
            let text = format!("[[package]]\nname = \"bad\"\nversion = \"1.0.0\"\nsource = \"{source}\"\n");
            let faults = cargo_faults("Cargo.lock", &cargo_lock(&text), None);
            assert!(faults.len() == 1 && faults[0].contains(source), "{faults:?}");
        }
        let faults = cargo_faults("Cargo.lock", &cargo_lock(LOCK), Some(&[]));
        assert!(faults[0].contains("ours 0.1.0 is a folder outside the workspace"), "{faults:?}");
    }

    #[test]
    fn npm_packages_come_from_npm_with_integrity() {
        let good = r#"{"packages": {"": {"name": "web"},
            "node_modules/a": {"version": "1.0.0", "integrity": "sha512-x"},
            "node_modules/b": {"link": true, "resolved": "../b"}}}"#;
        assert!(npm_faults("web/package-lock.json", good).is_empty());
        for (bad, word) in [
            (r#"{"resolved": "git+ssh://git@github.com/a/b.git"}"#, "git+ssh"),
            (r#"{"resolved": "https://mirror.example/a.tgz", "integrity": "sha512-x"}"#, "mirror.example"),
            ("{}", "integrity"),
        ] {
            let faults = npm_faults("l", &format!(r#"{{"packages": {{"node_modules/a": {bad}}}}}"#));
            assert!(faults.len() == 1 && faults[0].contains(word), "{faults:?}");
        }
        assert_eq!(npm_faults("l", "not json").len(), 1);
        assert_eq!(npm_faults("l", "{}").len(), 1);
    }
}
