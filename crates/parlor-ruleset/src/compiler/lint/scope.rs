//! Why a name is not known where it is read.

use crate::language::diagnostics::Level;
use crate::language::{Finding, Findings, Node};

/// A place where a name is bound: the way down to the statement, target or loop that binds it.
struct Binder {
    path: Vec<String>,
    pointer: String,
}

/// Explains names that nobody knows by where they are bound.
pub(super) fn explain(root: &Node, findings: &mut Findings) {
    let unknown: Vec<(usize, String, bool)> = findings
        .list()
        .iter()
        .enumerate()
        .filter(|(_, finding)| !finding.help.as_deref().is_some_and(|help| help.contains("{\"answer\": [")))
        .filter_map(|(n, finding)| name_of(finding).map(|(name, answer)| (n, name, answer)))
        .collect();
    for (n, name, answer) in unknown {
        let mut binders = Vec::new();
        bound(root, &name, &mut Vec::new(), &mut binders);
        let used: Vec<String> = steps(&findings.list()[n].pointer);
        let Some((code, message, help)) = reason(&name, answer, &used, &binders) else { continue };
        let finding = &mut findings.list_mut()[n];
        (finding.code, finding.message, finding.help) = (code, message, Some(help));
    }
}

/// The name that a finding says nobody knows, and whether it is an answer's.
fn name_of(finding: &Finding) -> Option<(String, bool)> {
    let quoted = |what: &str| {
        let rest = finding.message.strip_prefix(&format!("there is no {what} '"))?;
        rest.strip_suffix('\'').map(str::to_owned)
    };
    (finding.code == "unknown" && finding.level == Level::Error).then_some(())?;
    quoted("name").map(|name| (name, false)).or_else(|| quoted("answer").map(|name| (name, true)))
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(str::to_owned).collect()
}

/// Everything that binds this name: `as` of statements, and targets by their `id`.
fn bound(node: &Node, name: &str, path: &mut Vec<String>, out: &mut Vec<Binder>) {
    let is = |field: &str| node.get(field).and_then(Node::as_text) == Some(name);
    let in_targets = path.len() >= 2 && path[path.len() - 2] == "targets";
    if is("as") || (is("id") && in_targets) {
        let pointer = path.iter().fold(String::new(), |all, step| all + "/" + step);
        out.push(Binder { path: path.clone(), pointer });
    }
    let escaped = |step: &str| step.replace('~', "~0").replace('/', "~1");
    for (key, inner) in node.fields() {
        path.push(escaped(&key.name));
        bound(inner, name, path, out);
        path.pop();
    }
    for (n, inner) in node.items().iter().enumerate() {
        path.push(n.to_string());
        bound(inner, name, path, out);
        path.pop();
    }
}

type Reason = (&'static str, String, String);

fn reason(name: &str, answer: bool, used: &[String], binders: &[Binder]) -> Option<Reason> {
    let read = if answer { format!("the answer '{name}'") } else { format!("'{name}'") };
    // The binder that is nearest to where the name is read explains best.
    let common = |binder: &&Binder| binder.path.iter().zip(used).take_while(|(a, b)| a == b).count();
    let binder = binders.iter().max_by_key(common)?;
    let shared = common(&binder);
    let at = &binder.pointer;
    if binder.path.iter().any(|step| step == "targets") && !same_owner(&binder.path, used) {
        let owner =
            binder.path.iter().take_while(|step| *step != "targets").cloned().collect::<Vec<_>>().join("/");
        let message = format!("{read} is a target of /{owner}, and not known here");
        let help = "targets are known in their own action alone: hand it on in the payload of an event";
        return Some(("target", message, help.to_owned()));
    }
    // Lists of anything but statements: what stands in two of their items has nothing to do with each other.
    const APART: [&str; 12] = [
        "rules",
        "replaces",
        "cannot",
        "triggers",
        "statics",
        "activated",
        "checks",
        "phases",
        "steps",
        "targets",
        "modes",
        "of",
    ];
    let holder = shared.checked_sub(1).and_then(|n| used.get(n)).map_or("", String::as_str);
    let number = |path: &[String]| {
        path.get(shared).filter(|_| !APART.contains(&holder)).and_then(|step| step.parse::<usize>().ok())
    };
    match (number(&binder.path), number(used)) {
        // In one list of statements: bound after it is read, or inside something before it.
        (Some(bound), Some(read_at)) if bound > read_at => {
            let word = if answer { "asked for" } else { "bound" };
            let message = format!("{read} is read before it is {word}");
            Some(("before", message, format!("it is {word} at {at}: move that up")))
        }
        (Some(bound), Some(read_at)) if bound < read_at => {
            let block = binder.path.get(shared + 1).map_or("block", String::as_str);
            let message = format!("{read} is not bound on every way to here");
            let help = format!(
                "it is bound inside the `{block}` at {at}: bind it before that with `let`, or read it inside"
            );
            Some(("path", message, help))
        }
        _ => {
            let message = format!("{read} is bound in another block");
            Some(("scope", message, format!("it is bound at {at}, and known only there")))
        }
    }
}

/// Whether two places are in the same action, card or trigger: names of targets are known there.
fn same_owner(target: &[String], used: &[String]) -> bool {
    let owner = target.iter().position(|step| step == "targets").unwrap_or(0);
    used.len() > owner && target[..owner] == used[..owner]
}
