//! What is never reached, never happens, or never runs.

use std::collections::BTreeSet;

use super::each;
use crate::language::{Findings, Node};
use crate::machine::program::Program;

pub(super) fn ruleset(root: &Node, program: &Program, findings: &mut Findings) {
    structure(root, program, findings);
    idle(root, program, findings);
    happens(root, program, findings);
    precedes(root, program, findings);
    acts(root, program, findings);
    super::played::nobody(root, program, findings);
    each(root, findings, &mut |node, findings| {
        for (op, bound) in [("loop", "max"), ("repeat", "n")] {
            let zero =
                node.get(op).and_then(|inner| inner.get(bound)).filter(|bound| bound.as_int() == Some(0));
            if let Some(zero) = zero {
                findings.enter(op);
                findings.warn(
                    "never",
                    zero.at,
                    format!("this {op} never runs"),
                    format!("its `{bound}` is 0"),
                );
                findings.leave();
            }
        }
    });
}

/// Whether nothing after these statements is reached.
pub(crate) fn ends(node: &Node) -> bool {
    const ENDS: [&str; 4] = ["break", "finish", "win", "drawGame"];
    if node.items().is_empty() && !node.fields().is_empty() {
        if ENDS.iter().any(|op| node.get(op).is_some()) {
            return true;
        }
        if let Some(inner) = node.get("do") {
            return ends(inner);
        }
        return match node.get("if").map_or(&[][..], Node::items) {
            [_, then, other] => ends(then) && ends(other),
            _ => false,
        };
    }
    node.items().iter().any(ends)
}

/// Steps after one that always ends the match, steps in which nothing can happen, windows in steps that are not there.
fn structure(root: &Node, program: &Program, findings: &mut Findings) {
    let Some(structure) = root.get("turnStructure") else { return };
    let spoken = spoken(root);
    findings.enter("turnStructure");
    let mut over = false;
    let mut n = 0;
    for (k, phase) in structure.get("phases").map_or(&[][..], Node::items).iter().enumerate() {
        for (m, step) in phase.get("steps").map_or(&[][..], Node::items).iter().enumerate() {
            let path = ["phases".to_owned(), k.to_string(), "steps".to_owned(), m.to_string()];
            path.iter().for_each(|step| findings.enter(step));
            let name = step.get("id").and_then(Node::as_text).unwrap_or("");
            if over {
                let help = "a step before it always ends the match";
                findings.warn("unreachable", step.at, format!("the step {name} is never reached"), help);
            }
            let acted = program.steps.get(n).is_some_and(|def| def.empty);
            let heard = spoken.contains(name) || spoken.contains("StepStart") || spoken.contains("StepEnd");
            if !acted && !heard && step.get("do").is_none() {
                let help = "give it a `do`, list it in priorityWindows, or leave it out";
                findings.warn("idle", step.at, format!("nothing can happen in the step {name}"), help);
            }
            over |= step.get("do").is_some_and(ends);
            n += 1;
            path.iter().for_each(|_| findings.leave());
        }
    }
    windows(structure, program, findings);
    findings.leave();
}

/// Steps of a flow in which nothing is done and nobody may ever act.
fn idle(root: &Node, program: &Program, findings: &mut Findings) {
    let spoken = spoken(root);
    let names = &program.enums[crate::machine::program::STEPS].values;
    for section in ["flow", "procs", "setup"] {
        let Some(node) = root.get(section) else { continue };
        findings.enter(section);
        each(node, findings, &mut |node, findings| {
            let Some(step) = node.get("step").filter(|step| step.get("do").is_none()) else { return };
            let Some(name) = step.get("id").and_then(Node::as_text) else { return };
            let def = names.iter().position(|other| other == name).and_then(|n| program.steps.get(n));
            let heard = spoken.contains(name) || spoken.contains("StepStart") || spoken.contains("StepEnd");
            if !heard && def.is_some_and(|def| !def.empty) {
                findings.enter("step");
                let help = "give it a `do`, let players act in it with \"priority\": true, or leave it out";
                findings.warn("idle", step.at, format!("nothing can happen in the step {name}"), help);
                findings.leave();
            }
        });
        findings.leave();
    }
}

fn windows(structure: &Node, program: &Program, findings: &mut Findings) {
    use crate::machine::program::{PHASES, STEPS};
    for (k, window) in structure.get("priorityWindows").map_or(&[][..], Node::items).iter().enumerate() {
        for (field, names) in [("phase", PHASES), ("step", STEPS)] {
            let names = &program.enums[names].values;
            let Some(named) = window.get(field) else { continue };
            let text = named.as_text().unwrap_or("?");
            if !names.iter().any(|name| name == text) {
                ["priorityWindows", &k.to_string(), field].iter().for_each(|step| findings.enter(step));
                findings.unknown(named.at, field, text, names.iter().map(String::as_str));
                (0..3).for_each(|_| findings.leave());
            }
        }
    }
}

/// Texts in rules, cards and actions: what somebody may react to or ask for.
fn spoken(root: &Node) -> BTreeSet<&str> {
    fn texts<'n>(node: &'n Node, out: &mut BTreeSet<&'n str>) {
        out.extend(node.as_text());
        // The document's `DrawStep.Start` speaks of every step.
        if node.as_text().is_some_and(|text| text.ends_with("Step.Start") || text.ends_with("Step.End")) {
            out.insert("StepStart");
        }
        node.fields().iter().for_each(|(_, inner)| texts(inner, out));
        node.items().iter().for_each(|inner| texts(inner, out));
    }
    let mut out = BTreeSet::new();
    for section in ["rules", "replaces", "cards", "keywords", "actions", "checks", "events", "procs"] {
        if let Some(node) = root.get(section) {
            texts(node, &mut out);
        }
    }
    out
}

/// Reactions to events that nothing lets happen.
fn happens(root: &Node, program: &Program, findings: &mut Findings) {
    let mut told: BTreeSet<String> =
        crate::compiler::engine_events().map(|(name, ..)| name.to_owned()).collect();
    told.extend(program.actions.iter().map(|action| program.events[action.event].name.clone()));
    let mut unlisted = Findings::default();
    each(root, &mut unlisted, &mut |node, _| {
        for op in ["emit", "push"] {
            let event = node.get(op).and_then(|inner| inner.get("event")).and_then(Node::as_text);
            told.extend(event.map(str::to_owned));
        }
    });
    for section in ["rules", "replaces", "cards", "keywords", "cannot"] {
        let Some(node) = root.get(section) else { continue };
        findings.enter(section);
        each(node, findings, &mut |node, findings| {
            let field = if node.get("on").is_some() { "on" } else { "when" };
            let pattern = node.get(field).filter(|on| !on.fields().is_empty());
            let named = pattern.unwrap_or(node);
            let word = if named.get("event").is_some() { "event" } else { "eventType" };
            let Some(event) = named.get(word) else { return };
            let reacts = pattern.is_some() || node.get("do").is_some() || node.get("instead").is_some();
            let Some(name) = event.as_text().filter(|_| reacts) else { return };
            let step = name.ends_with("Step.Start") || name.ends_with("Step.End");
            if !told.contains(name) && !step && program.events.iter().any(|event| event.name == name) {
                let way: &[&str] = if pattern.is_some() { &[field, word] } else { &[word] };
                way.iter().for_each(|step| findings.enter(step));
                let help = "let it happen with `emit` or `push`, or leave this out";
                findings.warn("never", event.at, format!("nothing lets {name} happen"), help);
                way.iter().for_each(|_| findings.leave());
            }
        });
        findings.leave();
    }
}

/// Reactions that would come before an event that never waits on the stack: only actions and what is pushed does.
fn precedes(root: &Node, program: &Program, findings: &mut Findings) {
    let mut waits: BTreeSet<String> =
        program.actions.iter().map(|action| program.events[action.event].name.clone()).collect();
    each(root, &mut Findings::default(), &mut |node, _| {
        let event = node.get("push").and_then(|inner| inner.get("event")).and_then(Node::as_text);
        waits.extend(event.map(str::to_owned));
    });
    each(root, findings, &mut |node, findings| {
        for field in ["on", "when"] {
            let Some(pattern) = node.get(field) else { continue };
            let Some(moment) = pattern.get("moment").filter(|moment| moment.as_text() == Some("before"))
            else {
                continue;
            };
            let named = pattern.get("event").or_else(|| pattern.get("eventType")).and_then(Node::as_text);
            let Some(name) = named.filter(|name| !waits.contains(*name)) else { continue };
            [field, "moment"].iter().for_each(|step| findings.enter(step));
            let help = "change or prevent it with `replaces`, or put it onto the stack with `push`";
            let message = format!("nothing can come before {name}: it never waits on the stack");
            findings.warn("never", moment.at, message, help);
            (0..2).for_each(|_| findings.leave());
        }
    });
}

/// Actions that need an empty stack in a step where nobody may act on one.
fn acts(root: &Node, program: &Program, findings: &mut Findings) {
    use crate::machine::program::STEPS;
    for (key, action) in root.get("actions").map_or(&[][..], Node::fields) {
        let Some(when) = action.get("when") else { continue };
        let and = when.get("and");
        let parts: Vec<&Node> = and.map_or_else(|| vec![when], |and| and.items().iter().collect());
        let empty = parts.iter().any(|part| part.get("stackEmpty").and_then(Node::as_bool) == Some(true));
        for (n, part) in parts.into_iter().enumerate() {
            let Some(name) = part.get("inStep").and_then(Node::as_text) else { continue };
            let step = program.enums[STEPS].values.iter().position(|step| step == name);
            let opens = step
                .and_then(|n| program.steps.get(n))
                .is_none_or(|step| step.empty || (step.stack && !empty));
            if !opens {
                let mut way = vec!["actions".to_owned(), key.name.clone(), "when".to_owned()];
                if and.is_some() {
                    way.extend(["and".to_owned(), n.to_string()]);
                }
                way.iter().for_each(|step| findings.enter(step));
                let message = format!("{} can never be done: nobody may act in the step {name}", key.name);
                findings.warn("never", part.at, message, "list the step in priorityWindows");
                way.iter().for_each(|_| findings.leave());
            }
        }
    }
}
