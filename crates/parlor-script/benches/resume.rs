//! The cost of an answer and of an undo in a script, early and late in a match.

use std::hint::black_box;

use parlor_core::{
    AskId, Body, By, Header, Json, Match, Outcome, Refusal, Response, Seat, Seed, Undo, Viewer,
};
use parlor_script::{Interrupt, Next, Pick, Script, Table};
use parlor_testkit::cpu::Stopwatch;
use serde::{Deserialize, Serialize};

/// Endless rounds of twenty answers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Long {
    answers: u32,
    sum: u32,
}

impl Script for Long {
    const NAME: &'static str = "long";
    const TITLE: &'static str = "Long";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::Consent;
    type Settings = ();
    type View<'a> = &'a Self;

    fn setup((): &(), _: u8) -> Result<Self, Refusal> {
        Ok(Self::default())
    }

    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        for n in 0..20 {
            let seat = Seat::new(n % 2);
            let number = t.single(seat, |_| Pick::one("A number", [1, 2, 3, 4])).await?;
            t.game.sum += number;
            t.game.answers += 1;
            t.out.emit_all(t.game.sum);
        }
        Ok(if t.game.answers > 1_000_000 { Next::Over(Outcome::draw(2, "enough")) } else { Next::Again })
    }

    fn view(&self, _: Viewer) -> &Self {
        self
    }
}

fn start() -> Match {
    let def = Long::def();
    Match::start(def, Header::seeded(&def, 2, Json::Null, Seed::from_text("long"))).expect("it starts").0
}

fn answer(play: &mut Match) {
    let asks = play.open_asks();
    let (ask, seat) = (asks[0].id, asks[0].seats.lowest().expect("somebody is asked"));
    let answer = serde_json::json!({"title": "A number", "selection": ["3"]});
    play.apply(0, By::Human, None, Body::Answer { seat, ask, answer }).expect("taken");
}

/// Matches that are measured one after the other: the system counts a thread's time in ticks of milliseconds.
const MATCHES: usize = 40;

/// Nanoseconds of CPU time for one step, averaged over many, in matches with this many inputs.
fn cost(inputs: usize, steps: usize, step: fn(&mut Match)) -> f64 {
    let one = |_| {
        let mut play = start();
        for _ in 0..inputs {
            answer(&mut play);
        }
        let watch = Stopwatch::start();
        for _ in 0..steps {
            step(black_box(&mut play));
        }
        watch.cpu_seconds()
    };
    (0..MATCHES).map(one).sum::<f64>() * 1e9 / (steps * MATCHES) as f64
}

fn answers_at(inputs: usize) -> f64 {
    cost(inputs, 1000, answer)
}

/// In the middle of a segment, and equally far from the last checkpoint at both lengths.
fn undo_at(inputs: usize) -> f64 {
    cost(inputs / 160 * 160 + 50, 100, take_back)
}

/// Takes back the last answer and gives it again.
fn take_back(play: &mut Match) {
    let to = play.next_seq() - 1;
    play.apply(0, By::Human, None, Body::Undo { seat: Seat::new(0), to }).expect("asked for");
    let yes: Response = play.request(Seat::new(1), AskId::UNDO).to_answer(&[0]);
    let yes = serde_json::to_value(yes).expect("a response is plain data");
    let body = Body::Answer { seat: Seat::new(1), ask: AskId::UNDO, answer: yes };
    play.apply(0, By::Human, None, body).expect("undone");
    answer(play);
}

fn verdict(name: &str, early: f64, late: f64, limit: f64) {
    let ratio = late / early;
    let word = if ratio <= limit { "ok" } else { "MISSED" };
    println!(
        "{name}: {early:.0} ns at 100 inputs, {late:.0} ns at 10,000; ratio {ratio:.2}, must be <= {limit}: {word}"
    );
}

fn main() {
    let best = |measure: fn(usize) -> f64, inputs| (0..3).map(|_| measure(inputs)).fold(f64::MAX, f64::min);
    verdict("an answer", best(answers_at, 100), best(answers_at, 10_000), 1.3);
    verdict("an undo inside a segment", best(undo_at, 100), best(undo_at, 10_000), 1.3);
}
