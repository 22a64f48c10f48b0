//! Simulation: one game at full speed, without a log, JSON or boxes. Waits elapse at once.

mod arena;
mod digest;
mod results;

use serde::Serialize;

use crate::ask::Ask;
use crate::code::HouseCode;
use crate::game::{Game, Input, NoOutput, Setup};
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::seat::{Seat, Seats};
pub(crate) use arena::run as run_arena;
pub use arena::{ArenaJob, ArenaTally, Contestant, ContestantTally, SeatCounts};
pub use results::{SimResults, StuckMatch};

/// Inputs after which a simulated match counts as endless.
pub const SIM_INPUTS_MAX: u64 = 1_000_000;

/// Where one match of a table follows another, such as hands of poker, this many of them are played as one simulated match.
pub const SIM_LINKS_MAX: u64 = 100;

/// The totals of a run of matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Matches played to their end.
    pub matches: u64,
    pub inputs: u64,
    /// The sum of the matches' digests: the same for the same seed, whatever the order or the number of threads.
    pub digest: u64,
    /// Matches that did not end.
    pub endless: u64,
    pub results: SimResults,
    /// The first match that stopped at a broken invariant; no match after it was played.
    pub stuck: Option<StuckMatch>,
}

impl Tally {
    /// Counts one of the matches of a table that another follows.
    fn add_link(&mut self, inputs: u64, outcome: Option<&Outcome>) {
        self.inputs += inputs;
        self.results.add(outcome);
    }

    /// Counts match number `n` with its number of inputs, its final state and its outcome.
    pub fn add<T: Serialize>(&mut self, n: u64, inputs: u64, state: &T, outcome: Option<&Outcome>) {
        self.inputs += inputs;
        self.matches += 1;
        self.endless += u64::from(inputs >= SIM_INPUTS_MAX);
        self.digest = self.digest.wrapping_add(digest::digest(n, state));
        self.results.add(outcome);
    }

    /// The totals of both runs.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            matches: self.matches + other.matches,
            inputs: self.inputs + other.inputs,
            digest: self.digest.wrapping_add(other.digest),
            endless: self.endless + other.endless,
            results: self.results.and(other.results),
            stuck: [self.stuck, other.stuck].into_iter().flatten().min_by_key(|stuck| stuck.number),
        }
    }
}

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Job {
    /// In the game's own form; null for its defaults.
    pub settings: crate::Json,
    pub seats: u8,
    /// The seed of the whole run; each match has its own stream.
    pub seed: u64,
    /// Whether the game's own bots play; otherwise moves are random.
    pub bots: bool,
}

/// Plays matches number `from..to` of the job.
///
/// # Errors
/// Why a match with these settings cannot be played.
pub fn run<G: Game>(job: &Job, from: u64, to: u64) -> Result<Tally, Refusal> {
    let settings: G::Settings = match &job.settings {
        crate::Json::Null => G::Settings::default(),
        given => serde_json::from_value(given.clone())
            .map_err(|error| Refusal::of(HouseCode::Malformed, format!("settings: {error}")))?,
    };
    let mut tally = Tally::default();
    let mut scratch = Vec::new();
    let seated = vec![Some(0); job.seats.into()];
    for n in from..to {
        let mut rng = Rng::fast(job.seed ^ n.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let setup = || Setup { settings: &settings, seats: job.seats, seated: &seated, carry: None };
        let mut game = G::start(setup(), &mut rng, &mut NoOutput)?;
        for link in 1.. {
            let inputs = play_out(&mut game, job.bots, &mut rng, &mut scratch);
            let outcome = game.outcome();
            if outcome.is_none() || link == SIM_LINKS_MAX || !next_match(&mut game, setup, &mut rng)? {
                tally.add(n, inputs, &game, outcome.as_ref());
                break;
            }
            tally.add_link(inputs, outcome.as_ref());
        }
    }
    Ok(tally)
}

/// Goes on to the next match of a table. Tests look whether it is the one that would be started from what is carried over.
fn next_match<'a, G: Game>(
    game: &mut G,
    setup: impl Fn() -> Setup<'a, G>,
    rng: &mut Rng,
) -> Result<bool, Refusal> {
    #[cfg(debug_assertions)]
    let started = match game.carry() {
        Some(carry) => {
            Some(G::start(Setup { carry: Some(carry), ..setup() }, &mut rng.clone(), &mut NoOutput)?)
        }
        None => None,
    };
    let goes_on = game.next_match(setup(), rng, &mut NoOutput)?;
    #[cfg(debug_assertions)]
    assert_eq!(
        goes_on.then(|| digest::digest(0, game)),
        started.map(|started| digest::digest(0, &started)),
        "the next match is another than the one that is carried over"
    );
    Ok(goes_on)
}

/// Plays one match to its end; returns it with the number of inputs it took.
pub fn playout<G: Game>(mut game: G, bots: bool, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> (G, u64) {
    let inputs = play_out(&mut game, bots, rng, scratch);
    (game, inputs)
}

fn play_out<G: Game>(game: &mut G, bots: bool, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> u64 {
    let mut inputs = 0;
    while inputs < SIM_INPUTS_MAX {
        let found = game.next_ask();
        debug_assert!(is_next(&game.open_asks(), found), "the next ask is one of the open asks");
        let Some(ask) = found else { break };
        let input = if ask.seats.is_empty() {
            Input::Elapsed { ask: ask.id, seat: None }
        } else {
            let seat = one_of(ask.seats, rng);
            let mv = if bots {
                scratch.clear();
                game.legal(seat, ask.id, scratch);
                G::bot(&game.view(seat.into()), scratch, rng)
            } else {
                game.sample(seat, ask.id, rng, scratch)
            };
            Input::Answer { seat, ask: ask.id, mv }
        };
        game.apply(input, rng, &mut NoOutput);
        inputs += 1;
    }
    inputs
}

/// One of the seats that are asked.
#[inline]
fn one_of(seats: Seats, rng: &mut Rng) -> Seat {
    let first = seats.lowest().expect("the ask has seats");
    if seats == Seats::only(first) {
        return first;
    }
    let skip = if seats.len() > 1 { rng.below(seats.len() as u32) as usize } else { 0 };
    seats.iter().nth(skip).unwrap_or(first)
}

/// Whether this is the ask to answer next.
fn is_next(asks: &[Ask], found: Option<Ask>) -> bool {
    next(asks).map(|ask| (ask.id, ask.seats)) == found.map(|ask| (ask.id, ask.seats))
}

/// The ask to answer next: one of a seat comes before a wait, and offers are ignored.
#[inline]
pub(crate) fn next(asks: &[Ask]) -> Option<&Ask> {
    let mut blocking = asks.iter().filter(|ask| ask.blocks());
    let first = blocking.next()?;
    if first.seats.is_empty() {
        Some(blocking.find(|ask| !ask.seats.is_empty()).unwrap_or(first))
    } else {
        Some(first)
    }
}
