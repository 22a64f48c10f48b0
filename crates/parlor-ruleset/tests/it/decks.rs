//! Decks that a table brings: what is legal, and which card is not.

use parlor_core::Json;
use parlor_ruleset::table::entry::settings;
use parlor_ruleset::{Program, compile};
use serde_json::{Value, json};

fn ruleset(deck: &Value) -> Result<Program, Vec<parlor_ruleset::Finding>> {
    let ruleset = json!({
        "name": "Decks", "author": "test", "players": {"min": 2, "max": 2},
        "config": {"deck": deck},
        "attributes": {"cost": {"type": "int"}, "rare": {"type": "bool"}},
        "zones": {"deck": {"owner": "player", "see": "none"}},
        "keywords": {"banned": {}},
        "cards": {"rat": {"cost": 1}, "bear": {"cost": 2}, "dragon": {"cost": 9, "rare": true}, "cheat": {"cost": 0, "keywords": ["banned"]}},
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"cards": {"config": "deck"}, "to": {"zone": ["deck", "p"]}}}]}}],
        "flow": [{"finish": {}}]
    });
    compile(&ruleset.to_string()).map(|compiled| compiled.program)
}

fn legal() -> Value {
    json!({
        "type": "list:card", "default": ["rat", "rat", "bear"], "size": {"min": 2, "max": 5},
        "copies": {"if": [{"attr": ["it", "rare"]}, 1, 3]},
        "where": {"and": [{"not": {"has": ["it", "banned"]}}, {"<=": [{"attr": ["it", "cost"]}, 9]}]}
    })
}

#[test]
fn a_deck_is_refused_with_the_card_that_breaks_it() {
    // cites 001-14
    let p = ruleset(&legal()).unwrap_or_else(|found| panic!("{found:#?}"));
    let refused = |deck: Value| match settings(&p, &json!({"deck": deck})) {
        Ok(_) => String::new(),
        Err(refusal) => refusal.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    };
    assert_eq!(refused(json!(["rat", "bear", "dragon"])), "");
    assert_eq!(refused(json!(["rat"])), "deck has 2 to 5 cards, not 1");
    assert_eq!(refused(json!(["rat", "rat", "rat", "bear", "bear", "bear"])), "deck has 2 to 5 cards, not 6");
    assert_eq!(refused(json!(["rat", "rat", "rat", "rat"])), "deck has 4 of rat, at most 3 are allowed");
    assert_eq!(refused(json!(["dragon", "dragon"])), "deck has 2 of dragon, at most 1 are allowed");
    assert_eq!(
        refused(json!(["rat", "cheat", "dragon", "dragon"])),
        "cheat may not be in deck; deck has 2 of dragon, at most 1 are allowed"
    );
    assert_eq!(refused(json!(["unicorn", "rat"])), "deck is no value that can be set");
    assert_eq!(settings(&p, &Json::Null).expect("the default is legal")[0].len(), 3);
}

#[test]
fn a_default_that_is_not_legal_is_a_mistake_of_the_ruleset() {
    let mut deck = legal();
    deck["default"] = json!(["dragon", "dragon"]);
    let found = ruleset(&deck).expect_err("it is refused");
    assert_eq!(found[0].pointer, "/config/deck/default");
    assert!(found[0].message.contains("2 of dragon, at most 1"), "{found:#?}");
    deck = legal();
    deck["where"] = json!({"inZone": ["it", "deck"]});
    let found = ruleset(&deck).expect_err("there is no table yet");
    assert!(found[0].message.contains("looks at more than a card"), "{found:#?}");
    let found = ruleset(&json!({"type": "int", "default": 1, "size": 3})).expect_err("a number has no size");
    assert!(found[0].message.contains("only lists of cards"), "{found:#?}");
}
