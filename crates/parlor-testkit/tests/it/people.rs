//! Players come and go, bots take over, spectators watch.

use parlor_core::Game;
use parlor_core::{EncodedRecord, GameDef, Json, Seat, Seed, Viewer};
use parlor_host::{
    AnswerTarget, Command, ConnId, Effect, NewTable, Occupant, OnDisconnect, Submit, Table, TableSettings,
};
use parlor_oxo::Oxo;
use parlor_testkit::probes::{cash::Cash, slow::Slow};
use parlor_testkit::world::{Plan, World};
use parlor_wire::CloseReason;
use serde_json::json;

const S0: Seat = Seat::new(0);
const S1: Seat = Seat::new(1);

fn world(def: GameDef, seats: u8, on_disconnect: OnDisconnect, grace: u64, pause: bool) -> World {
    let mut plan = Plan::of(def, seats, "people");
    plan.table = TableSettings {
        on_disconnect,
        away_grace_ms: grace,
        pause_while_away: pause,
        ..TableSettings::default()
    };
    World::open(plan)
}

fn gone(world: &mut World, seat: Seat) {
    let conn = world.plan.conn(seat.into());
    world.handle(Command::Disconnect { conn, by_server: false });
}

fn outcome(world: &World) -> Option<(Vec<usize>, String)> {
    let outcome = world.view().current_match().outcome()?;
    Some((outcome.winners.iter().map(Seat::index).collect(), outcome.reason.to_string()))
}

#[test]
fn waiting_does_nothing_to_somebody_who_is_away() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Wait, 0, false);
    gone(&mut world, S0);
    world.advance(1_000_000);
    assert_eq!(outcome(&world), None);
    assert!(!world.clients[&ConnId(1)].seats[0].here, "but everybody sees that he is away");
}

#[test]
fn whoever_stays_away_past_the_grace_forfeits() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Forfeit, 5000, false);
    gone(&mut world, S0);
    world.advance(4999);
    world.connect(S0.into());
    gone(&mut world, S0);
    world.advance(4999);
    assert_eq!(outcome(&world), None, "the grace begins anew");
    world.advance(1);
    assert_eq!(outcome(&world), Some((vec![1], "forfeit".to_owned())));
}

/// Their connection changes neither the log of a match that is over nor what others see.
#[test]
fn whoever_comes_back_after_the_end_changes_nothing_for_others() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Forfeit, 5000, false);
    gone(&mut world, S0);
    world.advance(5000);
    assert_eq!(outcome(&world), Some((vec![1], "forfeit".to_owned())));
    let logged = world.log[0].records.len();
    world.connect(S0.into());
    world.check();
    assert_eq!(world.violations, Vec::<String>::new());
    assert_eq!(world.log[0].records.len(), logged);
}

#[test]
fn of_two_who_are_away_the_first_to_leave_loses() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Forfeit, 5000, true);
    gone(&mut world, S1);
    world.advance(100);
    gone(&mut world, S0);
    world.advance(10_000);
    assert_eq!(outcome(&world), Some((vec![0], "forfeit".to_owned())));
}

#[test]
fn a_connection_closed_by_the_server_is_nobodys_fault() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Forfeit, 0, false);
    world.handle(Command::Disconnect { conn: ConnId(0), by_server: true });
    world.advance(1000);
    assert_eq!(outcome(&world), None);
}

#[test]
fn the_match_stands_still_during_a_grace_that_pauses() {
    let mut world = world(Slow::def(), 2, OnDisconnect::Forfeit, 60_000, true);
    gone(&mut world, S1);
    world.advance(30_000);
    let late = |world: &World| world.view().current_match().view(Viewer::Gallery)["late"].clone();
    assert_eq!(late(&world), json!([0, 0]), "nobody's clock runs");
    world.connect(S1.into());
    assert!(world.view().current_match().paused().is_none());
    world.advance(700);
    assert_eq!(late(&world), json!([1, 0]), "and then it runs on");
}

#[test]
fn a_bot_takes_over_and_gives_the_seat_back() {
    let mut world = world(Oxo::def(), 2, OnDisconnect::Bot, 1000, false);
    gone(&mut world, S0);
    world.advance(1000);
    let board = |world: &World| world.view().current_match().view(Viewer::Gallery)["board"].clone();
    assert_eq!(board(&world).as_str().expect("a board").matches('x').count(), 1, "the bot has moved");
    assert!(world.clients[&ConnId(1)].seats[0].is_bot);
    world.connect(S0.into());
    assert!(!world.clients[&ConnId(1)].seats[0].is_bot);
    let cell = world
        .view()
        .current_match()
        .request(S1, world.view().current_match().open_requests(S1)[0].ask)
        .choices[0]
        .title
        .clone();
    let answer = json!({"title": "Take a cell", "selection": [cell]});
    world.handle(Command::Submit(ConnId(1), Submit { to: AnswerTarget::Latest, answer, key: None }));
    world.advance(5000);
    assert_eq!(
        world.view().current_match().open_requests(S0).len(),
        1,
        "it is his turn, and nobody plays it for him"
    );
    world.check();
    assert_eq!(world.violations, Vec::<String>::new());
}

#[test]
fn a_game_that_cares_is_told_who_is_away() {
    let mut world = world(Cash::def(), 3, OnDisconnect::SitOut, 0, false);
    gone(&mut world, S1);
    let out = |world: &World| world.view().current_match().view(Viewer::Gallery)["players"][1]["out"].clone();
    assert_eq!(out(&world), json!(true));
    world.connect(S1.into());
    assert_eq!(out(&world), json!(false));
}

#[test]
fn the_newer_connection_takes_the_seat_over() {
    let mut world = World::open(Plan::of(Oxo::def(), 2, "takeover"));
    let effects =
        world.table.handle(0, Command::Connect { conn: ConnId(77), viewer: S0.into(), last_v: None });
    let closed = effects
        .iter()
        .any(|effect| matches!(effect, Effect::Close { conn: ConnId(0), reason: CloseReason::TakenOver }));
    assert!(closed, "the older one is told not to come back by itself");
    let away =
        effects.iter().any(|effect| matches!(effect, Effect::Append(append) if append.record.is_some()));
    assert!(!away, "and nobody was away");
}

#[test]
fn a_client_that_comes_back_gets_what_it_misses_or_everything() {
    let mut world = World::open(Plan::of(Oxo::def(), 2, "resume"));
    let had = world.clients[&ConnId(2)].v;
    world.handle(Command::Disconnect { conn: ConnId(2), by_server: false });
    let move_cell = |world: &mut World, seat: u8| {
        let seat = Seat::new(seat);
        let cell = world
            .view()
            .current_match()
            .request(seat, world.view().current_match().open_requests(seat)[0].ask)
            .choices[0]
            .title
            .clone();
        let answer = json!({"title": "Take a cell", "selection": [cell]});
        world.handle(Command::Submit(
            world.plan.conn(seat.into()),
            Submit { to: AnswerTarget::Latest, answer, key: None },
        ));
    };
    move_cell(&mut world, 0);
    move_cell(&mut world, 1);
    let sent = world.sent.len();
    world.connect(Viewer::Gallery);
    let types = |world: &World| -> Vec<String> {
        let parse = |sent: &parlor_testkit::world::Sent| {
            serde_json::from_str::<Json>(&sent.bytes).expect("JSON")["type"].to_string()
        };
        world.sent[sent..].iter().map(parse).collect()
    };
    assert_eq!(types(&world), ["\"update\"", "\"update\""], "just the two it misses");
    assert_eq!(world.clients[&ConnId(2)].v, had + 2);
    world.check();
    assert_eq!(world.violations, Vec::<String>::new());
    world.handle(Command::Connect { conn: ConnId(2), viewer: Viewer::Gallery, last_v: Some(9999) });
    assert_eq!(
        types(&world).last().map(String::as_str),
        Some("\"snapshot\""),
        "a version that never was: everything"
    );
}

#[test]
fn spectators_see_and_chat_but_cannot_answer() {
    let mut world = World::open(Plan::of(Oxo::def(), 2, "gallery"));
    let gallery = ConnId(2);
    let answer = json!({"title": "Take a cell", "selection": ["a1"]});
    world.handle(Command::Submit(gallery, Submit { to: AnswerTarget::Latest, answer, key: None }));
    assert_eq!(world.clients[&gallery].refused, ["not_seated"]);
    world.handle(Command::Chat { conn: gallery, name: "Eve".to_owned(), text: "hello".to_owned() });
    assert_eq!(world.said, [("Eve".to_owned(), "hello".to_owned())]);
}

#[test]
fn bots_play_a_match_among_themselves_and_replay_needs_none() {
    let def = Oxo::def();
    let bots = vec![Occupant::bot("B0"), Occupant::bot("B1")];
    let new = NewTable { seeded: true, ..NewTable::new(def, Seed::from_text("bots"), bots) };
    let (table, effects) = Table::open(new, 0).expect("opens");
    assert!(table.finished(), "bots that think for no time are done at once");
    let records: Vec<_> = effects
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Append(append) => append.record.map(EncodedRecord::into_record),
            _ => None,
        })
        .collect();
    let replayed =
        parlor_core::Match::replay(def, table.current_match().header().clone(), records).expect("replays");
    assert_eq!(replayed.digest(), table.current_match().digest());
}

#[test]
fn the_seed_never_leaves_while_the_match_runs() {
    // cites 000/R6
    let mut world = World::open(Plan::of(Cash::def(), 3, "secret"));
    let mut rng = parlor_testkit::world::test_luck(8);
    parlor_testkit::random::play_out(&mut world, &mut rng);
    let seeds: Vec<String> = world.log.iter().map(|logged| logged.header.seed.to_hex()).collect();
    let root = world.plan.root().to_hex();
    for sent in &world.sent {
        let told = seeds.iter().chain([&root]).any(|seed| sent.bytes.contains(&seed[..24]));
        assert!(!told, "a seed was sent: {}", sent.bytes);
    }
    assert!(world.sent.iter().any(|sent| sent.bytes.contains("commitment")), "only what it is committed to");
}

#[test]
fn each_match_of_a_table_has_a_seed_and_a_commitment_of_its_own_and_counters_run_on() {
    let mut world = World::open(Plan::of(Cash::def(), 2, "chain"));
    let mut rng = parlor_testkit::world::test_luck(2);
    parlor_testkit::random::play_out(&mut world, &mut rng);
    assert_eq!(world.violations, Vec::<String>::new());
    assert!(world.log.len() > 1, "the table went on for {} matches", world.log.len());
    let commitments: std::collections::BTreeSet<_> =
        world.log.iter().map(|l| l.header.commitment.clone()).collect();
    assert_eq!(commitments.len(), world.log.len());
    for pair in world.log.windows(2) {
        assert_eq!(pair[1].header.match_no, pair[0].header.match_no + 1);
        let heads = |n: usize| pair[1].header.counts[n].head;
        assert!(heads(0) > 0, "heads belong to the table");
    }
}
