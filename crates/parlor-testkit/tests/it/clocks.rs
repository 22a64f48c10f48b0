//! Clocks run in match time: on time banks, for windows, across restarts and pauses.

use parlor_core::Game;
use parlor_core::{Body, Json, Seat};
use parlor_host::{AnswerTarget, Command, ConnId, Submit, Table};
use parlor_testkit::probes::{sealed::Sealed, slow, window::Window};
use parlor_testkit::world::{Plan, World};
use serde_json::json;

fn slow_world() -> World {
    World::open(Plan::of(slow::Slow::def(), 2, "slow"))
}

fn tick(world: &mut World, seat: u8) {
    let answer = json!({"title": "Tick", "selection": ["tick"]});
    world
        .handle(Command::Submit(ConnId(seat.into()), Submit { to: AnswerTarget::Latest, answer, key: None }));
}

fn banks(world: &World) -> Vec<u64> {
    world.view().banks().0
}

#[test]
fn a_bank_pays_only_what_goes_beyond_the_free_time() {
    let mut world = slow_world();
    assert_eq!(banks(&world), [500, 500], "the first round's bonus");
    world.advance(150);
    tick(&mut world, 0);
    assert_eq!(banks(&world), [500, 500], "150 ms are free");
    world.advance(500);
    tick(&mut world, 1);
    assert_eq!(banks(&world), [1000, 700], "300 of 500 ms left the bank, and the round added 500 to both");
    for seat in [0, 1, 0, 1] {
        tick(&mut world, seat);
    }
    assert_eq!(banks(&world), [1200, 1200], "a bank holds at most its cap");
}

#[test]
fn a_clock_that_runs_out_is_a_record_and_empties_the_bank() {
    let mut world = slow_world();
    world.advance(699);
    assert_eq!(world.view().current_match().records().len(), 2, "two arrivals");
    world.advance(1);
    let last = world.log[0].records.last().expect("a record").clone();
    assert_eq!((last.at, last.by), (700, parlor_core::By::Clock));
    assert!(matches!(last.body, Body::Elapsed { seat: Some(seat), .. } if seat == Seat::new(0)));
    assert_eq!(banks(&world), [0, 500]);
}

#[test]
fn an_answer_in_time_stops_the_clock() {
    let mut world = slow_world();
    world.advance(700 - 1);
    tick(&mut world, 0);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["late"], json!([0, 0]));
}

#[test]
fn a_refused_answer_neither_stops_the_clock_nor_costs_anything() {
    let mut world = slow_world();
    world.advance(600);
    let answer = json!({"title": "Tick", "selection": ["boom"]});
    world.handle(Command::Submit(ConnId(0), Submit { to: AnswerTarget::Latest, answer, key: None }));
    assert_eq!(banks(&world), [500, 500]);
    world.advance(100);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["late"], json!([1, 0]));
}

#[test]
fn clocks_stand_still_while_the_server_is_away() {
    let mut world = slow_world();
    world.advance(400);
    tick(&mut world, 0);
    world.advance(300);
    let (header, records) = (world.log[0].header.clone(), world.log[0].records.clone());
    let (table, effects) =
        Table::load(world.plan.def, world.plan.root(), header, records, Json::Null, 10_000_000)
            .expect("loads");
    assert_eq!(table.banks().0, banks(&world));
    let wake = effects.iter().find_map(|effect| match effect {
        parlor_host::Effect::Wake { at } => Some(*at),
        _ => None,
    });
    assert_eq!(wake, Some(10_000_000 + 700), "the seat to move has all of its time again, and no more");
}

#[test]
fn clocks_stand_still_while_the_table_is_paused() {
    let mut world = slow_world();
    world.advance(400);
    world.handle(Command::Pause { why: "lunch".into() });
    world.advance(100_000);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["late"], json!([0, 0]));
    world.handle(Command::Resume);
    world.advance(299);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["late"], json!([0, 0]));
    world.advance(1);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["late"], json!([1, 0]));
}

#[test]
fn a_window_closes_when_all_have_answered_and_its_minimum_is_over() {
    for seed in 0..20 {
        let mut world = World::open(Plan::of(Window::def(), 3, &format!("window {seed}")));
        let title = "Discard a card";
        let card = world
            .view()
            .current_match()
            .request(Seat::new(0), world.view().current_match().open_requests(Seat::new(0))[0].ask)
            .choices[0]
            .title
            .clone();
        let answer = json!({"title": title, "selection": [card]});
        world.handle(Command::Submit(ConnId(0), Submit { to: AnswerTarget::Latest, answer, key: None }));
        let open = |world: &World| {
            world.view().current_match().view(parlor_core::Viewer::Gallery)["open"] == json!(true)
        };
        for seat in 1..3 {
            if !world.view().current_match().open_requests(Seat::new(seat)).is_empty() {
                let answer = json!({"title": "Call?", "selection": ["pass"]});
                world.handle(Command::Submit(
                    ConnId(seat.into()),
                    Submit { to: AnswerTarget::Latest, answer, key: None },
                ));
            }
        }
        world.advance(799);
        assert!(open(&world), "whether anybody could call or not, it stays open for its minimum");
        world.advance(1);
        assert!(!open(&world), "and no longer when nobody is left to answer");
    }
}

#[test]
fn a_deadline_that_binds_holds_even_when_everybody_has_answered() {
    let mut world = World::open(Plan::of(Sealed::def(), 2, "deadline"));
    for seat in 0..2 {
        world.handle(Command::Submit(
            ConnId(seat),
            Submit { to: AnswerTarget::Latest, answer: json!({"card": 1}), key: None },
        ));
    }
    world.advance(1999);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["step"], json!(0));
    world.advance(1);
    assert_eq!(world.view().current_match().view(parlor_core::Viewer::Gallery)["step"], json!(1));
    world.advance(900);
    assert_eq!(
        world.view().current_match().view(parlor_core::Viewer::Gallery)["step"],
        json!(2),
        "a wait is an ask of nobody"
    );
}
