//! What is told of events: their numbers, their causes and their ends.

use parlor_core::{Body, By, Header, Json, Match, Seed};
use parlor_ruleset::table;
use serde_json::{Value, json};

use super::rules::holds;
use crate::small::program;

/// Plays these answers of whoever is asked, and gives all events that were told.
fn told(extra: Value, answers: &[Value]) -> Vec<Json> {
    let entry = table::entry(program(extra), "told");
    let header = Header::seeded(&entry, 2, Json::Null, Seed::from_text("told"));
    let (mut play, first) = Match::start(entry, header).expect("it starts");
    let mut all = first.events;
    for selection in answers {
        let ask = play.standing()[0];
        let seat = ask.seats.lowest().expect("somebody is asked");
        let answer = json!({"title": "Act or pass", "selection": selection});
        let body = Body::Answer { seat, ask: ask.id, answer };
        all.extend(play.apply(0, By::Human, None, body).expect("it is taken").events);
    }
    all.into_iter().map(|(_, event)| event).filter(|event| event.get("payload").is_some()).collect()
}

fn of<'a>(events: &'a [Json], name: &str, status: &str) -> Vec<&'a Json> {
    events.iter().filter(|event| event["type"] == name && event["status"] == status).collect()
}

#[test]
fn an_event_keeps_its_number_to_its_end_and_no_other_has_it() {
    // cites 001-2, 001/R9, 001-12
    let ping = |n: i64| json!({"emit": {"event": "Ping", "payload": {"n": n}}});
    let extra = json!({
        "actions": {"press": {"timing": "stack", "do": [ping(1), ping(2), {"push": {"event": "Pong"}}]}},
        "rules": [{"id": "echo", "on": {"event": "Ping", "where": {"==": [{"ev": "n"}, 2]}}, "do": [ping(3)]}]
    });
    let events = told(extra, &[json!({"action": "press"}), json!(["Pass"]), json!(["Pass"])]);
    let press = of(&events, "Press", "pending")[0];
    assert_eq!(press["causedBy"], Json::Null);
    assert_eq!(of(&events, "Press", "applied")[0]["id"], press["id"], "it is the same event: {events:?}");
    let (waits, done) = (of(&events, "Pong", "pending")[0], of(&events, "Pong", "applied")[0]);
    assert_eq!((&waits["id"], &waits["causedBy"]), (&done["id"], &press["id"]));
    // What it let happen names it; what a reaction let happen names the event that was reacted to.
    let pings = of(&events, "Ping", "applied");
    let causes: Vec<&Json> = pings.iter().map(|event| &event["causedBy"]).collect();
    assert_eq!(causes, [&press["id"], &press["id"], &pings[1]["id"]], "{events:?}");
    let mut ids: Vec<u64> = events
        .iter()
        .filter(|event| event["status"] != "pending")
        .filter_map(|event| event["id"].as_u64())
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "two events have one number: {events:?}");
}

#[test]
fn what_was_prevented_is_named_with_its_cue() {
    // cites 001-21, 001/R9
    let extra = json!({
        "actions": {
            "press": {"timing": "stack", "do": []},
            "stop": {"timing": "instant", "targets": [{"id": "s", "from": {"stackItems": {"controller": "opponent"}}}], "do": [{"counterItem": "s"}]}
        }
    });
    let answers =
        [json!({"action": "press"}), json!(["Pass"]), json!({"action": "stop", "targets": {"s": "Press"}})];
    let events = told(extra, &answers);
    let (press, stopped) =
        (of(&events, "Press", "prevented")[0], of(&events, "EventPrevented", "applied")[0]);
    assert_eq!(press["id"], of(&events, "Press", "pending")[0]["id"]);
    assert_eq!(stopped["payload"], json!({"eventId": press["id"], "eventType": "Press", "cue": "fizzle"}));
    assert_eq!(stopped["causedBy"], press["id"]);
}

#[test]
fn a_part_of_a_fan_out_is_prevented_and_the_rest_happens() {
    // cites 001-18, 001/R9
    let cards = json!({
        "stone": {}, "flint": {},
        "wall": {"replaces": [{"id": "no", "event": "Hit", "where": {"==": [{"ev": "target"}, "self"]}, "do": [{"prevent": true}]}]}
    });
    let hit = json!([{"emit": {"event": "Hit", "each": {"target": {"zones": ["table"], "of": "each"}}, "payload": {"n": 1}}}]);
    let of = |card: &str, status: &str| json!({"type": "Hit", "status": status, "causedBy": "Press", "payload": {"target": card}});
    holds(
        json!({
            "cards": cards, "actions": {"press": {"timing": "instant", "do": hit}},
            "events": {"Hit": {"target": "entity", "n": "int", "do": [{"setAttr": {"of": {"ev": "target"}, "attr": "size", "to": 9}}]}}
        }),
        json!({"given": {"zones": {"table": [["stone", "wall", "flint"]]}}, "script": [{"seat": 0, "act": "press", "events": [
                "Press pending", of("stone", "applied"), of("wall", "prevented"), {"type": "EventPrevented", "causedBy": "Hit"},
                of("flint", "applied"), "Press applied"]}],
            "then": {"cards": {"stone": {"size": 9}, "wall": {"size": 1}, "flint": {"size": 9}}}}),
    );
}
