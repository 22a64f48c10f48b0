//! The battle at a table: what happens after a lost connection in each profile.

use parlor_battle::{Battle, Profile};
use parlor_core::Game;
use parlor_core::{Json, Seat, Seed, Viewer};
use parlor_host::{AnswerTarget, Command, Submit, Table, TableSettings};
use parlor_testkit::world::{Plan, World};
use serde_json::json;

const A: Viewer = Viewer::Seat(Seat::new(0));
const B: Viewer = Viewer::Seat(Seat::new(1));

fn table(profile: Profile) -> World {
    let mut plan = Plan::of(Battle::def(), 2, "table");
    plan.settings = json!({"profile": profile, "stake": 1});
    plan.table = TableSettings::default().with(plan.def.disconnect_policy(&plan.settings));
    World::open(plan)
}

fn lose_connection(world: &mut World) {
    lose(world, A);
}

fn lose(world: &mut World, viewer: Viewer) {
    let conn = world.plan.conn(viewer);
    world.clients.remove(&conn);
    world.handle(Command::Disconnect { conn, by_server: false });
}

fn reason(world: &World) -> Option<String> {
    world.view().current_match().outcome().map(|outcome| outcome.reason.to_string())
}

fn sound(mut world: World) {
    world.check();
    assert_eq!(world.violations, Vec::<String>::new());
}

#[test]
fn in_the_document_profile_a_lost_connection_ends_the_match_at_once() {
    // cites 002-17, 002/R9
    let mut world = table(Profile::Document);
    world.advance(5_000);
    lose_connection(&mut world);
    world.advance(0);
    assert_eq!(reason(&world).as_deref(), Some("disconnect"));
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"], world.accounts["table"]), (-1, 1, 0));
    sound(world);
}

#[test]
fn in_the_standard_profile_whoever_returns_within_the_grace_finds_everything_as_it_was() {
    // cites 002/R9
    let mut world = table(Profile::Standard);
    let draft = world.view().current_match().open_requests(Seat::new(0))[1].input;
    let answer = json!({"layout": ["attack", null, "heal"]});
    let conn = world.plan.conn(A);
    world.handle(Command::Submit(conn, Submit { to: AnswerTarget::Input(draft), answer, key: None }));
    let view = world.view().current_match().view(A);
    assert_eq!(view["layout"], json!(["attack", null, "heal"]));
    world.advance(15_000);
    lose_connection(&mut world);
    world.advance(14_000);
    assert_eq!(
        (reason(&world), world.view().current_match().view(A)),
        (None, view),
        "the match stands still"
    );
    world.connect(A);
    world.advance(4_999);
    assert_eq!(world.view().current_match().view(A)["phase"], "PREP", "PREP has as long left as it had");
    world.advance(1);
    assert_eq!(world.view().current_match().view(A)["phase"], "REVEAL");
    lose_connection(&mut world);
    world.advance(15_000);
    assert_eq!(reason(&world).as_deref(), Some("disconnect"));
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"]), (-1, 1));
    sound(world);
}

#[test]
fn when_both_go_in_the_same_moment_nobody_loses_and_stakes_are_returned() {
    // cites 002/R10
    let mut world = table(Profile::Standard);
    world.advance(3_000);
    lose(&mut world, A);
    lose(&mut world, B);
    world.advance(14_999);
    assert_eq!(reason(&world), None, "both may still come back");
    world.advance(1);
    assert_eq!(reason(&world).as_deref(), Some("abandoned"));
    assert!(world.view().current_match().outcome().expect("it is over").winners.is_empty());
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"], world.accounts["table"]), (0, 0, 0));
    sound(world);
}

#[test]
fn of_two_who_are_gone_when_a_grace_ends_the_first_to_leave_loses() {
    // cites 002/R10
    let mut world = table(Profile::Standard);
    lose(&mut world, B);
    world.advance(1);
    lose(&mut world, A);
    world.advance(15_000);
    assert_eq!(reason(&world).as_deref(), Some("disconnect"));
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"]), (1, -1));
    sound(world);
}

#[test]
fn after_a_restart_whoever_was_gone_has_his_grace_anew_and_nobody_else_is_to_blame() {
    // cites 002/R10
    let mut world = table(Profile::Standard);
    lose(&mut world, B);
    world.advance(10_000);
    let (header, records) =
        (world.view().current_match().header().clone(), world.view().current_match().records());
    let (mut back, _) =
        Table::load(world.plan.def, Seed::from_text(&world.plan.seed), header, records, Json::Null, 0)
            .expect("it goes on");
    back.handle(14_999, Command::Tick);
    assert!(back.current_match().outcome().is_none());
    back.handle(15_000, Command::Tick);
    let outcome = back.current_match().outcome().expect("the grace is over");
    assert_eq!((outcome.reason.as_ref(), outcome.winners.has(Seat::new(0))), ("disconnect", true));
}

#[test]
fn after_a_restart_the_earlier_leaver_still_loses() {
    // cites 002/R10
    let mut world = table(Profile::Standard);
    lose(&mut world, B);
    world.advance(1);
    lose(&mut world, A);
    let (header, records) =
        (world.view().current_match().header().clone(), world.view().current_match().records());
    let (mut back, _) =
        Table::load(world.plan.def, Seed::from_text(&world.plan.seed), header, records, Json::Null, 0)
            .expect("it goes on");
    // Both graces begin anew and end together: only the log says who left first.
    back.handle(15_000, Command::Tick);
    let outcome = back.current_match().outcome().expect("the grace is over");
    assert_eq!((outcome.reason.as_ref(), outcome.winners.has(Seat::new(0))), ("disconnect", true));
}

#[test]
fn a_match_that_is_stopped_gives_stakes_back() {
    // cites 002/R11
    let mut world = table(Profile::Document);
    world.handle(Command::Kill { why: "ended by the house".into() });
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"], world.accounts["table"]), (0, 0, 0));
    world.handle(Command::Kill { why: "again".into() });
    assert_eq!(world.accounts["seat 0"], 0, "once");
    sound(world);
}

#[test]
fn whoever_goes_for_good_while_the_other_is_waited_for_has_lost() {
    // cites 002/R10
    let mut world = table(Profile::Standard);
    lose(&mut world, A);
    world.advance(1_000);
    world.handle(Command::Leave { seat: Seat::new(1) });
    assert_eq!(reason(&world).as_deref(), Some("disconnect"));
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"]), (1, -1));
    sound(world);
}
