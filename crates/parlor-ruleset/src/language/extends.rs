//! Variants: a ruleset that names another and says what is different.
//!
//! The base is read, its own base before it, and what the variant says is laid over it. What has a name is met by that
//! name, what stands in a list by its `id`, and `null` takes away. Code and conditions are taken whole: half of one is
//! no code. What comes of it is the ruleset, and its hash is its identity.

use super::diagnostics::{Elsewhere, Finding, Findings};
use super::syntax::{Key, Node, Value, read};
use crate::limits::EXTENDS_MAX;

/// How one part of a ruleset is laid over another.
enum How {
    /// As a whole.
    Whole,
    /// Names that the author chose, each laid over the one of that name.
    Each(&'static How),
    /// Fields that the language knows; those that are not listed are taken whole.
    Fields(&'static [(&'static str, How)]),
    /// A list of things with an `id`.
    ById(&'static How),
}

use How::{ById, Each, Fields, Whole};

const PLAIN: How = Fields(&[]);
const CARD: How = Fields(&[
    ("triggers", ById(&PLAIN)),
    ("replaces", ById(&PLAIN)),
    ("cannot", ById(&PLAIN)),
    ("statics", ById(&PLAIN)),
    ("activated", ById(&PLAIN)),
]);
const PHASE: How = Fields(&[("steps", ById(&PLAIN))]);

/// The sections that are not taken whole.
const RULESET: How = Fields(&[
    ("players", PLAIN),
    ("limits", PLAIN),
    ("end", PLAIN),
    ("on", PLAIN),
    ("stake", PLAIN),
    ("ui", PLAIN),
    ("words", Each(&PLAIN)),
    ("metadata", PLAIN),
    ("config", Each(&PLAIN)),
    ("constants", Each(&Whole)),
    ("enums", Each(&Whole)),
    ("attributes", Each(&PLAIN)),
    ("counters", Each(&PLAIN)),
    ("keywords", Each(&CARD)),
    ("vars", Each(&PLAIN)),
    ("resources", Each(&PLAIN)),
    ("zones", Each(&PLAIN)),
    ("events", Each(&PLAIN)),
    ("cards", Each(&CARD)),
    ("decks", Each(&PLAIN)),
    ("procs", Each(&Whole)),
    ("actions", Each(&PLAIN)),
    ("rules", ById(&PLAIN)),
    ("replaces", ById(&PLAIN)),
    ("cannot", ById(&PLAIN)),
    ("checks", ById(&PLAIN)),
    ("turnStructure", Fields(&[("phases", ById(&PHASE))])),
]);

/// The files a ruleset was made of: places in bases lie after those of the ruleset itself.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<(u32, String, String)>);

impl Files {
    /// Says in which file a finding lies, where that is not the ruleset itself.
    pub(crate) fn locate(&self, finding: &mut Finding) {
        let Some((base, name, text)) = self.0.iter().rfind(|(base, _, _)| *base <= finding.at) else {
            return;
        };
        let inside = Finding { at: finding.at - base, elsewhere: None, ..finding.clone() };
        let (line, column) = inside.place(text);
        finding.elsewhere = Some(Box::new(Elsewhere { file: name.clone(), line, column }));
    }
}

/// Lays a ruleset over its bases. `beside` finds a file beside the ruleset, or a ruleset by its id.
///
/// # Errors
/// A base that is not there, that is no JSON, or that goes round in a circle; and what is wrong with the variant.
pub(crate) fn merged(
    own: Node,
    text: &str,
    beside: &dyn Fn(&str) -> Option<String>,
) -> (Node, Files, Result<(), Findings>) {
    let mut found = Findings::default();
    let mut files = Files::default();
    let mut chain = vec![own];
    let mut names: Vec<String> = Vec::new();
    let mut end = text.len() as u32 + 1;
    while let Some(wanted) = chain.last().and_then(|node| node.get("extends")) {
        found.enter("extends");
        let at = wanted.at;
        let Some(name) = wanted.as_text().map(str::to_owned) else {
            found.error_help(
                "shape",
                at,
                "the name of a ruleset is expected here",
                "a file beside it, or an id",
            );
            break;
        };
        if names.contains(&name) || names.len() >= EXTENDS_MAX {
            let message = if names.contains(&name) {
                format!("{name} is a variant of itself")
            } else {
                format!("a chain of more than extends_max, {EXTENDS_MAX}, rulesets")
            };
            found.error_help("extends", at, message, "extend a ruleset that stands by itself");
            break;
        }
        let Some(base) = beside(&name) else {
            let message = format!("there is no ruleset '{name}' to extend");
            found.error_help(
                "extends",
                at,
                message,
                "name a file beside this one, or the id of a shipped ruleset",
            );
            break;
        };
        found.leave();
        let start = end;
        end = end.saturating_add(base.len() as u32 + 1);
        match read(&base) {
            Ok(mut node) => {
                shift(&mut node, start);
                chain.push(node);
            }
            Err(mut finding) => {
                finding.at = finding.at.saturating_add(start);
                found.push(finding);
            }
        }
        files.0.push((start, name.clone(), base));
        names.push(name);
        if found.has_errors() {
            break;
        }
    }
    while found.has_errors() && !found.path().is_empty() {
        found.leave();
    }
    let mut node = chain.pop().unwrap_or_else(|| Node::new(0, Value::Null));
    while let Some(variant) = chain.pop() {
        if !found.has_errors() {
            own_id(&node, &variant, &mut found);
        }
        take(&mut node, "tests");
        node = lay(node, variant, &RULESET, &mut found);
    }
    take(&mut node, "extends");
    let result = if found.has_errors() { Err(found) } else { Ok(()) };
    (node, files, result)
}

/// A variant is another game: it has an id of its own.
fn own_id(base: &Node, variant: &Node, found: &mut Findings) {
    let id = |node: &Node| node.get("id").and_then(Node::as_text).map(str::to_owned);
    let mine = id(variant);
    if mine.is_none() || mine == id(base) {
        found.error_help("id", variant.at, "a variant has an id of its own", "add \"id\"");
    }
}

fn take(node: &mut Node, name: &str) {
    if let Value::Map(fields) = &mut node.value {
        fields.retain(|(key, _)| key.name != name);
    }
}

/// Moves a value and all in it to another place.
fn shift(node: &mut Node, by: u32) {
    node.at = node.at.saturating_add(by);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Value::Map(fields) => {
            for (key, inner) in fields {
                key.at = key.at.saturating_add(by);
                shift(inner, by);
            }
        }
        _ => {}
    }
}

fn lay(base: Node, own: Node, how: &How, found: &mut Findings) -> Node {
    let at = own.at;
    match (how, base.value, own.value) {
        (Each(_) | Fields(_), Value::Map(base), Value::Map(own)) => {
            let inner = |name: &str| match how {
                Each(inner) => inner,
                Fields(known) => {
                    known.iter().find(|(field, _)| *field == name).map_or(&Whole, |(_, how)| how)
                }
                Whole | ById(_) => &Whole,
            };
            Node::new(at, Value::Map(lay_fields(base, own, &inner, found)))
        }
        // The document's list of actions is met by ids as well.
        (Each(inner) | ById(inner), Value::List(base), Value::List(own))
            if all_named(&base) && all_named(&own) =>
        {
            let own = own.into_iter().map(|item| (Key { at: item.at, name: id_of(&item) }, item)).collect();
            Node::new(at, Value::List(lay_list(base, own, inner, found)))
        }
        (ById(inner), Value::List(base), Value::Map(own)) if all_named(&base) => {
            Node::new(at, Value::List(lay_list(base, own, inner, found)))
        }
        (_, _, own) => Node::new(at, own),
    }
}

fn lay_fields<'h>(
    base: Vec<(Key, Node)>,
    own: Vec<(Key, Node)>,
    how: &dyn Fn(&str) -> &'h How,
    found: &mut Findings,
) -> Vec<(Key, Node)> {
    let mut all: Vec<(Key, Option<Node>)> = base.into_iter().map(|(key, node)| (key, Some(node))).collect();
    for (key, node) in own {
        found.enter(&key.name);
        let place = all.iter().position(|(other, _)| other.name == key.name);
        match (place, node.value == Value::Null) {
            (None, true) => nothing_there(&key, found),
            (Some(n), true) => {
                all.remove(n);
            }
            (None, false) => all.push((key, Some(node))),
            (Some(n), false) => {
                let laid = all[n].1.take().map(|base| lay(base, node, how(&key.name), found));
                all[n] = (key, laid);
            }
        }
        found.leave();
    }
    all.into_iter().filter_map(|(key, node)| Some((key, node?))).collect()
}

fn lay_list(base: Vec<Node>, own: Vec<(Key, Node)>, how: &How, found: &mut Findings) -> Vec<Node> {
    let named = |item: Node| (Key { at: item.at, name: id_of(&item) }, item);
    let own = own.into_iter().map(|(key, mut node)| {
        if let Value::Map(fields) = &mut node.value
            && !fields.iter().any(|(field, _)| field.name == "id")
        {
            fields.push((Key { at: key.at, name: "id".to_owned() }, Node::text(key.at, key.name.clone())));
        }
        (key, node)
    });
    let all = lay_fields(base.into_iter().map(named).collect(), own.collect(), &|_| how, found);
    all.into_iter().map(|(_, node)| node).collect()
}

fn nothing_there(key: &Key, found: &mut Findings) {
    let message = format!("there is no {} that could be taken away", key.name);
    found.error_help("extends", key.at, message, "`null` takes away what the base has");
}

fn all_named(items: &[Node]) -> bool {
    items.iter().all(|item| item.get("id").and_then(Node::as_text).is_some())
}

fn id_of(item: &Node) -> String {
    item.get("id").and_then(Node::as_text).unwrap_or("").to_owned()
}
