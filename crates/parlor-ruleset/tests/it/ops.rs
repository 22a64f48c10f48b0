//! Each op of the document by itself: where nothing else stands in the way, it alone says what can be done.

use std::sync::Arc;

use parlor_ruleset::{compile, scenario};
use serde_json::{Value, json};

/// A game in the document's form with these actions, two phases with a step or two each, and nothing to pay with but mana.
fn plays(actions: Value, test: Value) {
    let windows = json!([{"phase": "main", "step": "one"}, {"phase": "main", "step": "two"}, {"phase": "combat", "step": "fight"}]);
    let phases = json!([{"id": "main", "steps": [{"id": "one"}, {"id": "two"}]}, {"id": "combat", "steps": [{"id": "fight"}]}]);
    let ruleset = json!({
        "name": "Ops", "author": "test", "players": {"min": 2, "max": 2},
        "zones": {"hand": {"owner": "player", "see": "owner"}, "battlefield": {"owner": "player", "order": "ordered", "see": "all"}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
        "cards": {
            "ogre": {"cost": 3, "power": 2, "toughness": 4, "activated": [
                {"id": "Rest", "costs": [{"pay": {"var": ["you", "mana"], "amount": 2}}],
                 "do": [{"setAttr": {"of": "self", "attr": "damage", "to": 7}}]}]},
            "elf": {"cost": 2, "power": 1, "toughness": 1, "activated": [{"id": "Sing", "do": []}]},
            "wall": {"cost": 1, "power": 0, "toughness": 5}
        },
        "turnStructure": {"phases": phases, "priorityWindows": windows},
        "actions": actions
    });
    let compiled = compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let program = Arc::new(compiled.program);
    crate::screen::check(&program);
    scenario::run(&program, &test).unwrap_or_else(|why| panic!("{why}"));
}

fn action(preconditions: Value, selector: Value) -> Value {
    json!([{"id": "act", "timing": "instant", "preconditions": preconditions,
            "targets": [{"id": "card", "selector": selector}], "effects": [{"add": {"var": "n", "by": 1}}]}])
}

fn act(card: &str) -> Value {
    json!({"seat": 0, "act": "act", "targets": {"card": card}})
}

fn not(card: &str, why: &str) -> Value {
    json!({"seat": 0, "act": "act", "targets": {"card": card}, "refused": why})
}

#[test]
fn each_precondition_bars_what_it_says() {
    // cites 001-27, 001/R8
    let mine = json!({"zone": "battlefield", "controller": "self", "count": 1});
    let field = json!({"zones": {"battlefield": [["ogre", "elf", "wall"]]}});
    let one = |precondition: Value, script: Value| {
        plays(
            action(json!([precondition]), mine.clone()),
            json!({"name": precondition.to_string(), "given": field, "script": script, "then": {"vars": {"n": 1}}}),
        );
    };
    // Nobody pays anything: what there must be is looked at all the same. `card` is bound before it is.
    plays(
        action(
            json!([{"op": "has_resource", "resource": "mana", "atLeast": {"ref": "card.cost"}}]),
            mine.clone(),
        ),
        json!({"given": {"zones": {"battlefield": [["ogre", "elf"]]}, "vars": {"mana": [2, 9]}}, "script": [not("ogre", "no legal target"), act("elf")],
               "then": {"vars": {"n": 1, "mana": [2, 9]}}}),
    );
    one(json!({"op": "can_attack", "target": "self"}), json!([not("wall", "no legal target"), act("elf")]));
    one(
        json!({"op": "has_ability", "target": "card", "ability": "Rest"}),
        json!([not("elf", "no legal target"), not("wall", "no legal target"), act("ogre")]),
    );
    let pass = |seat: u8| json!({"seat": seat, "say": "Pass"});
    one(
        json!({"op": "phase_allows", "phase": "main", "step": "two"}),
        json!([
            not("elf", "only in the step two"),
            pass(0),
            pass(1),
            act("elf"),
            pass(0),
            pass(1),
            not("elf", "cannot be done now")
        ]),
    );
    one(
        json!({"op": "phase_allows", "phase": "combat"}),
        json!([not("elf", "only in the phase combat"), pass(0), pass(1), pass(0), pass(1), act("elf")]),
    );
    // Where it lies, if it may be chosen from several places.
    plays(
        action(
            json!([{"op": "in_zone", "target": "self", "zone": "hand"}]),
            json!({"zones": ["hand", "battlefield"], "controller": "self"}),
        ),
        json!({"given": {"zones": {"battlefield": [["ogre"]], "hand": [["elf"]]}}, "script": [not("ogre", "it is not in hand"), act("elf")],
               "then": {"vars": {"n": 1}}}),
    );
}

#[test]
fn whoever_has_attacked_is_tapped_and_does_not_attack_again() {
    // cites 001-27
    let attack = json!([{"id": "attack", "timing": "instant", "preconditions": [{"op": "not_tapped", "target": "self"}],
        "targets": [{"id": "attacker", "selector": {"zone": "battlefield", "controller": "self", "count": 1}},
                    {"id": "defender", "selector": {"zone": "battlefield", "controller": "opponent", "count": 1}}],
        "effects": [{"op": "declare_attack", "attacker": "attacker", "defender": "defender"}]}]);
    let targets = |attacker: &str| json!({"attacker": attacker, "defender": "wall"});
    plays(
        attack,
        json!({"given": {"zones": {"battlefield": [["ogre", "elf"], ["wall"]]}}, "script": [
            {"seat": 0, "act": "attack", "targets": targets("ogre")},
            {"seat": 0, "act": "attack", "targets": targets("ogre"), "refused": "it is tapped"},
            {"seat": 0, "act": "attack", "targets": targets("elf")}
        ], "then": {"cards": {"wall": {"damage": 3}, "ogre": {"damage": 0, "tapped": true}}}}),
    );
}

#[test]
fn self_in_an_ability_is_the_card_that_has_it() {
    // cites 001/R8, 001-27
    let activate = json!([{"id": "activate_ability", "timing": "instant",
        "preconditions": [{"op": "has_ability", "target": "source", "ability": {"ref": "abilityId"}}, {"op": "can_activate", "target": "source", "ability": {"ref": "abilityId"}}],
        "costs": [{"op": "pay_ability_cost", "source": "source", "ability": {"ref": "abilityId"}}],
        "targets": [{"id": "source", "selector": {"zone": "battlefield", "count": 1}}],
        "effects": [{"op": "execute_ability", "source": "source", "ability": {"ref": "abilityId"}}]}]);
    let rest =
        json!({"seat": 0, "act": "activate_ability", "targets": {"source": "ogre", "ability": "Rest"}});
    let mut poor = rest.clone();
    poor["refused"] = json!("cannot be done now");
    plays(
        activate,
        json!({"given": {"zones": {"battlefield": [["ogre", "wall"]]}, "vars": {"mana": [3, 0]}}, "script": [rest, poor],
               "then": {"vars": {"mana": [1, 0]}, "cards": {"ogre": {"damage": 7}, "wall": {"damage": 0}}}}),
    );
}

#[test]
fn self_in_an_action_is_its_first_target() {
    // cites 001/R8
    let zone = |controller: &str| json!({"zone": "battlefield", "controller": controller, "count": 1});
    let shove = json!([{"id": "shove", "timing": "instant",
        "targets": [{"id": "pusher", "selector": zone("self")}, {"id": "pushed", "selector": zone("opponent")}],
        "effects": [{"setAttr": {"of": "self", "attr": "damage", "to": 2}}, {"setAttr": {"of": "source", "attr": "tapped", "to": true}}]}]);
    plays(
        shove,
        json!({"given": {"zones": {"battlefield": [["ogre"], ["wall"]]}},
               "script": [{"seat": 0, "act": "shove", "targets": {"pusher": "ogre", "pushed": "wall"}}],
               "then": {"cards": {"ogre": {"damage": 2, "tapped": true}, "wall": {"damage": 0, "tapped": false}}}}),
    );
}

#[test]
fn a_target_is_one_thing_and_more_is_refused_with_what_to_do() {
    // cites 001-28
    let ruleset = |target: Value, section: &str| {
        let mut small = crate::harness::ruleset(&json!({}));
        match section {
            "actions" => {
                small["actions"] = json!({"act": {"timing": "instant", "targets": [target], "do": []}})
            }
            _ => {
                small["rules"] = json!([{"id": "r", "on": {"event": "Ping"}, "targets": [target], "do": []}])
            }
        }
        compile(&small.to_string())
    };
    let from = json!({"zones": ["table"], "of": "each"});
    for section in ["actions", "rules"] {
        assert!(ruleset(json!({"id": "t", "from": from, "count": 1}), section).is_ok());
        for (target, pointer) in [
            (json!({"id": "t", "from": from, "count": 2}), "count"),
            (json!({"id": "t", "from": from, "max": 3}), "max"),
            (
                json!({"id": "t", "selector": {"zones": ["table"], "of": "each", "count": 2}}),
                "selector/count",
            ),
        ] {
            let found = ruleset(target, section).expect_err("it is not two");
            assert_eq!(found[0].message, "a target is one thing", "{found:#?}");
            assert!(found[0].pointer.ends_with(pointer) && found[0].help.is_some(), "{found:#?}");
        }
    }
    let found =
        ruleset(json!({"id": "t", "from": from, "optional": true}), "rules").expect_err("it is asked");
    assert_eq!(found[0].message, "a target of a trigger cannot be left out");
    // The document's own form, too.
    let mut small = crate::harness::ruleset(&json!({}));
    small["actions"] = json!([{"id": "act", "timing": "instant", "targets": [{"id": "t", "selector": {"zone": "table", "controller": "self", "count": 2}}], "effects": []}]);
    let found = compile(&small.to_string()).expect_err("it is not two");
    assert_eq!(found[0].message, "a target is one thing", "{found:#?}");
}
