//! What is no move does not fill a match's log, and nothing changes the log of a match that is over.

use parlor_core::game::OnDisconnect;
use parlor_core::{Body, Game, Seat};
use parlor_host::{AnswerTarget, Command, ConnId, Effect, Submit, Table, TableSettings};
use parlor_oxo::Oxo;
use parlor_testkit::world::{Plan, World};
use serde_json::json;

const S0: Seat = Seat::new(0);
const S1: Seat = Seat::new(1);

fn world(on_disconnect: OnDisconnect, away_grace_ms: u64, pause_while_away: bool) -> World {
    let table = TableSettings { on_disconnect, away_grace_ms, pause_while_away, ..TableSettings::default() };
    World::open(Plan { table, ..Plan::of(Oxo::def(), 2, "log size") })
}

fn take(world: &mut World, seat: Seat, cell: &str) {
    let answer = json!({"title": "Take a cell", "selection": [cell]});
    let submit = Submit { to: AnswerTarget::Latest, answer, key: None };
    world.handle(Command::Submit(world.plan.conn(seat.into()), submit));
}

fn flap(world: &mut World, seat: Seat, away_ms: u64) {
    world.handle(Command::Disconnect { conn: world.plan.conn(seat.into()), by_server: false });
    world.advance(away_ms);
    world.connect(seat.into());
}

fn records(world: &World) -> usize {
    world.view().current_match().record_count()
}

#[test]
fn chat_is_in_no_log() {
    let mut world = world(OnDisconnect::Wait, 0, false);
    let before = (records(&world), world.view().version(S0.into()));
    for n in 0..100 {
        let conn = world.plan.conn(S0.into());
        world.handle(Command::Chat { conn, name: String::new(), text: n.to_string() });
    }
    assert_eq!((records(&world), world.view().version(S0.into())), before);
    assert_eq!(world.said.len(), 100);
    assert_eq!(world.said[99], ("P0".to_owned(), "99".to_owned()));
}

#[test]
fn who_comes_and_goes_without_playing_does_not_fill_the_log() {
    for (policy, pauses) in [
        (OnDisconnect::Wait, false),
        (OnDisconnect::Wait, true),
        (OnDisconnect::Bot, false),
        (OnDisconnect::Bot, true),
        (OnDisconnect::Forfeit, true),
    ] {
        let grace = if policy == OnDisconnect::Forfeit { 500 } else { 0 };
        let mut world = world(policy, grace, pauses);
        let before = records(&world);
        for _ in 0..1_000 {
            flap(&mut world, S1, 100);
        }
        // Seven that are held off for longer and longer make a hundred seconds.
        let grown = records(&world) - before;
        assert!((16..=8 * 6).contains(&grown), "{policy:?} {pauses}: {grown} records");
        assert_eq!(world.view().current_match().paused(), None);
        world.check();
        assert_eq!(world.violations, Vec::<String>::new());
    }
}

#[test]
fn who_stays_away_is_missed_however_often_they_were_gone_before() {
    let mut world = world(OnDisconnect::Bot, 300, true);
    for _ in 0..20 {
        flap(&mut world, S0, 10);
    }
    world.handle(Command::Disconnect { conn: world.plan.conn(S0.into()), by_server: false });
    let here = |world: &World| world.view().seat_infos()[0].here;
    world.advance(900);
    assert!(here(&world) && world.view().holds_a_loss(), "the ninth loss is held off for a second");
    world.advance(200);
    assert!(!here(&world) && !world.view().holds_a_loss());
    assert!(world.view().seat_infos()[0].is_bot, "and the bot has the seat");
    world.connect(S0.into());
    assert!(here(&world) && !world.view().seat_infos()[0].is_bot);
}

#[test]
fn who_plays_is_missed_at_once_again() {
    let mut world = world(OnDisconnect::Wait, 0, false);
    for _ in 0..20 {
        flap(&mut world, S0, 10);
    }
    take(&mut world, S0, "b2");
    let before = records(&world);
    flap(&mut world, S0, 10);
    assert_eq!(records(&world) - before, 2, "gone, and back");
    flap(&mut world, S0, 10);
    assert_eq!(records(&world) - before, 2, "one for each answer");
}

#[test]
fn a_restart_counts_the_losses_that_the_log_has() {
    let mut world = world(OnDisconnect::Wait, 0, false);
    for _ in 0..20 {
        flap(&mut world, S0, 10);
    }
    let log = world.log.pop().expect("one match");
    let def = world.plan.def;
    let loaded = Table::load(def, world.plan.root(), log.header, log.records, json!(null), world.now);
    let (mut table, _) = loaded.unwrap_or_else(|error| panic!("{error}"));
    for n in 0..20 {
        for command in [
            Command::Connect { conn: ConnId(n), viewer: S0.into(), last_v: None },
            Command::Disconnect { conn: ConnId(n), by_server: false },
        ] {
            let effects = table.handle(world.now, command);
            assert!(!effects.iter().any(|effect| matches!(effect, Effect::Append(_))), "{effects:?}");
        }
    }
}

#[test]
fn nothing_is_added_to_a_match_that_is_over() {
    let mut world = world(OnDisconnect::Bot, 0, false);
    world.handle(Command::Disconnect { conn: world.plan.conn(S1.into()), by_server: false });
    world.handle(Command::Kill { why: "over".into() });
    assert!(world.view().finished());
    let chain = world.view().current_match().footer().chain;
    world.connect(S1.into());
    let conn = world.plan.conn(S0.into());
    for command in [
        Command::Chat { conn, name: String::new(), text: "well played".to_owned() },
        Command::LeaveAfter { seat: S0, leaving: true },
        Command::ChangeSettings { conn, settings: json!({}) },
        Command::Disconnect { conn, by_server: false },
        Command::Leave { seat: S1 },
        Command::Leave { seat: S0 },
    ] {
        world.handle(command);
    }
    assert_eq!(world.view().current_match().footer().chain, chain);
    assert_eq!(world.said.len(), 1, "the line is heard all the same");
    let is_chat = |record: &parlor_core::Record| matches!(record.body, Body::Chat { .. });
    assert!(!world.log[0].records.iter().any(is_chat));
}
