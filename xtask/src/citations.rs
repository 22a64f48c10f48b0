//! Who cites what: requirement numbers (`000-19`) and rulings (`000/R1`) in test code and scenarios.
//!
//! Only test code counts, because only a test can fail when the behaviour is broken: files under a `tests` folder,
//! `#[cfg(test)]` regions, the testkit, tests of the web client, and the `cites` arrays of rulesets' scenarios.

use serde_json::Value;

use crate::purity::{is_under, test_files};
use crate::repo::Repo;
use crate::source::Source;

/// One citation: what is cited, where, and in which function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) function: Option<String>,
}

/// The crate that is test code as a whole.
const TESTKIT: &str = "crates/parlor-testkit/";

/// This crate's own tests cite numbers that do not exist, on purpose.
const OURSELVES: &str = "xtask/";

/// Every citation in the repository, in the order of files and lines.
pub(crate) fn all(repo: &Repo) -> Result<Vec<Citation>, String> {
    let mut found = rust(repo)?;
    for path in repo.files("rulesets", &["json"]) {
        found.extend(in_scenario(&path, &repo.read(&path)?)?);
    }
    for path in repo.files("", &["ts", "mjs", "py"]) {
        if is_script_test(&path) {
            found.extend(in_text(&path, &repo.read(&path)?));
        }
    }
    Ok(found)
}

fn rust(repo: &Repo) -> Result<Vec<Citation>, String> {
    let mut sources = Vec::new();
    for path in repo.files("", &["rs"]) {
        if !path.starts_with(OURSELVES) {
            let source = Source::new(&repo.read(&path)?);
            sources.push((path, source));
        }
    }
    let modules: Vec<String> = sources.iter().flat_map(|(path, source)| test_files(path, source)).collect();
    let whole = |path: &str| {
        path.starts_with(TESTKIT)
            || path.contains("/tests/")
            || path.starts_with("tests/")
            || is_under(path, &modules)
    };
    Ok(sources.iter().flat_map(|(path, source)| in_rust(path, source, whole(path))).collect())
}

/// Citations in one Rust file: in all of it, or in its test code only.
fn in_rust(path: &str, source: &Source, whole: bool) -> Vec<Citation> {
    let tests = source.test_ranges();
    let functions = source.functions();
    let mut found = Vec::new();
    for (at, id) in ids(&source.text) {
        if !whole && !tests.iter().any(|range| range.contains(&at)) {
            continue;
        }
        let innermost = functions.iter().filter(|f| f.range.contains(&at)).min_by_key(|f| f.range.len());
        let function = innermost.map(|f| f.name.clone());
        found.push(Citation { id, file: path.to_string(), line: source.line(at), function });
    }
    found
}

/// Citations in a test of the web client or in Python.
fn in_text(path: &str, text: &str) -> Vec<Citation> {
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    ids(text)
        .into_iter()
        .map(|(at, id)| Citation { id, file: path.to_string(), line: line(at), function: None })
        .collect()
}

/// Citations in a ruleset's file: every string in an array named `cites`, even one that is no number.
fn in_scenario(path: &str, text: &str) -> Result<Vec<Citation>, String> {
    let json: Value = serde_json::from_str(text).map_err(|e| format!("{path}: {e}"))?;
    let mut cited = Vec::new();
    collect(&json, &mut cited);
    cited.sort();
    cited.dedup();
    let mut found = Vec::new();
    for id in cited {
        let quoted = format!("\"{id}\"");
        for (index, line) in text.lines().enumerate() {
            if line.contains(&quoted) {
                found.push(Citation {
                    id: id.clone(),
                    file: path.to_string(),
                    line: index + 1,
                    function: None,
                });
            }
        }
    }
    Ok(found)
}

fn collect(json: &Value, cited: &mut Vec<String>) {
    match json {
        Value::Array(items) => items.iter().for_each(|item| collect(item, cited)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("cites", Value::Array(ids)) => {
                        cited.extend(ids.iter().map(|id| id.as_str().unwrap_or("?").to_string()))
                    }
                    _ => collect(value, cited),
                }
            }
        }
        _ => {}
    }
}

/// Tests by folder or by name, as the tools of those languages find them.
pub(crate) fn is_script_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_folder = folders.split('/').any(|folder| matches!(folder, "test" | "tests" | "conformance"));
    in_folder || name.contains(".test.") || name.contains(".spec.") || name.starts_with("test_")
}

/// Every number or ruling in a text, with its place: three digits that begin with 0, then `-n` or `/Rn`.
///
/// Systems are numbered from 000; the leading 0 keeps a score such as 100-200 from being taken for one.
fn ids(text: &str) -> Vec<(usize, String)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (at, _) in text.match_indices('0') {
        let glued = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"-./_".contains(&bytes[at - 1]));
        if glued || !bytes[at..].iter().take(3).all(u8::is_ascii_digit) || bytes.len() < at + 5 {
            continue;
        }
        let mark = match &bytes[at + 3..] {
            [b'-', ..] => 1,
            [b'/', b'R', ..] => 2,
            _ => continue,
        };
        let start = at + 3 + mark;
        let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        let end = start + digits;
        let goes_on = bytes.get(end).is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if digits > 0 && !goes_on {
            found.push((at, text[at..end].to_string()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        ids(text).into_iter().map(|(_, id)| id).collect()
    }

    #[test]
    fn numbers_and_rulings_are_read() {
        assert_eq!(names("// cites 000-19, 000/R1 and (004-7)."), ["000-19", "000/R1", "004-7"]);
    }

    #[test]
    fn other_numbers_are_not() {
        for text in [
            "2000-21",
            "100-200",
            "2026-01-15",
            "000-x",
            "000/1",
            "000-1-2",
            "a000-1",
            "00-1",
            "000-",
            "1.000-2",
        ] {
            assert_eq!(names(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn only_test_code_counts_and_the_function_is_named() {
        let text = "/// See 000-1.\nfn rule() {}\n#[cfg(test)]\nmod tests {\n    /// cites 000-2\n    #[test]\n    \
                    fn rule_holds() {\n        // and 000/R3\n    }\n}\n";
        let source = Source::new(text);
        let found = in_rust("crates/a/src/lib.rs", &source, false);
        let short: Vec<_> = found.iter().map(|c| (c.id.as_str(), c.line, c.function.as_deref())).collect();
        assert_eq!(short, [("000-2", 5, Some("rule_holds")), ("000/R3", 8, Some("rule_holds"))]);
        assert_eq!(in_rust("crates/a/tests/it.rs", &source, true).len(), 3);
    }

    #[test]
    fn scenarios_cite_in_arrays_only() {
        let text = "{\"text\": \"001-1\",\n \"tests\": [{\"cites\": [\"001-20\",\n \"001/R3\"]}]}";
        let found = in_scenario("rulesets/a.json", text).unwrap();
        assert_eq!(
            found.iter().map(|c| (c.id.as_str(), c.line)).collect::<Vec<_>>(),
            [("001-20", 2), ("001/R3", 3)]
        );
        assert!(in_scenario("rulesets/a.json", "{").unwrap_err().starts_with("rulesets/a.json: "));
    }

    #[test]
    fn tests_in_other_languages_are_known_by_folder_or_name() {
        for path in ["web/tests/a.ts", "web/src/hand.test.ts", "clients/x.spec.mjs", "conformance/test_ws.py"]
        {
            assert!(is_script_test(path), "{path}");
        }
        assert!(!is_script_test("web/src/hand.ts") && !is_script_test("web/src/contests/a.ts"));
    }
}
