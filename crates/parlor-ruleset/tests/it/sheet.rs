//! The sheet: what screens draw a ruleset by.

use parlor_ruleset::shipped::program;
use serde_json::json;

fn def<'a>(list: &'a parlor_core::Json, id: &str) -> &'a parlor_core::Json {
    list.as_array().and_then(|all| all.iter().find(|each| each["id"] == id)).expect(id)
}

#[test]
fn a_zone_says_what_it_is_to_a_screen_or_it_follows_from_who_sees_it() {
    let sheet = &program("skirmish").expect("shipped").sheet;
    let role = |id: &str| def(&sheet["zones"], id)["role"].clone();
    assert_eq!(
        ["hand", "deck", "battlefield", "graveyard", "casting"].map(role),
        ["hand", "deck", "row", "pile", "stack"].map(|role| json!(role)),
        "a hand is seen by its owner, a deck by nobody; the rest is said"
    );
    assert_eq!(def(&sheet["zones"], "hand")["owner"], "player");
}

#[test]
fn cards_have_what_is_printed_on_them_and_nothing_else() {
    let sheet = &program("skirmish").expect("shipped").sheet;
    assert_eq!(
        sheet["cards"]["bear"]["attrs"],
        json!({"type": "creature", "cost": 2, "power": 2, "toughness": 2})
    );
    assert_eq!(sheet["cards"]["bolt"]["attrs"], json!({"type": "spell", "speed": "instant", "cost": 1}));
    assert_eq!(sheet["cards"]["duelist"]["keywords"], json!(["haste"]));
    assert_eq!(sheet["cards"]["captain"]["text"], "Your others get +1/+1.");
    let hearts = &program("hearts-rules").expect("shipped").sheet;
    assert_eq!(hearts["cards"]["Q-spades"]["title"], "Q♠");
    assert_eq!(hearts["cards"]["Q-spades"]["attrs"]["points"], 13, "what is worked out once is printed");
}

#[test]
fn phases_name_their_steps_and_where_players_may_act() {
    let sheet = &program("skirmish").expect("shipped").sheet;
    let combat = def(&sheet["phases"], "combat");
    assert_eq!((&combat["label"], &combat["steps"][0]["label"]), (&json!("Combat"), &json!("Attack")));
    assert_eq!(combat["steps"][0]["window"], true);
    assert_eq!(def(&sheet["phases"], "start")["steps"][0]["window"], false);
    assert_eq!(program("orcain").expect("shipped").sheet["phases"], json!([]));
}
