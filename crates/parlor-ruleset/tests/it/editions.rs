//! Editions: a ruleset of the first one is played as 0.2.0 played it, so that matches of it replay.

use parlor_core::{AskId, DynGame, Rng, Seat};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::{RulesetGame, compile, shipped};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::harness::say;

const HEARTS: &str = "4cf70ecf6d254a5562c4513cd8893a3b15d23091c95b30b3d4c5246293638371";
const ORCAIN: &str = "87ae2357fc92cf9ade01977a35c72c9356fbdc10809a1729187a1e4c9ad3cd1b";
const SKIRMISH: &str = "2474d71299ef8fe6336a678dbaa77b15b82355de683217d4c1ec2acc1cce0ce4";

fn shuffled(edition: Option<u8>) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/shuffle-keeps-ids.json");
    let mut ruleset: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the case")).expect("JSON");
    if let Some(edition) = edition {
        ruleset["edition"] = json!(edition);
    }
    let program =
        Arc::new(compile(&ruleset.to_string()).unwrap_or_else(|found| panic!("{found:#?}")).program);
    let mut game = RulesetGame::start(program, Vec::new(), 1, &mut Rng::fast(1), &mut Sink::silent());
    say(&mut game, Seat::new(0), &json!(["yes"]));
    let asked = game.request(Seat::new(0), AskId(0));
    asked.choices.iter().filter_map(|choice| choice.id.clone()).collect()
}

/// Cards that somebody knew have other names after a shuffle: nobody can tell by its name which is which.
#[test]
fn cards_that_were_seen_have_new_names_after_a_shuffle() {
    assert_eq!(shuffled(None), ["c4", "c5", "c6"]);
    assert_eq!(shuffled(Some(1)), ["c1", "c2", "c3"], "the first edition left them");
}

/// The edition is a part of what a ruleset is; the first adds nothing, since matches of it name the content alone.
#[test]
fn the_edition_is_a_part_of_the_identity() {
    let hash = |edition: Value| {
        let ruleset = json!({"ir": "parlor-ir/1", "name": "E", "author": "t", "edition": edition, "flow": [{"finish": {}}]});
        compile(&ruleset.to_string()).map(|compiled| compiled.program.hash).map_err(|found| found[0].code)
    };
    let without = json!({"ir": "parlor-ir/1", "name": "E", "author": "t", "flow": [{"finish": {}}]});
    let without = compile(&without.to_string()).expect("it is right").program.hash;
    assert_eq!(hash(json!(2)), Ok(without), "without one it is the present edition");
    assert_ne!(hash(json!(1)), Ok(without));
    assert_eq!(hash(json!(3)), Err("version"));
    // As 0.2.0 named them: golden logs and stored matches have these in their headers.
    let old = [("hearts-rules", HEARTS), ("orcain", ORCAIN), ("skirmish", SKIRMISH)];
    for (name, identity) in old {
        let program = shipped::program(name).expect("it is shipped");
        let hex: String = program.hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, identity, "{name}");
    }
}
