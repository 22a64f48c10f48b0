//! What of a ruleset has run, over everything that was played with one program: for authors, who learn which rules
//! neither their scenarios nor random matches have touched.
//!
//! A program that is [`traced`] has an operation more for each statement, which notes that it ran. Matches of it are not
//! kept: the numbers of its operations are its own.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::compiler::{Compiled, compile_whole};
use crate::language::{Finding, Level, Node, pointer};
use crate::machine::program::Program;
use crate::operations;

/// Places of code, and whether what stands there has run.
#[derive(Debug, Default)]
pub struct Trace {
    ran: Vec<AtomicBool>,
    sites: Vec<Site>,
}

/// A place of code.
#[derive(Debug)]
struct Site {
    /// The rule, action, ability, … in which it stands, by its pointer; empty for setup and flow.
    part: String,
    /// What is told where it never ran.
    told: Finding,
    /// What is told where nothing of its part ever ran.
    part_told: Finding,
}

impl Trace {
    /// Notes that what stands at a place has run.
    pub(crate) fn note(&self, place: u32) {
        if let Some(ran) = self.ran.get(place as usize) {
            ran.store(true, Ordering::Relaxed);
        }
    }

    /// For these places of a ruleset; `locate` says in which file a finding lies.
    pub(crate) fn new(pointers: &[String], root: &Node, locate: &dyn Fn(&mut Finding)) -> Self {
        let finding = |pointer: &str, message: String, help: &str| {
            let mut told = Finding {
                level: Level::Warning,
                code: "never-ran",
                at: pointer::at(root, pointer),
                pointer: pointer.to_owned(),
                message,
                help: Some(help.to_owned()),
                elsewhere: None,
            };
            locate(&mut told);
            told
        };
        let site = |place: &String| {
            let (part, what) = part_of(root, place);
            let (message, help) = if is_question(place) {
                (format!("{} is never asked", question(root, place)), NOT_REACHED)
            } else {
                ("this never runs".to_owned(), NOT_REACHED)
            };
            let part_told = finding(&part, format!("{what} never runs"), NEVER_CAUSED);
            Site { part, told: finding(place, message, help), part_told }
        };
        let sites: Vec<Site> = pointers.iter().map(site).collect();
        Self { ran: sites.iter().map(|_| AtomicBool::new(false)).collect(), sites }
    }

    fn ran(&self, n: usize) -> bool {
        self.ran[n].load(Ordering::Relaxed)
    }

    /// What never ran: a part of which nothing did as one, the questions of the others, and the first statement of each
    /// list that was never come to.
    fn never(&self) -> Vec<Finding> {
        let mut told: Vec<Finding> = Vec::new();
        // A card of which nothing is said to be done has a place all the same.
        let bare =
            |n: &usize| self.sites[*n].part.is_empty() && self.sites[*n].told.pointer.starts_with("/cards/");
        let missed: Vec<usize> = (0..self.sites.len()).filter(|n| !self.ran(*n) && !bare(n)).collect();
        for n in &missed {
            let site = &self.sites[*n];
            let inside = |other: &&usize| self.sites[**other].part == site.part;
            let touched = (0..self.sites.len()).any(|other| self.ran(other) && inside(&&other));
            if !site.part.is_empty() && !touched {
                told.push(site.part_told.clone());
            } else if is_question(&site.told.pointer) || !self.follows_a_missed(*n, &missed) {
                told.push(site.told.clone());
            }
        }
        told.sort_by(|a, b| (a.at, &a.pointer).cmp(&(b.at, &b.pointer)));
        told.dedup();
        told
    }

    /// Whether it stands inside a statement that never ran, or after one in the same list.
    fn follows_a_missed(&self, n: usize, missed: &[usize]) -> bool {
        let own = statement(&self.sites[n].told.pointer);
        missed.iter().filter(|other| **other != n).any(|other| {
            let other = statement(&self.sites[*other].told.pointer);
            let inside = own.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
            let (Some((list, place)), Some((others, before))) = (in_list(own), in_list(other)) else {
                return inside;
            };
            inside || (list == others && before < place)
        })
    }
}

const NEVER_CAUSED: &str = "let it happen in a scenario, or leave it out";
const NOT_REACHED: &str = "write a scenario that comes here, or leave it out";

/// The statement of a place: its name at the end says only what it is. What has code is no statement itself.
fn statement(place: &str) -> &str {
    match place.rsplit_once('/') {
        Some((statement, name)) if operations::statement(name).is_some() => statement,
        _ => place,
    }
}

/// The list in which a statement stands, and its place there.
fn in_list(statement: &str) -> Option<(&str, usize)> {
    let (list, place) = statement.rsplit_once('/')?;
    place.parse().ok().map(|place| (list, place))
}

fn is_question(place: &str) -> bool {
    place.ends_with("/ask")
}

/// What a question is called, in words.
fn question(root: &Node, place: &str) -> String {
    let id = pointer::node(root, place).and_then(|ask| ask.get("id")).and_then(Node::as_text);
    format!("the question '{}'", id.unwrap_or("ask"))
}

/// The part of a ruleset to which a place belongs, and what it is called.
fn part_of(root: &Node, place: &str) -> (String, String) {
    let steps: Vec<&str> = place.split('/').skip(1).collect();
    let (depth, what) = match steps[..] {
        ["rules", ..] => (2, "the rule"),
        ["replaces", ..] => (2, "the replacement"),
        ["cannot", ..] => (2, "the prohibition"),
        ["checks", ..] => (2, "the check"),
        ["actions", ..] => (2, "the action"),
        ["manipulations", ..] => (2, "the manipulation"),
        ["procs", ..] => (2, "the procedure"),
        ["events", ..] => (2, "the event"),
        ["cards" | "keywords", _, "triggers", ..] => (4, "the trigger"),
        ["cards" | "keywords", _, "replaces", ..] => (4, "the replacement"),
        ["cards" | "keywords", _, "cannot", ..] => (4, "the prohibition"),
        ["cards" | "keywords", _, "activated", ..] => (4, "the ability"),
        ["cards", _, "modes", ..] => (3, "a mode of the card"),
        ["cards", _, _, ..] => (3, "what is done by the card"),
        ["on", _, ..] => (2, "what is done when a player leaves"),
        _ => return (String::new(), String::new()),
    };
    if steps.len() < depth {
        return (String::new(), String::new());
    }
    let part = format!("/{}", steps[..depth].join("/"));
    let id = pointer::node(root, &part).and_then(|node| node.get("id")).and_then(Node::as_text);
    let own = |name: &str| name.replace("~1", "/").replace("~0", "~");
    let name = match (steps[0], id) {
        ("on", _) => return (part, what.to_owned()),
        ("cards" | "keywords", None) if depth == 3 => format!("'{}' ({})", own(steps[1]), own(steps[2])),
        ("cards" | "keywords", id) => format!("'{}' of '{}'", id.unwrap_or(steps[3]), own(steps[1])),
        (_, id) => format!("'{}'", id.map_or_else(|| own(steps[1]), str::to_owned)),
    };
    (part, format!("{what} {name}"))
}

/// Compiles a ruleset so that what runs is noted; it may be a variant of a file beside it.
///
/// # Errors
/// Everything that was found, with at least one error among it.
pub fn traced(text: &str, beside: &dyn Fn(&str) -> Option<String>) -> Result<Compiled, Vec<Finding>> {
    compile_whole(text, beside, true)
}

/// What never ran in anything that was played with a program that is [`traced`], in the order of the file.
#[must_use]
pub fn never_ran(program: &Program) -> Vec<Finding> {
    program.trace.as_ref().map_or(Vec::new(), |trace| trace.never())
}
