//! The table: hanchan per CPU second of one thread with random legal actions, and how a fair bot does against three
//! greedy ones. `PARLOR_ARENA_WALLS` says over how many walls, each played from every seat.

use parlor_riichi::table::{Actions, Bot, Preset, Settings, Table, Viewer, Wall};

/// CPU time of this thread so far, as the kernel counts it. The crate stands by itself, so its bench does too.
fn cpu_seconds() -> f64 {
    let stat =
        std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts CPU time per thread");
    let nanoseconds: f64 = stat.split_whitespace().next().and_then(|ns| ns.parse().ok()).expect("a number");
    nanoseconds / 1e9
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(x ^ (x >> 31)) * bound as u128) >> 64) as usize
    }
}

/// Plays one game; gives the number of actions and of rounds.
fn play(settings: Settings, seed: u64) -> (u64, u64) {
    let (mut luck, mut choice) = (Random(seed), Random(!seed));
    let (mut actions_taken, mut rounds) = (0, 0);
    let mut walls = |_: &_| {
        rounds += 1;
        Wall::shuffled(|n| luck.below(n))
    };
    let mut table = Table::start(settings, &mut walls, &mut |_| ()).expect("presets are valid");
    let mut actions = Actions::new();
    while let Some(seat) = table.asked().first() {
        actions.clear();
        table.legal(seat, &mut actions);
        let action = actions[choice.below(actions.len())];
        table.apply(seat, action, &mut walls, &mut |_| ());
        actions_taken += 1;
    }
    (actions_taken, rounds)
}

/// One game of bots; gives the place of each seat and the number of decisions.
fn arena(bots: [Bot; 4], seed: u64) -> ([u8; 4], u64) {
    let mut luck = Random(seed);
    let mut walls = |_: &_| Wall::shuffled(|n| luck.below(n));
    let mut table = Table::start(Settings::ronin(), &mut walls, &mut |_| ()).expect("presets are valid");
    let mut decisions = 0;
    while let Some(seat) = table.asked().first() {
        let view = table.view(Viewer::Seat(seat));
        let action = bots[seat.index()].decide(&view, seed).expect("it is asked");
        table.apply(seat, action, &mut walls, &mut |_| ());
        decisions += 1;
    }
    (table.game_end().expect("the game is over").places, decisions)
}

/// A fair bot among greedy ones: average rank, places, and what a decision costs.
fn fair_among_greedy() {
    let walls: u64 =
        std::env::var("PARLOR_ARENA_WALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let start = cpu_seconds();
    let (mut places, mut decisions) = ([0_u64; 4], 0);
    for seed in 0..walls {
        for seat in 0..4 {
            let mut bots = [Bot::Greedy; 4];
            bots[seat] = Bot::Fair;
            let (placed, decided) = arena(bots, seed);
            places[usize::from(placed[seat] - 1)] += 1;
            decisions += decided;
        }
    }
    let games = 4 * walls;
    let sum: u64 = places.iter().zip(1..).map(|(count, place)| count * place).sum();
    let seconds = cpu_seconds() - start;
    println!(
        "riichi bots, fair among greedy: average rank {:.3} +- {:.3} over {games} games, places {places:?}, {:.1} us per decision",
        sum as f64 / games as f64,
        1.118 / (games as f64).sqrt(),
        seconds * 1e6 / decisions as f64,
    );
}

/// Games for each preset.
const GAMES: u64 = 2000;

fn main() {
    fair_among_greedy();
    play(Settings::tenhou(), 0);
    for preset in Preset::ALL {
        let start = cpu_seconds();
        let (mut actions, mut rounds) = (0, 0);
        for seed in 0..GAMES {
            let (taken, played) = play(Settings::of(preset), seed);
            actions += taken;
            rounds += played;
        }
        let seconds = cpu_seconds() - start;
        println!(
            "riichi table, {}, random: {:.0} hanchan per CPU second ({GAMES} hanchan, {rounds} rounds, {actions} actions)",
            preset.name(),
            GAMES as f64 / seconds,
        );
    }
}
