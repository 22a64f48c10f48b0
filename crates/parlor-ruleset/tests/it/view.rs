//! What a page is shown of a ruleset's table.

use parlor_core::{AskId, Hosted, Json, Luck, Seat, Viewer};
use parlor_ruleset::table::entry::settings;
use parlor_ruleset::vm::Sink;
use parlor_ruleset::{Table, scenario, shipped};
use serde_json::{Value, json};

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

fn skirmish(zones: &Json, mana: i64) -> Table {
    let p = shipped::program("skirmish").expect("it is shipped");
    let config = settings(&p, &json!({"deck": [], "handSize": 0})).expect("good settings");
    let given = json!({"zones": zones, "vars": {"maxMana": [mana - 1, mana], "mana": [0, mana]}});
    Table::start_with(p, config, 2, &mut Luck::fast(1), &mut Sink::silent(), |vm| {
        scenario::given(vm, &given).expect("it can be laid");
    })
}

fn say(table: &mut Table, seat: Seat, selection: &Value) {
    let title = table.request(seat, AskId(0)).title;
    let answer = json!({"title": title, "selection": selection});
    let said = table.read(seat, AskId(0), &answer).unwrap_or_else(|why| panic!("{answer}: {why}"));
    table.say(seat, false, said, &mut Luck::fast(1), &mut Sink::silent());
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
    assert_eq!(table.seen(Viewer::Gallery)["passes"], json!([0]), "who has passed is there to be seen");
    say(&mut table, SECOND, &json!({"action": "cast", "targets": {"card": "bolt", "t": "bear"}}));
    let view = table.seen(Viewer::Gallery);
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
    let item = table.seen(Viewer::Gallery)["stack"][0].clone();
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
    let view = table.seen(Viewer::Gallery);
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
    let mut luck = Luck::fast(3);
    let mut table = Table::start(p, config, 4, &mut luck, &mut Sink::silent());
    for _ in 0..4 {
        assert_eq!(
            table.seen(Viewer::Gallery).get("waitingFor"),
            None,
            "who has passed his cards is nobody's business"
        );
        let seat =
            table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody passes");
        let said = table.any(seat, &mut luck);
        table.say(seat, false, said, &mut luck, &mut Sink::silent());
    }
    let asked = table.inside().open.as_ref().and_then(|open| open.seats.lowest()).expect("somebody plays");
    assert_eq!(table.seen(Viewer::Gallery)["waitingFor"], json!([asked.index()]));
    // In the trick lies who played it.
    let two = &table.seen(Viewer::Gallery)["zones"]["trick"]["cards"][0];
    assert_eq!((&two["card"], two["by"].is_u64()), (&json!("2-clubs"), true));
}
