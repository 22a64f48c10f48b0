//! The battle: matches per CPU second of one thread, with random moves and with bots.

use parlor_battle::Battle;
use parlor_core::Json;
use parlor_core::sim::{self, Job};
use parlor_testkit::cpu::Stopwatch;

fn main() {
    for (what, bots, matches) in [("random", false, 2_000_000), ("bots", true, 100_000)] {
        let job = Job { settings: Json::Null, seats: 2, seed: 1, bots };
        for _ in 0..3 {
            let watch = Stopwatch::start();
            let tally = sim::run::<Battle>(&job, 0, matches).expect("the battle can be simulated");
            let seconds = watch.cpu_seconds();
            println!(
                "battle, {what}: {:.0} matches per CPU second ({} matches, {} inputs)",
                tally.matches as f64 / seconds,
                tally.matches,
                tally.inputs
            );
        }
    }
}
