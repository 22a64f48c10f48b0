//! What is told of events: their numbers, their causes and their ends.

use parlor_core::{Body, By, Header, Json, Match, Rng, Seed, Viewer};
use parlor_ruleset::{compile, game_def, shipped};
use serde_json::{Value, json};

use super::rules::holds;
use crate::harness::program;

/// Plays these answers of whoever is asked, and gives all events that were told.
fn told(extra: Value, answers: &[Value]) -> Vec<Json> {
    let def = game_def(program(extra), "told");
    let header = Header::seeded(&def, 2, Json::Null, Seed::from_text("told"));
    let (mut play, first) = Match::start(def, header).expect("it starts");
    let mut all = first.events;
    crate::harness::full_control(&mut play);
    for selection in answers {
        let ask = play.open_asks()[0];
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

/// Type, number, cause and status of an event.
fn line(event: &Json) -> (Json, Json, Json, Json) {
    let field = |name: &str| event[name].clone();
    (field("type"), field("id"), field("causedBy"), field("status"))
}

#[test]
fn everybody_is_told_of_every_event_under_one_number() {
    // cites 001-2, 001-12, 001-23
    // The number of an event counts events alone, and all of them are told to all: it says nothing to anybody that the
    // stream of any other viewer does not say too. What differs is what is in them.
    let veil = compile(include_str!("../fixtures/veil.json")).expect("it compiles").program;
    let skirmish = shipped::program("skirmish").expect("it is shipped");
    for p in [std::sync::Arc::new(veil), skirmish] {
        let def = game_def(p, "numbers");
        let seats = def.seats.0;
        let mut differ = 0;
        for seed in 0..8 {
            let mut rng = Rng::fast(seed);
            let header = Header::seeded(&def, seats, Json::Null, Seed::from_text(&format!("numbers {seed}")));
            let (mut play, first) = Match::start(def, header).expect("it starts");
            let mut told = first.events;
            for _ in 0..300 {
                let Some(ask) = play.open_asks().first().copied() else { break };
                let Some(seat) = ask.seats.lowest() else { break };
                let answer = play.sample(seat, ask.id, &mut rng).expect("he is asked");
                let body = Body::Answer { seat, ask: ask.id, answer };
                told.extend(play.apply(0, By::Human, None, body).expect("it is taken").events);
            }
            let heard = |viewer: Viewer| -> Vec<&Json> {
                let his = told.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, event)| event);
                his.filter(|event| event.get("payload").is_some()).collect()
            };
            let gallery = heard(Viewer::Gallery);
            assert!(gallery.len() > 10, "{} events", gallery.len());
            for viewer in Viewer::all(seats) {
                let his = heard(viewer);
                assert_eq!(
                    his.iter().map(|event| line(event)).collect::<Vec<_>>(),
                    gallery.iter().map(|event| line(event)).collect::<Vec<_>>(),
                    "{viewer:?}"
                );
                differ += usize::from(his != gallery);
            }
        }
        assert!(differ > 0, "they are told of different cards, or nothing was shown by this");
    }
}
