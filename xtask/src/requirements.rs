//! `cargo xtask requirements`: the numbered requirements and rulings of docs/systems, and the tests that cite them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::citations::{self, Citation};
use crate::faults::{self, Fault};
use crate::repo::Repo;
use crate::steps::Outcome;

const PAGES: &str = "docs/systems";

/// A page of docs/systems: one system with its items in the order of the page.
struct System {
    file: String,
    title: String,
    items: Vec<Item>,
}

/// A numbered requirement (`000-1`) or ruling (`000/R1`).
#[derive(Debug, PartialEq, Eq)]
struct Item {
    id: String,
    text: String,
    line: usize,
}

/// The pages and everything that cites them.
struct Book {
    systems: Vec<System>,
    cited: BTreeMap<String, Vec<Citation>>,
    /// The planted faults, by what they break.
    planted: BTreeMap<String, Vec<Fault>>,
    /// What is wrong with the pages, with a citation or with a planted fault; one line each.
    faults: Vec<String>,
}

/// The command: prints the book; fails on a citation of a number that does not exist.
pub(crate) fn run(repo: &Repo, options: &[&str]) -> ExitCode {
    if let Some(unknown) = options.iter().find(|option| !["--json", "--missing", "--faults"].contains(option))
    {
        return crate::usage(&format!("requirements has no option `{unknown}`"));
    }
    let book = match read(repo) {
        Ok(book) => book,
        Err(why) => {
            eprintln!("requirements: {why}");
            return ExitCode::FAILURE;
        }
    };
    let missing = options.contains(&"--missing");
    let text = match options {
        _ if options.contains(&"--json") => as_json(&book, missing),
        _ if options.contains(&"--faults") => planted(&book),
        _ => as_text(&book, missing),
    };
    // A reader may close the pipe early (`| head`): that is no failure of ours.
    let _ = writeln!(std::io::stdout(), "{text}");
    if book.faults.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("{}", book.faults.join("\n"));
    ExitCode::FAILURE
}

/// The step of the test command: totals; unknown numbers fail, missing citations do not.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let book = read(repo)?;
    println!("{}", totals(&book));
    if book.faults.is_empty() {
        let all: usize = book.systems.iter().map(|system| system.items.len()).sum();
        let cited: usize = book.systems.iter().map(|system| cited_in(system, &book)).sum();
        return Ok(format!("{cited} of {all} cited; {}", planted_total(&book)));
    }
    Err(format!(
        "{} faults in pages, citations or planted faults\n{}",
        book.faults.len(),
        book.faults.join("\n")
    ))
}

fn read(repo: &Repo) -> Result<Book, String> {
    let pages = repo.files(PAGES, &["md"]);
    if pages.is_empty() {
        return Err(format!("{PAGES} has no page"));
    }
    let mut systems = Vec::new();
    for file in pages {
        let text = repo.read(&file)?;
        systems.push(page(file, &text));
    }
    let (citations, planted) = (citations::all(repo)?, faults::all(repo)?);
    let unfit = faults::unfit(repo, &planted, &citations)?;
    let mut book = book(systems, citations);
    book.faults.extend(unfit);
    for fault in planted {
        book.planted.entry(fault.cites.clone()).or_default().push(fault);
    }
    Ok(book)
}

fn book(systems: Vec<System>, citations: Vec<Citation>) -> Book {
    let mut faults: Vec<String> = systems.iter().flat_map(page_faults).collect();
    let known: BTreeSet<&str> = systems.iter().flat_map(|s| &s.items).map(|item| item.id.as_str()).collect();
    let mut cited: BTreeMap<String, Vec<Citation>> = BTreeMap::new();
    for citation in citations {
        if !known.contains(citation.id.as_str()) {
            let Citation { id, file, line, .. } = &citation;
            faults.push(format!("{file}:{line}: cites `{id}`, which no page of {PAGES} has"));
        }
        cited.entry(citation.id.clone()).or_default().push(citation);
    }
    Book { systems, cited, planted: BTreeMap::new(), faults }
}

/// Reads a page: its first heading, and every `- **000-1** text` with the lines that go on from it.
fn page(file: String, text: &str) -> System {
    let mut system = System { file, title: String::new(), items: Vec::new() };
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("# ")
            && system.title.is_empty()
        {
            system.title = title.trim().to_string();
        }
        if let Some((id, text)) = line.strip_prefix("- **").and_then(|rest| rest.split_once("**"))
            && is_id(id)
        {
            system.items.push(Item { id: id.to_string(), text: text.trim().to_string(), line: index + 1 });
            open = true;
        } else if open && line.starts_with("  ") {
            if let Some(item) = system.items.last_mut() {
                item.text += " ";
                item.text += line.trim();
            }
        } else {
            open = false;
        }
    }
    system
}

fn is_id(id: &str) -> bool {
    split(id).is_some()
}

/// A number taken apart: system, whether it is a ruling, and its count.
fn split(id: &str) -> Option<(&str, bool, u32)> {
    let (system, rest) = id.split_at_checked(3)?;
    let (ruling, count) = match (rest.strip_prefix('-'), rest.strip_prefix("/R")) {
        (Some(count), _) => (false, count),
        (_, Some(count)) => (true, count),
        _ => return None,
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits(system) && digits(count) { Some((system, ruling, count.parse().ok()?)) } else { None }
}

/// A page numbers its own system from 1 without gap and says something under each number.
fn page_faults(system: &System) -> Vec<String> {
    let file = &system.file;
    let prefix = file.rsplit('/').next().unwrap_or("").get(..3).unwrap_or("").to_string();
    let mut faults = Vec::new();
    let mut next = [1, 1];
    for Item { id, text, line } in &system.items {
        let Some((of, ruling, count)) = split(id) else { continue };
        if of != prefix {
            faults.push(format!("{file}:{line}: `{id}` stands on the page of system {prefix}"));
        }
        let expected = &mut next[usize::from(ruling)];
        if count != *expected {
            let mark = if ruling { "/R" } else { "-" };
            faults.push(format!("{file}:{line}: `{id}` stands where {of}{mark}{expected} should"));
        }
        *expected = count + 1;
        if text.is_empty() {
            faults.push(format!("{file}:{line}: `{id}` says nothing"));
        }
    }
    if system.items.is_empty() {
        faults.push(format!("{file}: has no numbered requirement (`- **{prefix}-1** …`)"));
    }
    faults
}

fn cited_in(system: &System, book: &Book) -> usize {
    system.items.iter().filter(|item| book.cited.contains_key(&item.id)).count()
}

/// One line per system: how many of its requirements and rulings are cited.
fn totals(book: &Book) -> String {
    let mut text = String::new();
    for system in &book.systems {
        let rulings = system.items.iter().filter(|item| item.id.contains("/R")).count();
        let requirements = system.items.len() - rulings;
        let cited = cited_in(system, book);
        text += &format!(
            "{:<32} {requirements:>3} requirements, {rulings:>3} rulings; {cited:>3} cited, {:>3} not\n",
            system.file.rsplit('/').next().unwrap_or(""),
            system.items.len() - cited,
        );
    }
    text.trim_end().to_string()
}

fn as_text(book: &Book, missing: bool) -> String {
    let mut text = String::new();
    for system in &book.systems {
        text += &format!("{} ({})\n", system.title, system.file);
        for item in &system.items {
            let citations = book.cited.get(&item.id).map_or(&[][..], Vec::as_slice);
            if missing && !citations.is_empty() {
                continue;
            }
            text += &format!("  {:<8} {}\n", item.id, shortened(&item.text));
            if citations.is_empty() && !missing {
                text += "           not cited\n";
            }
            for Citation { file, line, function, .. } in citations {
                let function = function.as_ref().map_or(String::new(), |name| format!(" {name}"));
                text += &format!("           {file}:{line}{function}\n");
            }
        }
        text += "\n";
    }
    text + &totals(book)
}

/// The planted faults under what they break, and at the end what has none.
fn planted(book: &Book) -> String {
    let mut text = String::new();
    for (id, faults) in &book.planted {
        for Fault { broken, file, test, .. } in faults {
            text += &format!("{id:<8} {broken}\n           in {file}, caught by {}\n", test.name);
        }
    }
    let without: Vec<&str> =
        book.cited.keys().filter(|id| !book.planted.contains_key(*id)).map(String::as_str).collect();
    text + &planted_total(book) + &format!("\nwithout one: {}", without.join(" "))
}

/// How many faults are planted, and how much of what is cited has one.
fn planted_total(book: &Book) -> String {
    let count: usize = book.planted.values().map(Vec::len).sum();
    let with = book.cited.keys().filter(|id| book.planted.contains_key(*id)).count();
    format!("{count} planted faults, for {with} of {} that are cited", book.cited.len())
}

/// The beginning of a text, at a word's end, to fit a line.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    for word in text.split_whitespace() {
        if short.chars().count() + word.chars().count() > 90 {
            return short + " …";
        }
        short += if short.is_empty() { "" } else { " " };
        short += word;
    }
    short
}

fn as_json(book: &Book, missing: bool) -> String {
    let systems: Vec<Value> = book.systems.iter().map(|system| system_json(system, book, missing)).collect();
    let value = json!({ "systems": systems, "faults": book.faults });
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

fn system_json(system: &System, book: &Book, missing: bool) -> Value {
    let mut items = Vec::new();
    for item in &system.items {
        let citations = book.cited.get(&item.id).map_or(&[][..], Vec::as_slice);
        if missing && !citations.is_empty() {
            continue;
        }
        let cited_by: Vec<Value> =
            citations.iter().map(|c| json!({"file": c.file, "line": c.line, "fn": c.function})).collect();
        items.push(json!({"id": item.id, "text": item.text, "line": item.line, "cited_by": cited_by}));
    }
    let (total, cited) = (system.items.len(), cited_in(system, book));
    json!({"title": system.title, "file": system.file, "total": total, "cited": cited, "items": items})
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Input requests\n\nWords.\n\n- **000-1** A rule\n  that goes on.\n- **000-2** Another.\n\n\
                        ## Rulings\n- **000/R1** A ruling.\n- **bold** is no number\n";

    fn cite(id: &str) -> Citation {
        Citation {
            id: id.into(),
            file: "crates/a/tests/it.rs".into(),
            line: 7,
            function: Some("holds".into()),
        }
    }

    fn written(text: &str, citations: Vec<Citation>) -> Book {
        book(vec![page("docs/systems/000-input-requests.md".into(), text)], citations)
    }

    #[test]
    fn a_page_is_read() {
        let book = written(PAGE, vec![]);
        let items = &book.systems[0].items;
        assert_eq!(book.systems[0].title, "Input requests");
        assert_eq!(items.iter().map(|i| i.id.as_str()).collect::<Vec<_>>(), ["000-1", "000-2", "000/R1"]);
        assert_eq!(items[0], Item { id: "000-1".into(), text: "A rule that goes on.".into(), line: 5 });
        assert_eq!(book.faults, Vec::<String>::new());
    }

    #[test]
    fn an_unknown_number_is_caught() {
        let book = written(PAGE, vec![cite("000-1"), cite("000-99"), cite("000/R2"), cite("example-1")]);
        assert_eq!(book.faults.len(), 3);
        assert_eq!(
            book.faults[0],
            "crates/a/tests/it.rs:7: cites `000-99`, which no page of docs/systems has"
        );
    }

    #[test]
    fn gaps_repeats_strangers_and_empty_items_are_caught() {
        for (text, word) in [
            ("- **000-1** a\n- **000-3** b", "stands where 000-2 should"),
            ("- **000-1** a\n- **000-1** b", "stands where 000-2 should"),
            ("- **001-1** a", "stands on the page of system 000"),
            ("- **000-1**", "says nothing"),
            ("nothing", "has no numbered requirement"),
        ] {
            let faults = written(text, vec![]).faults;
            assert!(faults.len() == 1 && faults[0].contains(word), "{text}: {faults:?}");
        }
    }

    #[test]
    fn what_is_cited_and_what_is_not_is_told() {
        let book = written(PAGE, vec![cite("000-2")]);
        let all = as_text(&book, false);
        assert!(all.contains("crates/a/tests/it.rs:7 holds") && all.contains("not cited"), "{all}");
        let missing = as_text(&book, true);
        assert!(missing.contains("000-1 ") && !missing.contains("000-2 "), "{missing}");
        assert!(missing.contains("2 requirements,   1 rulings;   1 cited,   2 not"), "{missing}");
        let json: Value = serde_json::from_str(&as_json(&book, false)).unwrap();
        assert_eq!(json["systems"][0]["items"][1]["cited_by"][0]["fn"], "holds");
        assert_eq!(json["systems"][0]["cited"], 1);
    }

    #[test]
    fn a_long_text_is_cut_at_a_word() {
        let long = "word ".repeat(40);
        assert!(shortened(&long).ends_with("word …") && shortened(&long).len() < 100);
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn what_has_a_planted_fault_and_what_has_none_is_told() {
        let mut book = written(PAGE, vec![cite("000-1"), cite("000-2")]);
        let fault = Fault {
            list: "conformance/faults/000.json".into(),
            cites: "000-2".into(),
            broken: "nothing stops".into(),
            file: "crates/a/src/lib.rs".into(),
            old: "a".into(),
            new: "b".into(),
            test: faults::Test { file: "crates/a/tests/it.rs".into(), name: "holds".into() },
        };
        book.planted.insert("000-2".into(), vec![fault]);
        let text = planted(&book);
        assert!(
            text.starts_with("000-2    nothing stops\n           in crates/a/src/lib.rs, caught by holds\n"),
            "{text}"
        );
        assert!(text.ends_with("1 planted faults, for 1 of 2 that are cited\nwithout one: 000-1"), "{text}");
    }

    /// The pages as they are: complete, and every citation known.
    #[test]
    fn the_pages_and_their_citations_agree() {
        assert_eq!(read(&Repo::here()).unwrap().faults, Vec::<String>::new());
    }
}
