//! Submissions of actions: in every form that the document has for them, and cards that are dragged.

use parlor_core::{AskId, DialectAction, DynGame, Fault, Json, Refusal, Seat};
use serde_json::{Map, json};

use super::{answer, own_seat};
use crate::game::RulesetGame;
use crate::game::request::{OFFER_TITLE, PASS_UNTIL, named};
use crate::limits::OPS_PER_LOOK_MAX;
use crate::machine::eval::Scratch;
use crate::machine::ids::{EntityId, ZoneId};
use crate::machine::program::{ActionDef, Expr, Op, Program, SelId};
use crate::machine::stack::window::Acting;
use crate::machine::state::Question;

/// Fields of a submission that are no targets.
const PLAIN: [&str; 14] = [
    "type",
    "actionType",
    "action_id",
    "params",
    "targets",
    "branchId",
    "inputId",
    "requestKey",
    "matchId",
    "playerId",
    "player_id",
    "metadata",
    "actionId",
    "clientSeq",
];

/// Reads a submission of an action in any of its forms (R6).
///
/// # Errors
/// `Unknown action`, `Invalid action` or `Invalid manipulation`; nothing has changed.
pub fn submit(game: &RulesetGame, seat: Seat, body: &Json) -> Result<DialectAction, Refusal> {
    let program = game.program();
    if !own_seat(seat, body) {
        return Err(Refusal::of("forbidden", "that is not your seat"));
    }
    let kind = body["type"].as_str().unwrap_or("");
    if kind == "direct_manipulation" {
        return manipulation(game, seat, body);
    }
    let id = if kind == "semantic" { body["action_id"].as_str().unwrap_or("") } else { kind };
    let title = game.request(seat, AskId(0)).title;
    if id == "pass" {
        return Ok(answer(body, json!({"title": title, "selection": {"action": "pass"}})));
    }
    if id == PASS_UNTIL {
        if body["inputId"].as_u64().is_none() {
            return Err(Refusal::of("invalid_message", "pass_until names the inputId of its offer"));
        }
        let mut said = body.clone();
        said["action"] = json!(PASS_UNTIL);
        return Ok(answer(body, json!({"title": OFFER_TITLE, "selection": said})));
    }
    let Some(def) = program.actions.iter().find(|action| action.id == id) else {
        return Err(Fault::new("unknown_action", "Unknown action").arg("action", id).into());
    };
    known_params(def, body)?;
    let mut targets = Map::new();
    let fill = |fields: &Map<String, Json>, targets: &mut Map<String, Json>| {
        for (name, value) in fields {
            if let Some(target) = name.strip_suffix("Id").filter(|_| !PLAIN.contains(&name.as_str())) {
                let first = def.targets.first().map(|target| target.name.clone());
                let fits = def.targets.iter().any(|other| other.name == target);
                let name = if target == "card" && !fits { first } else { Some(target.to_owned()) };
                targets.extend(name.map(|name| (name, value.clone())));
            }
        }
    };
    for part in [Some(body), body.get("params")].into_iter().flatten() {
        if let Some(fields) = part.as_object() {
            fill(fields, &mut targets);
        }
    }
    for source in [body["params"].get("targets"), body.get("targets")].into_iter().flatten() {
        for (name, value) in source.as_object().into_iter().flatten() {
            targets.insert(name.clone(), value.clone());
        }
    }
    let said = json!({"title": title, "selection": {"action": id, "targets": targets}});
    game.read(seat, AskId(0), &said).map_err(|refusal| invalid(&refusal))?;
    Ok(answer(body, said))
}

/// Refuses a parameter or a target that the action does not have, by its name.
fn known_params(def: &ActionDef, body: &Json) -> Result<(), Refusal> {
    let has_target = |name: &str| def.targets.iter().any(|target| target.name == name);
    let is_param = |name: &str| {
        PLAIN.contains(&name)
            || name
                .strip_suffix("Id")
                .is_some_and(|target| has_target(target) || (target == "card" && !def.targets.is_empty()))
    };
    let names = |object: Option<&Json>| -> Vec<String> {
        object.and_then(Json::as_object).map_or_else(Vec::new, |fields| fields.keys().cloned().collect())
    };
    let params = names(body.get("params")).into_iter().find(|name| !is_param(name));
    let targets = [body["params"].get("targets"), body.get("targets")].into_iter().flat_map(names);
    match params.or_else(|| targets.into_iter().find(|name| !has_target(name))) {
        None => Ok(()),
        Some(name) => {
            let what = format!("{} has no parameter {name}", def.id);
            Err(Fault::new("invalid_action", "Invalid action: {what}").arg("what", what).into())
        }
    }
}

fn invalid(refusal: &Refusal) -> Refusal {
    let named = |fault: &Fault| matches!(fault.code.text(), "invalid_action" | "unknown_action");
    if refusal.faults.iter().any(named) {
        return refusal.clone();
    }
    Fault::new("invalid_action", "Invalid action: {what}").arg("what", refusal.to_string()).into()
}

/// The actions whose effect is to move their first target from one zone to another.
fn moves_to(program: &Program, action: &ActionDef, to: ZoneId) -> bool {
    let code = &program.code[action.code.pc as usize..];
    code.iter()
        .take_while(|op| **op != Op::End)
        .any(|op| matches!(op, Op::Move(sel, target, _, _) if target.zone == to && is_first(program, *sel)))
}

/// Whether a selection is the first target of the action in whose code it stands.
fn is_first(program: &Program, sel: SelId) -> bool {
    let first = |expr| matches!(program.exprs[expr], Expr::Local(0) | Expr::This);
    program.sels[sel].single().is_some_and(first)
}

/// A card is dragged: the legal action that has this effect (R13).
fn manipulation(game: &RulesetGame, seat: Seat, body: &Json) -> Result<DialectAction, Refusal> {
    let (program, state) = (game.program(), game.inside());
    let wrong = || Refusal::of("invalid_manipulation", "Invalid manipulation");
    let field = |name: &str| body.get(name).or_else(|| body["params"].get(name)).and_then(Json::as_str);
    let zone = |name: &str| field(name).and_then(|zone| program.zone_named(zone));
    let (Some(from), Some(to)) = (zone("from"), zone("to")) else { return Err(wrong()) };
    if !matches!(state.open.as_ref().map(|open| &open.what), Some(Question::Priority)) {
        return Err(wrong());
    }
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let acting = Acting { program, state, seat: seat.index() as u8 };
    let mut fitting = Vec::new();
    for n in acting.actions(&mut scratch) {
        let def = &program.actions[n];
        if !moves_to(program, def, to) {
            continue;
        }
        let card = acting.options(&mut scratch, def, &[]).into_iter().find(|value| {
            let zone = |e: EntityId| program.instances[state.board.entities[e].at].zone;
            let lies = state.board.entity(*value).is_some_and(|e| zone(e) == from);
            lies && Some(named(program, state, *value).1.as_str()) == field("cardId")
        });
        fitting.extend(card.map(|card| (def, card)));
    }
    let title = game.request(seat, AskId(0)).title;
    match fitting.as_slice() {
        [] => Err(wrong()),
        [(def, card)] => {
            let target = def.targets.first().map_or("card", |target| target.name.as_str());
            let targets = json!({target: named(program, state, *card).1});
            Ok(answer(body, json!({"title": title, "selection": {"action": def.id, "targets": targets}})))
        }
        several => {
            let option = |(def, card): &(&ActionDef, i64)| {
                let target = def.targets.first().map_or("card", |target| target.name.as_str());
                let submit = json!({"type": def.id, "targets": {target: named(program, state, *card).1}});
                json!({"id": def.id, "name": def.name, "submit": submit})
            };
            let fault = Fault::new("mode_pick", "Which is meant: {actions}?")
                .arg("actions", several.iter().map(|(def, _)| def.id.as_str()).collect::<Vec<_>>().join(", "))
                .arg("options", several.iter().map(option).collect::<Vec<_>>());
            Err(fault.into())
        }
    }
}
