//! Decks that a table brings: what is legal, and which card is not.

use parlor_core::Json;
use parlor_ruleset::internals::settings;
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
    assert_eq!(refused(json!(["unicorn", "rat"])), "deck has \"unicorn\", which is no card here");
    assert_eq!(
        refused(json!(["dargon", "rat", 7, "dargon"])),
        "deck has \"dargon\", which is no card here; dragon is; deck has 7, which is no card here"
    );
    assert_eq!(refused(json!("rat")), "deck is a list of cards, not \"rat\"");
    assert_eq!(refused(json!(vec!["rat"; 300])), "deck has at most 256 cards, not 300");
    assert_eq!(settings(&p, &Json::Null).expect("the default is legal")[0].len(), 3);
}

#[test]
fn a_setting_is_refused_with_what_may_stand_there() {
    let refused = |knob: Value, given: Value| {
        let p = ruleset(&knob).unwrap_or_else(|found| panic!("{found:#?}"));
        settings(&p, &json!({"deck": given})).expect_err("it is refused").to_string()
    };
    let number = json!({"type": "int", "default": 1, "min": 0, "max": 3});
    assert_eq!(refused(number.clone(), json!(4)), "deck is 0 to 3, not 4");
    assert_eq!(refused(number, json!("two")), "deck is 0 to 3, not \"two\"");
    assert_eq!(refused(json!({"type": "bool", "default": true}), json!(1)), "deck is true or false, not 1");
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

/// A game with a pack of cards, in which one thing is said of a card.
fn pack(suits: &Value, decks: &Value, card: &str) -> Result<Program, Vec<parlor_ruleset::Finding>> {
    let ruleset = json!({
        "name": "Pack", "author": "test", "players": {"min": 2, "max": 2},
        "enums": {"suit": suits, "rank": ["2", "3", "Q"]},
        "attributes": {"suit": {"type": "enum:suit"}, "rank": {"type": "enum:rank"}},
        "zones": {"deck": {"owner": "game", "see": "none"}},
        "decks": decks,
        "flow": [{"reveal": {"zones": ["deck"], "where": {"isCard": ["it", card]}}}]
    });
    compile(&ruleset.to_string()).map(|compiled| compiled.program)
}

fn one() -> Value {
    json!({"std": {"product": ["suit", "rank"], "into": "deck"}})
}

#[test]
fn a_card_of_a_product_is_named_by_its_values_the_last_first() {
    let signs = json!([{"id": "clubs", "label": "♣"}, {"id": "hearts", "label": "♥"}]);
    let words = json!(["clubs", {"id": "hearts", "label": "Hearts"}]);
    // The name is what the rules write, the title what people read: words do not run into each other.
    for (suits, titles) in [(&signs, ["2♣", "Q♥"]), (&words, ["2 clubs", "Q Hearts"])] {
        let p = pack(suits, &one(), "2-clubs").unwrap_or_else(|found| panic!("{found:#?}"));
        let names: Vec<&str> = p.cards.iter().map(|card| card.name.as_str()).collect();
        assert_eq!(names, ["2-clubs", "3-clubs", "Q-clubs", "2-hearts", "3-hearts", "Q-hearts"]);
        assert_eq!([&p.cards[0].title, &p.cards[5].title], titles);
    }
}

#[test]
fn a_card_that_is_written_otherwise_is_refused_with_its_name() {
    // cites 001-14
    let suits = json!([{"id": "clubs", "label": "♣"}, {"id": "hearts", "label": "Hearts"}]);
    for said in ["clubs-2", "2clubs", "clubs2", "2 clubs", "2_clubs", "2 of Clubs", "2-club", "2♣", "two♣"]
    {
        let found = pack(&suits, &one(), said).expect_err("there is no such card");
        assert_eq!(found[0].message, format!("there is no card '{said}'"));
        if said == "two♣" {
            let help = found[0].help.as_deref();
            assert_eq!(help, Some("cards of a product are written rank-suit (such as Q-hearts)"));
        } else {
            assert_eq!(found[0].help.as_deref(), Some("did you mean '2-clubs'?"), "{said}");
        }
        assert_eq!(found[0].pointer, "/flow/0/reveal/where/isCard/1");
    }
    let found = pack(&suits, &one(), "Q Hearts").expect_err("that is its title");
    assert_eq!(found[0].help.as_deref(), Some("did you mean 'Q-hearts'?"));
    // A scenario is told the same.
    let p = std::sync::Arc::new(pack(&suits, &one(), "2-clubs").expect("it compiles"));
    let test = json!({"given": {"zones": {"deck": ["hearts-Q"]}}});
    let failure = parlor_ruleset::scenario::run(&p, &test).expect_err("there is no such card");
    assert!(failure.to_string().contains("did you mean 'Q-hearts'?"), "{failure}");
}

#[test]
fn several_packs_are_copies_of_one_deck() {
    let suits = json!(["clubs", "hearts"]);
    let twice = json!({"a": {"product": ["suit", "rank"], "into": "deck"}, "b": {"product": ["suit", "rank"], "into": "deck"}});
    let found = pack(&suits, &twice, "2-clubs").expect_err("which one would be meant?");
    assert_eq!((found[0].code, found[0].message.as_str()), ("twice", "the card 2-clubs is there twice"));
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("`copies`")), "{found:#?}");
    let copies = json!({"std": {"product": ["suit", "rank"], "into": "deck", "copies": 3}});
    let p = std::sync::Arc::new(pack(&suits, &copies, "2-clubs").expect("it compiles"));
    let config = settings(&p, &Json::Null).expect("the defaults are good");
    let table = parlor_ruleset::RulesetGame::start(
        p,
        config,
        2,
        &mut parlor_core::Rng::fast(1),
        &mut parlor_ruleset::internals::Sink::silent(),
    );
    assert_eq!(table.inside().board.entities.len(), 18);
}
