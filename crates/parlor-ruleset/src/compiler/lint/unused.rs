//! Declared, and never spoken of.

use std::collections::BTreeSet;

use crate::language::{Findings, Node, Value};

/// Sections whose keys are names, and what each is called.
const DECLARED: [(&str, &str); 10] = [
    ("zones", "zone"),
    ("vars", "variable"),
    ("resources", "resource"),
    ("enums", "enum"),
    ("attributes", "attribute"),
    ("counters", "counter"),
    ("keywords", "keyword"),
    ("events", "event"),
    ("config", "knob"),
    ("constants", "constant"),
];

/// Sections that speak of nothing the rules need.
const ASIDE: [&str; 7] = ["tests", "ui", "words", "metadata", "description", "name", "author"];

/// Zones that are meant without being named: where abilities work, where cards go that came to nothing, and where a
/// `draw` goes from and to.
const MEANT: [&str; 4] = ["battlefield", "graveyard", "deck", "hand"];

pub(super) fn declarations(root: &Node, findings: &mut Findings) {
    let mut used = BTreeSet::new();
    for (key, node) in root.fields().iter().filter(|(key, _)| !ASIDE.contains(&key.name.as_str())) {
        if DECLARED.iter().any(|(section, _)| *section == key.name) {
            node.fields().iter().for_each(|(_, inner)| words(inner, &mut used));
        } else {
            words(node, &mut used);
        }
    }
    let (mut vars, mut enums) = (BTreeSet::new(), BTreeSet::new());
    for (_, node) in root.fields().iter().filter(|(key, _)| !ASIDE.contains(&key.name.as_str())) {
        variables(node, &mut vars);
        types(node, &mut enums);
    }
    // Fields of events have their types without `type`.
    for (_, event) in root.get("events").map_or(&[][..], Node::fields) {
        let fields = event.get("fields").unwrap_or(event).fields();
        enums.extend(fields.iter().filter_map(|(_, ty)| ty.as_text()).map(|ty| ty.trim_end_matches('?')));
    }
    for (section, what) in DECLARED {
        let Some(node) = root.get(section) else { continue };
        findings.enter(section);
        for (key, _) in node.fields() {
            // What the engine itself adds for the document's forms stands where the ruleset begins.
            let own = key.at != root.at && !key.name.starts_with("//");
            let meant = section == "zones" && MEANT.contains(&key.name.as_str());
            let spoken = match section {
                "vars" | "resources" => vars.contains(key.name.as_str()),
                "enums" => enums.contains(key.name.as_str()),
                _ => used.contains(key.name.as_str()),
            };
            if own && !meant && !spoken {
                findings.enter(&key.name);
                let message = format!("nothing speaks of the {what} {}", key.name);
                findings.warn("unused", key.at, message, "use it, or leave it out");
                findings.leave();
            }
        }
        findings.leave();
    }
}

/// Every word inside a node: texts with their parts, and the names of fields.
fn words<'n>(node: &'n Node, used: &mut BTreeSet<&'n str>) {
    if let Value::Text(text) = &node.value {
        used.extend(parts(text));
    }
    for (key, inner) in node.fields() {
        used.extend(parts(&key.name));
        words(inner, used);
    }
    node.items().iter().for_each(|inner| words(inner, used));
}

/// Variables are spoken of under `var`, and by the `of` of another's bar: something else may have the same name.
fn variables<'n>(node: &'n Node, used: &mut BTreeSet<&'n str>) {
    for (key, inner) in node.fields() {
        if key.name == "var" {
            used.extend(inner.as_text());
            used.extend(inner.items().last().and_then(Node::as_text));
        }
        if key.name == "ui" {
            used.extend(inner.get("of").and_then(Node::as_text));
        }
        if key.name == "prompt" {
            used.extend(crate::compiler::translations::holes(inner.as_text().unwrap_or_default()));
        }
        variables(inner, used);
    }
    node.items().iter().for_each(|inner| variables(inner, used));
}

/// Enums are spoken of as types, as what is chosen from, and as what a deck is a product of.
fn types<'n>(node: &'n Node, used: &mut BTreeSet<&'n str>) {
    let ty = |node: &'n Node| {
        let text = node.as_text()?.trim_end_matches('?');
        Some(text.strip_prefix("enum:").unwrap_or(text))
    };
    if let Some(text) = node.as_text().and_then(|text| text.strip_prefix("enum:")) {
        used.insert(text.trim_end_matches('?'));
    }
    for (key, inner) in node.fields() {
        match key.name.as_str() {
            "type" | "enum" => used.extend(ty(inner)),
            "product" => used.extend(inner.items().iter().filter_map(ty)),
            _ => {}
        }
        types(inner, used);
    }
    node.items().iter().for_each(|inner| types(inner, used));
}

/// `enum:suit` speaks of `suit`, the row `attack,none` of `attack`, `others:p` of `p`.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    std::iter::once(text).chain(text.split([':', ',', '.', '?', '|']).map(str::trim))
}
