//! An arena: bots by name against each other. Every deal is played several times, with the bots one seat further each
//! time, so that luck is the same for all of them. The rules and each bot draw from streams of their own: what a bot
//! draws changes no deal.

use std::collections::BTreeMap;

use super::SIM_INPUTS_MAX;
use crate::Json;
use crate::ask::AskId;
use crate::bots::BotChoice;
use crate::dyn_game::{DynGame, OutputBuffer};
use crate::game_def::{GameFactory, StartFrom};
use crate::limits::SEATS_MAX;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::seat::Seat;
use crate::sim::{StuckMatch, next};

/// Who plays a seat in an arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// Random legal moves.
    Random,
    /// One of the game's bots.
    Bot(BotChoice),
}

/// What an arena plays.
#[derive(Clone, Debug)]
pub struct ArenaJob {
    /// In the game's own form; null for its defaults.
    pub settings: Json,
    /// By seat, as they sit when a deal is played for the first time.
    pub contestants: Vec<Contestant>,
    /// How often each deal is played.
    pub seatings: u8,
    /// The seed of the whole run; each deal has its own stream.
    pub seed: u64,
}

impl ArenaJob {
    /// The contestant, by its place in the list, that sits in this seat in match number `n`.
    #[must_use]
    pub fn contestant(&self, n: u64, seat: Seat) -> usize {
        let (seats, shift) = (self.contestants.len(), (n % u64::from(self.seatings.max(1))) as usize);
        (seat.index() + seats - shift % seats) % seats
    }
}

/// What a game counts for each seat while bots play it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatCounts(BTreeMap<&'static str, [u64; SEATS_MAX]>);

impl SeatCounts {
    /// Counted by games that play several rounds in a match: the other counts are then reported per round.
    pub const ROUNDS: &'static str = "rounds";

    /// Counts something once for a seat.
    pub fn add(&mut self, seat: Seat, what: &'static str) {
        self.0.entry(what).or_default()[seat.index()] += 1;
    }
}

/// How one contestant did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContestantTally {
    /// How often it came in each place, the first place first.
    pub places: [u64; SEATS_MAX],
    pub decisions: u64,
    /// What its decisions took, by the caller's clock.
    pub nanoseconds: u64,
    /// What the game counted for it.
    pub counts: BTreeMap<&'static str, u64>,
}

impl ContestantTally {
    /// Adds another run, or another seat of the same bot.
    pub fn add(&mut self, other: &Self) {
        self.places.iter_mut().zip(other.places).for_each(|(mine, theirs)| *mine += theirs);
        self.decisions += other.decisions;
        self.nanoseconds += other.nanoseconds;
        for (what, count) in &other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }
}

/// The totals of an arena.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArenaTally {
    /// Matches played to their end.
    pub matches: u64,
    pub inputs: u64,
    /// Matches that did not end.
    pub endless: u64,
    /// In the order of the job's list.
    pub contestants: Vec<ContestantTally>,
    /// The first match that stopped at a broken invariant; no match after it was played.
    pub stuck: Option<StuckMatch>,
}

impl ArenaTally {
    /// The totals of both runs.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.matches += other.matches;
        self.inputs += other.inputs;
        self.endless += other.endless;
        self.contestants.resize_with(self.contestants.len().max(other.contestants.len()), Default::default);
        self.contestants.iter_mut().zip(&other.contestants).for_each(|(mine, theirs)| mine.add(theirs));
        self.stuck = [self.stuck, other.stuck].into_iter().flatten().min_by_key(|stuck| stuck.number);
        self
    }
}

/// Plays matches number `from..to` of an arena. `clock` gives nanoseconds: core has no clock of its own.
pub(crate) fn run(
    factory: &dyn GameFactory,
    job: &ArenaJob,
    from: u64,
    to: u64,
    clock: &mut dyn FnMut() -> u64,
) -> Result<ArenaTally, Refusal> {
    let contestants = vec![ContestantTally::default(); job.contestants.len()];
    let mut tally = ArenaTally { contestants, ..ArenaTally::default() };
    for n in from..to {
        let mut played = Played::start(factory, job, n)?;
        while played.step(job, &mut tally, clock)? {}
        if let Some(broken) = played.game.broken_invariant() {
            tally.stuck = Some(StuckMatch { number: n, inputs: played.inputs, why: broken.why });
            return Ok(tally);
        }
        played.count(job, &mut tally);
    }
    Ok(tally)
}

/// One match.
struct Played {
    number: u64,
    game: Box<dyn DynGame>,
    rules: Rng,
    /// By seat.
    bots: Vec<Rng>,
    inputs: u64,
    counts: SeatCounts,
}

impl Played {
    fn start(factory: &dyn GameFactory, job: &ArenaJob, n: u64) -> Result<Self, Refusal> {
        let seats = job.contestants.len();
        let deal = n / u64::from(job.seatings.max(1));
        let mut rules = Rng::fast(job.seed ^ deal.wrapping_mul(0xd1b5_4a32_d192_ed03));
        let seated = vec![Some(0); seats];
        let from = StartFrom { settings: &job.settings, seats: seats as u8, seated: &seated, carry: None };
        let game = factory.start(&from, &mut rules, &mut output())?;
        let luck = |seat: usize| {
            Rng::fast(!job.seed ^ (n * seats as u64 + seat as u64).wrapping_mul(0xa24b_aed4_963e_e407))
        };
        let bots = (0..seats).map(luck).collect();
        Ok(Self { number: n, game, rules, bots, inputs: 0, counts: SeatCounts::default() })
    }

    /// Gives the game its next input; false when it asks nothing more.
    fn step(
        &mut self,
        job: &ArenaJob,
        tally: &mut ArenaTally,
        clock: &mut dyn FnMut() -> u64,
    ) -> Result<bool, Refusal> {
        let asks = self.game.open_asks();
        let Some(ask) = next(&asks).filter(|_| self.inputs < SIM_INPUTS_MAX) else { return Ok(false) };
        match ask.seats.lowest() {
            None => self.game.elapsed(ask.id, None, &mut self.rules, &mut output()),
            Some(seat) => {
                let contestant = job.contestant(self.number, seat);
                let before = clock();
                let answer = self.decide(&job.contestants[contestant], seat, ask.id);
                let tally = &mut tally.contestants[contestant];
                tally.nanoseconds += clock().saturating_sub(before);
                tally.decisions += 1;
                self.game.answer(seat, ask.id, &answer, &mut self.rules, &mut output())?;
            }
        }
        self.inputs += 1;
        self.game.count(&mut self.counts);
        Ok(self.game.broken_invariant().is_none())
    }

    fn decide(&mut self, contestant: &Contestant, seat: Seat, ask: AskId) -> Json {
        let rng = &mut self.bots[seat.index()];
        match contestant {
            Contestant::Random => self.game.sample(seat, ask, rng),
            Contestant::Bot(bot) => self.game.bot(seat, ask, bot, rng),
        }
    }

    /// Notes who came where, and what the game counted.
    fn count(&self, job: &ArenaJob, tally: &mut ArenaTally) {
        tally.matches += 1;
        tally.inputs += self.inputs;
        tally.endless += u64::from(self.inputs >= SIM_INPUTS_MAX);
        let places = self.game.outcome().map(|outcome| outcome.places).unwrap_or_default();
        for n in 0..job.contestants.len() {
            let seat = Seat::new(n as u8);
            let tally = &mut tally.contestants[job.contestant(self.number, seat)];
            if let Some(place) = places.get(n).and_then(|place| tally.places.get_mut(usize::from(*place) - 1))
            {
                *place += 1;
            }
            for (what, by_seat) in &self.counts.0 {
                *tally.counts.entry(what).or_default() += by_seat[n];
            }
        }
    }
}

/// Nobody listens; rules that do not end are found by the number of inputs.
fn output() -> OutputBuffer {
    OutputBuffer::with_fuel(u64::MAX)
}
