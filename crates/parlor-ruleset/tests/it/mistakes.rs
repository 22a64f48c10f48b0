//! Planted mistakes: small rulesets in `tests/mistakes`, each with one, and beside each what the checker says of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use parlor_ruleset::{Finding, compile, scenario};

/// All of them, by name.
fn mistakes() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let files = std::fs::read_dir(folder).expect("the folder of the mistakes");
    let files = files.map(|entry| entry.expect("a readable folder").path());
    let named = |path: PathBuf| Some((path.file_name()?.to_str()?.strip_suffix(".json")?.to_owned(), path));
    let mut all: Vec<(String, PathBuf)> = files.filter_map(named).collect();
    all.sort();
    all
}

fn found(text: &str) -> Vec<Finding> {
    match compile(text) {
        Err(findings) => findings,
        Ok(compiled) => {
            let mut all = compiled.warnings;
            all.extend(scenario::findings(&compiled.program, text, None));
            all
        }
    }
}

/// Each mistake is named at its place, with what to do about it; `PARLOR_BLESS=1` writes what is said. Cites 001-14.
#[test]
fn each_planted_mistake_is_named_at_its_place_with_help() {
    let all = mistakes();
    assert!(all.len() >= 40, "mistakes are missing: {}", all.len());
    let (mut wrong, mut kinds) = (Vec::new(), BTreeSet::new());
    for (name, path) in &all {
        let text = std::fs::read_to_string(path).expect("a ruleset");
        let findings = found(&text);
        let said: String =
            findings.iter().map(|finding| finding.text(&format!("{name}.json"), &text) + "\n").collect();
        if findings.is_empty() {
            wrong.push(format!("{name}: nothing is found"));
        }
        for finding in &findings {
            let known = (finding.code, finding.message.clone(), finding.pointer.clone());
            kinds.insert(known);
            if finding.help.as_deref().is_none_or(str::is_empty) {
                wrong.push(format!("{name}: there is no help for {finding}"));
            }
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("PARLOR_BLESS").is_some() {
            std::fs::write(&expected, &said).expect("it can be written");
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{name}: it says\n{said}"));
        }
    }
    assert!(kinds.len() >= all.len(), "two files have the same mistake: {kinds:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mistake is told once: what follows from it is not told as another.
#[test]
fn a_mistake_is_told_once() {
    // A field that is misspelt is missing, too; what is bound on one way is told wherever it is read.
    const TWICE: [&str; 4] =
        ["field-misspelt", "name-bound-on-one-way", "payload-field-misspelt", "procedure-misspelt"];
    for (name, path) in mistakes() {
        let findings = found(&std::fs::read_to_string(path).expect("a ruleset"));
        let most = if TWICE.contains(&name.as_str()) { 2 } else { 1 };
        assert!(findings.len() <= most, "{name}: {findings:#?}");
    }
}
