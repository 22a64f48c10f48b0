//! The document's own JSON, rewritten into the language before it is compiled. Places stay where they were.
//!
//! The document writes actions as a list of objects with `preconditions`, `costs`, `targets` and `effects`, each of them
//! an object with an `op`. They become actions of the language; whatever an op needs and the ruleset does not declare
//! (an attribute `power`, an event `Damaged`, …) comes from a small library, so that the document's blocks play as they
//! stand (R12).

use super::syntax::{Key, Node, Value};

/// Names that the document's ops need, as the language declares them. A ruleset's own declarations go first.
const LIBRARY: &str = r#"{
  "attributes": {
    "cost": {"type": "int"},
    "power": {"type": "int", "layer": "stat"},
    "toughness": {"type": "int", "layer": "stat"},
    "damage": {"type": "int", "default": 0, "resetOn": "turnEnd"},
    "tapped": {"type": "bool", "default": false}
  },
  "resources": {"mana": {"owner": "player", "default": 10}},
  "events": {
    "CombatResolved": {"attacker": "entity", "defender": "thing", "damage": "int"},
    "Damaged": {"target": "thing", "amount": "int", "source": "entity",
      "do": [{"if": [{"isEntity": {"ev": "target"}}, [{"setAttr": {"of": {"ev": "target"}, "attr": "damage",
        "to": {"+": [{"attr": [{"ev": "target"}, "damage"]}, {"ev": "amount"}]}}}]]}]},
    "AbilityResolved": {"source": "entity", "ability": "ability"}
  }
}"#;

/// Rewrites the forms of the document.
#[must_use]
pub(crate) fn desugar(root: Node, edition: u8) -> Node {
    manipulations(document(root, edition))
}

/// What may be dragged is an action like any other: this card, from this zone to that one.
fn manipulations(root: Node) -> Node {
    let added: Vec<(Key, Node)> =
        root.get("manipulations").map_or(&[][..], Node::items).iter().filter_map(manipulation).collect();
    let Node { at, value: Value::Map(mut fields) } = root else { return root };
    if added.is_empty() {
        return Node::new(at, Value::Map(fields));
    }
    match fields.iter_mut().find(|(key, _)| key.name == "actions") {
        Some((_, Node { value: Value::Map(own), .. })) => own.extend(added),
        Some(_) => {}
        None => fields.push((Key { at, name: "actions".to_owned() }, Node::new(at, Value::Map(added)))),
    }
    Node::new(at, Value::Map(fields))
}

fn manipulation(node: &Node) -> Option<(Key, Node)> {
    let at = node.at;
    let (from, to) = (node.get("from")?, node.get("to")?);
    let (from_name, to_name) = (from.as_text()?, to.as_text()?);
    let mut cards = vec![("zones", Node::list(at, vec![from.clone()])), ("of", Node::text(at, "you"))];
    if let Some(when) = node.get("when") {
        cards.push(("where", when.clone()));
    }
    let target = Node::map(at, vec![("id", Node::text(at, "card")), ("from", Node::map(at, cards))]);
    let moved = vec![("what", Node::text(at, "card")), ("to", to.clone()), ("by", Node::text(at, "you"))];
    let fields = vec![
        ("name", Node::text(at, format!("Move from {from_name} to {to_name}"))),
        ("timing", Node::text(at, "instant")),
        ("targets", Node::list(at, vec![target])),
        ("do", Node::list(at, vec![Node::map(at, vec![("move", Node::map(at, moved))])])),
    ];
    Some((Key { at, name: format!("drag_{from_name}_{to_name}") }, Node::map(at, fields)))
}

/// The document's list of actions.
fn document(root: Node, edition: u8) -> Node {
    let listed = root.get("actions").is_some_and(|actions| matches!(actions.value, Value::List(_)));
    if !listed {
        return root;
    }
    let Node { at, value } = root;
    let Value::Map(fields) = value else { return Node { at, value } };
    let events = fields.iter().find(|(key, _)| key.name == "events").map(|(_, node)| node);
    let combat = events.and_then(|events| events.get("CombatResolved"));
    let told =
        |name: &str| combat.is_some_and(|combat| combat.get("fields").unwrap_or(combat).get(name).is_some());
    let style = Style { ids: told("attackerId") && told("defenderId"), unhurt: edition == 1 };
    let mut fields: Vec<(Key, Node)> = fields
        .into_iter()
        .map(|(key, node)| if key.name == "actions" { (key, actions(node, style)) } else { (key, node) })
        .collect();
    if let Ok(library) = super::syntax::read(LIBRARY) {
        for (section, wanted) in library.fields() {
            add_missing(&mut fields, at, &section.name, wanted);
        }
    }
    Node::new(at, Value::Map(fields))
}

/// What the document's ops become.
#[derive(Clone, Copy)]
struct Style {
    /// Combat is told with `attackerId` and `defenderId`, as the document and the ruleset's own event have it.
    ids: bool,
    /// Whoever is hit with nothing is told to be damaged by 0.
    unhurt: bool,
}

/// Adds what a section does not declare itself.
fn add_missing(fields: &mut Vec<(Key, Node)>, at: u32, section: &str, wanted: &Node) {
    let declared_elsewhere = |name: &str, fields: &[(Key, Node)]| {
        ["vars", "resources"].contains(&section)
            && fields
                .iter()
                .filter(|(key, _)| key.name == "vars" || key.name == "resources")
                .any(|(_, node)| node.get(name).is_some())
    };
    let missing: Vec<(Key, Node)> = wanted
        .fields()
        .iter()
        .filter(|(key, _)| !declared_elsewhere(&key.name, fields))
        .map(|(key, node)| (Key { at, name: key.name.clone() }, moved(node, at)))
        .collect();
    match fields.iter_mut().find(|(key, _)| key.name == section) {
        Some((_, Node { value: Value::Map(own), .. })) => {
            for (key, node) in missing {
                if !own.iter().any(|(other, _)| other.name == key.name) {
                    own.push((key, node));
                }
            }
        }
        Some(_) => {}
        None => fields.push((Key { at, name: section.to_owned() }, Node::new(at, Value::Map(missing)))),
    }
}

/// The same value, all of it at one place.
fn moved(node: &Node, at: u32) -> Node {
    Node::of(at, &node.plain())
}

fn actions(list: Node, style: Style) -> Node {
    let at = list.at;
    let Value::List(items) = list.value else { return list };
    let mut fields = Vec::new();
    for (n, item) in items.into_iter().enumerate() {
        let id = item.get("id").and_then(Node::as_text).map_or_else(|| format!("action{n}"), str::to_owned);
        fields.push((Key { at: item.at, name: id }, action(&item, style)));
    }
    Node::new(at, Value::Map(fields))
}

fn action(item: &Node, style: Style) -> Node {
    let at = item.at;
    let mut fields: Vec<(Key, Node)> = Vec::new();
    let mut put = |name: &str, node: Node| fields.push((Key { at: node.at, name: name.to_owned() }, node));
    for (key, node) in item.fields() {
        match key.name.as_str() {
            "id" => {}
            "preconditions" => {
                let parts: Vec<Node> = node.items().iter().filter_map(precondition).collect();
                put("when", Node::map(node.at, vec![("and", Node::list(node.at, parts))]));
            }
            "costs" => put("costs", Node::list(node.at, node.items().iter().map(cost).collect())),
            "targets" => put("targets", Node::list(node.at, node.items().iter().map(target).collect())),
            "effects" => {
                let all = node.items().iter().flat_map(|effect| effects(effect, style));
                put("do", Node::list(node.at, all.collect()));
            }
            "ui_metadata" => put("ui", node.clone()),
            _ => put(&key.name, node.clone()),
        }
    }
    let activates = item.get("effects").is_some_and(|effects| {
        effects
            .items()
            .iter()
            .any(|effect| effect.get("op").and_then(Node::as_text) == Some("execute_ability"))
    });
    if activates {
        fields.push((Key { at, name: "spread".to_owned() }, Node::text(at, "ability")));
    }
    Node::new(at, Value::Map(fields))
}

fn op(node: &Node) -> &str {
    node.get("op").and_then(Node::as_text).unwrap_or("")
}

fn operand(node: &Node, name: &str) -> Node {
    node.get(name).map_or_else(|| Node::new(node.at, Value::Null), value)
}

/// `{"ref": "card.cost"}` is an attribute of a target, `{"ref": "abilityId"}` a name.
fn value(node: &Node) -> Node {
    let Some(name) = node.get("ref").and_then(Node::as_text) else { return node.clone() };
    match name.split_once('.') {
        Some((of, attr)) => Node::map(
            node.at,
            vec![("attr", Node::list(node.at, vec![Node::text(node.at, of), Node::text(node.at, attr)]))],
        ),
        None => Node::text(node.at, name),
    }
}

fn pair(at: u32, name: &str, a: Node, b: Node) -> Node {
    Node::map(at, vec![(name, Node::list(at, vec![a, b]))])
}

/// A variable of the acting player.
fn mine(at: u32, name: Node) -> Node {
    Node::map(at, vec![("var", Node::list(at, vec![Node::text(at, "you"), name]))])
}

fn precondition(node: &Node) -> Option<Node> {
    let at = node.at;
    let of = |name: &str| operand(node, name);
    Some(match op(node) {
        "has_resource" => pair(at, ">=", mine(at, of("resource")), of("atLeast")),
        "in_zone" => pair(at, "inZone", of("target"), of("zone")),
        "phase_allows" => {
            let phase = Node::map(at, vec![("inPhase", of("phase"))]);
            let active = Node::map(at, vec![("isActive", Node::text(at, "you"))]);
            let mut parts = vec![phase, active];
            if node.get("step").is_some() {
                parts.push(Node::map(at, vec![("inStep", of("step"))]));
            }
            Node::map(at, vec![("and", Node::list(at, parts))])
        }
        "can_attack" => pair(
            at,
            ">",
            pair(at, "attr", of("target"), Node::text(at, "power")),
            Node::new(at, Value::Int(0)),
        ),
        "not_tapped" => {
            let tapped = pair(at, "attr", of("target"), Node::text(at, "tapped"));
            Node::map(at, vec![("not", tapped)])
        }
        "has_ability" => pair(at, "hasAbility", of("target"), of("ability")),
        // Whether an ability can be activated is what its own `when` and costs say.
        "can_activate" => return None,
        "zone_contains" => {
            let zone = Node::map(
                at,
                vec![("zones", Node::list(at, vec![of("zone")])), ("of", Node::text(at, "you"))],
            );
            pair(at, ">=", Node::map(at, vec![("count", zone)]), of("min"))
        }
        "card_has_property" => {
            pair(at, "==", pair(at, "attr", Node::text(at, "self"), of("property")), of("value"))
        }
        // No op of the document: an expression of the language, or a mistake that the compiler names.
        "" => node.clone(),
        other => Node::map(at, vec![(other, node.clone())]),
    })
}

fn cost(node: &Node) -> Node {
    let at = node.at;
    match op(node) {
        "pay_resource" => {
            let var = Node::list(at, vec![Node::text(at, "you"), operand(node, "resource")]);
            Node::map(
                at,
                vec![("pay", Node::map(at, vec![("var", var), ("amount", operand(node, "amount"))]))],
            )
        }
        "pay_ability_cost" => Node::map(at, vec![("payAbility", Node::new(at, Value::Bool(true)))]),
        "tap" => set_tapped(at, operand(node, "target")),
        "" => node.clone(),
        other => Node::map(at, vec![(other, node.clone())]),
    }
}

fn set_tapped(at: u32, of: Node) -> Node {
    let fields =
        vec![("of", of), ("attr", Node::text(at, "tapped")), ("to", Node::new(at, Value::Bool(true)))];
    Node::map(at, vec![("setAttr", Node::map(at, fields))])
}

fn target(node: &Node) -> Node {
    let Value::Map(fields) = &node.value else { return node.clone() };
    let fields = fields.iter().map(|(key, inner)| {
        if key.name == "selector" {
            (Key { at: key.at, name: "from".to_owned() }, selector(inner))
        } else {
            (key.clone(), inner.clone())
        }
    });
    Node::new(node.at, Value::Map(fields.collect()))
}

/// `{zone, controller, count}`.
fn selector(node: &Node) -> Node {
    let at = node.at;
    let Value::Map(fields) = &node.value else { return node.clone() };
    let mut out = Vec::new();
    for (key, inner) in fields {
        match key.name.as_str() {
            "zone" => out.push((
                Key { at: key.at, name: "zones".to_owned() },
                Node::list(inner.at, vec![inner.clone()]),
            )),
            "controller" => {
                let who =
                    if inner.as_text() == Some("self") { Node::text(inner.at, "you") } else { inner.clone() };
                out.push((Key { at: key.at, name: "of".to_owned() }, who));
            }
            // One is what a target is; any other number is named by the compiler.
            "count" if inner.as_int() == Some(1) => {}
            _ => out.push((key.clone(), inner.clone())),
        }
    }
    Node::new(at, Value::Map(out))
}

fn effects(node: &Node, style: Style) -> Vec<Node> {
    let at = node.at;
    let of = |name: &str| operand(node, name);
    match op(node) {
        "move_zone" | "move_card" => {
            let fields = vec![("what", of("target")), ("to", of("to")), ("by", Node::text(at, "you"))];
            vec![Node::map(at, vec![("move", Node::map(at, fields))])]
        }
        "declare_attack" => declare_attack(at, &of("attacker"), &of("defender"), style),
        "execute_ability" => {
            let payload = vec![("source", of("source")), ("ability", of("ability"))];
            let told =
                vec![("event", Node::text(at, "AbilityResolved")), ("payload", Node::map(at, payload))];
            vec![
                Node::map(at, vec![("executeAbility", Node::new(at, Value::Bool(true)))]),
                Node::map(at, vec![("emit", Node::map(at, told))]),
            ]
        }
        "gain_resource" => {
            let var = Node::list(at, vec![Node::text(at, "you"), of("resource")]);
            vec![Node::map(at, vec![("add", Node::map(at, vec![("var", var), ("by", of("amount"))]))])]
        }
        "deal_damage" => {
            let payload = vec![("target", of("target")), ("amount", of("amount"))];
            let told = vec![("event", Node::text(at, "Damaged")), ("payload", Node::map(at, payload))];
            vec![Node::map(at, vec![("emit", Node::map(at, told))])]
        }
        "" => vec![node.clone()],
        other => vec![Node::map(at, vec![(other, node.clone())])],
    }
}

/// The attacker is tapped, combat is told, and both deal their damage at once; who has no power deals none.
fn declare_attack(at: u32, attacker: &Node, defender: &Node, style: Style) -> Vec<Node> {
    let power = |of: &Node| pair(at, "attr", of.clone(), Node::text(at, "power"));
    let emit = |event: &str, payload: Vec<(&str, Node)>| {
        let fields = vec![("event", Node::text(at, event)), ("payload", Node::map(at, payload))];
        Node::map(at, vec![("emit", Node::map(at, fields))])
    };
    let hit = |target: &Node, by: &Node| {
        let payload = vec![("target", target.clone()), ("amount", power(by)), ("source", by.clone())];
        let told = emit("Damaged", payload);
        if style.unhurt {
            return told;
        }
        let hurts = pair(at, ">", power(by), Node::new(at, Value::Int(0)));
        pair(at, "if", hurts, Node::list(at, vec![told]))
    };
    let (one, other) = if style.ids { ("attackerId", "defenderId") } else { ("attacker", "defender") };
    let combat = vec![(one, attacker.clone()), (other, defender.clone()), ("damage", power(attacker))];
    vec![
        set_tapped(at, attacker.clone()),
        emit("CombatResolved", combat),
        Node::map(
            at,
            vec![("batch", Node::list(at, vec![hit(defender, attacker), hit(attacker, defender)]))],
        ),
    ]
}
