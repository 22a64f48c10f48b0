//! Every public item of a library has a doc comment. Fields and variants are not asked for one, so that none is written
//! only to please a tool; this is why rustc's `missing_docs`, which cannot spare them, is off.
//!
//! It asks by the word `pub`, not by what can be reached: `unreachable_pub` keeps the two the same.

use crate::purity::{is_under, test_files};
use crate::repo::Repo;
use crate::source::{Source, Token};
use crate::steps::Outcome;

/// The words that begin an item, as far as one is asked for a comment.
const ITEMS: [&str; 9] = ["struct", "enum", "union", "trait", "fn", "const", "static", "type", "mod"];

/// The words that may stand between `pub` and `fn` or `trait`.
const QUALIFIERS: [&str; 4] = ["async", "unsafe", "extern", "const"];

/// An item without a comment.
#[derive(Debug, PartialEq, Eq)]
struct Bare {
    line: usize,
    kind: &'static str,
    name: String,
}

/// Reads every library under crates/ and games/.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let folders = [repo.folders("crates"), repo.folders("games")].concat();
    let (mut faults, mut asked) = (Vec::new(), 0);
    for folder in folders.iter().filter(|folder| repo.root.join(folder).join("src/lib.rs").is_file()) {
        let sources = library_files(repo, &format!("{folder}/src"))?;
        for (path, source) in &sources {
            let (bare, items) = scan(source, |name| module_has_docs(&sources, path, name));
            asked += items;
            if path.ends_with("/src/lib.rs") && !opens_with_docs(source) {
                faults.push(format!("{path}:1: the crate has no `//!` comment"));
            }
            for Bare { line, kind, name } in bare {
                faults.push(format!("{path}:{line}: `{kind} {name}` has no doc comment: say what it is for"));
            }
        }
    }
    if faults.is_empty() {
        return Ok(format!("{asked} public items have a comment"));
    }
    Err(format!("{} public items without a comment\n{}", faults.len(), faults.join("\n")))
}

/// The sources under `folder` that are no tests.
fn library_files(repo: &Repo, folder: &str) -> Result<Vec<(String, Source)>, String> {
    let mut sources = Vec::new();
    for path in repo.files(folder, &["rs"]) {
        let source = Source::new(&repo.read(&path)?);
        sources.push((path, source));
    }
    let tests: Vec<String> = sources.iter().flat_map(|(path, source)| test_files(path, source)).collect();
    sources.retain(|(path, _)| !is_under(path, &tests));
    Ok(sources)
}

/// True if the module `name`, declared in `path`, is a file that opens with its own documentation.
fn module_has_docs(sources: &[(String, Source)], path: &str, name: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or((".", path));
    let home = match file.trim_end_matches(".rs") {
        "lib" | "main" | "mod" => folder.to_string(),
        stem => format!("{folder}/{stem}"),
    };
    let files = [format!("{home}/{name}.rs"), format!("{home}/{name}/mod.rs")];
    sources.iter().any(|(path, source)| files.contains(path) && opens_with_docs(source))
}

fn opens_with_docs(source: &Source) -> bool {
    source.text.lines().any(|line| line.starts_with("//!"))
}

/// The public items without a comment, and how many were asked for one. `module` says whether a module in a file of its own
/// is documented there.
fn scan(source: &Source, module: impl Fn(&str) -> bool) -> (Vec<Bare>, usize) {
    let tokens = source.tokens();
    let skipped = [source.test_ranges(), macros(source, &tokens)].concat();
    let (mut bare, mut asked) = (Vec::new(), 0);
    for at in 0..tokens.len() {
        if skipped.iter().any(|range| range.contains(&tokens[at].at)) {
            continue;
        }
        let Some((kind, name)) = public_item(&tokens, at) else { continue };
        asked += 1;
        let in_its_file = kind == "mod" && module(name);
        if !in_its_file && !has_docs(source, &tokens, at) {
            bare.push(Bare { line: source.line(tokens[at].at), kind, name: name.to_string() });
        }
        if kind == "trait" {
            for method in members(source, &tokens, at) {
                asked += 1;
                if !has_docs(source, &tokens, method) {
                    let (kind, name) = item(&tokens, method).unwrap_or(("fn", "?"));
                    bare.push(Bare { line: source.line(tokens[method].at), kind, name: name.to_string() });
                }
            }
        }
    }
    (bare, asked)
}

/// The bodies of macros by example: what they make is documented by what calls them.
fn macros(source: &Source, tokens: &[Token<'_>]) -> Vec<std::ops::Range<usize>> {
    let starts = tokens.iter().enumerate().filter(|(_, token)| token.text == "macro_rules");
    starts
        .map(|(at, _)| {
            let name_end = tokens.get(at + 2).map_or(source.text.len(), |name| name.at + name.text.len());
            name_end..source.item_end(name_end)
        })
        .collect()
}

/// The kind and the name of the public item that begins at `at`: `pub` and its item, or a macro that is exported.
fn public_item<'a>(tokens: &[Token<'a>], at: usize) -> Option<(&'static str, &'a str)> {
    match tokens[at].text {
        "pub" => item(tokens, at + 1),
        "macro_rules" => {
            let above = &tokens[attributes_start(tokens, at)..at];
            let name = tokens.get(at + 2)?.text;
            above.iter().any(|token| token.text == "macro_export").then_some(("macro", name))
        }
        _ => None,
    }
}

/// The kind and the name of the item that begins at `at`, after its visibility.
fn item<'a>(tokens: &[Token<'a>], mut at: usize) -> Option<(&'static str, &'a str)> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    while QUALIFIERS.contains(&text(at)) && (text(at) != "const" || is_followed_by_item(text(at + 1))) {
        at += 1;
    }
    let kind = ITEMS.into_iter().find(|kind| *kind == text(at))?;
    // A field may be called `union`.
    (text(at + 1) != ":").then_some((kind, text(at + 1)))
}

/// True if `const` is a qualifier here and no item by itself.
fn is_followed_by_item(next: &str) -> bool {
    next == "fn" || QUALIFIERS.contains(&next)
}

/// Where the methods, constants and types of the trait that begins at `at` begin.
fn members(source: &Source, tokens: &[Token<'_>], at: usize) -> Vec<usize> {
    let end = source.item_end(tokens[at].at);
    let (mut found, mut depth, mut fresh) = (Vec::new(), 0, false);
    for (n, token) in tokens.iter().enumerate().skip(at).take_while(|(_, token)| token.at < end) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            // What follows the brace, a `;`, a body or an attribute begins a member.
            _ if depth == 1 && fresh && item(tokens, n).is_some() => found.push(n),
            _ => {}
        }
        fresh = depth == 1 && matches!(token.text, "{" | "}" | ";" | "]");
    }
    found
}

/// True if a doc comment, or a `#[doc…]`, stands directly above the item that begins at `at`, among its attributes.
fn has_docs(source: &Source, tokens: &[Token<'_>], at: usize) -> bool {
    let start = attributes_start(tokens, at);
    let before = start.checked_sub(1).map_or(0, |n| tokens[n].at + tokens[n].text.len());
    let lead = &source.text[before..tokens[at].at];
    lead.lines().map(str::trim_start).any(|line| {
        let is_comment = line.starts_with("///") && !line.starts_with("////");
        is_comment || line.starts_with("/**") || line.starts_with("#[doc")
    })
}

/// The token at which the attributes directly before `at` begin; `at` itself if there are none.
fn attributes_start(tokens: &[Token<'_>], mut at: usize) -> usize {
    while at > 0 && tokens[at - 1].text == "]" {
        let (mut depth, mut open) = (0, at - 1);
        loop {
            match tokens[open].text {
                "]" => depth += 1,
                "[" => depth -= 1,
                _ => {}
            }
            if depth == 0 || open == 0 {
                break;
            }
            open -= 1;
        }
        if open == 0 || tokens[open - 1].text != "#" {
            break;
        }
        at = open - 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check itself, on the sources as they are.
    #[test]
    fn every_public_item_has_a_comment() {
        check(&Repo::here()).unwrap();
    }

    fn bare(text: &str) -> Vec<String> {
        let (bare, _) = scan(&Source::new(text), |_| false);
        bare.iter().map(|Bare { line, kind, name }| format!("{line} {kind} {name}")).collect()
    }

    #[test]
    fn every_kind_of_item_is_asked() {
        for (item, what) in [
            ("pub struct A;", "struct A"),
            ("pub enum A { B }", "enum A"),
            ("pub trait A {}", "trait A"),
            ("pub unsafe trait A {}", "trait A"),
            ("pub fn a() {}", "fn a"),
            ("pub const fn a() {}", "fn a"),
            ("pub const unsafe extern \"C\" fn a() {}", "fn a"),
            ("pub async fn a() {}", "fn a"),
            ("pub const A: u8 = 1;", "const A"),
            ("pub static A: u8 = 1;", "static A"),
            ("pub type A = u8;", "type A"),
            ("pub mod a;", "mod a"),
            ("impl B { pub fn a(&self) {} }", "fn a"),
            ("#[macro_export]\nmacro_rules! a { () => {} }", "macro a"),
        ] {
            let line = item.matches('\n').count() + 2;
            assert_eq!(bare(&format!("use b;\n{item}")), [format!("{line} {what}")], "{item}");
        }
    }

    #[test]
    fn a_comment_may_stand_above_or_among_the_attributes() {
        for lead in [
            "/// Why.\n",
            "/// Why.\n#[derive(\n    Debug,\n    Clone,\n)]\n#[serde(rename = \"]\")]\n",
            "#[must_use]\n/// Why.\n",
            "/** Why. */\n",
            "#[doc(hidden)]\n",
            "/// Why.\n// And a note.\n",
        ] {
            assert_eq!(bare(&format!("use b;\n\n{lead}pub struct A;")), Vec::<String>::new(), "{lead}");
        }
        for lead in
            ["// Why.\n", "//// Why.\n", "/// Of b.\npub use b;\n", "#[must_use]\n", "let a = \"/// no\";\n"]
        {
            assert_eq!(bare(&format!("{lead}pub struct A;")).len(), 1, "{lead}");
        }
    }

    #[test]
    fn fields_variants_and_what_is_not_public_are_not_asked() {
        let text = "/// A.\npub struct A {\n    pub a: u8,\n    pub union: u8,\n}\n/// B.\npub enum B { C { d: u8 } }\n\
            pub(crate) fn e() {}\nfn f() {}\npub use g::h;\nimpl Clone for A { fn clone(&self) -> Self {} }\n\
            #[cfg(test)]\nmod tests { pub fn i() {} }\nmacro_rules! j { () => { pub fn k() {} } }";
        assert_eq!(bare(text), Vec::<String>::new());
    }

    #[test]
    fn members_of_a_public_trait_are_asked() {
        let text = "/// A.\npub trait A: B<[u8; 2]> {\n    /// C.\n    type C: D;\n    const E: u8;\n    #[must_use]\n    \
            fn f(&self, g: fn(u8)) -> [u8; 2] {\n        let a: u8 = 1;\n        fn inner() {}\n    }\n    \
            /// H.\n    async fn h(&self);\n    fn i();\n}\ntrait J { fn k(); }";
        assert_eq!(bare(text), ["5 const E", "7 fn f", "13 fn i"]);
    }

    #[test]
    fn a_module_may_say_it_in_its_own_file() {
        let source = |text: &str| Source::new(text);
        let sources = [
            ("a/src/lib.rs".to_string(), source("pub mod b;\npub mod c;")),
            ("a/src/b.rs".to_string(), source("//! B.\npub mod d;")),
            ("a/src/b/d/mod.rs".to_string(), source("//! D.")),
            ("a/src/c.rs".to_string(), source("use b;")),
        ];
        assert!(module_has_docs(&sources, "a/src/lib.rs", "b"));
        assert!(module_has_docs(&sources, "a/src/b.rs", "d"));
        assert!(!module_has_docs(&sources, "a/src/lib.rs", "c"));
        let (found, asked) = scan(&sources[0].1, |name| name == "b");
        assert_eq!((found.len(), found[0].name.as_str(), asked), (1, "c", 2));
    }
}
