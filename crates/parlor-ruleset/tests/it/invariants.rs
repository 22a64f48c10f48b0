//! A broken invariant, and nothing else, stops a match; the operator settles it, and it replays.

use parlor_core::{Body, By, Header, Json, Match, Repair, Seat, Seed, Viewer};
use parlor_ruleset::game_def;
use serde_json::{Value, json};

use crate::harness::program;

/// Buttons that break what must hold: by an item, by a reaction, by what an answer in the flow leads to.
fn game() -> Value {
    let put = |n: i64| json!({"timing": "instant", "do": [{"add": {"var": "log", "by": 1}}, {"set": {"var": "n", "to": n}}]});
    json!({
        "invariants": [{">=": [{"var": "log"}, 0]}, {"<=": [{"var": "n"}, 10]}],
        "actions": {"good": put(10), "bad": put(11), "poke": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}},
        "rules": [{"id": "worse", "on": {"event": "Ping"}, "do": [{"set": {"var": "n", "to": 12}}]}],
        "turnStructure": {"maxTurns": 9, "phases": [{"id": "main", "steps": [
            {"id": "main", "do": [{"if": [{"==": [{"var": "log"}, 5]}, [{"set": {"var": "n", "to": 99}}]]}]}]}]}
    })
}

fn start() -> Match {
    let def = game_def(program(game()), "unsound");
    Match::start(def, Header::seeded(&def, 2, Json::Null, Seed::from_text("u"))).expect("it starts").0
}

fn press(play: &mut Match, action: &str) -> Vec<(String, String)> {
    let ask = play.open_asks()[0];
    let seat = ask.seats.lowest().expect("somebody is asked");
    let answer = json!({"title": "Act or pass", "selection": {"action": action}});
    let applied = play.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).expect("taken");
    told(&applied)
}

fn told(applied: &parlor_core::Applied) -> Vec<(String, String)> {
    let word = |event: &Json, name: &str| event[name].as_str().unwrap_or("").to_owned();
    let events = applied.events.iter().filter(|(_, event)| event.get("payload").is_some());
    events.map(|(_, event)| (word(event, "type"), word(event, "status"))).collect()
}

fn settle(play: &mut Match, how: Repair) -> Result<Vec<(String, String)>, String> {
    let body = Body::Repair { how, why: "a test".to_owned() };
    play.apply(0, By::House, None, body)
        .map(|applied| told(&applied))
        .map_err(|refusal| refusal.code().to_string())
}

fn replays(play: &Match) {
    let again = Match::replay(*play.def(), play.header().clone(), play.records()).expect("it replays");
    assert_eq!(again.footer(), play.footer());
}

fn n(play: &Match) -> Json {
    play.view(Viewer::Gallery)["vars"]["n"].clone()
}

fn pair(name: &str, status: &str) -> (String, String) {
    (name.to_owned(), status.to_owned())
}

#[test]
fn the_item_that_broke_it_is_taken_back_and_play_goes_on() {
    // cites 001/R11, 001-16, 001-14
    let mut play = start();
    press(&mut play, "good");
    assert_eq!(play.game().broken_invariant(), None, "what holds stops nobody");
    assert_eq!(settle(&mut play, Repair::Fail), Err("not_broken".to_owned()));
    press(&mut play, "bad");
    let broken = play.game().broken_invariant().expect("it is broken");
    assert_eq!(
        (broken.why.as_str(), broken.item.as_deref()),
        ("invariant 1 does not hold: n ≤ 10", Some("bad"))
    );
    assert!(play.open_asks().is_empty(), "nobody is asked anything");
    let answer = json!({"title": "Act or pass", "selection": ["Pass"]});
    let body = Body::Answer { seat: Seat::new(0), ask: parlor_core::AskId(4), answer };
    assert!(play.apply(0, By::Human, None, body).is_err());
    assert_eq!(settle(&mut play, Repair::Fail), Ok(vec![pair("Bad", "failed"), pair("Verdict", "applied")]));
    assert_eq!((n(&play), play.game().broken_invariant()), (json!(10), None), "as it was before");
    assert_eq!(play.open_asks().len(), 2, "play goes on: priority, and the offer beside it");
    replays(&play);
}

#[test]
fn a_reaction_that_broke_it_is_taken_back_alone() {
    // cites 001/R11
    let mut play = start();
    assert_eq!(
        press(&mut play, "poke"),
        [pair("Poke", "pending"), pair("Ping", "applied"), pair("Poke", "applied")]
    );
    assert_eq!(play.game().broken_invariant().expect("it is broken").item.as_deref(), Some("worse"));
    settle(&mut play, Repair::Fail).expect("it is settled");
    assert_eq!(n(&play), 0);
    replays(&play);
}

#[test]
fn or_the_match_ends_as_a_draw_or_is_killed() {
    // cites 001/R11
    let mut play = start();
    press(&mut play, "bad");
    settle(&mut play, Repair::Draw).expect("it is settled");
    let outcome = play.outcome().expect("it is over").clone();
    assert_eq!((outcome.winners.len(), outcome.reason.as_ref()), (0, "verdict: invariant"));
    replays(&play);
    let mut play = start();
    press(&mut play, "bad");
    play.apply(0, By::House, None, Body::Kill { why: "no".into() }).expect("killed");
    assert!(play.outcome().is_some());
}

#[test]
fn what_the_flow_itself_broke_can_only_be_ended() {
    // cites 001/R11
    let mut play = start();
    for _ in 0..5 {
        press(&mut play, "good");
    }
    let pass = |play: &mut Match| {
        let ask = play.open_asks()[0];
        let seat = ask.seats.lowest().expect("somebody is asked");
        let answer = json!({"title": "Act or pass", "selection": ["Pass"]});
        play.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).expect("taken");
    };
    pass(&mut play);
    pass(&mut play);
    assert_eq!(play.game().broken_invariant().expect("it is broken").item, None);
    assert_eq!(settle(&mut play, Repair::Fail), Err("no_item".to_owned()));
    assert!(settle(&mut play, Repair::Draw).is_ok());
    replays(&play);
}
