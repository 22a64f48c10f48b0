//! Teams: who is a partner, what a team owns, who wins.

use std::sync::Arc;

use parlor_core::{DynGame, Json, Rng, Seat, Viewer};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{Program, RulesetGame, compile, scenario};
use serde_json::{Value, json};

fn ruleset(more: &Value) -> Result<Arc<Program>, Vec<parlor_ruleset::Finding>> {
    let mut ruleset = json!({
        "name": "Teams", "author": "test",
        "players": {"min": 4, "max": 4, "teams": {"ally": [0, 2], "band": [1, 3]}},
        "vars": {
            "score": {"owner": "team", "type": "int", "default": 3, "max": 50},
            "secret": {"owner": "team", "type": "int", "default": 7, "visible": "owner"},
            "n": {"owner": "player", "type": "int", "default": 0}
        },
        "actions": {}, "flow": []
    });
    for (name, value) in more.as_object().expect("an object") {
        ruleset[name] = value.clone();
    }
    let program = Arc::new(compile(&ruleset.to_string())?.program);
    crate::screen::check(&program);
    Ok(program)
}

fn plays(flow: &Value, then: &Value) {
    let p = ruleset(&json!({"flow": flow})).unwrap_or_else(|found| panic!("{found:#?}"));
    scenario::run(&p, &json!({"name": flow.to_string(), "script": [], "then": then}))
        .unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn a_team_s_variable_belongs_to_all_its_seats() {
    // cites 001/R10
    let add = |seat: i64, by: i64| json!({"add": {"var": [{"seat": seat}, "score"], "by": by}});
    plays(
        &json!([add(0, 10), add(2, 10), add(3, 1), add(1, 1), add(0, 100)]),
        &json!({"vars": {"score": [50, 5]}}),
    );
    let copy = json!({"set": {"var": [{"seat": 1}, "n"], "to": {"var": [{"seat": 3}, "score"]}}});
    plays(&json!([add(1, 4), copy]), &json!({"vars": {"n": [0, 7, 0, 0]}}));
}

#[test]
fn partners_the_team_and_enemies_are_seats_by_their_team() {
    for (who, n) in [
        (json!({"partners": {"seat": 0}}), [0, 0, 1, 0]),
        (json!({"team": {"seat": 0}}), [1, 0, 1, 0]),
        (json!({"enemies": {"seat": 0}}), [0, 1, 0, 1]),
        (json!({"partnerOf": {"seat": 3}}), [0, 1, 0, 0]),
    ] {
        plays(
            &json!([{"forEach": {"seats": who, "as": "p", "do": [{"add": {"var": ["p", "n"], "by": 1}}]}}]),
            &json!({"vars": {"n": n}}),
        );
    }
    let same = |a: i64, b: i64| json!({"if": [{"sameTeam": [{"seat": a}, {"seat": b}]}, [{"add": {"var": [{"seat": a}, "n"], "by": 1}}]]});
    plays(&json!([same(0, 2), same(1, 2), same(3, 1)]), &json!({"vars": {"n": [1, 0, 0, 1]}}));
    // The words without a seat mean one's own: here that of whoever's turn it is.
    for (who, n) in [("partner", [0, 0, 0, 1]), ("team", [0, 1, 0, 1]), ("enemies", [1, 0, 1, 0])] {
        let count =
            json!([{"forEach": {"seats": who, "as": "p", "do": [{"add": {"var": ["p", "n"], "by": 1}}]}}]);
        let turn = json!([{"turns": {"first": {"seat": 1}, "max": 1, "do": [{"emit": {"event": "Ping"}}]}}]);
        let rules = json!([{"id": "r", "on": {"event": "Ping"}, "do": count}]);
        let p = ruleset(&json!({"flow": turn, "events": {"Ping": {}}, "rules": rules})).expect("it compiles");
        scenario::run(&p, &json!({"script": [], "then": {"vars": {"n": n}}}))
            .unwrap_or_else(|why| panic!("{who}: {why}"));
        let nobody = json!({"flow": count});
        assert!(ruleset(&nobody).is_err(), "{who}: a flow has no team of its own");
    }
    assert_eq!(ruleset(&json!({})).expect("it compiles").teams, [0, 1, 0, 1]);
}

#[test]
fn a_team_wins_together() {
    // cites 001-1
    plays(
        &json!([{"add": {"var": [{"seat": 1}, "score"], "by": 1}}, {"finish": {"reason": "points"}}]),
        &json!({"over": true, "winners": []}),
    );
    let p = ruleset(&json!({
        "flow": [{"add": {"var": [{"seat": 1}, "score"], "by": 1}}, {"finish": {"reason": "points"}}],
        "end": {"rank": {"by": {"var": ["it", "score"]}}}
    }))
    .expect("it compiles");
    scenario::run(&p, &json!({"script": [], "then": {"over": true, "winners": [1, 3]}})).expect("both win");
    // The last team that stands has won, also for a partner who has lost.
    plays(&json!([{"lose": {"seat": 0}}, {"lose": {"seat": 1}}]), &json!({"over": true, "winners": []}));
    plays(
        &json!([{"lose": {"seat": 0}}, {"lose": {"seat": 1}}, {"lose": {"seat": 3}}]),
        &json!({"over": true, "winners": [0, 2]}),
    );
}

#[test]
fn a_team_sees_what_is_its_own() {
    let flow = json!([{"ask": {"id": "go", "who": "all", "mode": "all", "as": "go", "confirm": true}}]);
    let p = ruleset(&json!({"flow": flow})).expect("it compiles");
    let config = settings(&p, &Json::Null).expect("the defaults are good");
    let table = RulesetGame::start(p, config, 4, &mut Rng::fast(1), &mut Sink::silent());
    let teams = |viewer| table.view(viewer)["teams"].clone();
    let secret = |viewer: Viewer| {
        [teams(viewer)[0]["vars"].get("secret").is_some(), teams(viewer)[1]["vars"].get("secret").is_some()]
    };
    assert_eq!(secret(Viewer::Seat(Seat::new(2))), [true, false]);
    assert_eq!(secret(Viewer::Seat(Seat::new(3))), [false, true]);
    assert_eq!(secret(Viewer::Gallery), [false, false]);
    assert_eq!(teams(Viewer::Gallery)[1], json!({"name": "band", "seats": [1, 3], "vars": {"score": 3}}));
}

#[test]
fn teams_that_do_not_fit_are_refused() {
    for (players, message) in [
        (json!({"min": 4, "max": 4, "teams": {"a": [0, 2], "b": [1, 2]}}), "this seat is in two teams"),
        (json!({"min": 4, "max": 4, "teams": {"a": [0, 2], "b": [1]}}), "seat 3 is in no team"),
        (json!({"min": 2, "max": 4, "teams": {"a": [0, 2], "b": [1, 3]}}), "need a fixed number of seats"),
        (json!({"min": 4, "max": 4, "teams": 9}), "teams are 2 to 4"),
        (json!({"min": 4, "max": 4}), "there are no teams"),
        (
            json!({"min": 4, "max": 4, "teams": 2, "turnOrder": "sideways"}),
            "there is no turnOrder 'sideways'",
        ),
    ] {
        let found = ruleset(&json!({"players": players})).expect_err("it is refused");
        assert!(found.iter().any(|finding| finding.message.contains(message)), "{players}: {found:#?}");
    }
    let six =
        ruleset(&json!({"players": {"min": 2, "max": 6, "teams": 3}})).expect("a number goes with any seats");
    assert_eq!(six.teams, [0, 1, 2, 0, 1, 2]);
}
