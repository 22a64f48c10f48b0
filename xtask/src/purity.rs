//! The invariant `core_is_pure`: where the rules of games live, no clock, thread, file, socket, environment, outside
//! randomness, hashed order or float is named. It reads names, so it cannot be fooled by a dependency that is not used,
//! and it cannot see through one that is; the layering keeps those out.

use std::ops::Range;

use crate::repo::Repo;
use crate::source::{Source, Token};
use crate::steps::Outcome;

/// The crates that must be pure, besides everything under games/.
const PURE_CRATES: [&str; 3] = ["crates/parlor-core", "crates/parlor-script", "crates/parlor-ruleset"];

/// What excuses a float: a comment on its line, on the line above, or above the item that holds it.
const EXCUSE: &str = "// purity:";
/// What excuses the floats of a whole file: a line of its module's own documentation.
const FILE_EXCUSE: &str = "//! purity:";

/// A name that may not occur, and what to do instead.
struct Rule {
    name: &'static str,
    advice: &'static str,
}

const CLOCK: &str = "time is an input: the host logs it with the record";
const HASHED: &str = "hashed order differs from run to run: use BTreeMap, BTreeSet or a sorted Vec";
const RANDOM: &str = "randomness comes from the match: draw from the `Rng` that `apply` is given";
const SPEAK: &str = "rules do not print: emit an Event, or return the text";
const FLOAT: &str =
    "state holds integers; a float outside state needs `// purity: reason` on its line or above";
const OUTSIDE: &str =
    "rules know no files, sockets, threads, processes or environment: the caller passes what they need";

/// Single words that may not occur.
const WORDS: [Rule; 18] = [
    Rule { name: "SystemTime", advice: CLOCK },
    Rule { name: "Instant", advice: CLOCK },
    Rule { name: "UNIX_EPOCH", advice: CLOCK },
    Rule { name: "HashMap", advice: HASHED },
    Rule { name: "HashSet", advice: HASHED },
    Rule { name: "hash_map", advice: HASHED },
    Rule { name: "hash_set", advice: HASHED },
    Rule { name: "RandomState", advice: HASHED },
    Rule { name: "DefaultHasher", advice: HASHED },
    Rule { name: "thread_rng", advice: RANDOM },
    Rule { name: "OsRng", advice: RANDOM },
    Rule { name: "from_os_rng", advice: RANDOM },
    Rule { name: "thread_local", advice: OUTSIDE },
    Rule { name: "println", advice: SPEAK },
    Rule { name: "print", advice: SPEAK },
    Rule { name: "eprintln", advice: SPEAK },
    Rule { name: "eprint", advice: SPEAK },
    Rule { name: "dbg", advice: SPEAK },
];

/// Modules of std that may not occur, alone or in a `use std::{…}` group.
const MODULES: [Rule; 7] = [
    Rule { name: "env", advice: OUTSIDE },
    Rule { name: "fs", advice: OUTSIDE },
    Rule { name: "net", advice: OUTSIDE },
    Rule { name: "os", advice: OUTSIDE },
    Rule { name: "process", advice: OUTSIDE },
    Rule { name: "thread", advice: OUTSIDE },
    Rule { name: "time", advice: CLOCK },
];

/// Words that are fine as names and wrong as macros.
const MACROS: [&str; 6] = ["println", "print", "eprintln", "eprint", "dbg", "thread_local"];

/// One name at one place.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: usize,
    name: String,
    advice: &'static str,
}

/// Scans the crates that must be pure.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let crates: Vec<String> =
        PURE_CRATES.iter().map(|c| c.to_string()).chain(repo.folders("games")).collect();
    let (mut faults, mut files) = (Vec::new(), 0);
    for folder in &crates {
        for (path, source) in rule_files(repo, &format!("{folder}/src"))? {
            files += 1;
            for fault in scan(&source) {
                faults.push(format!("{path}:{}: `{}`: {}", fault.line, fault.name, fault.advice));
            }
        }
    }
    if faults.is_empty() {
        return Ok(format!("{files} files name nothing from outside"));
    }
    Err(format!("{} names from outside where the rules live\n{}", faults.len(), faults.join("\n")))
}

/// The sources under `folder` that are part of the real build, with their paths.
fn rule_files(repo: &Repo, folder: &str) -> Result<Vec<(String, Source)>, String> {
    let mut sources = Vec::new();
    for path in repo.files(folder, &["rs"]) {
        let source = Source::new(&repo.read(&path)?);
        sources.push((path, source));
    }
    let tests: Vec<String> = sources.iter().flat_map(|(path, source)| test_files(path, source)).collect();
    sources.retain(|(path, _)| !is_under(path, &tests));
    Ok(sources)
}

/// The path prefixes of modules that `source` declares for tests only, in files of their own.
pub(crate) fn test_files(path: &str, source: &Source) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or((".", path));
    let stem = file.trim_end_matches(".rs");
    let home = match stem {
        "lib" | "main" | "mod" => folder.to_string(),
        _ => format!("{folder}/{stem}"),
    };
    source.test_modules().iter().map(|name| format!("{home}/{name}")).collect()
}

/// True if `path` is one of these modules' files, or lies in one of their folders.
pub(crate) fn is_under(path: &str, modules: &[String]) -> bool {
    modules.iter().any(|module| {
        path.strip_prefix(module.as_str()).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    })
}

fn scan(source: &Source) -> Vec<Fault> {
    let tokens = source.tokens();
    let tests = source.test_ranges();
    let excused = excused(source);
    let mut faults = Vec::new();
    for at in 0..tokens.len() {
        let place = tokens[at].at;
        if tests.iter().any(|range| range.contains(&place)) {
            continue;
        }
        for (name, advice) in wrong(&tokens, at) {
            let line = source.line(place);
            if advice != FLOAT || !excused.iter().any(|range| range.contains(&place)) {
                faults.push(Fault { line, name, advice });
            }
        }
    }
    faults
}

/// What is wrong with the token at `at`, seen with its neighbours.
fn wrong(tokens: &[Token<'_>], at: usize) -> Vec<(String, &'static str)> {
    let text = tokens[at].text;
    let next = tokens.get(at + 1).map_or("", |t| t.text);
    if text == "std" && next == "::" {
        return modules_named(tokens, at + 2);
    }
    if matches!(text, "f32" | "f64") || is_float(text) {
        return vec![(text.to_string(), FLOAT)];
    }
    let rule = WORDS.iter().find(|rule| rule.name == text && (!MACROS.contains(&text) || next == "!"));
    rule.map(|rule| (text.to_string(), rule.advice)).into_iter().collect()
}

/// The forbidden modules in what follows `std::`: one name, or the first names in a group.
fn modules_named(tokens: &[Token<'_>], start: usize) -> Vec<(String, &'static str)> {
    let mut heads = Vec::new();
    let mut depth = 0;
    for at in start..tokens.len() {
        match tokens[at].text {
            "{" => depth += 1,
            "}" => depth -= 1,
            name if at == start || (depth == 1 && matches!(tokens[at - 1].text, "{" | ",")) => {
                heads.push(name)
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    let rules = heads.iter().filter_map(|head| MODULES.iter().find(|rule| rule.name == *head));
    rules.map(|rule| (format!("std::{}", rule.name), rule.advice)).collect()
}

/// A dot, an exponent or a suffix makes a float; `1usize` has an `e` and is none.
fn is_float(word: &str) -> bool {
    if !word.starts_with(|c: char| c.is_ascii_digit()) || word.starts_with("0x") {
        return false;
    }
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let exponent = word.split_once(['e', 'E']).is_some_and(|(before, after)| digits(before) && digits(after));
    exponent || word.contains('.') || word.ends_with("f64") || word.ends_with("f32")
}

/// The bytes that an excuse covers.
fn excused(source: &Source) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let reasoned =
        |line: &str| line.strip_prefix(FILE_EXCUSE).is_some_and(|reason| !reason.trim().is_empty());
    if source.text.lines().take_while(|line| line.starts_with("//!")).any(reasoned) {
        ranges.push(0..source.text.len());
    }
    for (at, _) in source.text.match_indices(EXCUSE) {
        let line = source.line(at);
        let range = source.line_range(line);
        let reason = source.text[at + EXCUSE.len()..range.end].trim();
        let is_comment = source.code[at..range.end].trim().is_empty();
        if reason.is_empty() || !is_comment {
            continue;
        }
        let alone = source.code[range.clone()].trim().is_empty();
        ranges.push(if alone { below(source, line) } else { range });
    }
    ranges
}

/// What a comment that stands alone covers: the next line of code, or the whole item that begins there.
fn below(source: &Source, mut line: usize) -> Range<usize> {
    let last = source.line(source.text.len());
    while line < last {
        line += 1;
        let range = source.line_range(line);
        let code = source.code[range.clone()].trim();
        if code.is_empty() || code.starts_with("#[") {
            continue;
        }
        let is_item = code.split(|c: char| !c.is_alphanumeric()).any(|word| {
            matches!(
                word,
                "fn" | "impl" | "mod" | "struct" | "enum" | "const" | "static" | "type" | "trait" | "let"
            )
        });
        let end = if is_item { source.item_end(range.start) } else { range.end };
        return range.start..end.max(range.end);
    }
    0..0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        scan(&Source::new(text)).into_iter().map(|fault| fault.name).collect()
    }

    /// The invariant itself, on the sources as they are.
    #[test]
    fn core_is_pure() {
        check(&Repo::here()).unwrap();
    }

    #[test]
    fn every_planted_word_is_caught() {
        for rule in &WORDS {
            let text = format!("fn a() {{\n    {}!(x);\n}}", rule.name);
            let faults = scan(&Source::new(&text));
            assert_eq!(faults, [Fault { line: 2, name: rule.name.to_string(), advice: rule.advice }]);
        }
        assert_eq!(names("use std::collections::HashMap;"), ["HashMap"]);
        assert_eq!(names("let n = rand::thread_rng();"), ["thread_rng"]);
    }

    #[test]
    fn every_planted_module_is_caught_alone_and_in_a_group() {
        for Rule { name, .. } in &MODULES {
            for text in [
                format!("use std::{name}::x;"),
                format!("let a = std::{name}::x();"),
                format!("use std::{{collections::{{a, b}}, {name}::c}};"),
            ] {
                assert_eq!(names(&text), [format!("std::{name}")], "{text}");
            }
        }
    }

    #[test]
    fn floats_are_caught_by_type_and_by_literal() {
        for text in [
            "a: f64",
            "a: f32",
            "let a = 1.5;",
            "let a = 2.;",
            "let a = 1e9;",
            "let a = 1e-9;",
            "let a = 3_f64;",
        ] {
            assert_eq!(names(text).len(), 1, "{text}");
        }
        assert_eq!(names("for i in 0..3 { x.0.1 += 0x1e; 2.max(3); 1usize; 0xf64 }"), Vec::<String>::new());
    }

    #[test]
    fn an_excuse_needs_a_reason_and_helps_floats_only() {
        assert!(names("a: f64, // purity: a rate that is only shown").is_empty());
        assert!(names("// purity: only shown\na: f64,").is_empty());
        assert_eq!(names("// purity: only shown\na: f64,\nb: f64,"), ["f64"]);
        assert_eq!(names("// purity:\na: f64,"), ["f64"]);
        assert_eq!(names("a: HashMap, // purity: I want it"), ["HashMap"]);
        assert_eq!(names("let a = (\"// purity: no comment\", 1.5);"), ["1.5"]);
    }

    #[test]
    fn an_excuse_in_the_head_of_a_file_covers_its_floats_and_nothing_else() {
        assert!(names("//! Shares.\n//! purity: shown, never kept\n\na: f64,\nb: f64,").is_empty());
        assert_eq!(names("//! purity:\n\na: f64,"), ["f64"]);
        assert_eq!(names("use x;\n//! purity: too late\na: f64,"), ["f64"]);
        assert_eq!(names("//! purity: shown\n\na: HashMap,"), ["HashMap"]);
    }

    #[test]
    fn an_excuse_above_an_item_covers_the_item_and_no_more() {
        let text = "// purity: equity is shown, never kept\n#[must_use]\npub fn equity(\n    x: u64,\n) -> f64 {\n    x as f64\n}\nfn b() -> f64 {}";
        assert_eq!(scan(&Source::new(text)).iter().map(|f| f.line).collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn comments_strings_and_test_modules_are_free() {
        assert!(
            names("// HashMap\nlet a = \"SystemTime\";\n#[cfg(test)]\nmod tests { use std::fs; }").is_empty()
        );
        assert!(names("use std::sync::OnceLock; use std::collections::BTreeMap;").is_empty());
        assert!(names("fn print(out: &mut String) { print(out) }").is_empty());
    }

    #[test]
    fn test_modules_in_their_own_files_are_found() {
        let source = Source::new("#[cfg(test)]\nmod tests;");
        assert_eq!(test_files("crates/a/src/lib.rs", &source), ["crates/a/src/tests"]);
        assert_eq!(test_files("crates/a/src/hand.rs", &source), ["crates/a/src/hand/tests"]);
        let tests = ["crates/a/src/tests".to_string()];
        assert!(is_under("crates/a/src/tests.rs", &tests) && is_under("crates/a/src/tests/b.rs", &tests));
        assert!(!is_under("crates/a/src/tests_of_time.rs", &tests));
    }
}
