//! Hearts: playouts per CPU second, the size of a suspended match, and how the bot fares.

use parlor_classics::Hearts;
use parlor_core::sim::Job;
use parlor_testkit::cpu::Stopwatch;

fn main() {
    let entry = parlor_script::entry::<Hearts>();
    let job = Job { settings: serde_json::Value::Null, seats: 4, seed: 1, bots: false };
    for _ in 0..3 {
        let watch = Stopwatch::start();
        let tally = entry.sim(&job, 0, 50_000).expect("hearts can be simulated");
        let seconds = watch.cpu_seconds();
        println!(
            "hearts: {:.0} playouts per CPU second ({} deals, {} inputs)",
            tally.matches as f64 / seconds,
            tally.matches,
            tally.inputs
        );
    }
    for answers in [0, 4, 30, 54] {
        let (_, print) =
            parlor_script::suspended::<Hearts>(&serde_json::Value::Null, 4, answers).expect("hearts runs");
        println!("hearts: suspended after {answers} answers: {} bytes, {print:?}", print.total());
    }
}
