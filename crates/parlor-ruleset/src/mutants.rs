//! Mutants: a ruleset with one node changed. A change that no scenario notices is a rule that no scenario tests.
//!
//! Only what is played is changed: never words for people, who sees what, or the scenarios themselves.

use std::sync::Arc;

use parlor_core::Json;

use crate::compiler::compile_beside;
use crate::language::format::inline;
use crate::language::{Finding, Level, Node, Value, syntax};
use crate::limits::MUTANT_OPS_PER_INPUT_MAX;
use crate::machine::program::{Limits, Program};
use crate::operations;
use crate::scenario;

/// A ruleset, and all the changes of one node that are tried.
#[derive(Debug)]
pub struct Mutants {
    root: Node,
    changes: Vec<Change>,
}

/// What became of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The checker refuses it.
    Refused,
    /// A scenario fails.
    Noticed,
    /// All scenarios hold all the same.
    Unnoticed,
}

/// One change of one node.
#[derive(Clone, Debug)]
struct Change {
    /// The way to the node: places among the fields or items of the nodes above it.
    way: Vec<usize>,
    /// The same as a JSON pointer.
    pointer: String,
    at: u32,
    deed: Deed,
    /// The change in words.
    told: String,
}

#[derive(Clone, Debug)]
enum Deed {
    /// The node is another.
    Becomes(Node),
    /// The field has another name.
    Renamed(&'static str),
    /// The node is gone.
    Gone,
}

/// Fields in which nothing is played: words, looks, who sees what, scenarios, and what only bounds a match.
const LEFT_ALONE: [&str; 31] = [
    "$schema",
    "actionMs",
    "author",
    "bot",
    "description",
    "edition",
    "extends",
    "id",
    "invariants",
    "ir",
    "label",
    "limits",
    "metadata",
    "ms",
    "name",
    "places",
    "players",
    "prompt",
    "reason",
    "role",
    "secretTo",
    "see",
    "shown",
    "stake",
    "tests",
    "text",
    "title",
    "ui",
    "version",
    "visible",
    "words",
];

/// Operators, each with the one that is easily taken for it.
const SWAPS: [(&str, &str); 16] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("and", "or"),
    ("or", "and"),
    ("+", "-"),
    ("-", "+"),
    ("min", "max"),
    ("max", "min"),
    ("maxBy", "minBy"),
    ("minBy", "maxBy"),
    ("first", "last"),
    ("last", "first"),
];

/// Words, each with another that is allowed in its place.
const WORDS: [(&str, &str, &str); 11] = [
    ("timing", "stack", "instant"),
    ("timing", "instant", "stack"),
    ("order", "asc", "desc"),
    ("order", "desc", "asc"),
    ("at", "bottom", "top"),
    ("at", "top", "bottom"),
    ("until", "turnEnd", "permanently"),
    ("until", "permanently", "turnEnd"),
    ("oncePer", "turn", "game"),
    ("oncePer", "game", "turn"),
    ("moment", "before", "after"),
];

/// Fields that can be left out, and then mean something else.
const OPTIONAL: [&str; 17] = [
    "by",
    "closes",
    "conditions",
    "desc",
    "distinctBy",
    "exclude",
    "fits",
    "if",
    "limit",
    "moment",
    "optional",
    "orSeats",
    "recheck",
    "targetsRecheck",
    "until",
    "when",
    "where",
];

/// Lists of which one can be left out.
const LISTS: [&str; 10] = [
    "activated",
    "cannot",
    "checks",
    "conditions",
    "costs",
    "keywords",
    "prefer",
    "replaces",
    "rules",
    "triggers",
];

impl Mutants {
    /// All changes of this ruleset, in the order of the file; what it extends is left as it is.
    ///
    /// # Errors
    /// Where the text is no JSON, and why.
    pub fn of(text: &str) -> Result<Self, Finding> {
        let root = syntax::read(text)?;
        let mut walk = Walk::default();
        walk.node(&root, "");
        Ok(Self { root, changes: walk.changes })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.changes.len()
    }

    /// What is changed, and where.
    #[must_use]
    pub fn finding(&self, n: usize) -> Finding {
        let change = &self.changes[n];
        Finding {
            level: Level::Warning,
            code: "unnoticed",
            at: change.at,
            pointer: change.pointer.clone(),
            message: change.told.clone(),
            help: None,
            elsewhere: None,
        }
    }

    /// The ruleset with this change.
    #[must_use]
    pub fn text(&self, n: usize) -> String {
        let change = &self.changes[n];
        let mut root = self.root.clone();
        apply(&mut root, &change.way, &change.deed);
        inline(&root)
    }

    /// Whether a scenario notices this change.
    #[must_use]
    pub fn judge(&self, n: usize, beside: &dyn Fn(&str) -> Option<String>, scenarios: &[Json]) -> Fate {
        let Ok(compiled) = compile_beside(&self.text(n), beside) else { return Fate::Refused };
        let program = bounded(compiled.program);
        let fails = |test: &Json| scenario::differences(&program, test).is_err();
        if scenarios.iter().any(fails) { Fate::Noticed } else { Fate::Unnoticed }
    }
}

/// With fewer operations for each input: a change may have made a loop that only its bound ends.
#[must_use]
pub fn bounded(mut program: Program) -> Arc<Program> {
    let limits = program.limits();
    program.limits = Some(Limits { ops: limits.ops.min(MUTANT_OPS_PER_INPUT_MAX), ..limits });
    Arc::new(program)
}

fn apply(node: &mut Node, way: &[usize], deed: &Deed) {
    match (way, &mut node.value) {
        ([], _) => {
            if let Deed::Becomes(other) = deed {
                *node = other.clone();
            }
        }
        ([n], Value::List(items)) if matches!(deed, Deed::Gone) => drop(items.remove(*n)),
        ([n], Value::Map(fields)) if matches!(deed, Deed::Gone) => drop(fields.remove(*n)),
        ([n], Value::Map(fields)) if matches!(deed, Deed::Renamed(_)) => {
            if let Deed::Renamed(name) = deed {
                (*name).clone_into(&mut fields[*n].0.name);
            }
        }
        ([n, rest @ ..], Value::List(items)) => apply(&mut items[*n], rest, deed),
        ([n, rest @ ..], Value::Map(fields)) => apply(&mut fields[*n].1, rest, deed),
        _ => {}
    }
}

/// A walk over the nodes of a ruleset.
#[derive(Default)]
struct Walk {
    way: Vec<usize>,
    names: Vec<String>,
    changes: Vec<Change>,
}

impl Walk {
    fn note(&mut self, at: u32, deed: Deed, told: String) {
        let pointer = self.names.iter().fold(String::new(), |all, step| all + "/" + step);
        self.changes.push(Change { way: self.way.clone(), pointer, at, deed, told });
    }

    fn enter(&mut self, n: usize, name: &str) {
        self.way.push(n);
        self.names.push(name.replace('~', "~0").replace('/', "~1"));
    }

    fn leave(&mut self) {
        self.way.pop();
        self.names.pop();
    }

    /// A node, by the name of the field in which it stands.
    fn node(&mut self, node: &Node, field: &str) {
        match &node.value {
            Value::Int(n) => {
                let other = n.saturating_add(1);
                self.note(
                    node.at,
                    Deed::Becomes(Node::new(node.at, Value::Int(other))),
                    format!("{n} becomes {other}"),
                );
            }
            Value::Bool(truth)
                if operations::expression(field).is_none() && operations::statement(field).is_none() =>
            {
                let other = Value::Bool(!truth);
                self.note(
                    node.at,
                    Deed::Becomes(Node::new(node.at, other)),
                    format!("{truth} becomes {}", !truth),
                );
            }
            Value::Text(word) => {
                for (_, _, other) in WORDS.iter().filter(|(name, own, _)| *name == field && own == word) {
                    let told = format!("{word} becomes {other}");
                    self.note(node.at, Deed::Becomes(Node::text(node.at, *other)), told);
                }
            }
            Value::List(items) => self.list(items, field),
            Value::Map(fields) => self.map(node, fields, field),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn list(&mut self, items: &[Node], field: &str) {
        let code = is_code(items, field);
        for (n, item) in items.iter().enumerate() {
            self.enter(n, &n.to_string());
            if code || LISTS.contains(&field) {
                let what = if code { "the statement" } else { "it" };
                self.note(item.at, Deed::Gone, format!("{what} is left out"));
            }
            self.node(item, if code { "do" } else { "" });
            self.leave();
        }
    }

    fn map(&mut self, node: &Node, fields: &[(crate::language::syntax::Key, Node)], field: &str) {
        let own: Vec<_> = fields.iter().filter(|(key, _)| !key.name.starts_with("//")).collect();
        let single = own.len() == 1;
        // What an author declares has names of their own, which mean nothing here.
        let declared = self.names.len() <= 1;
        let knob = self.names.first().is_some_and(|section| section == "config");
        for (n, (key, inner)) in fields.iter().enumerate() {
            let name = key.name.as_str();
            if name.starts_with("//")
                || (knob && ["min", "max"].contains(&name))
                || (LEFT_ALONE.contains(&name) && !(single && operations::expression(name).is_some()))
            {
                continue;
            }
            self.enter(n, name);
            if single && !declared {
                self.operator(node, name, inner, field);
            } else if !declared && OPTIONAL.contains(&name) {
                self.note(key.at, Deed::Gone, format!("`{name}` is left out"));
            }
            self.node(inner, if declared && self.names.len() == 2 { "" } else { name });
            self.leave();
        }
    }

    /// An expression or a statement: another operator, or a condition that says nothing.
    fn operator(&mut self, node: &Node, name: &str, inner: &Node, field: &str) {
        if let Some((_, other)) = SWAPS.iter().find(|(own, _)| *own == name) {
            // Of one, `-` is its negative.
            if inner.items().len() != 1 {
                self.note(node.at, Deed::Renamed(other), format!("`{name}` becomes `{other}`"));
            }
        }
        let becomes = |walk: &mut Self, other: Node, told: &str| {
            let (step, name) = (walk.way.pop(), walk.names.pop());
            walk.note(node.at, Deed::Becomes(other), told.to_owned());
            walk.way.extend(step);
            walk.names.extend(name);
        };
        if name == "not" {
            becomes(self, inner.clone(), "`not` is left out");
        }
        if name == "if" && !field.is_empty() {
            for truth in [true, false] {
                let mut items = inner.items().to_vec();
                let Some(condition) = items.first_mut() else { return };
                condition.value = Value::Bool(truth);
                let told = format!("the condition is always {truth}");
                self.note(node.at, Deed::Becomes(Node::list(inner.at, items)), told);
            }
        }
    }
}

/// Whether these are statements, each of which can be left out.
fn is_code(items: &[Node], field: &str) -> bool {
    let statement = |item: &Node| {
        let own: Vec<_> = item.fields().iter().filter(|(key, _)| !key.name.starts_with("//")).collect();
        matches!(own[..], [(key, _)] if operations::statement(&key.name).is_some())
    };
    let operands = SWAPS.iter().any(|(name, _)| *name == field) || ["not", "union", "costs"].contains(&field);
    !items.is_empty() && !operands && items.iter().all(statement)
}
