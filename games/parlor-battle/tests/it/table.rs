//! The battle at a table: what the house makes of a lost connection in each profile.

use parlor_battle::{Battle, Profile};
use parlor_core::{Entry, Seat, Viewer};
use parlor_host::{Answers, Command, Submit, TableSettings, WhenAway};
use parlor_testkit::world::{Plan, World};
use serde_json::json;

const A: Viewer = Viewer::Seat(Seat::new(0));

fn table(profile: Profile) -> World {
    let mut plan = Plan::of(Entry::of::<Battle>(), 2, "table");
    plan.settings = json!({"profile": profile, "stake": 1});
    plan.table = TableSettings {
        when_away: WhenAway::Forfeit,
        away_grace_ms: profile.grace_ms(),
        pause_while_away: profile.grace_ms() > 0,
        ..TableSettings::default()
    };
    World::open(plan)
}

fn lose_connection(world: &mut World) {
    let conn = world.plan.conn(A);
    world.clients.remove(&conn);
    world.tell(Command::Disconnect { conn, by_server: false });
}

fn reason(world: &World) -> Option<String> {
    world.view().play().outcome().map(|outcome| outcome.reason.to_string())
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
    let draft = world.view().play().stands(Seat::new(0))[1].input;
    let answer = json!({"layout": ["attack", null, "heal"]});
    let conn = world.plan.conn(A);
    world.tell(Command::Submit(conn, Submit { to: Answers::Input(draft), answer, key: None }));
    let seen = world.view().play().seen(A);
    assert_eq!(seen["layout"], json!(["attack", null, "heal"]));
    world.advance(15_000);
    lose_connection(&mut world);
    world.advance(14_000);
    assert_eq!((reason(&world), world.view().play().seen(A)), (None, seen), "the match stands still");
    world.connect(A);
    world.advance(4_999);
    assert_eq!(world.view().play().seen(A)["phase"], "PREP", "PREP has as long left as it had");
    world.advance(1);
    assert_eq!(world.view().play().seen(A)["phase"], "REVEAL");
    lose_connection(&mut world);
    world.advance(15_000);
    assert_eq!(reason(&world).as_deref(), Some("disconnect"));
    assert_eq!((world.accounts["seat 0"], world.accounts["seat 1"]), (-1, 1));
    sound(world);
}
