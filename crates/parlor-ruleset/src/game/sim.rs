//! Simulation: no log, no JSON, nobody listens. Waits are answered at once.

use std::sync::Arc;

use parlor_core::sim::{Job, SIM_INPUTS_MAX, StuckMatch, Tally};
use parlor_core::{Refusal, Rng};

use super::dyn_game::RulesetGame;
use super::game_def::settings;
use crate::machine::program::Program;
use crate::machine::state::Sink;

/// Plays matches number `from..to` of the job.
pub(super) fn run(program: &Arc<Program>, job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
    let config = settings(program, &job.settings)?;
    super::game_def::check_seats(program, job.seats)?;
    let mut tally = Tally::default();
    let opening = RulesetGame::opening(program.clone(), config, job.seats);
    let mut game = opening.clone();
    for n in from..to {
        let mut rng = Rng::fast(job.seed ^ n.wrapping_mul(0xd1b5_4a32_d192_ed03));
        opening.go_on(&mut game, &mut rng);
        let inputs = play_out(&mut game, &mut rng);
        if let Some(why) = crate::machine::exec::invariants::broken_now(&game.program, &game.state) {
            tally.stuck = Some(StuckMatch { number: n, inputs, why });
            return Ok(tally);
        }
        let over = game.state.over.clone().map(|over| game.with_place(over));
        tally.add(n, inputs, &game.state, over.as_ref());
    }
    Ok(tally)
}

/// Plays a match to its end with random answers; says how many inputs it took.
pub(super) fn play_out(game: &mut RulesetGame, rng: &mut Rng) -> u64 {
    let mut inputs = 0;
    while inputs < SIM_INPUTS_MAX && game.state.broken.is_none() {
        let Some(open) = &game.state.open else { break };
        let seats = open.seats;
        if seats.is_empty() {
            game.elapse(rng, &mut Sink::silent());
        } else {
            let skip = if seats.len() > 1 { rng.below(seats.len() as u32) as usize } else { 0 };
            let Some(seat) = seats.iter().nth(skip) else { break };
            let said = game.quick(seat, rng);
            game.say(seat, false, said, rng, &mut Sink::silent());
        }
        inputs += 1;
    }
    inputs
}
