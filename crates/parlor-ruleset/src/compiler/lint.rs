//! What is probably a mistake, and what it probably was to be: passes over a whole ruleset, after it was compiled. They
//! only report; they change no program.
//!
//! | pass | finds |
//! |---|---|
//! | `scope` | why a name is not known where it is read: bound later, on some ways only, in another action or block |
//! | `unused` | what is declared and never spoken of |
//! | `played` | cards that nobody has played, where the rules ask who did |
//! | `flow` | what is never reached, never happens, or never runs |
//!
//! Conditions that are always true or false, and selections that never match, are found where they are compiled
//! (`compiler/constant_conditions.rs`), because their values are known there.

mod flow;
mod played;
mod scope;
mod unused;

pub(crate) use flow::ends;

use crate::language::{Findings, Node};
use crate::machine::program::Program;

/// Looks through a ruleset. Where it has errors, only they are explained: what follows from a mistake is no mistake.
pub(crate) fn ruleset(root: &Node, program: &Program, findings: &mut Findings) {
    if findings.has_errors() {
        scope::explain(root, findings);
        return;
    }
    if root.get("ir").is_none() {
        let help = "write \"ir\": \"parlor-ir/1\", so that a later engine knows how to read it";
        findings.warn("version", root.at, "the ruleset does not say which language it is in", help);
    }
    unused::declarations(root, findings);
    flow::ruleset(root, program, findings);
}

/// Does something with every value inside a node, with its way down.
fn each(node: &Node, findings: &mut Findings, look: &mut dyn FnMut(&Node, &mut Findings)) {
    look(node, findings);
    for (key, inner) in node.fields() {
        findings.enter(&key.name);
        each(inner, findings, look);
        findings.leave();
    }
    for (n, inner) in node.items().iter().enumerate() {
        findings.enter(n);
        each(inner, findings, look);
        findings.leave();
    }
}
