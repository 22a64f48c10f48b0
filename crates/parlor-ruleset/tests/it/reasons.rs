//! Reasons read right, or say less.

use parlor_core::{AskId, Choice, DynGame, Json, Rng, Seat};
use parlor_ruleset::RulesetGame;
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use serde_json::{Value, json};

use crate::harness::program;

const FIRST: Seat = Seat::new(0);

/// The choices of the first question of a flow.
fn choices(extra: &Value) -> Vec<Choice> {
    let p = program(extra);
    let config = settings(&p, &Json::Null).expect("good settings");
    let table = RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::given(vm, &json!({})).expect("it can be laid");
    });
    table.request(FIRST, AskId(0)).choices
}

fn picking(pick: Value) -> Value {
    json!({
        "enums": {"suit": [{"id": "clubs", "label": "♣"}, {"id": "hearts", "label": "♥"}]}, "attributes": {"cost": {"type": "int"}},
        "zones": {"shop": {"order": "ordered", "see": "all", "label": "The shop"}, "board": {"see": "all", "grid": [2, 2]}, "hand": {"owner": "player", "see": "owner"}},
        "vars": {"alive": {"owner": "player", "type": "bool", "default": false}, "seen": {"type": "bool", "default": false}, "n": {"type": "int", "default": 0}},
        "cards": {"copper": {"title": "Copper", "cost": 0}, "gold": {"title": "Gold", "cost": 6}}, "events": {}, "actions": {},
        "setup": [{"create": {"card": "copper", "to": "shop", "n": 3}}, {"create": {"card": "gold", "to": "shop", "n": 2}}],
        "flow": [{"ask": {"id": "a", "who": {"seat": 0}, "as": "x", "pick": pick}}]
    })
}

/// What is listed, each with its reason.
fn reasons(pick: Value) -> Vec<(String, Option<String>)> {
    let all = choices(&picking(pick));
    let told = |choice: &Choice| choice.why_not.as_ref().map(ToString::to_string);
    all.iter().map(|choice| (choice.title.clone(), told(choice))).collect()
}

fn list(all: &[(&str, Option<&str>)]) -> Vec<(String, Option<String>)> {
    all.iter().map(|(title, why)| ((*title).to_owned(), why.map(str::to_owned))).collect()
}

#[test]
fn the_authors_reason_is_given_for_whatever_is_picked() {
    // cites 001/R15
    let why = "Not that";
    let enums =
        json!({"from": {"enum": "suit", "where": {"!=": ["it", "hearts"]}, "why": why}, "min": 0, "max": 1});
    assert_eq!(reasons(enums), list(&[("♣", None), ("♥", Some(why))]));
    let range = json!({"from": {"range": [1, 3], "where": {"<": ["it", 3]}, "why": why}, "min": 0, "max": 1});
    assert_eq!(reasons(range), list(&[("1", None), ("2", None), ("3", Some(why))]));
    let cells =
        json!({"from": {"cells": "board", "where": {">": ["it", 1]}, "why": why}, "min": 0, "max": 1});
    assert_eq!(reasons(cells), list(&[("2", None), ("3", None), ("0", Some(why)), ("1", Some(why))]));
    let prefer = json!({"from": {"enum": "suit"}, "prefer": [{"where": {"==": ["it", "hearts"]}, "why": why}], "min": 0, "max": 1});
    assert_eq!(reasons(prefer), list(&[("♥", None), ("♣", Some(why))]));
    // Where the author has no word for it, numbers that do not fit are not listed.
    let plain = json!({"from": {"range": [1, 3], "where": {"<": ["it", 3]}}, "min": 0, "max": 1});
    assert_eq!(reasons(plain), list(&[("1", None), ("2", None)]));
}

#[test]
fn of_several_copies_one_stands_for_all() {
    let by = json!({"attr": ["it", "cost"]});
    let dear = json!({"from": {"zones": ["shop"], "distinctBy": by, "where": {"<=": [by, 3]}, "why": "Too dear"}, "min": 0, "max": 1});
    assert_eq!(reasons(dear), list(&[("Copper", None), ("Gold", Some("Too dear"))]));
    let all = json!({"from": {"zones": ["shop"], "distinctBy": by}, "min": 0, "max": 1});
    assert_eq!(reasons(all), list(&[("Copper", None), ("Gold", None)]));
}

#[test]
fn a_reason_that_would_read_wrong_is_not_made() {
    // cites 001/R15
    let why = |keep: Value| {
        // The first seat can be picked anyway: a question that nobody can answer is not put.
        let pick = json!({"from": {"union": [{"seats": "all", "where": keep}, {"seats": {"seat": 0}}]}, "min": 0, "max": 1});
        reasons(pick).into_iter().find_map(|(_, why)| why).expect("somebody is barred")
    };
    assert_eq!(why(json!({"var": ["it", "alive"]})), "only where it is alive");
    assert_eq!(
        why(json!({"and": [{"not": {"var": ["it", "alive"]}}, {"==": [{"seatNo": "it"}, 7]}]})),
        "it cannot be chosen now"
    );
    assert_eq!(why(json!({"var": "seen"})), "only where seen is true");
    assert_eq!(
        why(json!({"exists": {"zones": ["hand"], "of": "it"}})),
        "only where there is something in hand"
    );
    assert_eq!(
        why(json!({"not": {"exists": {"zones": ["shop"]}}})),
        "only where there is nothing in The shop"
    );
    // With a condition of its own it would be something else.
    assert_eq!(
        why(json!({"exists": {"zones": ["shop"], "where": {"==": [{"attr": ["it", "cost"]}, 9]}}})),
        "it cannot be chosen now"
    );
    // Two things that are both `it`.
    let other = json!({"exists": {"seats": "all", "as": "q", "where": {"and": [{"!=": ["it", "q"]}, {"var": ["q", "alive"]}]}}});
    assert_eq!(why(other), "it cannot be chosen now");
    let nested = json!({"not": {"or": [{"not": {"var": ["it", "alive"]}}, {"and": [{"var": "seen"}, {"var": ["it", "alive"]}]}]}});
    assert_eq!(why(nested), "it cannot be chosen now");
    assert_eq!(why(json!({"not": {"<": [{"var": "n"}, 5]}})), "only where n ≥ 5");
}

#[test]
fn steps_and_zones_are_named_as_their_author_names_them() {
    let p = program(
        json!({"turnStructure": {"phases": [{"id": "main", "steps": [{"id": "first_strike"}, {"id": "late", "name": "The end"}]}]}}),
    );
    let config = settings(&p, &Json::Null).expect("good settings");
    let table = RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |_| {});
    let offer = table.request(FIRST, parlor_ruleset::internals::OFFER);
    let titles: Vec<&str> = offer.choices.iter().map(|choice| choice.title.as_str()).collect();
    assert!(titles.contains(&"until first strike") && titles.contains(&"until The end"), "{titles:?}");
    // Records of old name a step by its id.
    for title in ["until first strike", "until first_strike", "until late"] {
        let answer = json!({"title": "Pass until", "selection": [title]});
        assert!(table.read(FIRST, parlor_ruleset::internals::OFFER, &answer).is_ok(), "{title}");
    }
}
