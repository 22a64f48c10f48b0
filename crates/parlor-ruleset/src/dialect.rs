//! The document's messages: read into answers that the house takes, and written from what the house tells.
//!
//! No socket, no table of their own. What comes is read by [`inbound`], at the table it was said to; what goes is put
//! into the document's words by [`outbound`], for connections that asked for it ([`detect`]). [`actions`] is the body of `GET /matches/{id}/actions`, [`submit`] reads the body of a
//! `POST` to it. State is never edited past the rules: a manipulation is looked up as the action that has that effect.

mod discover;
mod submit;

pub use parlor_core::DialectAction;
use parlor_core::{DynGame, Fault, Json, Refusal, Seat};
use parlor_wire::{ClientMessage, Dialect, Inbound, LobbyNews, ServerMessage};
use serde_json::{Map, json};

pub use self::discover::actions;
pub use self::submit::submit;
use crate::game::request::{OFFER_TITLE, PASS_UNTIL};
use crate::game::{RulesetGame, view};

/// The messages of the document; anything else is a submission of an action by its own name, as a `POST` has it.
pub const WORDS: [&str; 3] = ["action.submit", "input.submit", "system.control"];

/// The second half of an `input.submit` that says whether and at what. It answers the request that follows, and only the
/// table says it.
const REST_OF_INPUT: &str = "input.submit:target";

/// Reads a message of the document: `action.submit`, `input.submit` or `system.control`.
///
/// # Errors
/// What is wrong with it; nothing has changed.
pub fn inbound(game: &RulesetGame, seat: Seat, message: &Json) -> Result<DialectAction, Refusal> {
    match message["type"].as_str() {
        Some(REST_OF_INPUT) => input(game, seat, message),
        Some(word) if !WORDS.contains(&word) => submit(game, seat, message),
        Some("action.submit") => {
            let mut body = message.clone();
            body["type"] = message["actionType"].clone();
            submit(game, seat, &body)
        }
        Some("input.submit") => input(game, seat, message),
        Some("system.control") => match message["control"].as_str().or_else(|| message["action"].as_str()) {
            Some("concede") if own_seat(seat, message) => Ok(DialectAction::Concede),
            Some("concede" | "moderation" | "timeout" | "kill" | "fail") => {
                Err(Refusal::of("forbidden", "only the house may do that"))
            }
            _ => Err(Refusal::of("invalid_message", "there is no such control")),
        },
        _ => Err(Refusal::of("invalid_message", "action.submit, input.submit or system.control")),
    }
}

/// Whether a message speaks for this seat. The house has compared a player's name, which the rules do not know, and left
/// out the field if it is the sender's own.
fn own_seat(seat: Seat, message: &Json) -> bool {
    let named = message.get("playerId").or_else(|| message.get("player_id"));
    let n = seat.index();
    named.is_none_or(|named| {
        *named == json!(n) || named.as_str() == Some(&n.to_string()) || *named == json!(format!("p{n}"))
    })
}

fn answer(message: &Json, answer: Json) -> DialectAction {
    let number = |name: &str| message[name].as_u64().and_then(|n| u32::try_from(n).ok());
    let key = message["requestKey"].as_str().or_else(|| message["actionId"].as_str()).map(str::to_owned);
    DialectAction::Answer { input: number("inputId"), head: number("branchId"), answer, key, then: None }
}

/// An answer to a request: `{inputId, answers}`, or the flat `activate`, `targetId` (R7). Both together answer two requests:
/// whether to activate, and then at what.
fn input(game: &RulesetGame, seat: Seat, message: &Json) -> Result<DialectAction, Refusal> {
    if message["inputId"].as_u64().is_none() && message["type"] != REST_OF_INPUT {
        return Err(Refusal::of("invalid_message", "input.submit names its inputId"));
    }
    if message["answers"]["action"] == PASS_UNTIL {
        return Ok(answer(message, json!({"title": OFFER_TITLE, "selection": message["answers"]})));
    }
    let request = game.request(seat, parlor_core::AskId(0));
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
        (Json::Array(list), parlor_core::selector::Form::Select) => {
            Json::Array(list.iter().map(|item| by_reference(&request, item)).collect())
        }
        _ => answers,
    };
    let mut action = answer(message, json!({"title": request.title, "selection": selection}));
    if let (DialectAction::Answer { then, .. }, Some(true), false) =
        (&mut action, message["activate"].as_bool(), message["targetId"].is_null())
    {
        *then = Some(json!({"type": REST_OF_INPUT, "targetId": message["targetId"]}));
    }
    Ok(action)
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

/// What the document's clients are sent for one update of the house: events, a delta, requests, priority.
#[must_use]
pub fn outbound(update: &Json) -> Vec<Json> {
    let (mut out, mut priority) = (Vec::new(), Vec::new());
    for event in update["events"].as_array().map_or(&[][..], Vec::as_slice) {
        match event["type"].as_str() {
            Some("priority.changed") => priority.push(json!({
                "type": "priority.changed",
                "playerId": event["seat"],
                "window": if event["stack"] == true { "stackItem" } else { "empty" },
            })),
            _ if event.get("payload").is_some() => {
                out.push(json!({"type": "event.appended", "event": in_document(event)}));
            }
            _ => {}
        }
    }
    if update["patch"].as_array().is_some_and(|patch| !patch.is_empty()) {
        out.push(json!({"type": "state.delta", "v": update["v"], "patch": update["patch"]}));
    }
    out.extend(update["requests"].as_array().map_or(&[][..], Vec::as_slice).iter().map(standing));
    // Whoever is told that it is their turn has everything that led to it.
    out.append(&mut priority);
    out
}

/// An event as the document writes it: ids of events are strings.
fn in_document(event: &Json) -> Json {
    let mut event = event.clone();
    let text = |id: &mut Json| {
        if let Some(n) = id.as_u64() {
            *id = json!(n.to_string());
        }
    };
    for field in ["id", "causedBy"] {
        event.get_mut(field).map(text);
    }
    // What an event was prevented or stopped by names that event.
    if matches!(event["type"].as_str(), Some("EventPrevented" | "Verdict")) {
        event["payload"].get_mut("eventId").map(text);
    }
    event
}

/// What stands for a seat: a `pending.input`, or, where nobody waits for it, a `pending.offer`.
fn standing(request: &Json) -> Json {
    let mut pending = pending(request);
    if request["kind"] == "offer" {
        pending["type"] = json!("pending.offer");
    }
    pending
}

/// A request as the document's `pending.input`: what may be chosen, and in its constraints what may not, and why.
#[must_use]
pub fn pending(request: &Json) -> Json {
    let choices = request["choices"].as_array().map_or(&[][..], Vec::as_slice);
    let can = |choice: &&Json| choice["whyNot"].is_null();
    let meta = &request["meta"];
    let mut allowed: Vec<Json> = choices.iter().filter(can).flat_map(references).collect();
    // Places and distributions list what they are filled from.
    let options = meta["options"].as_array().map_or(&[][..], Vec::as_slice);
    allowed.extend(options.iter().filter_map(|option| option.get("ref").cloned()));
    let mut constraints = Map::new();
    for name in ["min", "max", "count"] {
        if !request[name].is_null() {
            constraints.insert(name.to_owned(), request[name].clone());
        }
    }
    if constraints.is_empty() {
        constraints.insert("count".to_owned(), json!(1));
    }
    for name in ["slots", "sum"] {
        if let Some(value) = meta.get(name) {
            constraints.insert(name.to_owned(), value.clone());
        }
    }
    let refused: Vec<Json> = choices.iter().flat_map(|choice| refusals(choice, None)).collect();
    if !refused.is_empty() {
        constraints.insert("refused".to_owned(), Json::Array(refused));
    }
    json!({
        "type": "pending.input",
        "inputId": request["inputId"],
        "forPlayerIds": [request["actor"]],
        "kind": meta["kind"],
        "prompt": request["title"],
        "constraints": constraints,
        "allowedTargets": allowed,
        "highlights": allowed,
        "hints": choices.iter().filter(can).map(|choice| choice["title"].clone()).collect::<Vec<_>>(),
        "source": meta["source"],
        "expiresAt": request["until"],
    })
}

/// The things that a choice stands for: itself, or those inside it that can be had.
fn references(choice: &Json) -> Vec<Json> {
    if let Some(reference) = choice["meta"].get("ref") {
        return vec![reference.clone()];
    }
    let inner = choice["choices"].as_array().map_or(&[][..], Vec::as_slice);
    let mut all = Vec::new();
    for reference in inner.iter().filter(|inner| inner["whyNot"].is_null()).flat_map(references) {
        if !all.contains(&reference) {
            all.push(reference);
        }
    }
    all
}

/// What cannot be had of a choice, with the reason: an action, or a thing that it could be done to.
fn refusals(choice: &Json, action: Option<&Json>) -> Vec<Json> {
    let mut all = Vec::new();
    let name = choice["meta"].get("action").or(action);
    if let Ok(fault) = serde_json::from_value::<Fault>(choice["whyNot"].clone()) {
        let mut refused = json!({"code": fault.code, "text": fault.to_string()});
        if let Some(reference) = choice["meta"].get("ref") {
            refused["id"] = reference.clone();
        }
        if let Some(name) = name {
            refused["action"] = name.clone();
        }
        all.push(refused);
    }
    let inner = choice["choices"].as_array().map_or(&[][..], Vec::as_slice);
    all.extend(inner.iter().flat_map(|inner| refusals(inner, name)));
    all
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
    let headline = refusal.faults.first().map_or_else(String::new, Fault::headline);
    json!({"type": "error", "code": refusal.code(), "message": headline, "details": refusal.to_string()})
}

/// The events of a whole match with their causal links, as the gallery or a seat was told them.
#[must_use]
pub fn as_events(told: &[Json]) -> Vec<Json> {
    told.iter().filter(|event| event.get("payload").is_some()).cloned().collect()
}

/// What an id of a client stands for, in words.
#[must_use]
pub fn describe(game: &RulesetGame, viewer: parlor_core::Viewer, id: &str) -> Json {
    let state = game.inside();
    let found = state.board.all_entities().find(|e| view::card_id(state, *e) == id);
    found.map_or(Json::Null, |e| view::thing(game.program(), state, e.value(), viewer))
}

/// Begins the dialect where a connection's first frame asks for it: `join_game` with `"dialect": "events"`.
#[must_use]
pub fn detect(first: &Json) -> Option<Box<dyn Dialect>> {
    (first["dialect"] == "events").then(|| Box::new(Events { seat: Json::Null }) as Box<dyn Dialect>)
}

/// A client of the document: it joins as everybody does, then hears of events, deltas, requests and priority.
struct Events {
    /// Where the client sits, as the view says it.
    seat: Json,
}

impl Events {
    /// The requests among these messages are for this client, by the id that every other message uses: the seat.
    fn for_this_seat(&self, mut messages: Vec<Json>) -> Vec<Json> {
        for message in messages.iter_mut().filter(|message| message.get("forPlayerIds").is_some()) {
            message["forPlayerIds"] = json!([self.seat]);
        }
        messages
    }
}

impl Dialect for Events {
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault> {
        let said = match Inbound::read(frame.clone()) {
            // A type that the house does not know is an action by its own name, as a `POST` has it.
            Err(fault) if fault.args.contains_key("type") => Inbound::Table(ClientMessage::Words(frame)),
            said => said?,
        };
        Ok(vec![said])
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
                let mut told = self.for_this_seat(outbound(&plain));
                // An end that the house brought about has no event of the rules: it is told all the same.
                told.extend(over.as_ref().map(|over| json!({"type": "match.over", "over": over})));
                told
            }
            ServerMessage::Refused { faults, .. }
                if faults.iter().any(|fault| fault.code.text() == "mode_pick") =>
            {
                faults.iter().map(which).collect()
            }
            ServerMessage::Refused { code, message, faults, .. } => {
                let headline = faults.first().map_or_else(|| message.clone(), Fault::headline);
                vec![
                    json!({"type": "error", "code": code, "message": headline, "details": message, "faults": faults}),
                ]
            }
            ServerMessage::Snapshot { requests, view, .. } => {
                self.seat = view["you"].clone();
                // The state that deltas are folded into, and what stands.
                let pending = requests.iter().map(|request| {
                    standing(&serde_json::to_value(request).expect("a request is plain data"))
                });
                let pending = self.for_this_seat(pending.collect());
                std::iter::once(plain).chain(pending).collect()
            }
            _ => vec![plain],
        }
    }
}
