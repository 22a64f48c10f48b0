//! No test lies where nobody runs it. A crate that has no unit tests, or no documentation tests, says so in its manifest
//! (`test = false`, `doctest = false`) and is not compiled once more for them; a test that is added there must not be
//! left out in silence.

use std::path::Path;

use serde_json::Value;

use crate::repo::Repo;
use crate::source::Source;
use crate::steps::Outcome;

/// What a fence of a documentation test may say; any other word makes it a text.
const RUST: [&str; 6] = ["", "rust", "should_panic", "no_run", "compile_fail", "edition"];

/// A library or binary and what cargo leaves out of it.
struct Target<'a> {
    package: &'a str,
    /// The folder of its sources, from the root.
    folder: String,
    unit: bool,
    doc: bool,
}

/// Looks through the sources of every target that cargo runs no tests of.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let metadata = repo.metadata(&["--no-deps"])?;
    let targets = left_out(&metadata, &repo.root);
    let mut faults = Vec::new();
    for target in &targets {
        for path in repo.files(&target.folder, &["rs"]) {
            let source = Source::new(&repo.read(&path)?);
            faults.extend(target.faults(&source).map(|(line, what)| {
                format!("{path}:{line}: {what}, but the manifest of {} says that it has none", target.package)
            }));
        }
    }
    match faults.is_empty() {
        true => Ok(format!("{} targets without unit or documentation tests", targets.len())),
        false => Err(format!("{} tests that nobody runs\n{}", faults.len(), faults.join("\n"))),
    }
}

/// Libraries and binaries of which cargo leaves something out.
fn left_out<'a>(metadata: &'a Value, root: &Path) -> Vec<Target<'a>> {
    let list = |value: &'a Value| value.as_array().into_iter().flatten();
    let mut found = Vec::new();
    for package in list(&metadata["packages"]) {
        for target in list(&package["targets"]) {
            let library = target["kind"][0] == "lib";
            let path = Path::new(target["src_path"].as_str().unwrap_or_default()).parent();
            let Some(folder) = path.and_then(|path| path.strip_prefix(root).ok()) else { continue };
            let (unit, doc) = (target["test"] == false, library && target["doctest"] == false);
            if (library || target["kind"][0] == "bin") && (unit || doc) {
                let folder = folder.to_string_lossy().into_owned();
                found.push(Target {
                    package: package["name"].as_str().unwrap_or_default(),
                    folder,
                    unit,
                    doc,
                });
            }
        }
    }
    found
}

impl Target<'_> {
    /// The tests in a file that cargo leaves out, with their lines.
    fn faults(&self, source: &Source) -> impl Iterator<Item = (usize, &'static str)> {
        let unit = self.unit.then(|| unit_test(source)).flatten().map(|line| (line, "a unit test"));
        let doc =
            self.doc.then(|| doc_test(&source.text)).flatten().map(|line| (line, "a documentation test"));
        unit.into_iter().chain(doc)
    }
}

/// The line of the first word `test` in code: `#[test]`, `#[cfg(test)]`, `#[tokio::test]`.
fn unit_test(source: &Source) -> Option<usize> {
    let inside_attribute = |at: usize| {
        let line = &source.code[source.line_range(source.line(at))];
        line.trim_start().starts_with("#[")
    };
    source
        .tokens()
        .iter()
        .find(|token| token.text == "test" && inside_attribute(token.at))
        .map(|t| source.line(t.at))
}

/// The line of the first documentation test: a fence that opens Rust, or a page from elsewhere.
fn doc_test(text: &str) -> Option<usize> {
    let mut open = false;
    for (n, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line.starts_with("#[doc = include_str!") || line.starts_with("#![doc = include_str!") {
            return Some(n + 1);
        }
        let said = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).unwrap_or_default();
        let Some(language) = said.trim().strip_prefix("```") else { continue };
        if !open && language.split([',', ' ']).all(is_rust) {
            return Some(n + 1);
        }
        open = !open;
    }
    None
}

fn is_rust(word: &str) -> bool {
    RUST.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING_RUNS: Target<'_> =
        Target { package: "parlor-x", folder: String::new(), unit: true, doc: true };

    fn found(text: &str) -> Vec<(usize, &'static str)> {
        NOTHING_RUNS.faults(&Source::new(text)).collect()
    }

    #[test]
    fn a_test_that_nobody_runs_is_found() {
        assert_eq!(found("fn a() {}\n#[cfg(test)]\nmod tests {}\n"), [(2, "a unit test")]);
        assert_eq!(found("mod a {\n    #[tokio::test]\n    async fn b() {}\n}\n"), [(2, "a unit test")]);
        assert_eq!(
            found("/// Adds.\n/// ```\n/// add(1);\n/// ```\nfn add() {}\n"),
            [(2, "a documentation test")]
        );
        assert_eq!(found("//! ```edition2024,no_run\n//! ```\n"), [(1, "a documentation test")]);
        assert_eq!(found("#[doc = include_str!(\"README.md\")]\nmod a {}\n"), [(1, "a documentation test")]);
    }

    #[test]
    fn what_is_no_test_is_left_in_peace() {
        assert_eq!(
            found("//! ```json\n//! {\"test\": 1}\n//! ```\n// #[test]\nfn test() { let test = 1; }\n"),
            []
        );
    }

    #[test]
    fn targets_without_tests_are_read_from_cargo() {
        let metadata = serde_json::json!({"packages": [{"name": "a", "targets": [
            {"kind": ["lib"], "src_path": "/r/a/src/lib.rs", "test": true, "doctest": false},
            {"kind": ["bench"], "src_path": "/r/a/benches/b.rs", "test": false, "doctest": false},
            {"kind": ["bin"], "src_path": "/r/a/src/main.rs", "test": true, "doctest": false},
        ]}]});
        let found = left_out(&metadata, Path::new("/r"));
        let facts: Vec<_> = found.iter().map(|t| (t.package, t.folder.as_str(), t.unit, t.doc)).collect();
        assert_eq!(facts, [("a", "a/src", false, true)]);
    }
}
