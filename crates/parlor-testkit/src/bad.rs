//! Bad answers of every kind: each is refused with its faults, and changes nothing for any viewer.

use parlor_core::limits::{ANSWER_BYTES_MAX, SELECTION_ITEMS_MAX};
use parlor_core::{AskKind, Json, Rng, Seat};
use parlor_host::{AnswerTarget, Command, Submit};
use serde_json::json;

use crate::world::{Driven, World, seats};

/// Sends bad answers for every seat with an open request, and for one without.
///
/// # Errors
/// A bad answer that was accepted, that changed something, or that was refused without a reason.
pub fn answers<T: Driven>(world: &mut World<T>, rng: &mut Rng) -> Result<u64, String> {
    let mut refused = 0;
    for seat in seats(&world.plan) {
        let asked = world
            .view()
            .current_match()
            .open_requests(seat)
            .iter()
            .find(|stand| stand.kind == AskKind::Request)
            .copied();
        let Some(stand) = asked else {
            refused += refuses(world, seat, AnswerTarget::Input(1_000_000), json!({"selection": []}))?;
            continue;
        };
        let Ok(good) = world.view().current_match().sample(seat, stand.ask, rng) else { continue };
        let stale = stand.input.wrapping_sub(1);
        refused += refuses(world, seat, AnswerTarget::Input(stale), good.clone())?;
        refused += refuses(world, seat, AnswerTarget::Input(stand.input + 7), good.clone())?;
        let head = world.view().current_match().head(seat.into());
        refused += refuses(world, seat, AnswerTarget::Head(head + 1), good.clone())?;
        let all = mutations(&good);
        for _ in 0..4 {
            let bad = rng.pick(&all).clone();
            // A free-form answer may be valid in more ways than one: only an answer that the rules refuse is bad.
            if world.view().current_match().check(seat, stand.ask, &bad).is_err() {
                refused += refuses(world, seat, AnswerTarget::Input(stand.input), bad)?;
            }
        }
    }
    Ok(refused)
}

/// Values that differ from this answer.
#[must_use]
pub fn mutations(good: &Json) -> Vec<Json> {
    let deep = (0..60).fold(json!([]), |inner, _| json!([inner]));
    let mut all = vec![
        Json::Null,
        json!(true),
        json!(-1),
        json!(1.5),
        json!("x"),
        json!([]),
        json!({}),
        json!([[[]]]),
        json!({"title": 7, "selection": "x"}),
        json!({"title": "no such title", "selection": []}),
        json!({"selection": [null, 1, {"title": {}}]}),
        json!({"title": "Take a cell", "selection": {"action": 1}}),
        json!({"card": 300}),
        json!({"card": -1}),
        json!({"card": "0"}),
        deep.clone(),
        json!({"title": "x", "selection": deep}),
        json!({"title": "x".repeat(ANSWER_BYTES_MAX), "selection": []}),
        json!({"title": "x", "selection": vec!["y"; SELECTION_ITEMS_MAX + 1]}),
    ];
    if let Json::Object(map) = good {
        for key in map.keys() {
            for value in [Json::Null, json!([]), json!({}), json!(9_999_999), json!("\u{0}")] {
                let mut other = map.clone();
                other.insert(key.clone(), value);
                all.push(Json::Object(other));
            }
            let mut without = map.clone();
            without.remove(key);
            all.push(Json::Object(without));
        }
        if let Some(Json::Array(items)) = map.get("selection") {
            let mut twice = map.clone();
            twice.insert("selection".to_owned(), Json::Array([items.clone(), items.clone()].concat()));
            all.push(Json::Object(twice));
        }
    }
    all
}

fn refuses<T: Driven>(
    world: &mut World<T>,
    seat: Seat,
    to: AnswerTarget,
    answer: Json,
) -> Result<u64, String> {
    let (digest, records) = (world.view().current_match().digest(), world.view().current_match().next_seq());
    let (sent, unstored) = (world.sent.len(), world.unstored.len());
    let conn = world.plan.conn(seat.into());
    let text = answer.to_string();
    let text: String = text.chars().take(120).collect();
    world.handle(Command::Submit(conn, Submit { to, answer, key: None }));
    let play = world.view().current_match();
    if play.digest() != digest || play.next_seq() != records || world.unstored.len() != unstored {
        return Err(format!("refusal_changes_nothing: {text} as {to:?} of {seat:?} changed something"));
    }
    let heard = &world.sent[sent..];
    let [only] = heard else {
        return Err(format!("{text} as {to:?} of {seat:?} caused {} messages, not one refusal", heard.len()));
    };
    let reply: Json = serde_json::from_str(&only.bytes).map_err(|error| error.to_string())?;
    let faults = reply["faults"].as_array().map_or(0, Vec::len);
    if only.conn != conn || reply["type"] != "refused" || faults == 0 {
        return Err(format!("{text} as {to:?} of {seat:?} was answered with {}", only.bytes));
    }
    Ok(1)
}
