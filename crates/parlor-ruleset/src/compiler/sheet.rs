//! The sheet: what never changes at a table of this ruleset, in the author's words, for whoever draws it.
//!
//! Nothing in it means anything to the rules. It holds no secret: everybody may read the ruleset.

use parlor_core::Json;
use serde_json::{Map, json};

use crate::language::Node;
use crate::machine::program::{Program, See, Ty};

/// What a zone is to a screen, where its author does not say.
fn role(node: &Node, see: See, ordered: bool) -> &str {
    match node.get("role").and_then(Node::as_text) {
        Some(role) => role,
        None if see == See::Owner => "hand",
        None if see == See::None && ordered => "deck",
        None => "row",
    }
}

/// An entry for something with a name: its label, and whatever else the author says for screens.
fn entry(id: &str, node: Option<&Node>) -> Map<String, Json> {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(id));
    let said = |name: &str| node.and_then(|node| node.get(name));
    let label = said("label").or_else(|| said("name")).and_then(Node::as_text);
    if let Some(label) = label {
        map.insert("label".to_owned(), json!(label));
    }
    if let Some(text) = said("text").and_then(Node::as_text) {
        map.insert("text".to_owned(), json!(text));
    }
    if let Some(ui) = said("ui") {
        map.insert("ui".to_owned(), ui.plain());
    }
    map
}

fn list<'a>(names: impl Iterator<Item = (&'a str, Option<&'a Node>, Json)>) -> Json {
    let full = names.map(|(id, node, more)| {
        let mut map = entry(id, node);
        if let Json::Object(more) = more {
            map.extend(more);
        }
        Json::Object(map)
    });
    Json::Array(full.collect())
}

fn kind(program: &Program, ty: Ty) -> Json {
    match ty {
        Ty::Bool => json!("bool"),
        Ty::Int => json!("int"),
        Ty::Enum(n) => json!(program.enums.get(usize::from(n)).map(|def| &def.name)),
        _ => json!("thing"),
    }
}

fn value(program: &Program, ty: Ty, value: i64) -> Option<Json> {
    match ty {
        Ty::Bool => Some(json!(value != 0)),
        Ty::Int => Some(json!(value)),
        Ty::Enum(n) => {
            let values = &program.enums.get(usize::from(n))?.values;
            Some(json!(values.get(usize::try_from(value).ok()?)?))
        }
        _ => None,
    }
}

/// Builds the sheet of a ruleset that was compiled.
pub(super) fn of(program: &Program, root: &Node) -> Json {
    let part = |section: &str, id: &str| root.get(section).and_then(|section| section.get(id));
    let owner = |per_player: bool| if per_player { "player" } else { "game" };
    let see = |see: See| match see {
        See::All => "all",
        See::Owner => "owner",
        See::None => "none",
    };
    let zones = program.zones.iter().map(|zone| {
        let node = part("zones", &zone.name);
        let role = node.map_or("row", |node| role(node, zone.see, zone.ordered));
        let more = json!({"owner": owner(zone.per_player), "ordered": zone.ordered, "see": see(zone.see), "role": role});
        (zone.name.as_str(), node, more)
    });
    let attributes = program.attrs.iter().map(|attr| {
        (attr.name.as_str(), part("attributes", &attr.name), json!({"type": kind(program, attr.ty)}))
    });
    let vars = program.vars.iter().map(|var| {
        let node = part("vars", &var.name).or_else(|| part("resources", &var.name));
        (var.name.as_str(), node, json!({"owner": owner(var.per_player), "type": kind(program, var.ty)}))
    });
    let counters =
        program.counters.iter().map(|(name, _)| (name.as_str(), part("counters", name), Json::Null));
    let keywords = program.keywords.iter().map(|name| (name.as_str(), part("keywords", name), Json::Null));
    let enums: Map<String, Json> = program
        .enums
        .iter()
        .filter(|def| def.values != def.labels && !def.labels.is_empty())
        .map(|def| {
            let labels = def.values.iter().cloned().zip(def.labels.iter().map(|label| json!(label)));
            (def.name.clone(), Json::Object(labels.collect()))
        })
        .collect();
    let cards: Map<String, Json> = program
        .cards
        .iter()
        .map(|card| (card.name.clone(), printed(program, card, part("cards", &card.name))))
        .collect();
    let actions = program.actions.iter().map(|action| {
        let more = json!({"label": action.name, "text": action.description, "ui": action.ui});
        (action.id.as_str(), None, more)
    });
    let events = program.events.iter().filter_map(|event| {
        let node = part("events", &event.name)?;
        node.get("ui").map(|_| (event.name.as_str(), Some(node), Json::Null))
    });
    let mut sheet = json!({
        "ruleset": program.id,
        "name": program.name,
        "version": program.version,
        "text": root.get("description").and_then(Node::as_text),
        "zones": list(zones),
        "attributes": list(attributes),
        "vars": list(vars),
        "counters": list(counters),
        "keywords": list(keywords),
        "enums": enums,
        "phases": phases(program, root),
        "cards": cards,
        "actions": list(actions),
        "events": list(events),
    });
    if let Some(words) = root.get("words") {
        sheet["words"] = words.plain();
    }
    sheet
}

/// What is printed on a card.
fn printed(program: &Program, card: &crate::machine::program::CardDef, node: Option<&Node>) -> Json {
    let mut map = Map::new();
    map.insert("title".to_owned(), json!(card.title));
    for name in ["text", "ui"] {
        if let Some(said) = node.and_then(|node| node.get(name)) {
            map.insert(name.to_owned(), said.plain());
        }
    }
    let said = |name: &str| node.is_none_or(|node| node.get(name).is_some());
    let attrs: Map<String, Json> = program
        .attrs
        .iter()
        .zip(&card.attrs)
        // What a card does not say is not printed on it: a default is no news.
        .filter(|(attr, _)| said(&attr.name))
        .filter_map(|(attr, n)| Some((attr.name.clone(), value(program, attr.ty, *n)?)))
        .collect();
    map.insert("attrs".to_owned(), Json::Object(attrs));
    let keywords: Vec<&String> = program
        .keywords
        .iter()
        .enumerate()
        .filter(|(n, _)| card.keywords & 1 << n != 0)
        .map(|(_, name)| name)
        .collect();
    if !keywords.is_empty() {
        map.insert("keywords".to_owned(), json!(keywords));
    }
    Json::Object(map)
}

/// Phases with their steps; a step says whether players may act in it.
fn phases(program: &Program, root: &Node) -> Json {
    use crate::machine::program::{PHASES, STEPS};
    let written = root.get("turnStructure").and_then(|turn| turn.get("phases")).map_or(&[][..], Node::items);
    let named = |nodes: &'_ [Node], id: &str| -> Option<usize> {
        nodes.iter().position(|node| node.get("id").and_then(Node::as_text) == Some(id))
    };
    let phases = program.enums[usize::from(PHASES)].values.iter().enumerate().map(|(n, id)| {
        let node = named(written, id).map(|place| &written[place]);
        let inner = node.and_then(|node| node.get("steps")).map_or(&[][..], Node::items);
        let steps = program
            .steps
            .iter()
            .zip(&program.enums[usize::from(STEPS)].values)
            .filter(|(step, _)| usize::from(step.phase) == n);
        let steps = steps.map(|(step, id)| {
            (id.as_str(), named(inner, id).map(|place| &inner[place]), json!({"window": step.empty}))
        });
        (id.as_str(), node, json!({"steps": list(steps)}))
    });
    list(phases)
}
