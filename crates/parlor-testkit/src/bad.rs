//! Bad answers of every kind: each is refused with its faults, and changes nothing for anybody.

use parlor_core::limits::{ANSWER_BYTES_MAX, SELECTION_ITEMS_MAX};
use parlor_core::{Json, Kind, Luck, Seat};
use parlor_host::{Answers, Command, Submit};
use serde_json::json;

use crate::world::{Driven, World, seats};

/// Sends bad answers to every seat that is asked, and to one that is not.
///
/// # Errors
/// A bad answer that was taken, that changed something, or that was refused without a reason.
pub fn answers<T: Driven>(world: &mut World<T>, luck: &mut Luck) -> Result<u64, String> {
    let mut refused = 0;
    for seat in seats(&world.plan) {
        let asked =
            world.view().play().stands(seat).iter().find(|stand| stand.kind == Kind::Request).copied();
        let Some(stand) = asked else {
            refused += refuses(world, seat, Answers::Input(1_000_000), json!({"selection": []}))?;
            continue;
        };
        let Ok(good) = world.view().play().sample(seat, stand.ask, luck) else { continue };
        let stale = stand.input.wrapping_sub(1);
        refused += refuses(world, seat, Answers::Input(stale), good.clone())?;
        refused += refuses(world, seat, Answers::Input(stand.input + 7), good.clone())?;
        let head = world.view().play().head(seat.into());
        refused += refuses(world, seat, Answers::Head(head + 1), good.clone())?;
        let all = mutations(&good);
        for _ in 0..4 {
            let bad = luck.pick(&all).clone();
            // A free-form answer may be good in more ways than one: only what the rules refuse is a bad answer.
            if world.view().play().check(seat, stand.ask, &bad).is_err() {
                refused += refuses(world, seat, Answers::Input(stand.input), bad)?;
            }
        }
    }
    Ok(refused)
}

/// Things that are not this answer.
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

fn refuses<T: Driven>(world: &mut World<T>, seat: Seat, to: Answers, answer: Json) -> Result<u64, String> {
    let (digest, records) = (world.view().play().digest(), world.view().play().next_seq());
    let (sent, unstored) = (world.sent.len(), world.unstored.len());
    let conn = world.plan.conn(seat.into());
    let text = answer.to_string();
    let text: String = text.chars().take(120).collect();
    world.tell(Command::Submit(conn, Submit { to, answer, key: None }));
    let play = world.view().play();
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
