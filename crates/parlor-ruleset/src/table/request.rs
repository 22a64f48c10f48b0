//! Questions as selectors, and answers as what they mean.

use parlor_core::select::Form;
use parlor_core::{Choice, Chosen, Fault, Json, Refusal, Response, Seat, Selector, Viewer};
use serde_json::json;

use super::view::{card_id, item_id};
use crate::limits::OPS_PER_LOOK_MAX;
use crate::program::{AskDef, AskKind, ITEM, NONE, Program, SEAT};
use crate::vm::ask::{Asked, Said};
use crate::vm::eval::Scratch;
use crate::vm::state::{Question, State};
use crate::vm::window::{Acting, Spec};

/// The choice that passes.
pub const PASS: &str = "Pass";
/// The choice that gives an action up.
pub const CANCEL: &str = "Cancel";

/// A question to a seat with its choices and their meanings.
pub struct Posed {
    /// The description.
    pub selector: Selector,
    /// What each choice means; for an action its number and the meaning of each first target.
    pub meanings: Vec<Meaning>,
}

/// What a choice means.
#[derive(Clone, PartialEq, Debug)]
pub enum Meaning {
    /// A value.
    Value(i64),
    /// An action, and the values of its nested choices.
    Action(u16, Vec<i64>),
    /// To pass.
    Pass,
    /// To give up.
    Cancel,
}

/// What a thing is called, and the id that tells it apart from others of that name.
#[must_use]
pub fn named(p: &Program, s: &State, value: i64) -> (String, String) {
    if value >= ITEM {
        let item = s.stack.iter().find(|item| i64::from(item.order) == value - ITEM);
        let name = item.map_or("gone", |item| p.events[usize::from(item.ev.ty)].name.as_str());
        return (name.to_owned(), item_id(value - ITEM));
    }
    if value >= SEAT {
        return (format!("Seat {}", value - SEAT), format!("p{}", value - SEAT));
    }
    match usize::try_from(value).ok().filter(|e| *e < s.board.def.len()) {
        Some(e) => (p.cards[usize::from(s.board.def[e])].title.clone(), card_id(s, e)),
        None => ("None".to_owned(), "none".to_owned()),
    }
}

/// Choices for these values: an id only where a name is there twice, so that answers stay short.
fn choices(p: &Program, s: &State, values: &[i64], seat: Seat) -> Vec<Choice> {
    let names: Vec<(String, String)> = values
        .iter()
        .map(|value| {
            let (mut title, id) = named(p, s, *value);
            let hidden = usize::try_from(*value)
                .ok()
                .filter(|e| *e < s.board.def.len())
                .is_some_and(|e| !s.board.known[e].sees(Viewer::Seat(seat)));
            if hidden {
                title = "a card".to_owned();
            }
            (title, id)
        })
        .collect();
    let twice = |title: &str| names.iter().filter(|(other, _)| other == title).count() > 1;
    names
        .iter()
        .map(|(title, id)| {
            let mut choice = Choice::new(title.clone());
            choice.meta = Some(json!({"ref": id}));
            if twice(title) { choice.id(id.clone()) } else { choice }
        })
        .collect()
}

/// What a seat is asked.
#[must_use]
pub fn posed(p: &Program, s: &State, seat: Seat) -> Posed {
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    let nothing = Posed { selector: Selector::action("Nothing is asked"), meanings: Vec::new() };
    let Some(open) = &s.open else { return nothing };
    match &open.what {
        Question::Wait(_) => nothing,
        Question::Priority => priority(p, s, seat, &mut x),
        Question::Target => target(p, s, seat, &mut x),
        Question::Choose => super::choose::posed(p, s, seat),
        Question::Ask(ask) => statement(p, s, seat, &p.asks[usize::from(*ask)], &mut x),
    }
}

fn priority(p: &Program, s: &State, seat: Seat, x: &mut Scratch) -> Posed {
    let acting = Acting { p, s, seat: seat.index() as u8 };
    let mut selector = Selector::pick("Act or pass", vec![Choice::new(PASS)]);
    let mut meanings = vec![Meaning::Pass];
    for action in acting.actions(x) {
        let def = &p.actions[usize::from(action)];
        let options = acting.options(x, def, &[]);
        let mut choice = Choice::new(def.name.clone()).id(def.id.clone());
        choice.meta = Some(json!({"action": def.id, "ui": def.ui}));
        if !options.is_empty() {
            choice = choice.nest(choices(p, s, &options, seat), 1, 1);
        }
        selector.choices.push(choice);
        meanings.push(Meaning::Action(action, options));
    }
    selector.allows_action = Some(json!(true));
    selector.no_auto_respond = true;
    selector.meta = Some(json!({"kind": "action"}));
    Posed { selector, meanings }
}

fn target(p: &Program, s: &State, seat: Seat, x: &mut Scratch) -> Posed {
    let Some(announce) = &s.announce else {
        return Posed { selector: Selector::action("Nothing is asked"), meanings: Vec::new() };
    };
    let acting = Acting { p, s, seat: announce.seat };
    let def = &p.actions[usize::from(announce.action)];
    let options = acting.options(x, def, &announce.targets);
    let (title, kind, mut list) = match acting.spec(def, &announce.targets) {
        Spec::Named(names, what) => {
            let title =
                |n: &i64| names.iter().find(|(other, _)| other == n).map_or("?", |(_, name)| name.as_str());
            let list = options.iter().map(|n| Choice::new(title(n))).collect();
            (format!("{}: choose the {what}", def.name), "mode_pick", list)
        }
        Spec::From(_, _, name, prompt, _) => {
            let title = if prompt.is_empty() { format!("{}: choose the {name}", def.name) } else { prompt };
            (title, "target_select", choices(p, s, &options, seat))
        }
        Spec::Done => (def.name.clone(), "target_select", Vec::new()),
    };
    let mut meanings: Vec<Meaning> = options.into_iter().map(Meaning::Value).collect();
    list.push(Choice::new(CANCEL).exclusive());
    meanings.push(Meaning::Cancel);
    let mut selector = Selector::pick(title, list);
    selector.no_auto_respond = true;
    selector.meta = Some(json!({"kind": kind, "action": def.id}));
    Posed { selector, meanings }
}

fn statement(p: &Program, s: &State, seat: Seat, def: &AskDef, x: &mut Scratch) -> Posed {
    let asked = Asked { p, s, seat };
    let mut options = Vec::new();
    asked.options(x, def, &mut options);
    let meanings: Vec<Meaning> = options.iter().map(|value| Meaning::Value(*value)).collect();
    let mut selector = match def.kind {
        AskKind::Confirm => Selector::yes_no(def.prompt.clone()),
        AskKind::Mode => Selector::pick(def.prompt.clone(), def.modes.iter().map(Choice::new).collect()),
        AskKind::Number => {
            Selector::pick(def.prompt.clone(), options.iter().map(|n| Choice::new(n.to_string())).collect())
        }
        AskKind::Slots(_) | AskKind::Distribute => {
            let mut selector = Selector::action(def.prompt.clone());
            let list: Vec<Json> = options
                .iter()
                .map(|value| {
                    let (title, id) = named(p, s, *value);
                    json!({"id": id, "title": title})
                })
                .collect();
            let wants = match def.kind {
                AskKind::Slots(n) => json!(n),
                _ => json!(asked.sum(x, def)),
            };
            let name = if def.kind == AskKind::Distribute { "sum" } else { "slots" };
            selector.meta = Some(json!({"options": list, name: wants}));
            selector
        }
        AskKind::Pick | AskKind::Order => {
            let selector = Selector::pick(def.prompt.clone(), choices(p, s, &options, seat));
            let (min, max) = asked.bounds(x, def, options.len());
            match (min, max) {
                (1, 1) => selector,
                (min, max) if min == max => selector.count(min as u16),
                (min, max) => selector.between(min as u16, max as u16),
            }
        }
    };
    let kind = match def.kind {
        AskKind::Pick => "target_select",
        AskKind::Order => "order_select",
        AskKind::Mode => "mode_pick",
        AskKind::Confirm => "confirm",
        AskKind::Number => "number",
        AskKind::Slots(_) => "slots",
        AskKind::Distribute => "distribute",
    };
    let mut meta = selector.meta.take().unwrap_or_else(|| json!({}));
    meta["kind"] = json!(kind);
    meta["ask"] = json!(def.id);
    selector.meta = Some(meta);
    selector.no_auto_respond = !def.auto;
    Posed { selector, meanings }
}

/// What an answer means.
///
/// # Errors
/// Every fault of the answer.
pub fn check(p: &Program, s: &State, seat: Seat, draft: bool, answer: &Json) -> Result<Said, Refusal> {
    let read = meaning(p, s, seat, draft, answer);
    let Some(def) = (Asked { p, s, seat }).def() else { return read };
    let present = s.touched[usize::from(def.answer)].has(seat);
    match read {
        Err(_) if def.alive && !present => Ok(Said::Alive),
        other => other,
    }
}

fn meaning(p: &Program, s: &State, seat: Seat, draft: bool, answer: &Json) -> Result<Said, Refusal> {
    let response: Response =
        serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| {
            Refusal::from(Fault::new("malformed", "answer: {error}").arg("error", error.to_string()))
        })?;
    let posed = posed(p, s, seat);
    if posed.selector.form == Form::Action {
        let Some(def) = (Asked { p, s, seat }).def() else {
            return Err(Refusal::of("not_asked", "nothing is asked now"));
        };
        posed.selector.validate(&response)?;
        return free(p, s, seat, def, draft, &response.selection);
    }
    match posed.selector.validate(&response)? {
        Chosen::Action(data) => whole_action(p, s, seat, &data),
        Chosen::Picks(picks) => {
            let is_statement =
                matches!(s.open.as_ref().map(|open| &open.what), Some(Question::Ask(_) | Question::Choose));
            if is_statement {
                let values = picks.iter().map(|pick| match &posed.meanings[pick.index] {
                    Meaning::Value(value) => *value,
                    _ => NONE,
                });
                return Ok(Said::Picks(values.collect()));
            }
            let Some(pick) = picks.first() else { return Err(Refusal::of("count", "pick exactly one")) };
            Ok(match &posed.meanings[pick.index] {
                Meaning::Pass => Said::Pass,
                Meaning::Cancel => Said::Cancel,
                Meaning::Value(value) => Said::Target(*value),
                Meaning::Action(action, options) => {
                    let first = pick.nested.first().map(|nested| options[nested.index]);
                    Said::Act(*action, first.into_iter().collect())
                }
            })
        }
    }
}

/// The thing that a client's id means, among these.
fn referred(p: &Program, s: &State, said: &Json, among: &[i64]) -> Option<i64> {
    if said.is_null() {
        return among.contains(&NONE).then_some(NONE);
    }
    if let Some(seat) = said.get("seat").and_then(Json::as_i64) {
        return among.iter().copied().find(|value| *value == SEAT + seat);
    }
    let text = said.as_str().or_else(|| said.get("id").and_then(Json::as_str))?;
    let by_id = among.iter().copied().find(|value| named(p, s, *value).1 == text);
    by_id.or_else(|| {
        let of_name = |value: &i64| {
            let (title, _) = named(p, s, *value);
            let def = usize::try_from(*value).ok().filter(|e| *e < s.board.def.len());
            title == text || def.is_some_and(|e| p.cards[usize::from(s.board.def[e])].name == text)
        };
        let mut found = among.iter().copied().filter(of_name);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    })
}

/// An action with all its targets at once: `{action, targets: {name: id}}`.
fn whole_action(p: &Program, s: &State, seat: Seat, data: &Json) -> Result<Said, Refusal> {
    let name = data.get("action").and_then(Json::as_str).unwrap_or("");
    if name == "pass" {
        return Ok(Said::Pass);
    }
    let Some(action) = p.actions.iter().position(|action| action.id == name) else {
        return Err(Fault::new("unknown_action", "Unknown action").arg("action", name).into());
    };
    let def = &p.actions[action];
    let acting = Acting { p, s, seat: seat.index() as u8 };
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    let invalid = |what: String| -> Refusal {
        Fault::new("invalid_action", "Invalid action: {what}").arg("what", what).into()
    };
    if !acting.completable(&mut x, def, &[]) {
        return Err(invalid(format!("{name} cannot be done now")));
    }
    let mut targets = Vec::new();
    let given = data.get("targets").cloned().unwrap_or(Json::Null);
    loop {
        let (said, among) = match acting.spec(def, &targets) {
            Spec::Done => break,
            Spec::Named(names, what) => {
                let said = given.get(&what).and_then(Json::as_str);
                let Some(said) = said else { break };
                let value = names.iter().find(|(_, name)| name == said).map(|(n, _)| *n);
                let options = acting.options(&mut x, def, &targets);
                match value.filter(|value| options.contains(value)) {
                    Some(value) => targets.push(value),
                    None => return Err(invalid(format!("{said} is no {what} that can be chosen"))),
                }
                continue;
            }
            Spec::From(_, _, name, _, _) => {
                let Some(said) = given.get(&name) else { break };
                (said.clone(), acting.options(&mut x, def, &targets))
            }
        };
        match referred(p, s, &said, &among) {
            Some(value) => targets.push(value),
            None => return Err(invalid(format!("{said} is no legal target"))),
        }
    }
    Ok(Said::Act(action as u16, targets))
}

/// Places and distributions.
fn free(p: &Program, s: &State, seat: Seat, def: &AskDef, draft: bool, said: &Json) -> Result<Said, Refusal> {
    let asked = Asked { p, s, seat };
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    let mut options = Vec::new();
    asked.options(&mut x, def, &mut options);
    let Some(list) = said.as_array() else {
        return Err(Refusal::of("malformed", "the selection is a list"));
    };
    match def.kind {
        AskKind::Distribute => {
            let parts: Option<Vec<i64>> = list.iter().map(|part| part.as_i64().filter(|n| *n >= 0)).collect();
            let sum = asked.sum(&mut x, def);
            match parts {
                Some(parts)
                    if parts.len() == options.len()
                        && parts.iter().fold(0i64, |all, n| all.saturating_add(*n)) == sum =>
                {
                    Ok(Said::Picks(parts))
                }
                _ => Err(Fault::new("sum", "give each a number; together they make {sum}")
                    .arg("sum", sum)
                    .into()),
            }
        }
        AskKind::Slots(n) => {
            if list.len() != usize::from(n) {
                return Err(Fault::new("layout", "exactly {n} entries, each a card or null")
                    .arg("n", n)
                    .into());
            }
            let mut left = options;
            let mut slots = Vec::with_capacity(list.len());
            for entry in list {
                if entry.is_null() {
                    slots.push(NONE);
                    continue;
                }
                let found = slot_entry(p, s, entry, &left);
                match found {
                    Some(value) => {
                        left.retain(|other| *other != value);
                        slots.push(value);
                    }
                    None if draft => slots.push(NONE),
                    None => return Err(Refusal::of("cards", "Invalid cards: cards must be from your hand")),
                }
            }
            Ok(Said::Picks(slots))
        }
        _ => Err(Refusal::of("malformed", "this is not answered in free form")),
    }
}

/// A card for a place: by its id, or the first one of its name that is left.
fn slot_entry(p: &Program, s: &State, entry: &Json, left: &[i64]) -> Option<i64> {
    let text = entry.as_str()?;
    let by_id = left.iter().copied().find(|value| named(p, s, *value).1 == text);
    by_id.or_else(|| {
        left.iter().copied().find(|value| {
            usize::try_from(*value)
                .ok()
                .filter(|e| *e < s.board.def.len())
                .is_some_and(|e| p.cards[usize::from(s.board.def[e])].name == text)
        })
    })
}

/// The answer that means this.
#[must_use]
pub fn say(p: &Program, s: &State, seat: Seat, said: &Said) -> Json {
    let posed = posed(p, s, seat);
    let title = posed.selector.title.clone();
    let index = |meaning: &Meaning| posed.meanings.iter().position(|other| other == meaning);
    let picks = |indexes: &[usize]| serde_json::to_value(posed.selector.say(indexes)).unwrap_or(Json::Null);
    match said {
        Said::Pass => picks(&index(&Meaning::Pass).into_iter().collect::<Vec<_>>()),
        Said::Cancel => picks(&index(&Meaning::Cancel).into_iter().collect::<Vec<_>>()),
        Said::Target(value) => picks(&index(&Meaning::Value(*value)).into_iter().collect::<Vec<_>>()),
        Said::Alive => json!({"title": title, "selection": "here"}),
        Said::Picks(values) if posed.selector.form == Form::Action => {
            let def = (Asked { p, s, seat }).def();
            let numbers = def.is_some_and(|def| def.kind == AskKind::Distribute);
            let list: Vec<Json> = values
                .iter()
                .map(|value| match *value {
                    n if numbers => json!(n),
                    NONE => Json::Null,
                    value => json!(named(p, s, value).1),
                })
                .collect();
            json!({"title": title, "selection": list})
        }
        Said::Picks(values) => {
            let indexes: Vec<usize> =
                values.iter().filter_map(|value| index(&Meaning::Value(*value))).collect();
            picks(&indexes)
        }
        Said::Act(action, targets) => {
            let found = posed
                .meanings
                .iter()
                .position(|meaning| matches!(meaning, Meaning::Action(other, _) if other == action));
            let Some(n) = found else { return picks(&[0]) };
            let choice = &posed.selector.choices[n];
            let mut pick = json!({"title": choice.title, "id": choice.id});
            if let (Some(first), Meaning::Action(_, options)) = (targets.first(), &posed.meanings[n])
                && let Some(place) = options.iter().position(|option| option == first)
            {
                let nested = &choice.choices[place];
                let name = match &nested.id {
                    None => json!(nested.title),
                    Some(id) => json!({"title": nested.title, "id": id}),
                };
                pick["selection"] = json!([name]);
            }
            json!({"title": title, "selection": [pick]})
        }
    }
}
