//! What a viewer is shown and what an answer may be, where a wrong reading would tell or take too much.

use std::sync::Arc;

use parlor_core::{AskId, Body, By, DynGame, Json, Match, Rng, Seat, Seed, Viewer};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{Program, RulesetGame, game_def};
use serde_json::{Value, json};

use crate::harness::{holds, program, say};
use crate::rules::note;

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

fn lay(p: Arc<Program>, seats: u8, given: &Json) -> RulesetGame {
    let config = settings(&p, &Json::Null).expect("the defaults are good");
    RulesetGame::start_with(p, config, seats, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::given(vm, given).expect("it can be laid");
    })
}

#[test]
fn a_view_has_what_its_viewer_may_know_and_no_more() {
    // cites 001-23
    let extra = json!({
        "attributes": {"size": {"type": "int", "default": 1}, "plan": {"type": "int", "default": 4, "visible": "owner"}},
        "vars": {"n": {"type": "int"}, "log": {"type": "int"}, "own": {"owner": "player", "type": "int", "default": 3, "visible": "owner"}},
        "zones": {
            "table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner", "count": "owner"},
            "deck": {"owner": "player", "order": "ordered", "see": "none"}, "row": {"owner": "player", "order": "ordered", "see": "all", "places": "owner"}
        },
        "cards": {"a": {}, "b": {}},
        "actions": {"give": {"timing": "instant", "do": [{"control": {"what": {"zones": ["table"], "of": "you"}, "to": {"seat": 1}}}]},
                    "look": {"timing": "instant", "do": [{"reveal": {"what": {"zones": ["deck"], "of": "you", "where": {"isCard": ["it", "b"]}}}}]}}
    });
    let given = json!({"zones": {"table": [["a"]], "hand": [["b", "a", "b"]], "deck": [["a", "b", "a"]], "row": [["b", "a"]]}});
    let mut table = lay(program(extra), 3, &given);
    let mine = |table: &RulesetGame, viewer: Viewer| table.view(viewer)["players"][0].clone();
    let (own, other) = (mine(&table, Viewer::Seat(FIRST)), mine(&table, Viewer::Seat(SECOND)));
    // Variables and numbers of cards that are the owner's.
    assert_eq!((&own["vars"]["own"], &other["vars"]["own"]), (&json!(3), &Json::Null));
    assert_eq!((&own["zones"]["hand"]["count"], &other["zones"]["hand"]["count"]), (&json!(3), &Json::Null));
    // An attribute of who controls the card, and who that is.
    assert_eq!(own["zones"]["table"]["cards"][0]["plan"], 4);
    assert_eq!(other["zones"]["table"]["cards"][0]["plan"], Json::Null);
    // A hand is no order; a row has one, which its owner alone sees.
    let kinds = |zone: &Json| {
        zone["cards"].as_array().expect("cards").iter().map(|card| card["card"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&own["zones"]["hand"]), ["a", "b", "b"]);
    assert_eq!(kinds(&own["zones"]["row"]), ["b", "a"]);
    assert_eq!(kinds(&other["zones"]["row"]), ["a", "b"]);
    say(&mut table, FIRST, &json!({"action": "give"}));
    let (own, other) = (mine(&table, Viewer::Seat(FIRST)), mine(&table, Viewer::Seat(SECOND)));
    assert_eq!(own["zones"]["table"]["cards"][0]["plan"], Json::Null);
    assert_eq!(other["zones"]["table"]["cards"][0]["plan"], 4);
    assert_eq!(other["zones"]["table"]["cards"][0]["controller"], 1);
    // Where a card lies that was shown is another thing than which one it is.
    say(&mut table, FIRST, &json!({"action": "look"}));
    assert_eq!(kinds(&mine(&table, Viewer::Gallery)["zones"]["deck"]), ["b"]);
    // Who has passed, in the order of passing.
    say(&mut table, FIRST, &json!(["Pass"]));
    say(&mut table, SECOND, &json!(["Pass"]));
    assert_eq!(table.view(Viewer::Gallery)["passes"], json!([0, 1]));
    table.leave(SECOND, &mut Rng::fast(1), &mut Sink::silent());
    assert_eq!(table.view(Viewer::Gallery)["passes"], json!([0]), "whoever is gone has not passed");
}

#[test]
fn what_an_event_keeps_from_others_it_keeps_from_all_others() {
    // cites 001-23
    let p = program(
        json!({"events": {"Ping": {"to": "seat", "n": "int", "secretTo": "to"}, "Hit": {"target": "entity"}}}),
    );
    let table = lay(p.clone(), 2, &json!({}));
    let ty = p.events.iter().position(|event| event.name == "Ping").expect("an event");
    let ty = parlor_ruleset::internals::EventType::at(ty);
    let mut ev =
        parlor_ruleset::internals::EventData { id: 1, ty, ..parlor_ruleset::internals::EventData::NONE };
    for (place, (name, _)) in ev.args.iter_mut().zip(&p.events[ty].fields) {
        *place = if name == "to" { parlor_ruleset::internals::seat_value(1) } else { 7 };
    }
    let told = |viewer| {
        parlor_ruleset::internals::event_json(
            &p,
            table.inside(),
            &ev,
            parlor_ruleset::internals::Status::Applied,
            viewer,
        )
    };
    assert_eq!(told(Viewer::Seat(SECOND))["payload"], json!({"to": 1, "n": 7}));
    for viewer in [Viewer::Seat(FIRST), Viewer::Gallery] {
        assert_eq!(told(viewer)["payload"], json!({"to": 1}));
    }
}

#[test]
fn a_state_is_loaded_with_all_that_hears_and_by_its_own_rules_alone() {
    // cites 001-6
    let extra =
        json!({"cards": {"stone": {"triggers": [{"id": "t", "on": {"event": "Ping"}, "do": [note(1)]}]}}});
    let p = program(extra);
    let state = lay(p.clone(), 2, &json!({"zones": {"table": [["stone"]]}})).state();
    let mut table = RulesetGame::load(p, &state).expect("a state of these rules");
    say(&mut table, FIRST, &json!({"action": "press"}));
    assert_eq!(table.inside().board.vars[0], 1);
    let other =
        program(json!({"vars": {"n": {"type": "int"}, "log": {"type": "int"}, "m": {"type": "int"}}}));
    assert!(RulesetGame::load(other, &state).is_none());
}

#[test]
fn what_nobody_reacts_to_is_counted_though_nobody_listens() {
    let actions = json!({"press": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}, {"set": {"var": "n", "to": {"happened": "Ping"}}}]}});
    let mut table = lay(program(json!({"actions": actions})), 2, &json!({}));
    say(&mut table, FIRST, &json!({"action": "press"}));
    assert_eq!(table.inside().board.vars[1], 1);
}

#[test]
fn so_many_as_the_ruleset_says_play_and_settings_are_written_as_they_are() {
    // cites 001-31
    let p = program(
        json!({"enums": {"kind": ["red", "blue"]}, "config": {"colour": {"type": "enum:kind", "default": "red"}, "fast": {"type": "bool", "default": true}}}),
    );
    assert!(settings(&p, &json!({"colour": "blue"})).is_ok());
    assert!(settings(&p, &json!({"colour": "Blue"})).is_err());
    let def = game_def(p, "so many");
    let start = |seats: u8| {
        Match::start(def, parlor_core::Header::seeded(&def, seats, Json::Null, Seed::from_text("x"))).is_ok()
    };
    assert_eq!([1, 2, 3, 4].map(start), [false, true, true, false]);
}

#[test]
fn stakes_go_to_the_winners_and_odd_ones_from_the_first_on() {
    // cites 001-14
    let paid = |code: Value, stake: Value| {
        let extra = json!({"players": {"min": 3, "max": 3}, "flow": [{"ask": {"id": "q", "who": {"seat": 0}, "confirm": true}}, code], "actions": {}, "stake": stake});
        let def = game_def(program(extra), "stakes");
        let header = parlor_core::Header::seeded(&def, 3, Json::Null, Seed::from_text("x"));
        let (mut play, _) = Match::start(def, header).expect("it starts");
        let ask = play.open_asks()[0];
        let answer = json!({"title": "q", "selection": ["yes"]});
        let done = play
            .apply(0, By::Human, None, Body::Answer { seat: FIRST, ask: ask.id, answer })
            .expect("it is taken");
        done.postings.iter().map(|posting| (format!("{:?}", posting.to), posting.amount)).collect::<Vec<_>>()
    };
    let five = json!({"amount": 5});
    let two = json!({"win": {"who": {"others": {"seat": 0}}, "reason": "x"}});
    let won = paid(two, five.clone());
    assert_eq!(won.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [8, 7], "{won:?}");
    assert!(won[0].0.contains('1') && won[1].0.contains('2'), "{won:?}");
    // A draw gives back, a match that all have lost burns, unless it is said otherwise.
    let amounts = |list: Vec<(String, i64)>| list.into_iter().map(|(_, n)| n).collect::<Vec<_>>();
    assert_eq!(amounts(paid(json!({"drawGame": true}), five.clone())), [5, 5, 5]);
    assert_eq!(amounts(paid(json!({"drawGame": true}), json!({"amount": 5, "draw": "burn"}))), [15]);
    assert_eq!(amounts(paid(json!({"finish": {"losers": "all"}}), five)), [15]);
    assert_eq!(
        amounts(paid(json!({"finish": {"losers": "all"}}), json!({"amount": 5, "allLost": "return"}))),
        [5, 5, 5]
    );
}

#[test]
fn whoever_ranks_alike_has_not_won() {
    let end = |order: &str, by: Value| json!({"flow": [{"finish": {}}], "actions": {}, "end": {"rank": {"by": by, "order": order}}});
    holds(end("desc", json!(1)), json!({"script": [], "then": {"over": true, "winners": []}}));
    holds(
        end("desc", json!({"seatNo": "it"})),
        json!({"script": [], "then": {"over": true, "winners": [1]}}),
    );
    holds(end("asc", json!({"seatNo": "it"})), json!({"script": [], "then": {"over": true, "winners": [0]}}));
}

#[test]
fn a_distribution_has_a_part_for_each_and_none_below_nothing() {
    // cites 001-10
    let ask = json!({"ask": {"id": "q", "who": "you", "as": "d", "distribute": {"from": {"zones": ["table"], "of": "you"}, "sum": 3}}});
    let actions = json!({"press": {"timing": "instant", "do": [ask]}});
    let mut table =
        lay(program(json!({"actions": actions})), 2, &json!({"zones": {"table": [["stone", "stone"]]}}));
    say(&mut table, FIRST, &json!({"action": "press"}));
    let takes = |parts: Value| {
        let title = table.request(FIRST, AskId(0)).title;
        table.read(FIRST, AskId(0), &json!({"title": title, "selection": parts})).is_ok()
    };
    for (parts, good) in [
        ([1, 2].as_slice(), true),
        (&[3, 0], true),
        (&[4, -1], false),
        (&[3], false),
        (&[1, 1, 1], false),
        (&[1, 1], false),
    ] {
        assert_eq!(takes(json!(parts)), good, "{parts:?}");
    }
}

#[test]
fn a_target_that_may_be_left_out_is_left_out_with_nothing() {
    // cites 001-26, 001/R6
    for target in [json!({"optional": true}), json!({"min": 0})] {
        let mut at = json!({"id": "at", "from": {"zones": ["table"], "of": "you"}});
        target.as_object().expect("an object").iter().for_each(|(name, value)| at[name] = value.clone());
        let press = json!({"timing": "instant", "targets": [at], "do": [{"set": {"var": "n", "to": {"if": [{"isNone": "at"}, 1, 2]}}}]});
        let extra = json!({"actions": {"press": press}});
        let act = |target: Value| json!([{"seat": 0, "act": "press", "targets": {"at": target}}]);
        let given = json!({"zones": {"table": [["stone"]]}});
        holds(
            extra.clone(),
            json!({"given": given, "script": act(json!("stone")), "then": {"vars": {"n": 2}}}),
        );
        let mut table = lay(program(extra), 2, &json!({}));
        say(&mut table, FIRST, &json!({"action": "press", "targets": {"at": null}}));
        assert_eq!(table.inside().board.vars[1], 1);
    }
}

#[test]
fn an_ability_is_used_where_it_works_when_it_may_and_by_what_it_costs() {
    // cites 001-27
    let use_it = json!({"timing": "instant", "spread": "ability", "targets": [{"id": "source", "from": {"zones": ["table", "hand"], "of": "you"}}],
        "costs": [{"payAbility": true}], "do": [{"executeAbility": true}]});
    let ability = |more: Value| {
        let mut ability = json!({"id": "ping", "do": [note(1)]});
        more.as_object().expect("an object").iter().for_each(|(name, value)| ability[name] = value.clone());
        json!({"cards": {"stone": {"activated": [ability]}}, "actions": {"use": use_it}})
    };
    let act = json!({"seat": 0, "act": "use", "targets": {"source": "stone", "ability": "ping"}});
    let lies = |zone: &str| json!({"zones": {zone: [["stone"]]}, "vars": {"n": 1}});
    let works = |extra: Value, zone: &str| {
        holds(extra, json!({"given": lies(zone), "script": [act], "then": {"vars": {"log": 1}}}))
    };
    let refused = |extra: Value, zone: &str| {
        let mut line = act.clone();
        line["refused"] = json!("");
        holds(extra, json!({"given": lies(zone), "script": [line], "then": {"vars": {"log": 0}}}));
    };
    works(ability(json!({})), "table");
    refused(ability(json!({})), "hand");
    works(ability(json!({"zone": "hand"})), "hand");
    works(ability(json!({"when": {"==": [{"var": "n"}, 1]}})), "table");
    refused(ability(json!({"when": {"==": [{"var": "n"}, 2]}})), "table");
    works(ability(json!({"costs": [{"pay": {"var": "n", "amount": 1}}]})), "table");
    refused(ability(json!({"costs": [{"pay": {"var": "n", "amount": 2}}]})), "table");
    refused(ability(json!({"costs": [{"pay": {"var": "n", "amount": {"-": [{"var": "n"}, 3]}}}]})), "table");
    // A keyword may bring nothing but an ability.
    let mut given = ability(json!({}));
    given["keywords"] = json!({"loud": {"activated": [{"id": "ping", "do": [note(1)]}]}});
    given["cards"] = json!({"stone": {"keywords": ["loud"]}});
    works(given, "table");
}

#[test]
fn a_spell_with_a_mode_minds_its_targets_and_not_the_card_of_that_number() {
    // cites 001-26
    let modes = json!([{"id": "one", "resolve": [note(1)]}, {"id": "two", "resolve": [note(2)]}]);
    let cast = json!({"timing": "stack", "spread": "card", "targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}], "do": [{"run": "card.resolve"}]});
    let away = json!({"timing": "instant", "do": [{"move": {"what": {"zones": ["table"], "of": "all"}, "to": {"zone": ["hand", {"seat": 1}]}}}]});
    let extra =
        json!({"cards": {"stone": {}, "charm": {"modes": modes}}, "actions": {"cast": cast, "away": away}});
    // The stones are the first two cards of the match: numbers 0 and 1, as the modes are.
    let given = json!({"zones": {"table": [["stone", "stone"]], "hand": [["charm"]]}});
    for (mode, log) in [("one", 1), ("two", 2)] {
        let script = json!([
            {"seat": 0, "act": "cast", "targets": {"card": "charm", "mode": mode}}, {"seat": 0, "act": "away"},
            {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}
        ]);
        holds(
            extra.clone(),
            json!({"name": mode, "given": given, "script": script, "then": {"vars": {"log": log}}}),
        );
    }
}

#[test]
fn a_target_that_is_gone_and_one_that_is_left() {
    // cites 001-26
    let stones = json!({"zones": ["table"], "of": "all"});
    let zap = |recheck: &str| json!({"timing": "stack", "targetsRecheck": recheck, "targets": [{"id": "a", "from": stones}, {"id": "b", "from": stones}], "do": [note(1)]});
    let away = json!({"timing": "instant", "targets": [{"id": "x", "from": stones}], "do": [{"move": {"what": "x", "to": {"zone": ["hand", "you"]}}}]});
    let extra = json!({"cards": {"stone": {}, "drum": {}}, "actions": {"any": zap("any"), "all": zap("all"), "never": zap("never"), "away": away}});
    let given = json!({"zones": {"table": [["stone", "drum"]]}});
    for (act, gone, log) in
        [("any", 0, 1), ("any", 1, 1), ("any", 2, 0), ("all", 0, 1), ("all", 1, 0), ("never", 2, 1)]
    {
        let mut script = vec![json!({"seat": 0, "act": act, "targets": {"a": "stone", "b": "drum"}})];
        script.extend(
            ["stone", "drum"]
                .iter()
                .take(gone)
                .map(|x| json!({"seat": 0, "act": "away", "targets": {"x": x}})),
        );
        script.extend([json!({"seat": 0, "say": "Pass"}), json!({"seat": 1, "say": "Pass"})]);
        holds(
            extra.clone(),
            json!({"name": format!("{act} {gone}"), "given": given, "script": script, "then": {"vars": {"log": log}}}),
        );
    }
}

#[test]
fn what_a_number_says_is_no_card_in_what_is_remembered() {
    // cites 001-18
    // The number 0 in the event is not the first card of the match.
    let rule = json!({"id": "r", "on": {"event": "Ping"}, "do": [{"set": {"var": "n", "to": {"was": [{"first": {"zones": ["table", "hand"], "of": "all"}}, "size"]}}}]});
    let stone = json!({"first": {"zones": ["table", "hand"], "of": "all"}});
    let move_to = |zone: &str| json!({"move": {"what": stone, "to": {"zone": [zone, {"seat": 0}]}}});
    let size = |n: i64| json!({"setAttr": {"of": stone, "attr": "size", "to": n}});
    let code = json!([size(5), move_to("hand"), {"emit": {"event": "Ping", "payload": {"n": 0}}}, size(7), move_to("table")]);
    let extra = json!({"attributes": {"size": {"type": "int", "default": 1}}, "rules": [rule], "actions": {"press": {"timing": "instant", "do": code}}});
    holds(
        extra,
        json!({"given": {"zones": {"table": [["stone"]]}}, "script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 7}}}),
    );
}
