//! Who is asked to act or pass: no player who can do nothing as far as everybody can tell, or whose own item is on top.

use std::sync::Arc;

use parlor_core::{DynGame, Rng, Seat, Viewer};
use parlor_ruleset::internals::{Sink, could_act, twin};
use parlor_ruleset::{Program, RulesetGame, compile, scenario};
use serde_json::{Value, json};

use crate::harness::{holds, program, ruleset};

/// A duel: spells from the hand that cost what is printed on them, an ability of creatures, all with responses.
fn duel(extra: Value) -> Value {
    let mut game = json!({
        "players": {"min": 2, "max": 2},
        "attributes": {"cost": {"type": "int"}, "tapped": {"type": "bool", "default": false}, "quick": {"type": "bool"}},
        "vars": {"mana": {"owner": "player", "type": "int", "default": 1, "min": 0}, "n": {"type": "int", "default": 0}},
        "zones": {"hand": {"owner": "player", "see": "owner"}, "battlefield": {"owner": "player", "see": "all"}},
        "cards": {"ox": {"cost": 2}, "fox": {"cost": 1}, "gift": {"cost": 0}, "spark": {"cost": 1, "quick": true}},
        "events": {}, "attributes_": null,
        "actions": {
            "cast": {"timing": "stack",
                "targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you", "where": {"attr": ["it", "quick"]}}}],
                "costs": [{"pay": {"var": ["you", "mana"], "amount": {"attr": ["card", "cost"]}}}],
                "do": [{"move": {"what": "card", "to": {"zone": ["battlefield", "you"]}}}]},
            "strike": {"timing": "stack",
                "targets": [{"id": "by", "from": {"zones": ["battlefield"], "of": "you", "where": {"not": {"attr": ["it", "tapped"]}}}}],
                "costs": [{"setAttr": {"of": "by", "attr": "tapped", "to": true}}],
                "do": [{"add": {"var": "n", "by": 1}}]}
        },
        "turnStructure": {"maxTurns": 6, "phases": [{"id": "day", "steps": [{"id": "main"}, {"id": "late"}]}]}
    });
    game.as_object_mut().expect("an object").remove("attributes_");
    for (name, value) in extra.as_object().expect("an object") {
        game[name] = value.clone();
    }
    game
}

/// A scenario in which players who can do nothing are not asked.
fn as_at_a_table(test: Value) -> Value {
    let mut test = test;
    test["fullControl"] = json!(false);
    test
}

#[test]
fn whoever_can_do_nothing_is_not_asked() {
    // cites 001/R21
    let mana = |first: i64, second: i64| json!([first, second]);
    let hands = |first: Value, second: Value| json!({"hand": [first, second]});
    let cases = [
        // No mana, and no card in play: whatever the hand holds, it costs 1 at the least where it is quick.
        (
            "no mana",
            json!({"vars": {"mana": mana(0, 1)}, "zones": hands(json!(["spark"]), json!(["spark"]))}),
            1,
        ),
        // An empty hand is no secret.
        ("no cards", json!({"vars": {"mana": mana(1, 1)}, "zones": hands(json!([]), json!(["spark"]))}), 1),
        // Nobody else can tell that this hand has nothing that is quick.
        (
            "nothing that fits",
            json!({"vars": {"mana": mana(1, 1)}, "zones": hands(json!(["ox"]), json!(["spark"]))}),
            0,
        ),
        // What lies open is known: an untapped creature can strike, a tapped one cannot.
        (
            "a creature",
            json!({"vars": {"mana": mana(0, 1)}, "zones": {"battlefield": [["ox"], []], "hand": [[], ["spark"]]}}),
            0,
        ),
        (
            "a tapped creature",
            json!({"vars": {"mana": mana(0, 1)}, "zones": {"battlefield": [[{"card": "ox", "tapped": true}], []], "hand": [[], ["spark"]]}}),
            1,
        ),
    ];
    for (name, given, asked) in cases {
        let test = json!({"name": name, "given": given, "then": {"asked": asked, "step": "main"}});
        holds(duel(json!({})), as_at_a_table(test.clone()));
        // With full control, as scenarios have it, seat 0 is asked in any case.
        let mut full = test;
        full["then"]["asked"] = json!(0);
        holds(duel(json!({})), full);
    }
}

#[test]
fn whose_own_item_is_on_top_is_not_asked() {
    // cites 001/R21
    let given = json!({"vars": {"mana": [3, 3]}, "zones": {"hand": [["spark", "spark"], ["spark"]]}});
    let cast = json!({"seat": 0, "act": "cast", "targets": {"card": "spark"}});
    let test = |then: Value| json!({"given": given, "script": [cast], "then": then});
    holds(duel(json!({})), as_at_a_table(test(json!({"asked": 1, "stack": ["Cast"]}))));
    holds(duel(json!({})), test(json!({"asked": 0, "stack": ["Cast"]})));
}

#[test]
fn a_player_may_want_to_be_asked() {
    // cites 001/R21
    let given = json!({"vars": {"mana": [0, 1]}, "zones": {"hand": [["spark"], ["spark"]]}});
    let set = |what: Value| json!({"seat": 0, "passUntil": what});
    let pass = json!({"seat": 1, "say": "Pass"});
    let asked = |line: Value, seat: i64, step: &str| {
        let test = json!({"given": given, "script": [line, pass], "then": {"asked": seat, "step": step}});
        holds(duel(json!({})), as_at_a_table(test));
    };
    // Without a word seat 0 is passed over in every step of its turn.
    asked(set(json!({"until": "off"})), 1, "late");
    asked(set(json!({"until": "off", "full": true})), 0, "late");
    asked(set(json!({"until": "off", "stops": ["late"]})), 0, "late");
    asked(set(json!({"until": "off", "stops": ["main"]})), 1, "late");
    let off = [set(json!({"until": "off", "full": true})), set(json!({"until": "off", "full": false})), pass];
    let test = json!({"given": given, "script": off, "then": {"asked": 1, "step": "late"}});
    holds(duel(json!({})), as_at_a_table(test));
}

/// Where nobody can ever do anything somebody is asked all the same before long: a match is no flash.
#[test]
fn it_does_not_go_on_for_ever() {
    let mut game = ruleset(&duel(json!({})));
    game["turnStructure"]["maxTurns"] = json!(1000);
    let program = Arc::new(compile(&game.to_string()).expect("it compiles").program);
    let table = RulesetGame::start(program, Vec::new(), 2, &mut Rng::fast(1), &mut Sink::silent());
    assert!(table.outcome().is_none());
    assert_eq!(table.inside().open.as_ref().map(|open| open.seats.len()), Some(1));
}

/// The first edition asks everybody.
#[test]
fn the_first_edition_asks_everybody() {
    let given = json!({"vars": {"mana": [0, 1]}, "zones": {"hand": [["spark"], ["spark"]]}});
    let mut game = ruleset(&duel(json!({})));
    game["edition"] = json!(1);
    let program = Arc::new(compile(&game.to_string()).expect("it compiles").program);
    let test = as_at_a_table(json!({"given": given, "then": {"asked": 0}}));
    scenario::run(&program, &test).unwrap_or_else(|why| panic!("{why}"));
}

fn file(path: &str) -> Value {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("it is there")).expect("JSON")
}

/// Rulesets with priority, in the present edition.
fn rulesets() -> Vec<(&'static str, Arc<Program>)> {
    let names = [
        ("skirmish", "../../rulesets/skirmish.json"),
        ("atelier", "../../rulesets/atelier.json"),
        ("number-while-casting", "tests/cases/number-while-casting.json"),
    ];
    let present = |(name, path): (&'static str, &str)| {
        let mut game = file(path);
        game.as_object_mut().expect("an object").remove("edition");
        let program =
            compile(&game.to_string()).unwrap_or_else(|findings| panic!("{name}: {findings:#?}")).program;
        (name, Arc::new(program))
    };
    let mut all: Vec<_> = names.into_iter().map(present).collect();
    let setup = json!([{"forEach": {"seats": "all", "as": "p", "do": [
        {"create": {"cards": ["ox", "fox", "spark", "gift"], "to": {"zone": ["hand", "p"]}}},
        {"create": {"cards": ["ox"], "to": {"zone": ["battlefield", "p"]}}}]}}]);
    all.push(("duel", program(duel(json!({"setup": setup})))));
    all
}

/// Whoever can do something is never passed over; and who is passed over says nothing of what is hidden: in every match
/// that onlookers cannot tell from this one the same seats could act.
#[test]
fn who_is_passed_over_hangs_on_nothing_hidden() {
    // cites 001/R21
    let (mut silent, mut twins) = (0, 0);
    for (name, program) in rulesets() {
        let seats = program.seats.0;
        for seed in 0..12 {
            let mut rng = Rng::fast(seed);
            let config = parlor_ruleset::internals::settings(&program, &Value::Null).expect("defaults");
            let mut table = RulesetGame::start(program.clone(), config, seats, &mut rng, &mut Sink::silent());
            for _ in 0..60 {
                let Some(open) = table.inside().open.clone() else { break };
                let Some(seat) = open.seats.lowest() else {
                    table.elapse(&mut rng, &mut Sink::silent());
                    continue;
                };
                let could: Vec<bool> = (0..seats).map(|seat| could_act(&table, seat).0).collect();
                for seat in 0..seats {
                    let (could, can) = could_act(&table, seat);
                    assert!(could || can == 0, "{name} {seed}: seat {seat} could do {can} things");
                    silent += usize::from(!could);
                }
                if let Some(other) = twin(&table, Viewer::Gallery.into(), &mut Rng::fast(seed + 1000)) {
                    let same: Vec<bool> = (0..seats).map(|seat| could_act(&other, seat).0).collect();
                    assert_eq!(could, same, "{name} {seed}: what is hidden makes a difference");
                    twins += usize::from(other.inside() != table.inside());
                }
                let said = table.any(seat, &mut rng);
                table.say(seat, false, said, &mut rng, &mut Sink::silent());
            }
        }
    }
    assert!(silent > 100 && twins > 100, "it proves too little: {silent} {twins}");
}

#[test]
fn a_pass_says_where_it_leads() {
    let leads = |given: Value, script: Value| {
        let mut game = ruleset(&duel(json!({})));
        game["tests"] = json!([]);
        let program = Arc::new(compile(&game.to_string()).expect("it compiles").program);
        let table = crate::idle::played(&program, &given, &script);
        let seat =
            table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody is asked");
        let asked = table.request(seat, table.open_asks()[0].id);
        asked.choices[0].meta.clone().expect("a pass leads somewhere")["leads"].clone()
    };
    let hands = json!({"hand": [["spark"], ["spark"]]});
    let given = json!({"zones": hands});
    assert_eq!(leads(given.clone(), json!([])), json!({"to": "step", "title": "late"}));
    assert_eq!(leads(given.clone(), json!(["Pass", "Pass"])), json!({"to": "turn_end"}));
    assert_eq!(leads(given, json!(["Cast"])), json!({"to": "item", "title": "cast"}));
}

/// A table of the duel after these choices of the players who are asked.
fn played(program: &Arc<Program>, given: &Value, script: &Value) -> RulesetGame {
    let mut rng = Rng::fast(1);
    let mut table =
        RulesetGame::start_with(program.clone(), Vec::new(), 2, &mut rng, &mut Sink::silent(), |vm| {
            parlor_ruleset::internals::given(vm, given).expect("it can be laid");
        });
    for title in script.as_array().expect("a list") {
        let seat =
            table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody is asked");
        let title = title.as_str().expect("a title");
        let selection = match title {
            "Cast" => json!({"action": "cast", "targets": {"card": "spark"}}),
            other => json!([other]),
        };
        crate::harness::say(&mut table, seat, &selection);
    }
    table
}

#[test]
fn full_control_is_kept_with_the_seat_and_seen_by_it_alone() {
    // cites 001/R21
    let game = program(duel(json!({})));
    let mut table = played(&game, &json!({"zones": {"hand": [["spark"], ["spark"]]}}), &json!([]));
    let answer =
        json!({"title": "Pass until", "selection": {"action": "pass_until", "until": "off", "full": true}});
    let said = table.read(Seat::new(1), parlor_core::AskId(1), &answer).expect("it is taken");
    let others = |table: &RulesetGame| (table.view(Seat::new(0).into()), table.view(Viewer::Gallery));
    let before = others(&table);
    table.say(Seat::new(1), false, said, &mut Rng::fast(1), &mut Sink::silent());
    assert_eq!(others(&table), before);
    assert_eq!(table.view(Seat::new(1).into())["passUntil"]["full"], true);
    let again = RulesetGame::load(game, &table.state()).expect("it was saved");
    assert_eq!(again.view(Seat::new(1).into())["passUntil"]["full"], true);
}
