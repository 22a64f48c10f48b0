//! The planted faults: for each requirement a fault that a developer could make, and the test that must fail with it.
//!
//! They are kept as data in `conformance/faults`, one file for each page of docs/systems. This file reads them and says
//! which of them no longer fit the code; `planting.rs` plants them. Nothing here changes or builds anything.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::citations::{Citation, is_script_test};
use crate::repo::Repo;
use crate::source::Source;

const FOLDER: &str = "conformance/faults";
/// The page that names the invariants: what has no number of its own may be cited by its name.
const INVARIANTS: &str = "CONTRIBUTING.md";
const FIELDS: [&str; 6] = ["cites", "broken", "file", "old", "new", "test"];

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The list that it stands in.
    pub(crate) list: String,
    /// The requirement, ruling or invariant that it breaks.
    pub(crate) cites: String,
    /// What is broken, in one line.
    pub(crate) broken: String,
    pub(crate) file: String,
    /// A text that the file has once.
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) test: Test,
}

/// The test that must fail: the file it is in, and its function or title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) file: String,
    pub(crate) name: String,
}

/// Every fault of every list, in order.
pub(crate) fn all(repo: &Repo) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    for list in repo.files(FOLDER, &["json"]) {
        faults.extend(in_list(&list, &repo.read(&list)?)?);
    }
    Ok(faults)
}

fn in_list(list: &str, text: &str) -> Result<Vec<Fault>, String> {
    let json: Value = serde_json::from_str(text).map_err(|e| format!("{list}: {e}"))?;
    let items = json.as_array().ok_or_else(|| format!("{list}: is no array"))?;
    items.iter().enumerate().map(|(at, item)| fault(list, at + 1, item)).collect()
}

fn fault(list: &str, count: usize, item: &Value) -> Result<Fault, String> {
    let wrong = |what: &str| format!("{list}: fault {count} {what}");
    let fields = item.as_object().ok_or_else(|| wrong("is no object"))?;
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(wrong(&format!("has a field `{unknown}`")));
    }
    let field = |name: &str| {
        let text = fields.get(name).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| wrong(&format!("has no text `{name}`")))
    };
    let test = field("test")?;
    let (file, name) = test.split_once(' ').ok_or_else(|| wrong("names no test (`file name`)"))?;
    Ok(Fault {
        list: list.to_owned(),
        cites: field("cites")?,
        broken: field("broken")?,
        file: field("file")?,
        old: field("old")?,
        new: field("new")?,
        test: Test { file: file.to_owned(), name: name.to_owned() },
    })
}

impl Fault {
    /// The file's text with the fault in it.
    pub(crate) fn planted(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.old).count() {
            _ if self.old.is_empty() => Err("has an empty `old`".to_owned()),
            _ if self.old == self.new => Err("changes nothing".to_owned()),
            1 => Ok(text.replacen(&self.old, &self.new, 1)),
            times => Err(format!("`old` is {times} times in {}", self.file)),
        }
    }

    /// For a line of a list.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.cites, self.broken)
    }
}

/// The faults that do not fit the code, one line each: what they change is not there once, or the test they name does not
/// exist or does not cite what they break.
pub(crate) fn unfit(repo: &Repo, faults: &[Fault], citations: &[Citation]) -> Result<Vec<String>, String> {
    let invariants = invariants(&repo.read(INVARIANTS)?);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for fault in faults {
        let mut say =
            |why: &str| found.push(format!("{}: `{}` ({}): {why}", fault.list, fault.cites, fault.broken));
        if fault.broken.trim().is_empty() {
            say("does not say what is broken");
        }
        if !seen.insert((&fault.file, &fault.old, &fault.new)) {
            say("stands twice");
        }
        if is_test_code(&fault.file) {
            say("changes a test");
        }
        match repo.read(&fault.file) {
            Ok(text) => fault.planted(&text).err().iter().for_each(|why| say(why)),
            Err(_) => say(&format!("there is no {}", fault.file)),
        }
        match repo.read(&fault.test.file) {
            Ok(text) => cited(fault, &text, &invariants, citations).err().iter().for_each(|why| say(why)),
            Err(_) => say(&format!("there is no {}", fault.test.file)),
        }
    }
    Ok(found)
}

fn is_test_code(file: &str) -> bool {
    file.contains("/tests/")
        || file.starts_with("crates/parlor-testkit/")
        || (is_script(file) && is_script_test(file))
}

/// Whether it is in a language of the clients.
pub(crate) fn is_script(file: &str) -> bool {
    !file.ends_with(".rs")
}

/// The names in the numbered list of invariants.
fn invariants(text: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let (number, rest) = line.split_once(". `")?;
        let (name, _) = rest.split_once("`:")?;
        number.bytes().all(|b| b.is_ascii_digit()).then(|| name.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// Whether the test exists in this text and cites what is broken.
fn cited(
    fault: &Fault,
    text: &str,
    invariants: &BTreeSet<String>,
    citations: &[Citation],
) -> Result<(), String> {
    let Fault { cites, test: Test { file, name }, .. } = fault;
    let here = citations.iter().filter(|c| c.id == *cites && c.file == *file);
    let no_test = || format!("{file} has no test `{name}`");
    let cites_it = if is_script(file) {
        let lines = title_lines(text, name).ok_or_else(no_test)?;
        here.into_iter().any(|c| lines.contains(&c.line))
    } else {
        let source = Source::new(text);
        let functions = source.functions();
        let function = functions.iter().find(|f| f.name == *name).ok_or_else(no_test)?;
        let by_name = invariants.contains(cites) && text[function.range.clone()].contains(cites.as_str());
        by_name || here.into_iter().any(|c| c.function.as_ref() == Some(name))
    };
    if cites_it { Ok(()) } else { Err(format!("`{name}` in {file} does not cite it")) }
}

/// The lines that belong to the test with this title: from below the title before it to above the one after it.
fn title_lines(text: &str, title: &str) -> Option<std::ops::Range<usize>> {
    let is_title = |line: &str| ["it(", "test("].iter().any(|word| line.trim_start().starts_with(word));
    let titles: Vec<usize> =
        text.lines().enumerate().filter(|(_, line)| is_title(line)).map(|(at, _)| at + 1).collect();
    let quoted = ["\"", "'", "`"].map(|mark| format!("{mark}{title}{mark}"));
    let own = titles.iter().position(|&line| {
        text.lines().nth(line - 1).is_some_and(|line| quoted.iter().any(|title| line.contains(title)))
    })?;
    let first = if own == 0 { 1 } else { titles[own - 1] + 1 };
    Some(first..titles.get(own + 1).copied().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str =
        "/// Cites 000-1.\n#[test]\nfn holds() {}\n\n/// Says `seen_is_durable`.\nfn other() {}\n";

    fn planted() -> Fault {
        Fault {
            list: "conformance/faults/000.json".into(),
            cites: "000-1".into(),
            broken: "nothing stops".into(),
            file: "crates/a/src/lib.rs".into(),
            old: "a < b".into(),
            new: "a <= b".into(),
            test: Test { file: "crates/a/tests/it/main.rs".into(), name: "holds".into() },
        }
    }

    fn cite(line: usize, function: Option<&str>, file: &str) -> Citation {
        Citation { id: "000-1".into(), file: file.into(), line, function: function.map(str::to_owned) }
    }

    #[test]
    fn a_list_is_read() {
        let text = r#"[{"cites": "000-1", "broken": "nothing stops", "file": "crates/a/src/lib.rs",
            "old": "a < b", "new": "a <= b", "test": "crates/a/tests/it/main.rs holds"}]"#;
        assert_eq!(in_list("conformance/faults/000.json", text), Ok(vec![planted()]));
    }

    #[test]
    fn a_list_with_missing_or_unknown_fields_is_refused() {
        for (text, why) in [
            ("{}", "l: is no array"),
            ("[1]", "l: fault 1 is no object"),
            ("[{\"why\": \"\"}]", "l: fault 1 has a field `why`"),
            ("[{\"test\": \"a\"}]", "l: fault 1 names no test (`file name`)"),
            ("[{\"test\": \"a b\"}]", "l: fault 1 has no text `cites`"),
        ] {
            assert_eq!(in_list("l", text).unwrap_err(), why);
        }
    }

    #[test]
    fn what_is_changed_must_be_there_once() {
        assert_eq!(planted().planted("if a < b {").unwrap(), "if a <= b {");
        for (text, why) in [("", "0 times"), ("a < b; a < b", "2 times")] {
            assert!(planted().planted(text).unwrap_err().contains(why), "{text}");
        }
        let same = Fault { new: "a < b".into(), ..planted() };
        assert_eq!(same.planted("a < b").unwrap_err(), "changes nothing");
    }

    #[test]
    fn the_test_must_exist_and_cite() {
        let fault = planted();
        let names = BTreeSet::from(["seen_is_durable".to_owned()]);
        let here = [cite(1, Some("holds"), "crates/a/tests/it/main.rs")];
        assert_eq!(cited(&fault, TEST, &names, &here), Ok(()));
        let elsewhere = [cite(1, Some("holds"), "crates/b/tests/it/main.rs"), cite(5, Some("other"), "")];
        assert!(cited(&fault, TEST, &names, &elsewhere).unwrap_err().contains("does not cite"));
        let gone = Fault { test: Test { name: "held".into(), ..fault.test.clone() }, ..fault.clone() };
        assert!(cited(&gone, TEST, &names, &here).unwrap_err().contains("has no test `held`"));
        let named = Fault {
            cites: "seen_is_durable".into(),
            test: Test { name: "other".into(), ..fault.test.clone() },
            ..fault
        };
        assert_eq!(cited(&named, TEST, &names, &[]), Ok(()));
        assert!(cited(&named, TEST, &BTreeSet::new(), &[]).is_err());
    }

    #[test]
    fn a_script_s_test_has_the_lines_around_its_title() {
        let text = "// 000-1\ntest(\"one\", () => {\n  // 000-1\n});\n\n// 000-1\nit(\"two\", () => {\n});\n";
        assert_eq!(title_lines(text, "one"), Some(1..7));
        assert_eq!(title_lines(text, "two"), Some(3..usize::MAX));
        assert_eq!(title_lines(text, "three"), None);
    }

    #[test]
    fn invariants_are_read_from_their_list() {
        let text = "1. `same_log`: replays.\n2. `seen`: later.\nx. `no`: no\n- `neither`\n";
        assert_eq!(invariants(text), BTreeSet::from(["same_log".to_owned(), "seen".to_owned()]));
    }

    /// The lists as they are: each fault can be planted, and its test exists and cites what it breaks.
    #[test]
    fn every_fault_fits_the_code() {
        let repo = Repo::here();
        let faults = all(&repo).unwrap();
        let unfit = unfit(&repo, &faults, &crate::citations::all(&repo).unwrap()).unwrap();
        assert!(faults.len() >= 120, "{} faults", faults.len());
        assert_eq!(unfit, Vec::<String>::new());
    }
}
