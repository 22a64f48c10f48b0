//! What is probably not meant, and what a mistake probably means: passes over a whole ruleset, after it was compiled.
//!
//! | pass | finds |
//! |---|---|
//! | `scope` | why a name is not known where it is read: bound later, on some ways only, in another action or block |
//! | `unused` | what is declared and never spoken of |
//! | `played` | cards that nobody has played, where the rules ask who did |
//! | `flow` | what is never reached, never happens, or never runs |
//!
//! Conditions that are always true or false, and selections that never match, are found where they are compiled
//! (`compile/always.rs`), because their values are known there.

mod flow;
mod played;
mod scope;
mod unused;

pub(crate) use flow::ends;

use crate::ir::{Findings, Node};
use crate::program::Program;

/// Looks through a ruleset. Where it has errors, only they are explained: what follows from a mistake is no mistake.
pub(crate) fn ruleset(root: &Node, p: &Program, f: &mut Findings) {
    if f.has_errors() {
        scope::explain(root, f);
        return;
    }
    if root.get("ir").is_none() {
        let help = "write \"ir\": \"parlor-ir/1\", so that a later engine knows how to read it";
        f.warn("version", root.at, "the ruleset does not say which language it is in", help);
    }
    unused::declarations(root, f);
    flow::ruleset(root, p, f);
}

/// Does something with every value inside a node, with its way down.
fn each(node: &Node, f: &mut Findings, look: &mut dyn FnMut(&Node, &mut Findings)) {
    look(node, f);
    for (key, inner) in node.fields() {
        f.enter(&key.name);
        each(inner, f, look);
        f.leave();
    }
    for (n, inner) in node.items().iter().enumerate() {
        f.enter(n);
        each(inner, f, look);
        f.leave();
    }
}
