//! Why something cannot be had: in requests, in refusals, and where actions are discovered.

use std::sync::Arc;

use parlor_core::{AskId, Choice, DynGame, Json, Rng, Seat, Selector};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{Program, RulesetGame, dialect, shipped};
use serde_json::{Value, json};

use crate::harness::{program, say};

/// What a seat can do, as clients read it.
fn actions(table: &RulesetGame, seat: Seat, wanted: &Json) -> Json {
    json!(dialect::actions(table, seat, wanted))
}

const FIRST: Seat = Seat::new(0);

fn lay(p: Arc<Program>, config: &Json, given: &Json) -> RulesetGame {
    let config = settings(&p, config).expect("good settings");
    RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::ask_everybody(vm);
        parlor_ruleset::internals::given(vm, given).expect("it can be laid");
    })
}

fn skirmish(zones: &Json, mana: i64) -> RulesetGame {
    let p = shipped::program("skirmish").expect("it is shipped");
    let given = json!({"zones": zones, "vars": {"maxMana": [mana - 1, mana]}});
    lay(p, &json!({"deck": [], "handSize": 0}), &given)
}

fn choice<'a>(choices: &'a [Choice], title: &str) -> &'a Choice {
    let titles: Vec<&str> = choices.iter().map(|choice| choice.title.as_str()).collect();
    choices.iter().find(|choice| choice.title == title).unwrap_or_else(|| panic!("no {title} in {titles:?}"))
}

fn reason(choice: &Choice) -> Option<(String, String)> {
    choice.why_not.as_ref().map(|fault| (fault.code.to_string(), fault.to_string()))
}

/// A game in which one button can be pressed or not, and why not: its action, what lies there, the reason.
fn reasons(action: &Value, given: &Value) -> (RulesetGame, Selector) {
    let extra = json!({
        "attributes": {"size": {"type": "int", "default": 1}, "tapped": {"type": "bool", "default": false}, "kind": {"type": "enum:kind"}},
        "enums": {"kind": ["big", "small"]},
        "keywords": {"wild": {}},
        "resources": {"gold": {"owner": "player", "default": 2}},
        "cards": {"ox": {"kind": "big", "tapped": true}, "ant": {"kind": "small", "keywords": ["wild"]}},
        "actions": {"act": action},
        "turnStructure": {"phases": [{"id": "day", "steps": [{"id": "main"}, {"id": "late"}]}]}
    });
    let table = lay(program(&extra), &Json::Null, given);
    let request = table.request(FIRST, AskId(0));
    (table, request)
}

#[test]
fn every_reason_is_named() {
    // cites 001/R15, 001/R20
    let own = json!([{"id": "card", "from": {"zones": ["table"], "of": "you"}}]);
    let at = |from: Value| json!([{"id": "card", "from": from}]);
    let lies = json!({"zones": {"table": [["ox"], ["ant"]], "hand": [["ant"], ["ox"]]}});
    let cases: Vec<(&str, Value, Option<&str>, &str, &str)> = vec![
        ("a step", json!({"when": {"inStep": "late"}}), None, "step", "only in the step late"),
        (
            "a phase",
            json!({"when": {"not": {"inPhase": "day"}}}),
            None,
            "needs",
            "only where the phase is not day",
        ),
        (
            "another's turn",
            json!({"when": {"and": [{"stackEmpty": true}, {"isActive": "opponent"}]}}),
            None,
            "needs",
            "only where the active player is",
        ),
        (
            "the stack",
            json!({"when": {"stackEmpty": false}}),
            None,
            "needs",
            "only where something waits on the stack",
        ),
        (
            "a cost",
            json!({"costs": [{"pay": {"var": ["you", "gold"], "amount": 3}}]}),
            None,
            "unaffordable",
            "costs 3 gold, and there is 2",
        ),
        (
            "two costs",
            json!({"costs": [{"pay": {"var": ["you", "gold"], "amount": 1}}, {"pay": {"var": ["you", "gold"], "amount": 2}}]}),
            None,
            "unaffordable",
            "costs 3 gold, and there is 2",
        ),
        (
            "tapped",
            json!({"targets": own, "when": {"not": {"attr": ["card", "tapped"]}}}),
            Some("ox"),
            "attribute",
            "it is tapped",
        ),
        (
            "tapped, by the selection",
            json!({"targets": at(json!({"zones": ["table"], "of": "you", "where": {"not": {"attr": ["it", "tapped"]}}}))}),
            Some("ox"),
            "attribute",
            "it is tapped",
        ),
        (
            "a keyword",
            json!({"targets": at(json!({"zones": ["table"], "of": "you", "where": {"has": ["it", "wild"]}}))}),
            Some("ox"),
            "needs",
            "only where it has wild",
        ),
        (
            "a number",
            json!({"targets": own, "when": {">": [{"attr": ["card", "size"]}, 3]}}),
            Some("ox"),
            "needs",
            "only where 3 < size of card",
        ),
        (
            "in a zone",
            json!({"targets": own, "when": {"inZone": ["card", "hand"]}}),
            Some("ox"),
            "zone",
            "it is not in hand",
        ),
        (
            "not yours",
            json!({"targets": at(json!({"zones": ["table"], "of": "you"}))}),
            Some("ant"),
            "controller",
            "it is not yours",
        ),
        (
            "your own",
            json!({"targets": at(json!({"zones": ["table"], "of": "opponent"}))}),
            Some("ox"),
            "controller",
            "it is your own",
        ),
        (
            "a player",
            json!({"targets": at(json!({"seats": "opponents"}))}),
            Some("Seat 0"),
            "controller",
            "it is your own",
        ),
        (
            "its cost",
            json!({"targets": own, "costs": [{"pay": {"var": ["you", "gold"], "amount": {"+": [{"attr": ["card", "size"]}, 2]}}}]}),
            Some("ox"),
            "unaffordable",
            "costs 3 gold, and there is 2",
        ),
        (
            "the next target",
            json!({"targets": [{"id": "card", "from": {"zones": ["table"], "of": "you"}}, {"id": "other", "from": {"zones": ["table"], "of": "you", "exclude": "card"}}]}),
            Some("ox"),
            "no_target",
            "there is no other that can be chosen",
        ),
        (
            "the author's words",
            json!({"targets": at(json!({"zones": ["table"], "of": "you", "where": {"has": ["it", "wild"]}, "why": "Only what is wild"}))}),
            Some("ox"),
            "rule",
            "Only what is wild",
        ),
    ];
    for (name, mut action, thing, code, text) in cases {
        action["name"] = json!("Act");
        action["timing"] = json!("instant");
        action["do"] = json!([]);
        let (table, request) = reasons(&action, &lies);
        let act = choice(&request.choices, "Act");
        let found = match thing {
            None => reason(act),
            // What is wrong with all of it is said once, at the action.
            Some(thing) => reason(choice(&act.choices, thing)).or_else(|| reason(act)),
        };
        let (got, said) = found.unwrap_or_else(|| panic!("{name}: it can be had: {act:?}"));
        assert_eq!(got, code, "{name}: {said}");
        assert!(said.contains(text), "{name}: {said}");
        // Whoever tries all the same is refused with the same words.
        let refused = |selection: Value| {
            let answer = json!({"title": "Act or pass", "selection": selection});
            table.read(FIRST, AskId(0), &answer).expect_err("it cannot be had").to_string()
        };
        let pick = match thing {
            None => json!([{"title": "Act", "id": "act"}]),
            Some(thing) => json!([{"title": "Act", "id": "act", "selection": [thing]}]),
        };
        assert!(refused(pick).contains(&said), "{name}");
        let targets = thing.map_or(json!({}), |thing| json!({"card": thing}));
        let whole = refused(json!({"action": "act", "targets": targets}));
        assert!(whole.starts_with("Invalid action"), "{name}: {whole}");
    }
}

#[test]
fn a_card_that_never_could_is_not_even_named() {
    // cites 001/R20
    // A spell is no creature, whatever happens: it is not listed beside the creatures.
    let table = skirmish(
        &json!({"hand": [["bolt", "warder"], []], "battlefield": [["bear"], []], "deck": [["bear"], ["bear"]]}),
        3,
    );
    let request = table.request(FIRST, AskId(0));
    let creature = choice(&request.choices, "Play a creature");
    let titles: Vec<&str> = creature.choices.iter().map(|choice| choice.title.as_str()).collect();
    // The bear that was drawn can be had, the warder is too dear, the bolt is no creature.
    assert_eq!(titles, ["Bear", "Warder"]);
    assert_eq!(creature.choices[0].why_not, None);
    assert_eq!(reason(&creature.choices[1]).expect("a reason").0, "unaffordable");
    assert_eq!(creature.choices[1].meta.as_ref().expect("it has a price")["cost"], "4 mana");
}

#[test]
fn the_rules_of_a_trick_are_told_in_the_author_s_words() {
    // cites 001/R20
    let p = shipped::program("hearts-rules").expect("it is shipped");
    let config = settings(&p, &Json::Null).expect("good settings");
    let mut found = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let mut rng = Rng::fast(seed);
        let mut table = RulesetGame::start(p.clone(), config.clone(), 4, &mut rng, &mut Sink::silent());
        while let Some(seat) = table.inside().open.as_ref().and_then(|open| open.seats.lowest()) {
            let request = table.request(seat, AskId(0));
            for choice in &request.choices {
                if let Some((code, text)) = reason(choice) {
                    assert_eq!(code, "rule");
                    found.insert(text);
                    let answer = json!({"title": request.title, "selection": [choice.title]});
                    let refusal = table.read(seat, AskId(0), &answer).expect_err("it cannot be played");
                    assert!(refusal.has(parlor_core::HouseCode::IllegalChoice), "{refusal}");
                }
            }
            let legal = request.choices.iter().filter(|choice| choice.why_not.is_none()).count();
            let (min, _) = request.bounds.among(legal);
            assert!(
                min > 1 || legal == table.legal(seat, AskId(0)).len(),
                "what can be had is what is legal"
            );
            let said = table.any(seat, &mut rng);
            table.say(seat, false, said, &mut rng, &mut Sink::silent());
        }
    }
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, ["Follow suit", "Hearts are not broken yet", "No points in the first trick"]);
}

#[test]
fn every_target_is_discovered_with_what_goes_with_the_ones_before() {
    // cites 001/R15, 001-30, 001/R20
    let mut table = skirmish(
        &json!({"battlefield": [["bear", "captain"], ["scholar"]], "deck": [["bear", "bear"], ["bear", "bear"]]}),
        3,
    );
    say(&mut table, FIRST, &json!(["Pass"]));
    say(&mut table, Seat::new(1), &json!(["Pass"]));
    let all = |wanted: &Json| actions(&table, FIRST, wanted);
    let body = all(&json!({"action": "attack"}));
    let attack = &body["actions"][0];
    assert_eq!(attack["targets"]["attacker"]["selector"], "battlefield");
    assert_eq!(attack["targets"]["defender"]["selector"], "battlefield, players");
    assert_eq!(attack["targets"]["attacker"]["count"], 1);
    assert_eq!(
        attack["targets"]["attacker"]["constraints"],
        json!(["playable", "it is not tapped", "it is not sick or it has haste"])
    );
    let attackers = attack["targets"]["attacker"]["options"].as_array().expect("options");
    let can: Vec<&Json> = attackers.iter().filter(|option| option.get("whyNot").is_none()).collect();
    assert_eq!(can.len(), 2, "{attackers:?}");
    let (bear, captain) = (&can[0]["id"], &can[1]["id"]);
    let defender = &attack["targets"]["defender"];
    assert_eq!(defender["given"], json!({"attacker": bear}));
    let defenders = defender["options"].as_array().expect("options");
    let ids: Vec<&str> =
        defenders.iter().filter(|o| o.get("whyNot").is_none()).filter_map(|o| o["id"].as_str()).collect();
    assert_eq!(ids.len(), 2, "the scholar and the other player: {defenders:?}");
    assert!(ids.contains(&"p1"));
    let own = defenders.iter().find(|option| option["id"] == "p0").expect("oneself is listed");
    assert_eq!(own["whyNot"]["code"], "controller");
    // With another attacker named, the defenders are those that go with it.
    let other = all(&json!({"action": "attack", "targets": {"attacker": captain}}));
    assert_eq!(other["actions"][0]["targets"]["defender"]["given"], json!({"attacker": captain}));
    // What cannot be done now says why.
    let refused = all(&Json::Null)["refused"].clone();
    let why =
        refused.as_array().expect("a list").iter().find(|row| row["id"] == "play_creature").expect("refused");
    assert_eq!(why["whyNot"]["text"], "only in the step Main");
    // Of one thing: what starts from it, and what does not.
    let of = all(&json!({"of": bear}));
    assert_eq!(of["actions"][0]["id"], "attack");
    assert_eq!(of["actions"][0]["targets"]["defender"]["given"], json!({"attacker": bear}));
    let scholar = &defenders.iter().find(|option| option.get("whyNot").is_none()).expect("the scholar")["id"];
    let of = all(&json!({"of": scholar}));
    assert_eq!(
        (&of["actions"], &of["refused"][0]["whyNot"]["text"]),
        (&json!([]), &json!("it is not yours"))
    );
}

#[test]
fn modes_and_abilities_are_discovered_too_with_the_range_of_their_cost() {
    // cites 001/R15, 001-30, 001/R20
    let table = skirmish(
        &json!({"hand": [["charm", "bolt"], []], "battlefield": [["bear"], []], "deck": [["bear"], ["bear"]]}),
        3,
    );
    let charm = json!({"action": "cast", "targets": {"card": "charm"}});
    let cast = &actions(&table, FIRST, &charm)["actions"][0];
    assert_eq!(cast["cost"], "1–2 mana");
    assert_eq!(
        cast["targets"]["mode"]["options"],
        json!([{"id": "heal", "cost": "2 mana"}, {"id": "grow", "cost": "2 mana"}])
    );
    let grow = json!({"action": "cast", "targets": {"card": "charm", "mode": "grow"}});
    let cast = &actions(&table, FIRST, &grow)["actions"][0];
    assert_eq!(cast["targets"]["t"]["options"].as_array().map(Vec::len), Some(1), "{cast}");
    // An ability says what it needs.
    let view = table.view(FIRST.into());
    let bear = &view["players"][0]["zones"]["battlefield"]["cards"][0]["id"];
    let refused = actions(&table, FIRST, &json!({"of": bear}))["refused"].clone();
    let ability = refused.as_array().expect("a list").iter().find(|row| row["id"] == "activate_ability");
    assert_eq!(ability.expect("refused")["whyNot"]["text"], "there is no ability that can be chosen");
}

#[test]
fn reasons_are_bounded_and_take_nothing_from_what_is_legal() {
    // cites 001/R20
    // A thousand cards that cannot be had beside one that can.
    let mut cards = vec!["ox"; 1000];
    cards.push("ant");
    let action = json!({"name": "Act", "timing": "instant", "do": [], "targets": [
        {"id": "card", "from": {"zones": ["table"], "of": "you", "where": {"not": {"attr": ["it", "tapped"]}}}},
        {"id": "other", "from": {"zones": ["table"], "of": "you"}}]});
    let (table, request) = reasons(&action, &json!({"zones": {"table": [cards, []]}}));
    let act = choice(&request.choices, "Act");
    let (can, cannot): (Vec<&Choice>, Vec<&Choice>) =
        act.choices.iter().partition(|choice| choice.why_not.is_none());
    assert_eq!(can.iter().map(|choice| choice.title.as_str()).collect::<Vec<_>>(), ["ant"]);
    assert_eq!(cannot.len(), parlor_ruleset::internals::WHY_NOT_MAX);
    request.well_formed().expect("it is within the limits of the house");
    let listed = actions(&table, FIRST, &Json::Null);
    let others = listed["actions"][0]["targets"]["other"]["options"].as_array().expect("options").len();
    assert_eq!(others, 1001, "all that goes with the one that can be had, and no product");
}

#[test]
fn modes_that_cannot_be_had_say_why_whatever_the_seat_knows_of_cards() {
    // cites 001/R20
    // The mode `grow` has no target: it is listed all the same, although the first card of the match is nobody's to know.
    let table = skirmish(&json!({"deck": [["bear", "bear"], ["bear", "bear"]], "hand": [["charm"], []]}), 3);
    let wanted = json!({"action": "cast", "targets": {"card": "charm"}});
    let cast = actions(&table, FIRST, &wanted)["actions"][0].clone();
    let modes = cast["targets"]["mode"]["options"].as_array().cloned().expect("options");
    let grow = modes.iter().find(|mode| mode["id"] == "grow").unwrap_or_else(|| panic!("{modes:?}"));
    assert_eq!(grow["whyNot"]["text"], "there is no t that can be chosen");
    assert!(modes.iter().any(|mode| mode["id"] == "heal" && mode.get("whyNot").is_none()), "{modes:?}");
}
