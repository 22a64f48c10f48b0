//! Twins that differ in whether a seat in riichi has anything to think about: that may not be seen by how long the table takes.
//! Under `standard`, at a table of the house with its clocks. Whether anybody may call is looked at in kit.rs.

use parlor_core::{AskKind, Body, BotChoice, By, Game, Json, Match, Rng, Seat, Viewer};
use parlor_host::{AnswerTarget, Command, Submit};
use parlor_riichi::game::Riichi;
use parlor_testkit::twins::{self, Compared};
use parlor_testkit::world::{Plan, World, test_luck};
use serde_json::json;

/// Steps of a pair: through the window, the draw, the answer, and what the others see of it.
const STEPS: usize = 14;
/// Twins that are looked at for each viewer before a moment is left.
const TRIES: usize = 12;

fn open_table(game: &Match) -> Json {
    game.view(Viewer::Gallery)
}

/// The match after the window that stands has had its time and nobody has called.
fn after_the_window(game: Match) -> Option<Match> {
    let mut game = game;
    if !open_table(&game)["phase"]["window"].is_object() {
        return None;
    }
    let at = game.records().last().map_or(0, |record| record.at);
    let ask = game.game().open_asks()[0].id;
    game.apply(at, By::Clock, None, Body::Elapsed { ask, seat: None }).expect("it elapses");
    Some(game)
}

/// Whether the seat in riichi that draws next will have a choice; none if it is not such a seat's turn then.
fn will_choose(game: Match, viewer: Viewer) -> Option<bool> {
    let later = after_the_window(game)?;
    let table = open_table(&later);
    let seat = table["phase"]["turn"]["seat"].as_u64()?;
    let in_riichi = table["players"][seat as usize]["riichi"] != "no";
    let other = viewer.seat().is_none_or(|own| own.index() as u64 != seat);
    (in_riichi && other).then(|| !later.game().open_asks()[0].seats.is_empty())
}

/// The seat that is asked plays greedily, so that riichi comes soon; where nobody is, time passes.
fn step(world: &mut World, rng: &mut Rng) -> bool {
    let game = world.view().current_match();
    let asked = (0..4).map(Seat::new).find_map(|seat| {
        let open = game.open_requests(seat).iter().find(|open| open.kind == AskKind::Request)?;
        Some((seat, *open))
    });
    let Some((seat, open)) = asked else { return world.advance_to_wake() };
    let answer = game.game().bot(seat, open.ask, &BotChoice::named("greedy"), rng);
    let conn = world.plan.conn(seat.into());
    let submit = Submit { to: AnswerTarget::Input(open.input), answer, key: None };
    world.handle(Command::Submit(conn, submit));
    !world.view().finished()
}

/// Compares a pair for every viewer in which the seat will have a choice in one world alone.
fn compare_choices(world: &World, rng: &mut Rng, compared: &mut Compared) {
    let play = world.view().current_match();
    for viewer in Viewer::all(4) {
        let Some(here) = will_choose(play.as_twin(play.game().fork()), viewer) else { continue };
        for _ in 0..TRIES {
            // The kit draws its twin from the same luck.
            let mut ahead = rng.clone();
            let twin = play.game().resample(viewer.into(), &mut ahead).expect("there is a twin");
            if will_choose(play.as_twin(twin), viewer).is_none_or(|there| there == here) {
                *rng = ahead;
                continue;
            }
            compared.add(twins::compare(world, viewer, rng, STEPS).unwrap_or_else(|why| panic!("{why}")));
            break;
        }
    }
}

/// A seat in riichi draws what it could win or make a kan with, or it draws what it must discard: the others hear the same,
/// at the same time. Cites 003/R19.
#[test]
fn nobody_sees_whether_a_seat_in_riichi_had_a_choice() {
    const PAIRS: u64 = 20;
    let mut compared = Compared::default();
    for seed in 0.. {
        let settings = json!({"profile": "standard", "game_type": "east", "enchousen": "none"});
        let plan = Plan { settings, ..Plan::of(Riichi::def(), 4, &format!("thinking {seed}")) };
        let (mut world, mut rng) = (World::open(plan), test_luck(seed));
        while compared.pairs < PAIRS && step(&mut world, &mut rng) {
            compare_choices(&world, &mut rng, &mut compared);
        }
        if compared.pairs >= PAIRS {
            break;
        }
    }
    println!("a choice in riichi: {compared:?}");
    assert!(compared.different >= PAIRS && compared.steps > 50, "the twins prove too little: {compared:?}");
}
