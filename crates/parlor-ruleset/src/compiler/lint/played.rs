//! Cards that a flow lays into a zone of the game without saying for whom, where the ruleset asks who played them: it
//! would be nobody.

use std::collections::BTreeSet;

use super::each;
use crate::language::{Findings, Node};
use crate::machine::program::Program;

/// Fields that say what a selection is taken from, or a loop goes through.
const SOURCES: [&str; 5] = ["zones", "zone", "from", "entities", "in"];

/// So many cards are looked for by their names, each in the whole file: a file may be made of nothing else.
const LOOKS_MAX: usize = 64;

/// The zones of whose cards `playedBy` is asked.
#[derive(Default)]
struct Asked<'n> {
    zones: BTreeSet<&'n str>,
    /// Of some card it cannot be said where it lies: it may be anywhere.
    anywhere: bool,
    /// How many cards were asked about.
    looks: usize,
}

pub(super) fn nobody(root: &Node, program: &Program, findings: &mut Findings) {
    let mut asked = Asked::default();
    look(root, root, program, &mut Vec::new(), &mut asked);
    if asked.zones.is_empty() && !asked.anywhere {
        return;
    }
    // What only actions call is done for whoever acts.
    let own = root.get("actions").is_none_or(|actions| actions.fields().is_empty());
    for section in ["flow", "turnStructure", "procs"].into_iter().filter(|name| own || *name != "procs") {
        let Some(node) = root.get(section) else { continue };
        findings.enter(section);
        each(node, findings, &mut |node, findings| {
            let Some(moved) = node.get("move").filter(|moved| moved.get("by").is_none()) else { return };
            let Some(to) = moved.get("to").and_then(Node::as_text) else { return };
            let shared = program.zones.iter().any(|zone| zone.name == to && !zone.per_player);
            if shared && (asked.anywhere || asked.zones.contains(to)) {
                findings.enter("move");
                let help = "say who plays it: \"by\": seat";
                findings.warn("by", moved.at, "for `playedBy` nobody has played this", help);
                findings.leave();
            }
        });
        findings.leave();
    }
}

/// Every `playedBy`, and where the card lies that it asks about: in a zone that its own words name, in one that the
/// selection around it looks at, or in one that its name was taken from.
fn look<'n>(
    root: &'n Node,
    node: &'n Node,
    program: &Program,
    around: &mut Vec<&'n Node>,
    asked: &mut Asked<'n>,
) {
    if let Some(of) = node.get("playedBy") {
        let mut zones = named(of, program);
        asked.looks += 1;
        if zones.is_empty() && asked.looks <= LOOKS_MAX {
            let of_source = |outer: &&'n Node| -> BTreeSet<&'n str> {
                SOURCES
                    .iter()
                    .filter_map(|field| outer.get(field))
                    .flat_map(|node| named(node, program))
                    .collect()
            };
            zones = match of.as_text() {
                Some("it") => {
                    around.iter().rev().map(of_source).find(|zones| !zones.is_empty()).unwrap_or_default()
                }
                Some(name) => bound(root, name, program),
                None => BTreeSet::new(),
            };
        }
        asked.anywhere |= zones.is_empty();
        asked.zones.extend(zones);
    }
    around.push(node);
    node.fields().iter().for_each(|(_, inner)| look(root, inner, program, around, asked));
    node.items().iter().for_each(|inner| look(root, inner, program, around, asked));
    around.pop();
}

/// The zones that a part of a ruleset names.
fn named<'n>(node: &'n Node, program: &Program) -> BTreeSet<&'n str> {
    let mut found = BTreeSet::new();
    let zone = node.as_text().filter(|text| program.zones.iter().any(|zone| zone.name == *text));
    found.extend(zone);
    node.fields().iter().for_each(|(_, inner)| found.extend(named(inner, program)));
    node.items().iter().for_each(|inner| found.extend(named(inner, program)));
    found
}

/// The zones out of which a name is bound. A card that somebody has picked is probably laid elsewhere since: of its name
/// nothing is known.
fn bound<'n>(node: &'n Node, name: &str, program: &Program) -> BTreeSet<&'n str> {
    let mut found = BTreeSet::new();
    if node.get("as").and_then(Node::as_text) == Some(name) {
        for field in ["to", "list", "entities", "in", "zones", "from"] {
            found.extend(node.get(field).map_or_else(BTreeSet::new, |node| named(node, program)));
        }
    }
    for (key, inner) in node.fields() {
        if key.name != "ask" {
            found.extend(bound(inner, name, program));
        }
    }
    node.items().iter().for_each(|inner| found.extend(bound(inner, name, program)));
    found
}
