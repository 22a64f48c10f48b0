//! The table: hanchan per CPU second of one thread, with random legal actions.

use parlor_riichi::table::{Actions, Preset, Settings, Table, Wall};

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

fn main() {
    const GAMES: u64 = 2000;
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
