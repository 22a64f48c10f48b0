//! The offer to pass automatically, which stands beside every question of a ruleset with priority.
//!
//! Its description never changes, so that nobody else can tell when it was taken up; what is set now stands in the
//! seat's own view.

use parlor_core::{AskId, Choice, Chosen, Fault, Json, Refusal, Response, Selector};
use serde_json::json;

use super::expr_text::label;
use crate::machine::ids::StepId;
use crate::machine::program::{Program, STEPS};
use crate::machine::requests::SeatInput;
use crate::machine::requests::auto::{Intent, Until, step_named};

/// The offer. Questions have even numbers from 2 on, their drafts the odd ones after them.
pub const OFFER: AskId = AskId(1);

/// What the offer is called.
pub(crate) const OFFER_TITLE: &str = "Pass until";
/// The action that its answer is.
pub(crate) const PASS_UNTIL: &str = "pass_until";
/// Not to pass by itself.
const OFF: &str = "off";

/// The names that can be chosen, with their titles. `raw`: steps by their ids, as answers of old named them.
fn names(program: &Program, raw: bool) -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = [
        ("response", "until somebody else acts"),
        ("turn_end", "until the turn is over"),
        ("my_turn", "until my turn"),
    ]
    .map(|(id, title)| (id.to_owned(), title.to_owned()))
    .to_vec();
    let steps = &program.enums[STEPS].values;
    let shown = |step: &str| if raw { step.to_owned() } else { label(program, step) };
    names.extend(steps.iter().map(|step| (format!("step:{step}"), format!("until {}", shown(step)))));
    names.push((OFF.to_owned(), OFF.to_owned()));
    names
}

/// The description of the offer.
#[must_use]
pub(crate) fn offer(program: &Program) -> Selector {
    titled(program, false)
}

fn titled(program: &Program, raw: bool) -> Selector {
    let names = names(program, raw);
    let choices = names.iter().map(|(id, title)| Choice::new(title.clone()).id(id.clone()));
    let mut selector = Selector::pick(OFFER_TITLE, choices.collect());
    let options: Vec<Json> = names.iter().map(|(id, title)| json!({"id": id, "label": title})).collect();
    let steps = &program.enums[STEPS].values;
    selector.allows_action = Some(json!([PASS_UNTIL]));
    selector.meta = Some(json!({"kind": PASS_UNTIL, "options": options, "stops": steps}));
    selector
}

/// What an answer to the offer means: one of its choices, or `{action: "pass_until", until, through?, stops?}`.
///
/// # Errors
/// Every fault of the answer.
pub(crate) fn offered(program: &Program, answer: &Json) -> Result<SeatInput, Refusal> {
    let response: Response =
        serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| {
            Refusal::from(Fault::new("malformed", "answer: {error}").arg("error", error.to_string()))
        })?;
    // Matches that were recorded before steps had labels here name them by their ids.
    let selector = offer(program);
    let chosen = selector
        .validate(&response)
        .or_else(|plain| titled(program, true).validate(&response).map_err(|_| plain));
    match chosen? {
        Chosen::Picks(picks) => {
            let choice = picks.first().and_then(|pick| selector.choices.get(pick.index));
            let id = choice.and_then(|choice| choice.id.clone()).unwrap_or_default();
            Ok(SeatInput::Auto(Intent {
                until: until(program, &id)?,
                through: false,
                stops: None,
                full: None,
            }))
        }
        Chosen::Action(data) => {
            let name = data["until"].as_str().or_else(|| data["pass_until"].as_str()).unwrap_or(OFF);
            let through = data["through"].as_bool().unwrap_or(false);
            let stops = data["stops"].as_array().map(|list| stops(program, list)).transpose()?;
            let full = data["full"].as_bool();
            Ok(SeatInput::Auto(Intent { until: until(program, name)?, through, stops, full }))
        }
    }
}

fn stops(program: &Program, list: &[Json]) -> Result<Vec<StepId>, Refusal> {
    let step = |stop: &Json| {
        let found = stop.as_str().and_then(|name| step_named(program, name));
        found.ok_or_else(|| unknown(stop))
    };
    let mut stops: Vec<StepId> = list.iter().map(step).collect::<Result<_, _>>()?;
    stops.sort_unstable();
    stops.dedup();
    Ok(stops)
}

fn until(program: &Program, name: &str) -> Result<Option<Until>, Refusal> {
    match name {
        OFF => Ok(None),
        name => Until::named(program, name).map(Some).ok_or_else(|| unknown(&json!(name))),
    }
}

fn unknown(name: &Json) -> Refusal {
    Fault::new("pass_until", "there is no {name} to pass until").arg("name", name.clone()).into()
}

/// Everything that can be said to the offer in one word, and with stops.
#[must_use]
pub(crate) fn every_offer(program: &Program) -> Vec<SeatInput> {
    let one = |(id, _): (String, String)| {
        SeatInput::Auto(Intent { until: Until::named(program, &id), through: false, stops: None, full: None })
    };
    let mut all: Vec<SeatInput> = names(program, false).into_iter().map(one).collect();
    let stops = Some(if program.steps.is_empty() { Vec::new() } else { vec![StepId(0)] });
    all.push(SeatInput::Auto(Intent { until: Some(Until::MyTurn), through: true, stops, full: None }));
    if !program.is_first_edition() {
        for full in [true, false] {
            all.push(SeatInput::Auto(Intent { until: None, through: false, stops: None, full: Some(full) }));
        }
    }
    all
}

/// The answer that means this.
pub(super) fn say(program: &Program, said: &Intent) -> Json {
    let name = said.until.map_or_else(|| OFF.to_owned(), |until| until.name(program));
    if !said.through && said.stops.is_none() && said.full.is_none() {
        let title = names(program, false).into_iter().find(|(id, _)| *id == name).map(|(_, title)| title);
        return json!({"title": OFFER_TITLE, "selection": [{"title": title, "id": name}]});
    }
    let steps = &program.enums[STEPS].values;
    let mut answer = json!({"action": PASS_UNTIL, "until": name, "through": said.through});
    if let Some(stops) = &said.stops {
        answer["stops"] = stops.iter().filter_map(|n| steps.get(n.index())).cloned().collect();
    }
    if let Some(full) = said.full {
        answer["full"] = json!(full);
    }
    json!({"title": OFFER_TITLE, "selection": answer})
}
