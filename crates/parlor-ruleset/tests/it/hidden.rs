//! What is seen for some time, and what lies face down: who sees what, for how long, and that nobody sees more.

use std::sync::Arc;

use parlor_core::{DynGame, Json, Rng, Seat, Viewer};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::internals::{ActionId, SeatInput};
use parlor_ruleset::{Program, RulesetGame, compile, game_def, scenario};
use parlor_testkit::Kit;
use serde_json::{Value, json};

const VEIL: &str = include_str!("../fixtures/veil.json");

fn veil() -> Arc<Program> {
    let compiled = compile(VEIL).unwrap_or_else(|found| panic!("{found:#?}"));
    assert!(compiled.warnings.is_empty(), "{:#?}", compiled.warnings);
    Arc::new(compiled.program)
}

struct Play {
    table: RulesetGame,
    rng: Rng,
}

impl Play {
    fn given(zones: Value) -> Self {
        let mut text: Value = serde_json::from_str(VEIL).expect("it is JSON");
        text["setup"] = json!([]);
        text["decks"]["all"]["into"] = json!("pile");
        text["replaces"] = json!([]);
        text["rules"] = json!([]);
        // More cards lie there than it counts on.
        text["invariants"] = json!([]);
        let p = Arc::new(compile(&text.to_string()).expect("it compiles").program);
        let mut rng = Rng::fast(5);
        let config = settings(&p, &Json::Null).expect("the defaults are good");
        let table = RulesetGame::start_with(p, config, 2, &mut rng, &mut Sink::silent(), |vm| {
            parlor_ruleset::internals::given(vm, &json!({"zones": zones})).expect("it can be laid");
        });
        Self { table, rng }
    }

    fn act(&mut self, seat: u8, action: &str, card: Option<&str>) {
        let p = self.table.program();
        let n = p.actions.iter().position(|def| def.id == action).expect("an action");
        let s = self.table.inside();
        let found = card.map(|card| s.board.entities.iter().position(|ent| p.cards[ent.def].name == card));
        let targets = found.flatten().map(|ent| ent as i64).into_iter().collect();
        self.table.say(
            Seat::new(seat),
            false,
            SeatInput::Act(ActionId::at(n), targets),
            &mut self.rng,
            &mut Sink::silent(),
        );
    }

    fn pass(&mut self) {
        for _ in 0..2 {
            let seat = self
                .table
                .inside()
                .open
                .as_ref()
                .and_then(|open| open.seats.lowest())
                .expect("somebody acts");
            self.table.say(seat, false, SeatInput::Pass, &mut self.rng, &mut Sink::silent());
        }
    }

    fn field(&self, viewer: Viewer, of: usize) -> Vec<Json> {
        self.table.view(viewer)["players"][of]["zones"]["field"]["cards"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    fn deck(&self, viewer: Viewer) -> Json {
        let seen = self.table.view(viewer);
        let list = seen["zones"]["deck"]["cards"].as_array().cloned().unwrap_or_default();
        list.iter().map(|card| card["card"].clone()).collect()
    }
}

const A: Viewer = Viewer::Seat(Seat::new(0));
const B: Viewer = Viewer::Seat(Seat::new(1));

#[test]
fn a_card_face_down_has_a_name_and_no_face() {
    // cites 001-23
    let mut play = Play::given(json!({"hand": [["1-sun"], []]}));
    let names = |play: &Play| -> Vec<u32> {
        play.table.inside().board.entities.iter().map(|card| card.handle).collect()
    };
    let before = names(&play);
    play.act(0, "lay", Some("1-sun"));
    let back = &play.field(B, 0)[0];
    assert_eq!(back["faceDown"], true);
    assert!(back.get("card").is_none() && back.get("rank").is_none(), "{back}");
    assert_ne!(names(&play), before, "its old name is gone with its old place");
    let own = &play.field(A, 0)[0];
    assert_eq!((&own["card"], &own["faceDown"], &own["mark"]), (&json!("1-sun"), &json!(true), &json!(1)));
    play.act(0, "flip", Some("1-sun"));
    let up = &play.field(B, 0)[0];
    assert_eq!((&up["card"], up.get("faceDown")), (&json!("1-sun"), None));
    assert!(up.get("mark").is_none(), "an attribute for its owner alone: {up}");
    assert_eq!(play.field(A, 0)[0]["mark"], 1);
}

#[test]
fn a_glance_is_over_when_its_time_is() {
    let mut play = Play::given(json!({"deck": ["1-sun", "2-sun", "3-sun"]}));
    assert_eq!(play.deck(A), json!([null, null, null]));
    play.act(0, "look", None);
    assert_eq!(play.deck(A), json!([null, "2-sun", "3-sun"]), "where they lie is seen");
    assert_eq!(play.deck(B), json!([null, null, null]));
    play.pass();
    assert_eq!(play.deck(A), json!([null, null, null]));
}

#[test]
fn a_glance_at_a_card_lasts_until_it_moves() {
    let mut play = Play::given(json!({"hand": [[], ["1-sun"]]}));
    play.pass();
    play.act(1, "lay", Some("1-sun"));
    play.pass();
    play.act(0, "spy", Some("1-sun"));
    assert_eq!(play.field(A, 1)[0]["card"], "1-sun");
    play.pass();
    assert_eq!(play.field(A, 1)[0]["card"], "1-sun", "it lasts over turns");
    play.act(1, "swap", None);
    assert!(play.table.inside().board.peeks.is_empty());
    let hand = &play.table.view(A)["players"][1]["zones"]["hand"];
    assert_eq!(hand["cards"], Json::Null, "{hand}");
}

#[test]
fn a_card_face_down_does_nothing() {
    let text = json!({
        "name": "Down", "author": "test", "players": {"min": 2, "max": 2},
        "attributes": {"size": {"type": "int", "default": 1, "layer": "stat"}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}},
        "events": {"Ping": {}},
        "cards": {"bell": {"triggers": [{"id": "ring", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]}],
                           "statics": [{"affects": {"zones": ["table"]}, "modify": {"size": 4}}]}},
        "actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]},
                    "down": {"timing": "instant", "do": [{"turnDown": "table"}]}, "up": {"timing": "instant", "do": [{"turnUp": "table"}]}},
        "turnStructure": {"phases": [{"id": "main", "steps": [{"id": "main"}]}]}
    });
    let p = Arc::new(compile(&text.to_string()).unwrap_or_else(|found| panic!("{found:#?}")).program);
    for (names, n, size) in
        [(vec!["press"], 1, 5), (vec!["down", "press"], 0, 1), (vec!["down", "up", "press"], 1, 5)]
    {
        let script: Vec<Value> = names.iter().map(|name| json!({"seat": 0, "act": name})).collect();
        let test = json!({"given": {"zones": {"table": [["bell"]]}}, "script": script, "then": {"vars": {"n": n}, "cards": {"bell": {"size": size}}}});
        scenario::run(&p, &test).unwrap_or_else(|why| panic!("{names:?}: {why}"));
    }
}

#[test]
fn nobody_learns_more_than_he_is_shown() {
    // cites 001-23
    for seats in [2, 3] {
        match Kit::of(game_def(veil(), "veil")).seats(seats).matches(6, 2).run() {
            Ok(report) => println!("veil with {seats}: {}", report.text()),
            Err(why) => panic!("{why}"),
        }
    }
}
