//! Passing by itself: what a seat has set, when it ends, and that nobody else sees it.

use std::sync::Arc;

use parlor_core::{AskId, Body, By, Header, Json, Match, Seat, Seats, Seed, Viewer};
use parlor_ruleset::{Program, game_def};
use serde_json::{Value, json};

use crate::harness::{holds, program};

/// Two steps with priority, a spell that waits for responses, and a button that asks.
fn game(extra: Value) -> Value {
    let mut game = json!({
        "actions": {
            "zap": {"timing": "stack", "do": [{"add": {"var": "n", "by": 1}}]},
            "press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5}}}]}
        },
        "turnStructure": {"maxTurns": 9, "phases": [{"id": "a", "steps": [{"id": "main"}, {"id": "late"}]}]}
    });
    for (name, value) in extra.as_object().expect("an object") {
        game[name] = value.clone();
    }
    game
}

fn until(seat: u8, until: &str) -> Value {
    json!({"seat": seat, "passUntil": until})
}

fn pass(seat: u8) -> Value {
    json!({"seat": seat, "say": "Pass"})
}

#[test]
fn each_kind_passes_until_what_it_says() {
    // cites 001/R19
    let at = |step: &str, seat: u8| json!({"asked": seat, "step": step, "stack": [], "over": false});
    let cases: Vec<(&str, Vec<Value>, Value)> = vec![
        // Seat 1 is not asked any more: after seat 0 has passed, the next step begins at once.
        ("response", vec![until(1, "response"), pass(0)], at("late", 0)),
        // Its own turn ends it: seat 1 is asked in its main step.
        ("response ends with its own turn", vec![until(1, "response"), pass(0), pass(0)], at("main", 1)),
        ("my turn", vec![until(1, "my_turn"), pass(0), pass(0)], at("main", 1)),
        // The active player passes through the rest of his turn, and is asked in the next one.
        ("turn end", vec![until(0, "turn_end"), pass(1), pass(1), pass(1)], at("main", 0)),
        ("a step", vec![until(0, "step:late"), pass(1)], at("late", 0)),
        // Set while it is asked, it passes at once; off asks again.
        ("off", vec![until(1, "my_turn"), until(1, "off"), pass(0)], at("main", 1)),
    ];
    for (name, script, then) in cases {
        holds(game(json!({})), json!({"name": name, "script": script, "then": then}));
    }
}

#[test]
fn it_ends_when_somebody_else_acts_unless_told_to_pass_on_that_too() {
    // cites 001/R19
    let zap = json!({"seat": 0, "act": "zap"});
    for kind in ["response", "my_turn", "turn_end", "step:late"] {
        holds(
            game(json!({})),
            json!({"name": kind, "script": [until(1, kind), zap, pass(0)], "then": {"asked": 1, "stack": ["Zap"]}}),
        );
        holds(
            game(json!({})),
            json!({"name": kind, "script": [{"seat": 1, "passUntil": {"until": kind, "through": true}}, zap, pass(0)],
                   "then": {"asked": 0, "stack": [], "vars": {"n": 1}}}),
        );
    }
    // One's own item does not end it.
    holds(
        game(json!({})),
        json!({"script": [zap, until(0, "turn_end"), pass(1)], "then": {"asked": 1, "stack": [], "vars": {"n": 1}}}),
    );
}

#[test]
fn it_ends_at_the_steps_where_the_seat_stops() {
    // cites 001/R19
    let set = |stops: Value| json!({"seat": 1, "passUntil": {"until": "my_turn", "stops": stops}});
    holds(
        game(json!({})),
        json!({"script": [set(json!(["late"])), pass(0), pass(0)], "then": {"asked": 1, "step": "late"}}),
    );
    holds(
        game(json!({})),
        json!({"script": [set(json!([])), pass(0), pass(0)], "then": {"asked": 1, "step": "main"}}),
    );
    // Stops stay when it is set again without naming them.
    holds(
        game(json!({})),
        json!({"script": [set(json!(["late"])), until(1, "off"), until(1, "my_turn"), pass(0), pass(0)], "then": {"asked": 1, "step": "late"}}),
    );
    let unknown = json!({"seat": 1, "passUntil": {"until": "my_turn", "stops": ["nowhere"]}, "refused": "there is no nowhere to pass until"});
    holds(
        game(json!({})),
        json!({"script": [unknown, {"seat": 1, "passUntil": "sunday", "refused": "there is no sunday"}]}),
    );
}

#[test]
fn it_never_answers_any_other_question_and_ends_with_it() {
    // cites 001/R19
    // Each kind of prompt, put to seat 1 while it passes until its turn.
    let cards = json!({"zones": ["table"], "of": {"seat": 1}});
    let prompts: Vec<(&str, Value, Value)> = vec![
        ("pick", json!({"pick": {"from": cards}}), json!("a")),
        ("slots", json!({"slots": {"n": 1, "from": cards}}), json!(["a"])),
        ("order", json!({"order": cards}), json!(["a", "b"])),
        ("number", json!({"number": {"min": 1, "max": 3}}), json!("2")),
        ("confirm", json!({"confirm": true}), json!("no")),
        ("modes", json!({"modes": ["left", "right"]}), json!("left")),
        ("distribute", json!({"distribute": {"from": cards, "sum": 2}}), json!([1, 1])),
    ];
    for (name, kind, answer) in prompts {
        for mode in ["one", "all", "any"] {
            let mut ask = json!({"id": name, "who": {"seat": 1}, "mode": mode, "as": "x"});
            ask.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
            let rules = json!([{"id": "r", "on": {"event": "Ping"}, "do": [{"ask": ask}]}]);
            let extra = game(json!({"rules": rules, "cards": {"a": {}, "b": {}}}));
            let given = json!({"zones": {"table": [[], ["a", "b"]]}});
            let press = json!({"seat": 0, "act": "press"});
            holds(
                extra.clone(),
                json!({"name": name, "given": given, "script": [until(1, "my_turn"), press], "then": {"asked": {"seat": 1, "ask": name}}}),
            );
            // It was asked something: from here on it is asked to act again.
            holds(
                extra,
                json!({"name": name, "given": given, "script": [until(1, "my_turn"), press, {"seat": 1, "say": answer}, pass(0)],
                       "then": {"asked": {"seat": 1, "ask": "priority"}}}),
            );
        }
    }
    // A target of an action of one's own.
    let aim = json!({"timing": "stack", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "each"}}, {"id": "u", "from": {"zones": ["table"], "of": "each"}}], "do": []});
    holds(
        game(json!({"actions": {"aim": aim}})),
        json!({"given": {"zones": {"table": [["stone"]]}},
               "script": [{"seat": 0, "act": "aim", "targets": {"t": "stone"}}, until(0, "turn_end")],
               "then": {"asked": {"seat": 0, "ask": "target"}}}),
    );
}

#[test]
fn it_does_not_go_on_for_ever() {
    // cites 001/R19
    // A flow without turns in which everybody passes: asked again after so many passes.
    let flow = json!([{"loop": {"max": 1000, "do": [{"step": {"id": "round", "priority": {"respond": ["empty"]}, "do": [{"add": {"var": "n", "by": 1}}]}}]}}]);
    let mut extra = json!({"flow": flow, "actions": {"press": {"timing": "instant", "do": []}}});
    extra["turnStructure"] = Value::Null;
    let mut ruleset = crate::harness::ruleset(&extra);
    ruleset.as_object_mut().unwrap().remove("turnStructure");
    let program = Arc::new(parlor_ruleset::compile(&ruleset.to_string()).expect("it compiles").program);
    let both = |kind: &str| json!({"until": kind, "through": true});
    let report = parlor_ruleset::scenario::run(
        &program,
        &json!({"script": [{"seat": 0, "passUntil": both("my_turn")}, {"seat": 1, "passUntil": both("my_turn")}],
                "then": {"asked": 0, "over": false, "vars": {"n": 65}}}),
    );
    report.unwrap_or_else(|why| panic!("{why}"));
}

fn start(program: Arc<Program>) -> Match {
    let def = game_def(program, "auto");
    let header = Header::seeded(&def, 2, Json::Null, Seed::from_text("auto"));
    Match::start(def, header).expect("it starts").0
}

const OFFER: AskId = AskId(1);

fn offer(until: &str) -> Body {
    let answer = json!({"title": "Pass until", "selection": {"action": "pass_until", "until": until}});
    Body::Answer { seat: Seat::new(1), ask: OFFER, answer }
}

#[test]
fn nobody_else_sees_that_it_is_set() {
    // cites 001/R19
    let mut play = start(program(game(json!({}))));
    let (first, second) = (Seat::new(0), Seat::new(1));
    let seen = |play: &Match| (play.view(first.into()), play.view(Viewer::Gallery));
    let (before, heads) = (seen(&play), (play.head(first.into()), play.head(Viewer::Gallery)));
    let stands = play.open_requests(first).to_vec();
    let applied = play.apply(5, By::Human, None, offer("my_turn")).expect("it is taken");
    assert!(applied.events.iter().all(|(to, _)| *to == Seats::only(second)), "{:?}", applied.events);
    assert_eq!(seen(&play), before);
    assert_eq!((play.head(first.into()), play.head(Viewer::Gallery)), heads);
    assert_eq!(play.open_requests(first), stands);
    assert_eq!(play.view(second.into())["passUntil"]["until"], "my_turn", "the seat itself sees it");
    // What others hear of a pass by itself is what they hear of any pass.
    let pass = |play: &mut Match, seat: Seat| {
        let ask = play.open_asks()[0].id;
        let answer = json!({"title": "Act or pass", "selection": ["Pass"]});
        let applied = play.apply(9, By::Human, None, Body::Answer { seat, ask, answer }).expect("a pass");
        let told = applied.events.into_iter().filter(|(to, _)| to.has(first));
        told.map(|(_, event)| event).collect::<Vec<Json>>()
    };
    let by_itself = pass(&mut play, first);
    let mut other = start(program(game(json!({}))));
    let mut by_hand = pass(&mut other, first);
    by_hand.extend(pass(&mut other, second));
    assert_eq!(by_itself, by_hand);
    assert_eq!(play.view(first.into()), other.view(first.into()));
}

#[test]
fn it_is_an_input_that_replays() {
    // cites 001/R19
    let mut play = start(program(game(json!({}))));
    for kind in ["turn_end", "response", "step:late"] {
        play.apply(2, By::Human, None, offer(kind)).expect("it is taken");
        let ask = play.open_asks()[0];
        let seat = ask.seats.lowest().expect("somebody is asked");
        let answer = json!({"title": "Act or pass", "selection": ["Pass"]});
        play.apply(2, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).expect("a pass");
    }
    let again = Match::replay(*play.def(), play.header().clone(), play.records()).expect("it replays");
    assert_eq!(again.footer(), play.footer());
}
