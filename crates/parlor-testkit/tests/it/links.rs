//! A table that links its matches over a store that fails: it comes back as what was stored, and as nothing else.

use parlor_core::{Game, Match, Seat};
use parlor_host::{AnswerTarget, Command, Submit, Table};
use parlor_testkit::probes::cash::Cash;
use parlor_testkit::random;
use parlor_testkit::world::{Commit, Plan, World, open_table, test_luck};
use serde_json::json;

fn world(seed: u64) -> World {
    let plan = Plan::of(Cash::def(), 2, &format!("links {seed}"));
    let (table, effects) = open_table(&plan);
    let mut world = World::around(plan, table, effects, Commit::ByHand);
    world.commit();
    world
}

fn match_no(world: &World) -> u32 {
    world.view().current_match().header().match_no
}

/// What is not stored is lost, and the store says so.
fn fail(world: &mut World) {
    world.unstored.clear();
    world.handle(Command::AppendFailed);
    let stored = world.log.last().expect("the first match is stored");
    let again = Match::replay(world.plan.def, stored.header.clone(), stored.records.clone());
    let again = again.unwrap_or_else(|error| panic!("the stored log replays: {error}"));
    assert_eq!(match_no(world), stored.header.match_no, "the last match that was stored");
    assert_eq!(world.view().current_match().digest(), again.digest(), "as far as it was stored");
}

#[test]
fn there_is_no_second_link_while_one_is_not_stored() {
    let mut linked = 0;
    for seed in 0..20 {
        let (mut world, mut rng) = (world(seed), test_luck(seed));
        for _ in 0..300 {
            random::step(&mut world, &mut rng);
        }
        assert!(match_no(&world) <= 2, "nothing was stored since the first match began");
        linked += u32::from(match_no(&world) == 2);
        fail(&mut world);
        assert_eq!(match_no(&world), 1);
        // When the store is back the table goes on to its end, hand after hand.
        world.handle(Command::StoreBack);
        random::play_out(&mut world, &mut rng);
        for _ in 0..3000 {
            world.commit();
            if !random::step(&mut world, &mut rng) && world.unstored.is_empty() {
                break;
            }
        }
        assert!(world.view().finished(), "seed {seed}: the table goes on");
    }
    assert!(linked > 10, "{linked} of 20 tables had linked before the store failed");
}

#[test]
fn a_table_comes_back_as_what_was_stored() {
    for seed in 0..100 {
        let (mut world, mut rng) = (world(seed), test_luck(seed + 1000));
        for _ in 0..200 {
            for _ in 0..rng.below(12) {
                random::step(&mut world, &mut rng);
            }
            if rng.below(3) == 0 {
                fail(&mut world);
                world.handle(Command::StoreBack);
            } else {
                world.commit();
            }
            let numbers: Vec<u32> = world.log.iter().map(|logged| logged.header.match_no).collect();
            assert_eq!(
                numbers,
                (1..=numbers.len() as u32).collect::<Vec<_>>(),
                "every match was opened once"
            );
            assert_eq!(world.accounts.values().sum::<i64>(), 0, "chips are conserved");
        }
        world.check();
        assert_eq!(world.violations, Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn a_retry_key_holds_over_a_link_and_a_restart() {
    // cites 000/R3
    let mut world = World::open(Plan::of(Cash::def(), 2, "keys"));
    let stay = |world: &mut World, n: u8, key: Option<&str>| {
        let answer = json!({"title": "Stay?", "selection": ["stay"]});
        let (to, key) = (AnswerTarget::Input(1), key.map(str::to_owned));
        world.handle(Command::Submit(world.plan.conn(Seat::new(n).into()), Submit { to, answer, key }));
    };
    let first = world.view().current_match().open_requests(Seat::new(0))[0].input;
    assert_eq!(first, 1, "the request of the first hand");
    stay(&mut world, 0, Some("k"));
    stay(&mut world, 1, None);
    while match_no(&world) == 1 && world.advance_to_wake() {}
    assert_eq!(match_no(&world), 2, "another hand has begun");
    let conn = world.plan.conn(Seat::new(0).into());
    let records = world.view().current_match().record_count();
    stay(&mut world, 0, Some("k"));
    assert_eq!(world.clients[&conn].accepted, ["k", "k"], "what it was then is what it is now");
    assert_eq!(world.view().current_match().record_count(), records, "and nothing happens");

    let stored = world.log.last().expect("the second match is stored");
    let (header, log) = (stored.header.clone(), stored.records.clone());
    let loaded = Table::load(world.plan.def, world.plan.root(), header, log, world.beside.clone(), world.now);
    let (table, effects) = loaded.unwrap_or_else(|error| panic!("{error}"));
    let mut again = World::around(world.plan.clone(), table, effects, Commit::AtOnce);
    stay(&mut again, 0, Some("k"));
    let client = &again.clients[&conn];
    assert_eq!((client.accepted.len(), client.refused.len()), (1, 0), "{:?}", client.refused);
}
