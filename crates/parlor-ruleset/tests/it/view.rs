//! What a page is shown of a ruleset's table.

use parlor_core::{AskId, DynGame, Json, Rng, Seat, Viewer};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{RulesetGame, shipped};
use serde_json::json;

use crate::harness::say;

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

fn skirmish(zones: &Json, mana: i64) -> RulesetGame {
    let p = shipped::program("skirmish").expect("it is shipped");
    let config = settings(&p, &json!({"deck": [], "handSize": 0})).expect("good settings");
    let given = json!({"zones": zones, "vars": {"maxMana": [mana - 1, mana], "mana": [0, mana]}});
    RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::given(vm, &given).expect("it can be laid");
    })
}

#[test]
fn what_waits_says_what_it_is_whose_at_what_and_because_of_what() {
    // cites 001-4
    let lay = json!({"battlefield": [["bear"], ["duelist", "scholar"]], "hand": [[], ["deny", "bolt"]], "deck": [["bear", "bear"], ["bear", "bear"]]});
    let mut table = skirmish(&lay, 6);
    for seat in [FIRST, SECOND] {
        say(&mut table, seat, &json!(["Pass"]));
    }
    say(
        &mut table,
        FIRST,
        &json!({"action": "attack", "targets": {"attacker": "bear", "defender": "scholar"}}),
    );
    say(&mut table, FIRST, &json!(["Pass"]));
    assert_eq!(table.view(Viewer::Gallery)["passes"], json!([0]), "who has passed is there to be seen");
    say(&mut table, SECOND, &json!({"action": "cast", "targets": {"card": "bolt", "t": "bear"}}));
    let view = table.view(Viewer::Gallery);
    let stack = view["stack"].as_array().expect("a stack");
    let (attack, bolt) = (&stack[0], &stack[1]);
    assert_eq!(
        (&attack["title"], &attack["action"], &attack["kind"]),
        (&json!("Attack"), &json!("attack"), &json!("event"))
    );
    assert_eq!(attack["controller"], json!({"seat": 0}));
    assert_eq!(attack["causedBy"], Json::Null);
    let targets: Vec<(&str, &str)> = attack["targets"]
        .as_array()
        .expect("targets")
        .iter()
        .map(|target| (target["target"].as_str().expect("a name"), target["card"].as_str().expect("a card")))
        .collect();
    assert_eq!(targets, [("attacker", "bear"), ("defender", "scholar")]);
    // A response is there because of the item below it.
    assert_eq!((&bolt["title"], &bolt["source"]["card"]), (&json!("Bolt"), &json!("bolt")));
    assert_eq!(bolt["causedBy"], json!({"id": attack["id"], "event": attack["event"], "title": "Attack"}));
    // A card on the stack says who put it there and whose it is.
    let casting = &view["zones"]["casting"]["cards"][0];
    assert_eq!((&casting["by"], &casting["owner"]), (&json!(1), &json!(1)));
}

#[test]
fn modes_and_abilities_stand_beside_the_targets_by_their_names() {
    let lay = json!({"battlefield": [["bear"], []], "hand": [["charm"], []], "deck": [["bear", "bear"], ["bear", "bear"]]});
    let mut table = skirmish(&lay, 4);
    say(
        &mut table,
        FIRST,
        &json!({"action": "cast", "targets": {"card": "charm", "mode": "grow", "t": "bear"}}),
    );
    let item = table.view(Viewer::Gallery)["stack"][0].clone();
    assert_eq!(item["mode"], "grow");
    let names: Vec<&str> =
        item["targets"].as_array().expect("targets").iter().filter_map(|t| t["target"].as_str()).collect();
    assert_eq!(names, ["card", "t"]);
}

#[test]
fn keywords_in_force_are_shown_and_titles_of_what_was_chosen_so_far() {
    let lay =
        json!({"battlefield": [["duelist"], ["scholar"]], "deck": [["bear", "bear"], ["bear", "bear"]]});
    let mut table = skirmish(&lay, 4);
    let view = table.view(Viewer::Gallery);
    assert_eq!(view["players"][0]["zones"]["battlefield"]["cards"][0]["keywords"], json!(["haste"]));
    assert_eq!(view["players"][1]["zones"]["battlefield"]["cards"][0].get("keywords"), None);
    for seat in [FIRST, SECOND] {
        say(&mut table, seat, &json!(["Pass"]));
    }
    say(&mut table, FIRST, &json!([{"title": "Attack", "id": "attack", "selection": ["Duelist"]}]));
    let meta = table.request(FIRST, AskId(0)).meta.expect("it has one");
    let source = view["players"][0]["zones"]["battlefield"]["cards"][0]["id"].clone();
    assert_eq!(
        meta,
        json!({"kind": "target_select", "action": "attack", "actionName": "Attack", "source": source, "chosen": [source], "names": ["attacker", "defender"]})
    );
}

#[test]
fn who_is_waited_for_is_seen_only_where_the_ruleset_shows_it() {
    let p = shipped::program("hearts-rules").expect("it is shipped");
    let config = settings(&p, &Json::Null).expect("good settings");
    let mut rng = Rng::fast(3);
    let mut table = RulesetGame::start(p, config, 4, &mut rng, &mut Sink::silent());
    for _ in 0..4 {
        assert_eq!(
            table.view(Viewer::Gallery).get("waitingFor"),
            None,
            "who has passed his cards is nobody's business"
        );
        let seat =
            table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody passes");
        let said = table.any(seat, &mut rng);
        table.say(seat, false, said, &mut rng, &mut Sink::silent());
    }
    let asked = table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody plays");
    assert_eq!(table.view(Viewer::Gallery)["waitingFor"], json!([asked.index()]));
    // In the trick lies who played it.
    let two = &table.view(Viewer::Gallery)["zones"]["trick"]["cards"][0];
    assert_eq!((&two["card"], two["by"].is_u64()), (&json!("2-clubs"), true));
}

#[test]
fn items_are_numbered_as_they_come_and_say_what_was_put_before_them() {
    // cites 001-4, 001/R18
    let extra = json!({
        "actions": {"press": {"timing": "stack", "do": []}},
        "rules": [{"id": "first", "when": {"eventType": "Press", "moment": "before"}, "optional": true, "effects": [{"add": {"var": "n", "by": 1}}]}]
    });
    let p = crate::harness::program(extra);
    let config = settings(&p, &Json::Null).expect("good settings");
    let asked = parlor_ruleset::internals::ask_everybody;
    let mut table = RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), asked);
    say(&mut table, FIRST, &json!({"action": "press"}));
    say(&mut table, FIRST, &json!(["Pass"]));
    say(&mut table, SECOND, &json!({"action": "press"}));
    let stack =
        |table: &RulesetGame| table.view(Viewer::Gallery)["stack"].as_array().cloned().expect("a stack");
    let orders: Vec<u64> = stack(&table).iter().filter_map(|item| item["createdAtOrder"].as_u64()).collect();
    assert!(orders.len() == 2 && orders[0] < orders[1], "{orders:?}");
    assert!(stack(&table).iter().all(|item| item["flags"] == json!({"beforeScheduled": false})));
    // Everybody passes: what comes before the item on top is put above it and asks; the item is marked.
    say(&mut table, FIRST, &json!(["Pass"]));
    say(&mut table, SECOND, &json!(["Pass"]));
    let now = stack(&table);
    assert_eq!(
        now.last().map(|item| item["flags"].clone()),
        Some(json!({"beforeScheduled": true})),
        "{now:?}"
    );
    assert_eq!(now.len(), 2, "the reaction resolves: it asks whether it is used");
    assert_eq!(table.request(SECOND, AskId(0)).title, "Use first?");
}

#[test]
fn a_match_begins_with_its_first_phase_and_step_and_runs_on_to_the_first_window() {
    // cites 001-31, 001-25, 001-15, 001/R1, 001/R4
    let def = shipped::game_defs().into_iter().find(|def| def.name == "skirmish").expect("it is shipped");
    let header = parlor_core::Header::seeded(&def, 2, Json::Null, parlor_core::Seed::from_text("begin"));
    let (play, applied) = parlor_core::Match::start(def, header).expect("it starts");
    let word = |event: &Json| match event["type"].as_str() {
        Some("StepStart" | "StepEnd") => {
            format!("{} {}", event["type"], event["payload"]["step"]).replace('"', "")
        }
        Some("PhaseChanged") => format!("PhaseChanged {}", event["payload"]["phase"]).replace('"', ""),
        other => other.unwrap_or("?").to_owned(),
    };
    let public =
        applied.events.iter().filter(|(to, _)| to.sees(Viewer::Gallery)).map(|(_, event)| word(event));
    let flow: Vec<String> = public
        .filter(|name| ["Turn", "Step", "Phase", "priority"].iter().any(|start| name.starts_with(start)))
        .collect();
    assert_eq!(
        flow,
        [
            "TurnStarted",
            "PhaseChanged start",
            "StepStart untap",
            "StepEnd untap",
            "StepStart draw",
            "StepEnd draw",
            "PhaseChanged main",
            "StepStart main",
            "priority.changed"
        ]
    );
    let turn = play.view(Viewer::Gallery)["turn"].clone();
    assert_eq!(
        (&turn["phase"], &turn["step"], &turn["activePlayer"], &turn["turnNumber"]),
        (&json!("main"), &json!("main"), &json!(0), &json!(1))
    );
}
