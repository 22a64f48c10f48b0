//! Who countered what: told beside its name, seen while it still lies there, and no more of it than there was to see.

use std::sync::Arc;

use parlor_core::{Body, By, Header, Json, Match, Seat, Seats, Seed, Viewer};
use parlor_ruleset::{Program, game_def};
use parlor_testkit::Kit;
use serde_json::{Value, json};

use crate::harness::program;

/// Everybody may press, and stop what another pressed: by a button, or by a card that nobody else sees.
fn game() -> Value {
    let theirs = json!([{"id": "s", "from": {"stackItems": {"controller": "opponent"}}}]);
    json!({
        "players": {"min": 2, "max": 2},
        // Twice in a turn: matches end.
        "events": {"Ping": {"n": "int"}, "Pressed": {}},
        "cards": {
            "ember": {"title": "Ember", "targets": theirs, "resolve": [{"counterItem": "s"}]},
            "stone": {}
        },
        "actions": {
            "press": {"name": "Press", "timing": "stack", "when": {"<": [{"happened": ["Pressed", "turn"]}, 2]},
                "costs": [{"emit": {"event": "Pressed"}}], "do": [{"emit": {"event": "Ping", "payload": {"n": 1}}}]},
            "stop": {"name": "Stop", "timing": "instant", "targets": theirs, "do": [{"counterItem": "s"}]},
            "snuff": {"name": "Snuff", "timing": "instant", "spread": "card",
                "targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you", "where": {"isCard": ["it", "ember"]}}}],
                "do": [{"run": "card.resolve"}]}
        },
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"cards": ["ember", "stone"], "to": {"zone": ["hand", "p"]}}}]}}]
    })
}

struct Play {
    play: Match,
    told: Vec<(Seats, Json)>,
}

impl Play {
    fn of(p: Arc<Program>) -> Self {
        let def = game_def(p, "countered");
        let header = Header::seeded(&def, 2, Json::Null, Seed::from_text("countered"));
        let (mut play, first) = Match::start(def, header).expect("it starts");
        crate::harness::full_control(&mut play);
        Self { play, told: first.events }
    }

    /// Whoever is asked says this.
    fn say(&mut self, selection: Value) -> &mut Self {
        let ask = self.play.open_asks()[0];
        let seat = ask.seats.lowest().expect("somebody is asked");
        let answer = json!({"title": "Act or pass", "selection": selection});
        let body = Body::Answer { seat, ask: ask.id, answer: answer.clone() };
        let applied = self.play.apply(0, By::Human, None, body);
        self.told.extend(applied.unwrap_or_else(|why| panic!("{answer}: {why}")).events);
        self
    }

    fn pass(&mut self) -> &mut Self {
        self.say(json!(["Pass"]))
    }

    /// What a viewer was told of events of this name and status.
    fn heard(&self, viewer: Viewer, name: &str, status: &str) -> Vec<&Json> {
        let his = self.told.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, event)| event);
        his.filter(|event| event["type"] == name && event["status"] == status).collect()
    }
}

const EVERYBODY: [Viewer; 3] = [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Gallery];

#[test]
fn whoever_countered_an_item_is_told_beside_its_name() {
    // cites 001-21, 001/R9
    let mut play = Play::of(program(game()));
    play.say(json!({"action": "press"})).pass().say(json!({"action": "stop", "targets": {"s": "Press"}}));
    let by = json!({"id": "s2", "title": "Stop", "seat": 1, "source": null});
    for viewer in EVERYBODY {
        for (name, status) in [("Press", "prevented"), ("EventPrevented", "applied")] {
            let told = play.heard(viewer, name, status);
            assert_eq!(told.len(), 1, "{name}: {told:?}");
            assert_eq!((&told[0]["item"], &told[0]["title"]), (&json!("s1"), &json!("Press")));
            assert_eq!(told[0]["counteredBy"], by, "{viewer:?}: {told:?}");
        }
    }
    assert_eq!(
        play.heard(Viewer::Gallery, "Stop", "applied")[0].get("counteredBy"),
        None,
        "nobody stopped it"
    );
}

#[test]
fn what_lies_there_countered_is_seen_as_such_by_everybody() {
    let mut play = Play::of(program(game()));
    // Two items wait; the lower one is countered, and the upper one is responded to first.
    play.say(json!({"action": "press"})).say(json!({"action": "press"})).pass();
    let waits = |play: &Play, viewer: Viewer| play.play.view(viewer)["stack"].clone();
    assert!(waits(&play, Viewer::Gallery).as_array().is_some_and(|all| all.len() == 2));
    play.say(json!({"action": "stop", "targets": {"s": "s1"}}));
    for viewer in EVERYBODY {
        let stack = waits(&play, viewer);
        assert_eq!(stack.as_array().map(Vec::len), Some(2), "{stack}");
        assert_eq!(
            (&stack[0]["countered"], &stack[0]["counteredBy"]["title"]),
            (&json!(true), &json!("Stop"))
        );
        assert_eq!(stack[0]["counteredBy"]["seat"], 1);
        assert_eq!((stack[1].get("countered"), stack[1].get("counteredBy")), (None, None), "{stack}");
    }
}

#[test]
fn a_card_that_nobody_else_sees_is_named_to_its_owner_alone() {
    // cites 001-23
    let mut play = Play::of(program(game()));
    play.say(json!({"action": "press"})).pass();
    play.say(json!({"action": "snuff", "targets": {"card": "ember", "s": "Press"}}));
    for viewer in EVERYBODY {
        let by = &play.heard(viewer, "EventPrevented", "applied")[0]["counteredBy"];
        assert_eq!((&by["seat"], &by["id"]), (&json!(1), &json!("s2")));
        let his = viewer == Viewer::Seat(Seat::new(1));
        assert_eq!(by["title"], if his { "Ember" } else { "Snuff" }, "{viewer:?}");
        assert_eq!(by["source"].is_null(), !his, "{viewer:?}: {by}");
    }
}

#[test]
fn a_reaction_that_is_countered_comes_to_nothing_and_its_event_has_happened() {
    // cites 001/R9, 001-21
    let mut extra = game();
    extra["respondToTriggers"] = json!(true);
    extra["actions"]["press"]["timing"] = json!("instant");
    extra["rules"] = json!([{"id": "echo", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]}]);
    let mut play = Play::of(program(extra));
    play.say(json!({"action": "press"})).pass().say(json!({"action": "stop", "targets": {"s": "s2"}}));
    for viewer in EVERYBODY {
        assert_eq!(play.heard(viewer, "Ping", "applied").len(), 1);
        assert_eq!(play.heard(viewer, "Ping", "prevented").len(), 0, "what has happened is not prevented");
        let stopped = play.heard(viewer, "EventPrevented", "applied");
        assert_eq!(stopped.len(), 1);
        assert_eq!(
            (&stopped[0]["title"], &stopped[0]["counteredBy"]["title"]),
            (&json!("echo"), &json!("Stop"))
        );
    }
    assert_eq!(play.play.view(Viewer::Gallery)["vars"]["n"], 0, "it did nothing");
}

#[test]
fn a_rule_that_comes_before_an_item_and_stops_it_is_named_by_its_id() {
    let mut extra = game();
    extra["rules"] =
        json!([{"id": "hush", "on": {"event": "Press", "moment": "before"}, "do": [{"prevent": true}]}]);
    let mut play = Play::of(program(extra));
    play.say(json!({"action": "press"})).pass().pass();
    let stopped = &play.heard(Viewer::Gallery, "EventPrevented", "applied")[0];
    let by = &stopped["counteredBy"];
    assert_eq!((&by["title"], &by["source"]), (&json!("hush"), &Json::Null));
}

#[test]
fn who_countered_what_tells_nobody_more_than_he_may_know() {
    // cites 001-23
    match Kit::of(game_def(program(game()), "countered")).seats(2).matches(3, 1).run() {
        Ok(report) => println!("countered: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
