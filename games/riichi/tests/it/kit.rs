//! The game passes the testkit: restart at every record, twins for every viewer, bad answers, a faulty network.

use parlor_core::{
    Account, Game, Input, Json, Match, NoOutput, Output, Rng, Seats, Setup, TimeLimit, Viewer,
};
use parlor_riichi::game::{Riichi, TableEvent, TableSettings};
use parlor_riichi::pay::Seat;
use parlor_riichi::table::{Action, Phase, Window};
use parlor_testkit::random::random_match;
use parlor_testkit::twins::{self, Compared};
use parlor_testkit::world::{Plan, World, test_luck};
use parlor_testkit::{Kit, bad, net, random, restart};
use serde_json::json;

/// A game that ends with the first payment: one round, seldom more.
fn short(profile: &str) -> Json {
    json!({
        "profile": profile, "game_type": "east", "enchousen": "none",
        "start_points": 1000, "target_points": 1000, "winning_threshold": 1000, "tobi_threshold": 1000,
    })
}

/// Whether a tile lies there that may be called.
fn in_window(world: &World) -> bool {
    world.view().current_match().view(Viewer::Gallery)["phase"]["window"].is_object()
}

/// Plays one match and looks closely at every so many steps, and at every so many windows: a whole round has too many to
/// look at each.
fn look_closely(settings: &Json, every: usize, restarts: bool) -> (u64, Compared) {
    let plan = Plan { settings: settings.clone(), ..Plan::of(Riichi::def(), 4, "closely") };
    let mut rng = test_luck(11);
    let mut world = World::open(plan.clone());
    let (mut refused, mut compared, mut windows) = (0, Compared::default(), 0);
    for step in 0.. {
        windows += usize::from(in_window(&world));
        if in_window(&world) && windows % every == 0 {
            for viewer in Viewer::all(4) {
                let found = twins::compare(&world, viewer, &mut rng, 6);
                compared.add(found.unwrap_or_else(|why| panic!("window {windows}: {why}")));
            }
        }
        if step % every == 0 {
            refused += bad::answers(&mut world, &mut rng).unwrap_or_else(|why| panic!("step {step}: {why}"));
            for viewer in Viewer::all(4) {
                let found = twins::compare(&world, viewer, &mut rng, 6);
                compared.add(found.unwrap_or_else(|why| panic!("step {step}: {why}")));
            }
        }
        if !random::step(&mut world, &mut rng) {
            break;
        }
        world.check();
        assert_eq!(world.violations, Vec::<String>::new(), "step {step}");
    }
    assert!(world.view().finished(), "the match ends");
    if !restarts {
        return (refused, compared);
    }
    let restarts = restart::after_every_record(&world, &mut rng).unwrap_or_else(|why| panic!("{why}"));
    assert!(restarts > 50, "{restarts} restarts");
    net::faulty_network(&plan, 1).unwrap_or_else(|why| panic!("{why}"));
    net::crashes(&plan, 1).unwrap_or_else(|why| panic!("{why}"));
    (refused, compared)
}

fn passes(profile: &str, every: usize, restarts: bool) {
    let settings = short(profile);
    let report = Kit::of(Riichi::def()).settings(settings.clone()).matches(2, 0).run();
    println!("{profile}: {}", report.unwrap_or_else(|why| panic!("{why}")).text());
    let (refused, compared) = look_closely(&settings, every, restarts);
    println!("{profile}: {refused} bad answers, {compared:?}");
    assert!(compared.different > 60 && compared.steps > 120, "the twins prove too little: {compared:?}");
}

/// Restarts give the same bytes, a refused answer changes nothing, and nobody can tell by words or by time what tiles the
/// others hold, what lies in the wall, or whether somebody could have called. Cites 003-14, 003/R6, 003/R19.
#[test]
fn the_standard_profile_passes() {
    // The other profile looks at restarts: this one has several times as many records, which are the same code.
    passes("standard", 20, false);
}

/// As above; only that a window stands may be noticed, because the document's window has no least time.
#[test]
fn the_document_profile_passes() {
    passes("document", 6, true);
}

#[test]
fn random_matches_replay_identically() {
    for seed in 0..10 {
        let settings = json!({"game_type": "east", "enchousen": "none", "preset": "tenhou"});
        let play = random_match(Riichi::def(), &settings, 4, seed);
        assert!(play.outcome().is_some(), "{seed}: the match does not end");
        let again = Match::replay(Riichi::def(), play.header().clone(), play.records().to_vec());
        let again = again.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(again.footer(), play.footer(), "{seed}");
    }
}

/// In how many pairs of worlds something differs that the viewer does not see.
#[derive(Debug, Default)]
struct Hidden {
    hands: u32,
    wall: u32,
    ura: u32,
    /// Somebody else may call in one world and not in the other.
    callers: u32,
    /// A caller has passed, or called, in one world and not in the other, and nobody can tell.
    answers: u32,
}

impl Hidden {
    fn note(&mut self, game: &Riichi, twin: &Riichi, viewer: Viewer) {
        let (one, two) = (game.table(), twin.table());
        let own = |seat: &Seat| viewer.seat().is_some_and(|chair| chair.index() == seat.index());
        let others = || Seat::ALL.into_iter().filter(|seat| !own(seat));
        let tiles = |game: &Riichi| game.table().wall().tiles().to_vec();
        let differ = |from: usize, to: usize| tiles(game)[from..to] != tiles(twin)[from..to];
        let not_drawn = 122 - usize::from(one.left());
        self.hands += u32::from(others().any(|seat| one.player(seat).tiles() != two.player(seat).tiles()));
        self.wall += u32::from(differ(not_drawn, 122));
        self.ura += u32::from(differ(131, 136));
        if let (Phase::Window(one), Phase::Window(two)) = (one.phase(), two.phase()) {
            let callers = |window: &Window| -> Vec<Seat> {
                others().filter(|seat| !window.offers[seat.index()].is_empty()).collect()
            };
            let answered = |window: &Window| -> Vec<Seat> {
                callers(window).into_iter().filter(|seat| !window.waiting.contains(*seat)).collect()
            };
            self.callers += u32::from(callers(one) != callers(two));
            self.answers += u32::from(answered(one) != answered(two));
        }
    }
}

/// What one viewer hears.
struct Ear {
    viewer: Viewer,
    heard: Vec<String>,
}

impl Output<TableEvent> for Ear {
    fn emit(&mut self, to: Seats, event: TableEvent) {
        if to.sees(self.viewer) {
            self.heard.push(json!(event).to_string());
        }
    }
    fn post(&mut self, _: Account, _: Account, _: i64) {}
    fn add_time(&mut self, _: Seats, _: u32, _: u32) {}
    fn mark_revealed(&mut self) {}
}

/// Everybody else who may call passes; gives what the viewer has heard of it, and the ask as it stands then.
fn all_pass(game: &mut Riichi, viewer: Viewer, rng: &mut Rng) -> (Vec<String>, TimeLimit, u32, bool) {
    let mut ear = Ear { viewer, heard: Vec::new() };
    while let Some(seat) = game.open_asks()[0].seats.iter().next() {
        let ask = game.open_asks()[0].id;
        game.apply(Input::Answer { seat, ask, mv: Action::Pass }, rng, &mut ear);
    }
    let ask = game.open_asks()[0];
    (ear.heard, ask.clock, ask.min_ms, ask.public)
}

/// Two worlds that differ in who else may call a tile; all who may pass. The viewer hears nothing before the window has had its
/// time, and then the same. Cites 003-14, 003/R6, 003/R19.
fn passes_are_alike(game: &Riichi, twin: &Riichi, viewer: Viewer, rng: &mut Rng) -> bool {
    let callers = |game: &Riichi| game.open_asks()[0].seats;
    let asked = viewer.seat().is_some_and(|seat| callers(game).has(seat) || callers(twin).has(seat));
    // Nobody has answered yet.
    let fresh = |game: &Riichi| {
        matches!(game.table().phase(), Phase::Window(window)
            if Seat::ALL.iter().all(|seat| window.offers[seat.index()].is_empty() || window.waiting.contains(*seat)))
    };
    if asked || !fresh(game) || !fresh(twin) || callers(game) == callers(twin) {
        return false;
    }
    let mut worlds = [game.clone(), twin.clone()];
    let told = worlds.each_mut().map(|game| all_pass(game, viewer, rng));
    assert_eq!(told[0], told[1], "{viewer}: while the window stands");
    assert_eq!(told[0].0, Vec::<String>::new(), "{viewer} hears of a pass");
    assert_eq!(worlds[0].view(viewer), worlds[1].view(viewer), "{viewer}: while the window stands");
    let heard = worlds.each_mut().map(|game| {
        let mut ear = Ear { viewer, heard: Vec::new() };
        let ask = game.open_asks()[0].id;
        game.apply(Input::Elapsed { ask, seat: None }, rng, &mut ear);
        ear.heard
    });
    // A tile that the viewer draws is another in the other world.
    let draws = matches!(worlds[0].table().phase(), Phase::Turn { seat, .. }
        if viewer.seat().is_some_and(|chair| chair.index() == seat.index()));
    // What the table says when it has passed, riichi and indicators, is the same; furiten is the viewer's own.
    assert!(draws || heard[0] == heard[1], "{viewer}: {heard:?}");
    true
}

/// Whether the last tile to draw and the first ura indicator are of other kinds.
fn ends_differ(game: &Riichi, twin: &Riichi) -> bool {
    let [one, two] = [game, twin].map(|game| game.table().wall());
    let differ = |at: usize| one.tiles()[at].kind() != two.tiles()[at].kind();
    let over = matches!(game.table().phase(), Phase::Over { .. });
    over || (differ(131) && (one.left() == 0 || differ(121 - usize::from(one.kans()))))
}

/// The pairs of worlds that the other tests compare differ in all that is hidden, and the viewer sees the same: hands, wall, ura,
/// who may call and who has passed. Cites 003-14, 003/R19.
#[test]
fn pairs_of_worlds_differ_in_everything_that_is_hidden() {
    let settings = TableSettings::read(&json!({"profile": "standard"})).expect("right");
    let mut rng = Rng::fast(5);
    let setup = Setup { settings: &settings, seats: 4, carry: None, seated: &[None; 4] };
    let mut game = Riichi::start(setup, &mut rng, &mut NoOutput).expect("it starts");
    let (mut hidden, mut passed) = (Hidden::default(), 0);
    for _ in 0..900 {
        for viewer in Viewer::all(4) {
            let twin = game.resample(viewer.into(), &mut rng).expect("there is a twin");
            assert_eq!(twin.view(viewer), game.view(viewer), "{viewer}");
            hidden.note(&game, &twin, viewer);
            assert!(
                ends_differ(&game, &twin),
                "{viewer}: a leak of one end of the wall must show in every pair"
            );
            passed += u32::from(passes_are_alike(&game, &twin, viewer, &mut rng));
        }
        let ask = game.open_asks()[0];
        let input = match ask.seats.iter().next() {
            Some(seat) if rng.below(4) > 0 => {
                let mut legal = Vec::new();
                game.legal(seat, ask.id, &mut legal);
                Input::Answer { seat, ask: ask.id, mv: *rng.pick(&legal) }
            }
            _ => Input::Elapsed { ask: ask.id, seat: None },
        };
        game.apply(input, &mut rng, &mut NoOutput);
    }
    let Hidden { hands, wall, ura, callers, answers } = hidden;
    assert!([hands, wall, ura].iter().all(|&count| count > 1000), "{hidden:?}");
    assert!([callers, answers].iter().all(|&count| count > 100) && passed >= 10, "{hidden:?}, {passed}");
}
