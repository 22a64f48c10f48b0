//! Simulation: a script in which every request is answered at once. No suspension, no log, no JSON, no boxes.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use parlor_core::sim::{Job, Tally};
use parlor_core::{HouseCode, Json, Outcome, Refusal, Rng};

use crate::script::{Next, Script};
use crate::table::{Player, Table};

/// Plays matches number `from..to` of the job.
pub(crate) fn run<S: Script>(job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
    let settings: S::Settings = settings::<S>(&job.settings)?;
    let mut tally = Tally::default();
    for n in from..to {
        let rng = Rng::fast(job.seed ^ n.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let game = S::setup(&settings, job.seats)?;
        let player = if job.bots { Player::Bots } else { Player::Random };
        let (table, outcome) = play_out(Table::simulated(game, job.seats, rng, player));
        tally.add(n, table.inputs, &table.game, outcome.as_ref());
    }
    Ok(tally)
}

/// Plays a simulated table to its end; returns it with its outcome.
pub(crate) fn play_out<S: Script>(mut table: Table<S>) -> (Table<S>, Option<Outcome>) {
    loop {
        match run_segment(&mut table) {
            Ok(Next::Again) => {}
            Ok(Next::Over(outcome)) => return (table, Some(outcome)),
            Err(_) => return (table, None),
        }
    }
}

fn run_segment<S: Script>(table: &mut Table<S>) -> Result<Next, crate::Interrupt> {
    let segment = pin!(S::segment(table));
    match segment.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(next) => next,
        Poll::Pending => panic!("{}: the script waits for something that is not a request", S::NAME),
    }
}

pub(crate) fn settings<S: Script>(given: &Json) -> Result<S::Settings, Refusal> {
    match given {
        Json::Null => Ok(S::Settings::default()),
        given => serde_json::from_value(given.clone())
            .map_err(|error| Refusal::of(HouseCode::Malformed, format!("settings: {error}"))),
    }
}
