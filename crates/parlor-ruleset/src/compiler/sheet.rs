//! The sheet: what never changes at a table of this ruleset, in the author's words, for whoever draws it.
//!
//! Nothing in it means anything to the rules. It holds no secret: everybody may read the ruleset.

use std::collections::BTreeMap;

use parlor_core::Json;
use serde_json::json;

use crate::language::Node;
use crate::machine::program::{Program, See, Ty};
use crate::screen::{
    AttrDef, CardDef, Labels, Named, Owner, PhaseDef, SeenBy, Sheet, StepDef, VarDef, Words, ZoneDef,
};

/// What a zone is to a screen, where its author does not say.
fn role(node: &Node, see: See, ordered: bool) -> &str {
    match node.get("role").and_then(Node::as_text) {
        Some(role) => role,
        None if see == See::Owner => "hand",
        None if see == See::None && ordered => "deck",
        None => "row",
    }
}

/// Something with a name: its label, and whatever else the author says for screens.
fn named(id: &str, node: Option<&Node>) -> Named {
    let said = |name: &str| node.and_then(|node| node.get(name));
    let text = |name: &str| said(name).and_then(Node::as_text).map(str::to_owned);
    let label = said("label").or_else(|| said("name")).and_then(Node::as_text);
    Named {
        id: id.to_owned(),
        label: label.map(str::to_owned),
        text: text("text"),
        ui: said("ui").map(Node::plain),
    }
}

fn owner(per_player: bool) -> Owner {
    if per_player { Owner::Player } else { Owner::Game }
}

fn kind(program: &Program, ty: Ty) -> String {
    match ty {
        Ty::Bool => "bool".to_owned(),
        Ty::Int => "int".to_owned(),
        Ty::Enum(n) => program.enums[n].name.clone(),
        _ => "thing".to_owned(),
    }
}

fn value(program: &Program, ty: Ty, value: i64) -> Option<Json> {
    match ty {
        Ty::Bool => Some(json!(value != 0)),
        Ty::Int => Some(json!(value)),
        Ty::Enum(n) => {
            let values = &program.enums.get(n.index())?.values;
            Some(json!(values.get(usize::try_from(value).ok()?)?))
        }
        _ => None,
    }
}

/// Builds the sheet of a ruleset that was compiled.
pub(super) fn of(program: &Program, root: &Node) -> Sheet {
    let part = |section: &str, id: &str| root.get(section).and_then(|section| section.get(id));
    let of_section = |section: &str, id: &str| named(id, part(section, id));
    let attributes = program
        .attrs
        .iter()
        .map(|attr| AttrDef { named: of_section("attributes", &attr.name), ty: kind(program, attr.ty) });
    let vars = program.vars.iter().map(|var| {
        let node = part("vars", &var.name).or_else(|| part("resources", &var.name));
        VarDef { named: named(&var.name, node), owner: owner(var.per_player), ty: kind(program, var.ty) }
    });
    let counters = program.counters.iter().map(|(name, _)| of_section("counters", name));
    let keywords = program.keywords.iter().map(|name| of_section("keywords", name));
    let labelled = program.enums.iter().filter(|def| def.values != def.labels && !def.labels.is_empty());
    let enums = labelled.map(|def| {
        let labels = def.values.iter().cloned().zip(def.labels.iter().cloned());
        (def.name.clone(), Labels(labels.collect()))
    });
    let cards = program
        .cards
        .iter()
        .map(|card| (card.name.clone(), printed(program, card, part("cards", &card.name))));
    let actions = program.actions.iter().map(|action| Named {
        id: action.id.clone(),
        label: Some(action.name.clone()),
        text: Some(action.description.clone()),
        ui: Some(action.ui.clone()),
    });
    let events = program.events.iter().filter_map(|event| {
        let node = part("events", &event.name).filter(|node| node.get("ui").is_some())?;
        Some(named(&event.name, Some(node)))
    });
    Sheet {
        ruleset: program.id.clone(),
        name: program.name.clone(),
        version: program.version.clone(),
        text: root.get("description").and_then(Node::as_text).map(str::to_owned),
        zones: zones(program, root),
        attributes: attributes.collect(),
        vars: vars.collect(),
        counters: counters.collect(),
        keywords: keywords.collect(),
        enums: enums.collect(),
        phases: phases(program, root),
        cards: cards.collect(),
        actions: actions.collect(),
        events: events.collect(),
        words: root.get("words").map(words),
    }
}

fn zones(program: &Program, root: &Node) -> Vec<ZoneDef> {
    let def = |zone: &crate::machine::program::ZoneDef| {
        let node = root.get("zones").and_then(|zones| zones.get(&zone.name));
        let see = match zone.see {
            See::All => SeenBy::All,
            See::Owner => SeenBy::Owner,
            See::None => SeenBy::None,
        };
        ZoneDef {
            named: named(&zone.name, node),
            owner: owner(zone.per_player),
            ordered: zone.ordered,
            see,
            role: node.map_or("row", |node| role(node, zone.see, zone.ordered)).to_owned(),
        }
    };
    program.zones.iter().map(def).collect()
}

/// What is said in other languages. The checker lets nothing but texts into it.
fn words(node: &Node) -> BTreeMap<String, Words> {
    let said = |node: &Node| -> Words {
        let texts = node.fields().iter();
        Words(texts.filter_map(|(key, text)| Some((key.name.clone(), text.as_text()?.to_owned()))).collect())
    };
    node.fields().iter().map(|(language, node)| (language.name.clone(), said(node))).collect()
}

/// What is printed on a card.
fn printed(program: &Program, card: &crate::machine::program::CardDef, node: Option<&Node>) -> CardDef {
    let plain = |name: &str| node.and_then(|node| node.get(name)).map(Node::plain);
    let said = |name: &str| node.is_none_or(|node| node.get(name).is_some());
    let attrs = program
        .attrs
        .iter()
        .zip(&card.attrs)
        // What a card does not say is not printed on it: a default is no news.
        .filter(|(attr, _)| said(&attr.name))
        .filter_map(|(attr, n)| Some((attr.name.clone(), value(program, attr.ty, *n)?)));
    let keywords = program.keywords.iter().enumerate().filter(|(n, _)| card.keywords & 1 << n != 0);
    let keywords: Vec<String> = keywords.map(|(_, name)| name.clone()).collect();
    CardDef {
        title: card.title.clone(),
        text: plain("text"),
        ui: plain("ui"),
        attrs: attrs.collect(),
        keywords: (!keywords.is_empty()).then_some(keywords),
    }
}

/// Phases with their steps; a step says whether players may act in it.
fn phases(program: &Program, root: &Node) -> Vec<PhaseDef> {
    use crate::machine::program::{PHASES, STEPS};
    let written = root.get("turnStructure").and_then(|turn| turn.get("phases")).map_or(&[][..], Node::items);
    let of_id = |nodes: &'_ [Node], id: &str| -> Option<usize> {
        nodes.iter().position(|node| node.get("id").and_then(Node::as_text) == Some(id))
    };
    let phases = program.enums[PHASES].values.iter().enumerate().map(|(n, id)| {
        let node = of_id(written, id).map(|place| &written[place]);
        let inner = node.and_then(|node| node.get("steps")).map_or(&[][..], Node::items);
        let steps = program
            .steps
            .iter()
            .zip(&program.enums[STEPS].values)
            .filter(|(step, _)| step.phase.index() == n);
        let steps = steps.map(|(step, id)| StepDef {
            named: named(id, of_id(inner, id).map(|place| &inner[place])),
            window: step.empty,
        });
        PhaseDef { named: named(id, node), steps: steps.collect() }
    });
    phases.collect()
}
