//! Declared, and never spoken of.

use std::collections::BTreeSet;

use crate::ir::{Findings, Node, Value};

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

pub(super) fn declarations(root: &Node, f: &mut Findings) {
    let mut used = BTreeSet::new();
    for (key, node) in root.fields().iter().filter(|(key, _)| !ASIDE.contains(&key.name.as_str())) {
        if DECLARED.iter().any(|(section, _)| *section == key.name) {
            node.fields().iter().for_each(|(_, inner)| words(inner, &mut used));
        } else {
            words(node, &mut used);
        }
    }
    for (section, what) in DECLARED {
        let Some(node) = root.get(section) else { continue };
        f.enter(section);
        for (key, _) in node.fields() {
            // What the engine itself adds for the document's forms stands where the ruleset begins.
            let own = key.at != root.at && !key.name.starts_with("//");
            let meant = section == "zones" && MEANT.contains(&key.name.as_str());
            if own && !meant && !used.contains(key.name.as_str()) {
                f.enter(&key.name);
                let message = format!("nothing speaks of the {what} {}", key.name);
                f.warn("unused", key.at, message, "use it, or leave it out");
                f.leave();
            }
        }
        f.leave();
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

/// `enum:suit` speaks of `suit`, the row `attack,none` of `attack`, `others:p` of `p`.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    std::iter::once(text).chain(text.split([':', ',', '.', '?', '|']).map(str::trim))
}
