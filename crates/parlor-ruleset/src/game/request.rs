//! Answers as what they mean, and what is meant as an answer.

use parlor_core::selector::Form;
use parlor_core::{Choice, Chosen, Fault, HouseCode, Json, Refusal, Response, Seat};
use serde_json::json;

pub(crate) use super::auto_pass::{OFFER, OFFER_TITLE, PASS_UNTIL, every_offer, offer, offered};
pub(crate) use super::questions::{For, Meaning, PASS, Posed, named, posed};
use super::reasons::Why;
use crate::limits::{OPS_PER_LOOK_MAX, OPS_PER_WHY_MAX};
use crate::machine::eval::Scratch;
use crate::machine::ids::{ActionId, AttrId, EntityId};
use crate::machine::program::{AskDef, AskKind, NONE, Program};
use crate::machine::requests::{Asked, SeatInput};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::{Question, State};
use crate::machine::value::seat_number;

/// What an answer means.
///
/// # Errors
/// Every fault of the answer.
pub(crate) fn check(
    program: &Program,
    state: &State,
    seat: Seat,
    draft: bool,
    answer: &Json,
) -> Result<SeatInput, Refusal> {
    let read = meaning(program, state, seat, draft, answer);
    let Some(def) = (Asked { program, state, seat }).def() else { return read };
    let present = state.touched[def.answer].has(seat);
    match read {
        Err(_) if def.alive && !present => Ok(SeatInput::Alive),
        other => other,
    }
}

fn meaning(
    program: &Program,
    state: &State,
    seat: Seat,
    draft: bool,
    answer: &Json,
) -> Result<SeatInput, Refusal> {
    let mut response: Response =
        serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| {
            Refusal::from(Fault::new("malformed", "answer: {error}").arg("error", error.to_string()))
        })?;
    let def = (Asked { program, state, seat }).def();
    if def.is_some_and(|def| def.kind == AskKind::Number) {
        response.selection = written(response.selection);
    }
    let posed = posed(program, state, seat, For::Reading);
    if posed.selector.form == Form::Action {
        let Some(def) = def else {
            return Err(Refusal::of(HouseCode::NotAsked, "nothing is asked now"));
        };
        posed.selector.validate(&response)?;
        return free(program, state, seat, def, draft, &response.selection);
    }
    // Whoever names what cannot be had is told why: the list with reasons is made only for him.
    let explained = |plain: Refusal| {
        let full = self::posed(program, state, seat, For::Client).selector;
        full.validate(&response)
            .err()
            .filter(|refusal| refusal.has(HouseCode::IllegalChoice))
            .unwrap_or(plain)
    };
    match posed.selector.validate(&response).map_err(explained)? {
        Chosen::Action(data) => whole_action(program, state, seat, &data),
        Chosen::Picks(picks) => {
            let is_statement = matches!(
                state.open.as_ref().map(|open| &open.what),
                Some(Question::Ask(_) | Question::Choose)
            );
            if is_statement {
                let values = picks.iter().map(|pick| match &posed.meanings[pick.index] {
                    Meaning::Value(value) => *value,
                    _ => NONE,
                });
                let values: Vec<i64> = values.collect();
                if !draft {
                    whole(program, state, seat, &values)?;
                }
                return Ok(SeatInput::Picks(values));
            }
            let Some(pick) = picks.first() else { return Err(Refusal::of("count", "pick exactly one")) };
            Ok(match &posed.meanings[pick.index] {
                Meaning::Pass => SeatInput::Pass,
                Meaning::Cancel => SeatInput::Cancel,
                Meaning::Value(value) => SeatInput::Target(*value),
                Meaning::Action(action, options) => {
                    let first = pick.nested.first().map(|nested| options[nested.index]);
                    SeatInput::Act(*action, first.into_iter().collect())
                }
            })
        }
    }
}

/// Whether all that is picked fits together. Where nothing would, anything does: nobody is asked for what cannot be.
fn whole(program: &Program, state: &State, seat: Seat, picks: &[i64]) -> Result<(), Refusal> {
    let asked = Asked { program, state, seat };
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let Some(def) = asked.def().filter(|def| !asked.fits(&mut scratch, def, picks)) else { return Ok(()) };
    if asked.fitting(&mut Scratch::new(OPS_PER_LOOK_MAX), def).is_none() {
        return Ok(());
    }
    Err(match def.why {
        Some(text) => Fault::new("rule", "{text}").arg("text", program.texts[text].as_str()).into(),
        None => Refusal::of("whole", "these do not go together"),
    })
}

/// A number as it is written on a list of choices, however it was said: 5, "5", [5] or ["5"].
fn written(said: Json) -> Json {
    let text = |one: Json| if one.is_number() { json!(one.to_string()) } else { one };
    match said {
        Json::Array(list) => Json::Array(list.into_iter().map(text).collect()),
        Json::Number(_) | Json::String(_) => json!([text(said)]),
        other => other,
    }
}

/// A number as a client writes it: 5 or "5".
pub(crate) fn numbered(said: &Json) -> Option<i64> {
    said.as_i64().or_else(|| said.as_str()?.trim().parse().ok())
}

/// The thing that a client's id means, among these.
pub(crate) fn referred(program: &Program, state: &State, said: &Json, among: &[i64]) -> Option<i64> {
    if said.is_null() {
        return among.contains(&NONE).then_some(NONE);
    }
    if let Some(seat) = said.get("seat").and_then(Json::as_i64) {
        return among.iter().copied().find(|value| seat_number(*value) == seat);
    }
    let text = said.as_str().or_else(|| said.get("id").and_then(Json::as_str))?;
    let by_id = among.iter().copied().find(|value| named(program, state, *value).1 == text);
    by_id
        .or_else(|| {
            let of_name = |value: &i64| is_called(program, state, *value, text);
            let found: Vec<i64> = among.iter().copied().filter(of_name).collect();
            let first = *found.first()?;
            found.iter().all(|other| alike(program, state, first, *other)).then_some(first)
        })
        .or_else(|| {
            // `bolt#2` is the second of that name.
            let (name, place) = text.rsplit_once('#')?;
            let place = place.parse::<usize>().ok()?.checked_sub(1)?;
            among.iter().copied().filter(|value| is_called(program, state, *value, name)).nth(place)
        })
}

/// Whether a thing has this title, or is a card of this name.
fn is_called(program: &Program, state: &State, value: i64, text: &str) -> bool {
    let (title, _) = named(program, state, value);
    let def = state.board.entity(value);
    title == text || def.is_some_and(|e| program.cards[state.board.entities[e].def].name == text)
}

/// Whether two cards are copies that nobody could tell apart: whichever is meant, it is the same.
fn alike(program: &Program, state: &State, one: i64, other: i64) -> bool {
    let card = |value: i64| state.board.entity(value);
    let (Some(a), Some(b)) = (card(one), card(other)) else { return one == other };
    let looks = |e: EntityId| {
        let ent = &state.board.entities[e];
        (ent.def, ent.at, ent.owner, ent.ctrl, ent.by, ent.down, ent.keywords, ent.mute)
    };
    let counters = |e: EntityId| {
        let n = program.counters.len();
        state.board.counters.get(e.index() * n..(e.index() + 1) * n)
    };
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let eval = crate::machine::eval::Eval::outside(program, state, NONE, NONE);
    looks(a) == looks(b)
        && counters(a) == counters(b)
        && (0..program.attrs.len())
            .map(AttrId::at)
            .all(|n| eval.attr(&mut scratch, one, n) == eval.attr(&mut scratch, other, n))
}

/// An action with all its targets at once: `{action, targets: {name: id}}`.
fn whole_action(program: &Program, state: &State, seat: Seat, data: &Json) -> Result<SeatInput, Refusal> {
    let name = data.get("action").and_then(Json::as_str).unwrap_or("");
    if name == "pass" {
        return Ok(SeatInput::Pass);
    }
    let Some(action) = program.actions.iter().position(|action| action.id == name) else {
        return Err(Fault::new("unknown_action", "Unknown action").arg("action", name).into());
    };
    let def = &program.actions[action];
    let acting = Acting { program, state, seat: seat.index() as u8 };
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let invalid = |what: String| -> Refusal {
        Fault::new("invalid_action", "Invalid action: {what}").arg("what", what).into()
    };
    let why = Why { program, state, seat };
    if !acting.completable(&mut scratch, def, &[]) {
        let why = why.action(&mut Scratch::new(OPS_PER_WHY_MAX), def);
        let why = why.map_or(String::new(), |fault| format!(": {fault}"));
        return Err(invalid(format!("{name} cannot be done now{why}")));
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
                let options = acting.options(&mut scratch, def, &targets);
                match value.filter(|value| options.contains(value)) {
                    Some(value) => targets.push(value),
                    None => return Err(invalid(format!("{said} is no {what} that can be chosen"))),
                }
                continue;
            }
            Spec::From(target, _) => {
                let Some(said) = given.get(&target.name) else { break };
                let among = acting.options(&mut scratch, def, &targets);
                if target.number {
                    match numbered(said).filter(|n| among.contains(n)) {
                        Some(n) => targets.push(n),
                        None => {
                            return Err(invalid(format!("{said} is no {} that can be chosen", target.name)));
                        }
                    }
                    continue;
                }
                (said.clone(), among)
            }
        };
        match referred(program, state, &said, &among) {
            Some(value) => targets.push(value),
            None => {
                let mut y = Scratch::new(OPS_PER_WHY_MAX);
                let mut rest = why.targets(&mut y, def, &targets, &among).split_off(among.len());
                let values: Vec<i64> = rest.iter().map(|(value, _)| *value).collect();
                let named = referred(program, state, &said, &values);
                let found = named.and_then(|named| rest.iter().position(|(value, _)| *value == named));
                let fault = found.and_then(|n| rest.swap_remove(n).1);
                let text = said.as_str().unwrap_or_default();
                let copies = among.iter().filter(|value| is_called(program, state, **value, text)).count();
                if copies > 1 {
                    let what = format!(
                        "{said} alone is no legal target: there are {copies}, and they differ: name one by its id, or as \"{text}#1\" to \"{text}#{copies}\""
                    );
                    return Err(invalid(what));
                }
                let why = fault.map_or(String::new(), |fault| format!(": {fault}"));
                return Err(invalid(format!("{said} is no legal target{why}")));
            }
        }
    }
    Ok(SeatInput::Act(ActionId::at(action), targets))
}

/// Places, distributions, and numbers with a wide range.
fn free(
    program: &Program,
    state: &State,
    seat: Seat,
    def: &AskDef,
    draft: bool,
    said: &Json,
) -> Result<SeatInput, Refusal> {
    let asked = Asked { program, state, seat };
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    let mut options = Vec::new();
    asked.options(&mut scratch, def, &mut options);
    let Some(list) = said.as_array() else {
        return Err(Refusal::of("malformed", "the selection is a list"));
    };
    match def.kind {
        AskKind::Number => {
            let (min, max) = asked.range(&mut scratch, def);
            let said = match list.as_slice() {
                [Json::String(text)] => text.trim().parse::<i64>().ok(),
                _ => None,
            };
            match said.filter(|n| (min..=max).contains(n)) {
                Some(n) => Ok(SeatInput::Picks(vec![n])),
                None => Err(Fault::new("number", "a whole number from {min} to {max}")
                    .arg("min", min)
                    .arg("max", max)
                    .into()),
            }
        }
        AskKind::Distribute => {
            let parts: Option<Vec<i64>> = list.iter().map(|part| part.as_i64().filter(|n| *n >= 0)).collect();
            let sum = asked.sum(&mut scratch, def);
            match parts {
                Some(parts)
                    if parts.len() == options.len()
                        && parts.iter().fold(0i64, |all, n| all.saturating_add(*n)) == sum =>
                {
                    Ok(SeatInput::Picks(parts))
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
                let found = slot_entry(program, state, entry, &left);
                match found {
                    Some(value) => {
                        left.retain(|other| *other != value);
                        slots.push(value);
                    }
                    None if draft => slots.push(NONE),
                    None => return Err(Refusal::of("cards", "Invalid cards: cards must be from your hand")),
                }
            }
            Ok(SeatInput::Picks(slots))
        }
        _ => Err(Refusal::of("malformed", "this is not answered in free form")),
    }
}

/// A card for a place: by its id, or the first one of its name that is left.
fn slot_entry(program: &Program, state: &State, entry: &Json, left: &[i64]) -> Option<i64> {
    let text = entry.as_str()?;
    let by_id = left.iter().copied().find(|value| named(program, state, *value).1 == text);
    by_id.or_else(|| {
        left.iter().copied().find(|value| {
            let card = state.board.entity(*value);
            card.is_some_and(|e| program.cards[state.board.entities[e].def].name == text)
        })
    })
}

/// The answer that means this.
#[must_use]
pub(crate) fn say(program: &Program, state: &State, seat: Seat, said: &SeatInput) -> Json {
    let posed = posed(program, state, seat, For::Reading);
    let title = posed.selector.title.clone();
    let index = |meaning: &Meaning| posed.meanings.iter().position(|other| other == meaning);
    let choices = &posed.selector.choices;
    let picks = |indexes: &[usize]| -> Json {
        let names: Vec<Json> = indexes.iter().map(|n| short(choices, *n)).collect();
        json!({"title": title, "selection": names})
    };
    match said {
        SeatInput::Pass => picks(&index(&Meaning::Pass).into_iter().collect::<Vec<_>>()),
        SeatInput::Cancel => picks(&index(&Meaning::Cancel).into_iter().collect::<Vec<_>>()),
        SeatInput::Target(value) => picks(&index(&Meaning::Value(*value)).into_iter().collect::<Vec<_>>()),
        SeatInput::Alive => json!({"title": title, "selection": "here"}),
        SeatInput::Auto(said) => super::auto_pass::say(program, said),
        SeatInput::Picks(values) if posed.selector.form == Form::Action => {
            let def = (Asked { program, state, seat }).def();
            let numbers = def.is_some_and(|def| matches!(def.kind, AskKind::Distribute | AskKind::Number));
            let list: Vec<Json> = values
                .iter()
                .map(|value| match *value {
                    n if numbers => json!(n),
                    NONE => Json::Null,
                    value => json!(named(program, state, value).1),
                })
                .collect();
            json!({"title": title, "selection": list})
        }
        SeatInput::Picks(values) => {
            let indexes: Vec<usize> =
                values.iter().filter_map(|value| index(&Meaning::Value(*value))).collect();
            picks(&indexes)
        }
        SeatInput::Act(action, targets) => {
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
                pick["selection"] = json!([short(&choice.choices, place)]);
            }
            json!({"title": title, "selection": [pick]})
        }
    }
}

/// How a choice is named in an answer: by its title, and by its id too where the title is there twice.
fn short(choices: &[Choice], n: usize) -> Json {
    let Some(choice) = choices.get(n) else { return Json::Null };
    let twice = choices.iter().filter(|other| other.title == choice.title).count() > 1;
    match &choice.id {
        Some(id) if twice => json!({"title": choice.title, "id": id}),
        _ => json!(choice.title),
    }
}
