//! A panic in the rules does not leave its table.

use parlor_core::Game;
use parlor_core::{Json, PauseReason, Seed, Viewer};
use parlor_host::{AnswerTarget, Command, NewTable, Occupant, Submit, Table};
use parlor_testkit::probes::boom::{Boom, SAYS_BROKEN};
use parlor_testkit::world::{Plan, World};
use serde_json::json;

fn say(world: &mut World, seat: u8, way: &str) {
    let answer = json!({"title": "Which?", "selection": [way]});
    let conn = parlor_host::ConnId(seat.into());
    world.handle(Command::Submit(conn, Submit { to: AnswerTarget::Latest, answer, key: None }));
}

#[test]
fn rules_that_break_down_pause_their_table_with_its_log_whole() {
    for way in ["panic in apply", "tell for ever", "draw for ever", "panic in check"] {
        let mut world = World::open(Plan::of(Boom::def(), 2, "boom"));
        say(&mut world, 0, "ok");
        let before = world.view().current_match().view(Viewer::Gallery);
        say(&mut world, 1, way);
        world.check();
        assert_eq!(world.violations, Vec::<String>::new(), "{way}");
        assert!(world.view().current_match().paused().is_some(), "{way}: the table stands still");
        assert_eq!(world.view().current_match().view(Viewer::Gallery), before, "{way}: nothing has happened");
        let poison = world.log[0].records.iter().any(|record| {
            serde_json::to_string(record).unwrap().contains(way) && record.by == parlor_core::By::Human
        });
        assert!(!poison, "{way}: what broke the rules is not in the log");
        let paused = world.clients.values().all(|client| client.paused.is_some());
        assert!(paused, "{way}: everybody is told why");
        let (header, records) = (world.log[0].header.clone(), world.log[0].records.clone());
        let (again, _) = Table::load(world.plan.def, world.plan.root(), header, records, Json::Null, 9)
            .expect("the restart is clean");
        assert!(again.current_match().paused().is_some());
        world.handle(Command::Resume);
        say(&mut world, 1, "ok");
        assert_eq!(
            world.view().current_match().view(Viewer::Gallery),
            json!({"turn": 2}),
            "{way}: and it can go on"
        );
    }
}

/// A bot's panic stays at its table as the rules' own does: `panic_stays_home`.
#[test]
fn a_bot_that_breaks_down_pauses_its_table() {
    // The asker lists no moves, and a bot without a move to choose panics.
    let pick = crate::asker::pick("A", &["x", "y"]);
    let rules = json!({"stages": [{"mode": "single", "id": 1, "selectors": [[0, pick]]}]});
    let new = NewTable::new(crate::asker::ASKER, Seed::from_text("bot"), vec![Occupant::bot("B")]);
    let (table, _) = Table::open(new.rules(rules), 0).expect("it opens");
    let play = table.current_match();
    assert!(matches!(play.paused(), Some(PauseReason::RulesFailed(_))), "{:?}", play.paused());
    assert_eq!(play.open_requests(parlor_core::Seat::new(0)).len(), 1, "and its request still stands");
}

#[test]
fn a_game_that_refuses_with_the_text_of_the_house_is_not_taken_for_it() {
    let mut world = World::open(Plan::of(Boom::def(), 2, "boom"));
    let answer = json!({"title": SAYS_BROKEN, "selection": ["ok"]});
    let conn = parlor_host::ConnId(0);
    world.handle(Command::Submit(conn, Submit { to: AnswerTarget::Latest, answer, key: None }));
    let reply = world.sent.iter().find(|sent| sent.bytes.contains("refused")).expect("a refusal");
    let reply: Json = serde_json::from_str(&reply.bytes).expect("JSON");
    assert_eq!((&reply["code"], &reply["message"]), (&json!("broken"), &json!("the rules refuse that")));
    assert!(world.view().current_match().paused().is_none(), "nothing broke: the table goes on");
    say(&mut world, 0, "ok");
    assert_eq!(world.view().current_match().view(Viewer::Gallery), json!({"turn": 1}));
}

#[test]
fn the_reason_is_told_in_words() {
    let mut world = World::open(Plan::of(Boom::def(), 2, "boom"));
    say(&mut world, 0, "panic in apply");
    let reply = world.sent.iter().find(|sent| sent.bytes.contains("refused")).expect("a refusal");
    let reply: Json = serde_json::from_str(&reply.bytes).expect("JSON");
    assert_eq!(reply["message"], "the rules broke down: boom: the rules panicked as planned");
    let mut world = World::open(Plan::of(Boom::def(), 2, "boom"));
    say(&mut world, 0, "tell for ever");
    assert!(
        world.view().current_match().paused().expect("paused").to_string().contains("fuel_per_input_max")
    );
}

#[test]
fn a_release_build_checks_overflow_and_unwinds() {
    let zero = std::hint::black_box(0_u8);
    assert!(std::panic::catch_unwind(|| zero - 1).is_err(), "overflow is caught, and a panic unwinds");
}
