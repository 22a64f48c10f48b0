//! The document's messages: read into answers that the house takes, and written from what the house tells.
//!
//! No socket, no table of their own. What comes is read by [`inbound`], at the table it was said to; what goes is put
//! into the document's words by [`outbound`], for connections that asked for it ([`tongue`]). [`actions`] is the body of `GET /matches/{id}/actions`, [`submit`] reads the body of a
//! `POST` to it. State is never edited past the rules: a manipulation is looked up as the action that has that effect.

pub use parlor_core::Meant;
use parlor_core::{Fault, Hosted, Json, Refusal, Seat};
use parlor_wire::{Dialect, Inbound, LobbyNews, ServerMessage};
use serde_json::{Map, json};

use crate::limits::OPS_PER_LOOK_MAX;
use crate::program::{ActionDef, Cost, NONE, Op, Program, SEAT};
use crate::table::request::named;
use crate::table::{Table, view};
use crate::vm::eval::{Eval, Scratch};
use crate::vm::state::Question;
use crate::vm::window::Acting;

/// The messages of the document; anything else is a submission of an action by its own name, as a `POST` has it.
pub const WORDS: [&str; 3] = ["action.submit", "input.submit", "system.control"];

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

/// Reads a message of the document: `action.submit`, `input.submit` or `system.control`.
///
/// # Errors
/// What is wrong with it; nothing has changed.
pub fn inbound(table: &Table, seat: Seat, message: &Json) -> Result<Meant, Refusal> {
    match message["type"].as_str() {
        Some(word) if !WORDS.contains(&word) => submit(table, seat, message),
        Some("action.submit") => {
            let mut body = message.clone();
            body["type"] = message["actionType"].clone();
            submit(table, seat, &body)
        }
        Some("input.submit") => input(table, seat, message),
        Some("system.control") => match message["control"].as_str().or_else(|| message["action"].as_str()) {
            Some("concede") if own_seat(seat, message) => Ok(Meant::Concede),
            Some("concede" | "moderation" | "timeout" | "kill" | "fail") => {
                Err(Refusal::of("forbidden", "only the house may do that"))
            }
            _ => Err(Refusal::of("invalid_message", "there is no such control")),
        },
        _ => Err(Refusal::of("invalid_message", "action.submit, input.submit or system.control")),
    }
}

fn own_seat(seat: Seat, message: &Json) -> bool {
    let named = message.get("playerId").or_else(|| message.get("player_id"));
    named.is_none_or(|named| *named == json!(seat.index()) || *named == json!(format!("p{}", seat.index())))
}

fn answer(message: &Json, answer: Json) -> Meant {
    let number = |name: &str| message[name].as_u64().and_then(|n| u32::try_from(n).ok());
    let key = message["requestKey"].as_str().or_else(|| message["actionId"].as_str()).map(str::to_owned);
    Meant::Answer { input: number("inputId"), head: number("branchId"), answer, key }
}

/// Reads a submission of an action in any of its forms (R6).
///
/// # Errors
/// `Unknown action`, `Invalid action` or `Invalid manipulation`; nothing has changed.
pub fn submit(table: &Table, seat: Seat, body: &Json) -> Result<Meant, Refusal> {
    let p = table.program();
    if !own_seat(seat, body) {
        return Err(Refusal::of("forbidden", "that is not your seat"));
    }
    let kind = body["type"].as_str().unwrap_or("");
    if kind == "direct_manipulation" {
        return manipulation(table, seat, body);
    }
    let id = if kind == "semantic" { body["action_id"].as_str().unwrap_or("") } else { kind };
    let title = table.request(seat, parlor_core::AskId(0)).title;
    if id == "pass" {
        return Ok(answer(body, json!({"title": title, "selection": {"action": "pass"}})));
    }
    let Some(def) = p.actions.iter().find(|action| action.id == id) else {
        return Err(Fault::new("unknown_action", "Unknown action").arg("action", id).into());
    };
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
    table.read(seat, parlor_core::AskId(0), &said).map_err(|refusal| invalid(&refusal, "Invalid action"))?;
    Ok(answer(body, said))
}

fn invalid(refusal: &Refusal, word: &'static str) -> Refusal {
    if refusal.has("invalid_action") || refusal.has("unknown_action") {
        return refusal.clone();
    }
    Fault::new("invalid_action", "{word}: {why}").arg("word", word).arg("why", refusal.to_string()).into()
}

/// An answer to a request: `{inputId, answers}`, or the flat `activate`, `targetId` (R7).
fn input(table: &Table, seat: Seat, message: &Json) -> Result<Meant, Refusal> {
    if message["inputId"].as_u64().is_none() {
        return Err(Refusal::of("invalid_message", "input.submit names its inputId"));
    }
    let request = table.request(seat, parlor_core::AskId(0));
    let answers = match &message["answers"] {
        Json::Null => {
            if let Some(activate) = message["activate"].as_bool() {
                json!([if activate { "yes" } else { "no" }])
            } else if !message["targetId"].is_null() {
                json!([message["targetId"]])
            } else {
                return Err(Refusal::of("invalid_message", "input.submit has answers"));
            }
        }
        Json::Array(list) => Json::Array(list.clone()),
        one => json!([one]),
    };
    // Targets are named by their ids; a request's choices by their titles.
    let selection = match (&answers, request.form) {
        (Json::Array(list), parlor_core::select::Form::Select) => {
            Json::Array(list.iter().map(|item| by_reference(&request, item)).collect())
        }
        _ => answers,
    };
    Ok(answer(message, json!({"title": request.title, "selection": selection})))
}

fn by_reference(request: &parlor_core::Selector, item: &Json) -> Json {
    let wanted = item.as_str().or_else(|| item["id"].as_str());
    let found = request.choices.iter().find(|choice| {
        let reference = choice.meta.as_ref().and_then(|meta| meta["ref"].as_str());
        wanted.is_some() && reference == wanted
    });
    match found {
        Some(choice) => match &choice.id {
            Some(id) => json!({"title": choice.title, "id": id}),
            None => json!(choice.title),
        },
        None => item.clone(),
    }
}

/// The actions whose effect is to move their first target from one zone to another.
fn moves_to(p: &Program, action: &ActionDef, to: u16) -> bool {
    let code = &p.code[action.code.pc as usize..];
    code.iter()
        .take_while(|op| **op != Op::End)
        .any(|op| matches!(op, Op::Move(_, target, _, _) if target.zone == to))
}

/// A card is dragged: the legal action that has this effect (R13).
fn manipulation(table: &Table, seat: Seat, body: &Json) -> Result<Meant, Refusal> {
    let (p, s) = (table.program(), table.inside());
    let wrong = || Refusal::of("invalid_manipulation", "Invalid manipulation");
    let zone = |name: &str| p.zones.iter().position(|zone| Some(zone.name.as_str()) == body[name].as_str());
    let (Some(from), Some(to)) = (zone("from"), zone("to")) else { return Err(wrong()) };
    if !matches!(s.open.as_ref().map(|open| &open.what), Some(Question::Priority)) {
        return Err(wrong());
    }
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    let acting = Acting { p, s, seat: seat.index() as u8 };
    let mut fitting = Vec::new();
    for n in acting.actions(&mut x) {
        let def = &p.actions[usize::from(n)];
        if !moves_to(p, def, to as u16) {
            continue;
        }
        let card = acting.options(&mut x, def, &[]).into_iter().find(|value| {
            let lies = usize::try_from(*value)
                .ok()
                .and_then(|e| s.board.at.get(e))
                .is_some_and(|at| usize::from(p.instances[usize::from(*at)].0) == from);
            lies && Some(named(p, s, *value).1.as_str()) == body["cardId"].as_str()
        });
        fitting.extend(card.map(|card| (def, card)));
    }
    let title = table.request(seat, parlor_core::AskId(0)).title;
    match fitting.as_slice() {
        [] => Err(wrong()),
        [(def, card)] => {
            let target = def.targets.first().map_or("card", |target| target.name.as_str());
            let targets = json!({target: named(p, s, *card).1});
            Ok(answer(body, json!({"title": title, "selection": {"action": def.id, "targets": targets}})))
        }
        several => {
            let option = |(def, card): &(&ActionDef, i64)| {
                let target = def.targets.first().map_or("card", |target| target.name.as_str());
                let submit = json!({"type": def.id, "targets": {target: named(p, s, *card).1}});
                json!({"id": def.id, "name": def.name, "submit": submit})
            };
            let fault = Fault::new("mode_pick", "Which is meant: {actions}?")
                .arg("actions", several.iter().map(|(def, _)| def.id.as_str()).collect::<Vec<_>>().join(", "))
                .arg("options", several.iter().map(option).collect::<Vec<_>>());
            Err(fault.into())
        }
    }
}

/// The body of `GET /matches/{id}/actions`: only what can really be done now.
#[must_use]
pub fn actions(table: &Table, seat: Seat) -> Json {
    let (p, s) = (table.program(), table.inside());
    let mine = s.open.as_ref().is_some_and(|open| open.what == Question::Priority && open.seats.has(seat));
    if !mine {
        return json!({"actions": []});
    }
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    let acting = Acting { p, s, seat: seat.index() as u8 };
    let list: Vec<Json> =
        acting.actions(&mut x).into_iter().map(|n| action_json(acting, &mut x, n)).collect();
    json!({"actions": list})
}

/// The actions that start from the thing that was clicked.
#[must_use]
pub fn actions_of(table: &Table, seat: Seat, id: &str) -> Json {
    let all = actions(table, seat);
    let starts = |action: &&Json| {
        action["targets"].as_object().and_then(|targets| targets.values().next()).is_some_and(|first| {
            first["options"].as_array().is_some_and(|options| options.iter().any(|option| option["id"] == id))
        })
    };
    let list: Vec<Json> =
        all["actions"].as_array().map_or(Vec::new(), |all| all.iter().filter(starts).cloned().collect());
    json!({"actions": list})
}

fn action_json(acting: Acting<'_>, x: &mut Scratch, n: u16) -> Json {
    let (p, s) = (acting.p, acting.s);
    let def = &p.actions[usize::from(n)];
    let options = acting.options(x, def, &[]);
    let mut costs = Vec::new();
    let listed: Vec<Json> = options
        .iter()
        .map(|option| {
            let cost = cost(acting, x, def, &[*option]);
            costs.push(cost.clone());
            let id = named(p, s, *option).1;
            if cost.is_empty() { json!({"id": id}) } else { json!({"id": id, "cost": text(&cost)}) }
        })
        .collect();
    if options.is_empty() {
        costs.push(cost(acting, x, def, &[]));
    }
    let mut targets = Map::new();
    for (k, target) in def.targets.iter().enumerate() {
        let mut entry = json!({"selector": zones_of(p, target.from), "count": 1, "constraints": ["playable", "affordable"]});
        if k == 0 {
            entry["options"] = Json::Array(listed.clone());
        }
        targets.insert(target.name.clone(), entry);
    }
    let timing = if def.timing == crate::program::Timing::Stack { "stack" } else { "instant" };
    json!({
        "id": def.id,
        "name": def.name,
        "description": def.description,
        "cost": range(&costs),
        "targets": targets,
        "timing": timing,
        "ui": def.ui,
    })
}

fn zones_of(p: &Program, sel: u32) -> Json {
    match &p.sels[sel as usize].source {
        crate::program::Source::Zones(zones, _) => {
            json!(
                zones
                    .iter()
                    .map(|zone| p.zones[usize::from(*zone)].name.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        crate::program::Source::Union(parts) => parts.first().map_or(Json::Null, |part| zones_of(p, *part)),
        crate::program::Source::Items(_) => json!("stack"),
        crate::program::Source::Seats(_) => json!("players"),
        _ => Json::Null,
    }
}

/// What an action costs with these targets: variable and amount.
fn cost(acting: Acting<'_>, x: &mut Scratch, def: &ActionDef, targets: &[i64]) -> Vec<(String, i64)> {
    let this = targets.first().copied().unwrap_or(NONE);
    let you = SEAT + i64::from(acting.seat);
    let eval = Eval { locals: targets, ..Eval::outside(acting.p, acting.s, this, you) };
    let mut all = Vec::new();
    for part in &def.costs {
        if let Cost::Pay { var, amount, .. } = part {
            let name = acting.p.vars[usize::from(*var)].name.clone();
            all.push((name, eval.value(x, *amount)));
        }
    }
    all
}

fn text(cost: &[(String, i64)]) -> String {
    cost.iter().map(|(name, amount)| format!("{amount} {name}")).collect::<Vec<_>>().join(", ")
}

/// One text where all options cost the same, else a range: `2–5 mana`.
fn range(costs: &[Vec<(String, i64)>]) -> Json {
    let Some(first) = costs.first().filter(|first| !first.is_empty()) else { return Json::Null };
    if costs.iter().all(|cost| cost == first) {
        return json!(text(first));
    }
    let of = |n: usize| costs.iter().filter_map(move |cost| cost.get(n).map(|(_, amount)| *amount));
    let parts: Vec<String> = first
        .iter()
        .enumerate()
        .map(|(n, (name, _))| format!("{}–{} {name}", of(n).min().unwrap_or(0), of(n).max().unwrap_or(0)))
        .collect();
    json!(parts.join(", "))
}

/// What the document's clients are sent for one update of the house: events, a delta, requests, priority.
#[must_use]
pub fn outbound(update: &Json) -> Vec<Json> {
    let mut out = Vec::new();
    for event in update["events"].as_array().map_or(&[][..], Vec::as_slice) {
        match event["type"].as_str() {
            Some("priority.changed") => out.push(json!({
                "type": "priority.changed",
                "playerId": event["seat"],
                "window": if event["stack"] == true { "stackItem" } else { "empty" },
            })),
            _ if event.get("payload").is_some() => {
                out.push(json!({"type": "event.appended", "event": event}))
            }
            _ => {}
        }
    }
    if update["patch"].as_array().is_some_and(|patch| !patch.is_empty()) {
        out.push(json!({"type": "state.delta", "v": update["v"], "patch": update["patch"]}));
    }
    for request in update["requests"].as_array().map_or(&[][..], Vec::as_slice) {
        out.push(pending(request));
    }
    out
}

/// A request as the document's `pending.input`.
#[must_use]
pub fn pending(request: &Json) -> Json {
    let choices = request["choices"].as_array().map_or(&[][..], Vec::as_slice);
    let references: Vec<Json> =
        choices.iter().filter_map(|choice| choice["meta"].get("ref").cloned()).collect();
    let mut constraints = Map::new();
    for name in ["min", "max", "count"] {
        if !request[name].is_null() {
            constraints.insert(name.to_owned(), request[name].clone());
        }
    }
    if constraints.is_empty() {
        constraints.insert("count".to_owned(), json!(1));
    }
    json!({
        "type": "pending.input",
        "inputId": request["inputId"],
        "forPlayerIds": [request["actor"]],
        "kind": request["meta"]["kind"],
        "prompt": request["title"],
        "constraints": constraints,
        "allowedTargets": references,
        "highlights": references,
        "hints": choices.iter().map(|choice| choice["title"].clone()).collect::<Vec<_>>(),
        "expiresAt": request["until"],
    })
}

/// Several actions have the effect that was dragged: the player is asked which. Each option is a submission.
#[must_use]
pub fn which(fault: &Fault) -> Json {
    json!({
        "type": "pending.input",
        "kind": "mode_pick",
        "prompt": fault.to_string(),
        "constraints": {"count": 1},
        "options": fault.args.get("options"),
    })
}

/// A refusal as the document's `error`.
#[must_use]
pub fn error(refusal: &Refusal) -> Json {
    json!({"type": "error", "code": refusal.code(), "message": refusal.to_string()})
}

/// The events of a whole match with their causal links, as the gallery or a seat was told them.
#[must_use]
pub fn as_events(told: &[Json]) -> Vec<Json> {
    told.iter().filter(|event| event.get("payload").is_some()).cloned().collect()
}

/// What an id of a client stands for, in words.
#[must_use]
pub fn describe(table: &Table, viewer: parlor_core::Viewer, id: &str) -> Json {
    let s = table.inside();
    let found = (0..s.board.def.len()).find(|e| view::card_id(s, *e) == id);
    found.map_or(Json::Null, |e| view::thing(table.program(), s, e as i64, viewer))
}

/// Begins the dialect where a connection's first frame asks for it: `join_game` with `"dialect": "events"`.
#[must_use]
pub fn tongue(first: &Json) -> Option<Box<dyn Dialect>> {
    (first["dialect"] == "events").then(|| Box::new(Events) as Box<dyn Dialect>)
}

/// A client of the document: it joins as everybody does, then hears of events, deltas, requests and priority.
struct Events;

impl Dialect for Events {
    fn hear(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault> {
        Inbound::read(frame).map(|said| vec![said])
    }

    fn takes_up(&self, _: &str) -> bool {
        false
    }

    fn news(&mut self, news: &LobbyNews) -> Vec<Json> {
        match news {
            LobbyNews::SessionError { code, message } => {
                vec![json!({"type": "error", "code": code, "message": message})]
            }
            news => vec![serde_json::to_value(news).expect("news are plain data")],
        }
    }

    fn message(&mut self, message: &ServerMessage, _: i64) -> Vec<Json> {
        let plain = serde_json::to_value(message).expect("a message is plain data");
        match message {
            ServerMessage::Update { over, .. } => {
                let mut told = outbound(&plain);
                // An end that the house brought about has no event of the rules: it is told all the same.
                told.extend(over.as_ref().map(|over| json!({"type": "match.over", "over": over})));
                told
            }
            ServerMessage::Refused { faults, .. } if faults.iter().any(|fault| fault.code == "mode_pick") => {
                faults.iter().map(which).collect()
            }
            ServerMessage::Refused { code, message, faults, .. } => {
                vec![json!({"type": "error", "code": code, "message": message, "faults": faults})]
            }
            ServerMessage::Snapshot { requests, .. } => {
                // The state that deltas are folded into, and what stands.
                let pending = requests
                    .iter()
                    .map(|request| pending(&serde_json::to_value(request).expect("a request is plain data")));
                let pending: Vec<Json> = pending.collect();
                std::iter::once(plain).chain(pending).collect()
            }
            _ => vec![plain],
        }
    }
}
