//! A game of any type behind one pointer, with answers, events and views as JSON: what a [`crate::Match`] runs.

use serde_json::to_value;

use crate::Json;
use crate::ask::{AskId, Asks};
use crate::bots::BotChoice;
use crate::code::HouseCode;
use crate::game::{Account, Game, Input, Output, Posting, Setup, Visit};
use crate::game_def::StartFrom;
use crate::outcome::Outcome;
use crate::refusal::{Fault, Refusal};
use crate::rng::{OutOfFuel, Rng};
use crate::seat::{Seat, Seats, Viewer};
use crate::secrets::Facts;
use crate::selector::Selector;
use crate::sim::SeatCounts;

/// Time added to banks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus {
    pub seats: Seats,
    pub add_ms: u32,
    /// The bank's maximum; a bank that already exceeds it is unchanged.
    pub cap_ms: u32,
}

/// Everything that one input did apart from changing the state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutputBuffer {
    /// Events with their audience, in order.
    pub events: Vec<(Seats, Json)>,
    pub postings: Vec<Posting>,
    pub bonuses: Vec<Bonus>,
    /// For the operator's log: who sent what an honest client would not.
    pub warnings: Vec<(Seat, &'static str)>,
    /// Who sent what no honest client can have sent.
    pub blamed: Vec<(Seat, &'static str)>,
    /// Whom the rules have sent away.
    pub dismissed: Seats,
    /// Whether a seat has learnt something hidden.
    pub shown: bool,
    /// Calls left before the budget of this input is used up.
    pub(crate) fuel: u64,
}

impl OutputBuffer {
    pub(crate) fn with_fuel(fuel: u64) -> Self {
        Self { fuel, ..Self::default() }
    }

    fn burn(&mut self) {
        match self.fuel.checked_sub(1) {
            Some(left) => self.fuel = left,
            None => std::panic::resume_unwind(Box::new(OutOfFuel)),
        }
    }
}

impl<E: serde::Serialize> Output<E> for OutputBuffer {
    fn emit(&mut self, to: Seats, event: E) {
        self.burn();
        self.events.push((to, to_value(&event).expect("an event is plain data")));
    }

    fn warn(&mut self, seat: Seat, what: &'static str) {
        self.burn();
        self.warnings.push((seat, what));
    }

    fn blame(&mut self, seat: Seat, what: &'static str) {
        self.burn();
        self.blamed.push((seat, what));
    }

    fn dismiss(&mut self, seat: Seat) {
        self.burn();
        self.dismissed = self.dismissed.with(seat);
    }

    fn post(&mut self, from: Account, to: Account, amount: i64) {
        self.burn();
        assert!(amount >= 0, "a posting is never negative: turn it round");
        if amount > 0 {
            self.postings.push(Posting { from, to, amount });
        }
    }

    fn add_time(&mut self, seats: Seats, add_ms: u32, cap_ms: u32) {
        self.burn();
        self.bonuses.push(Bonus { seats, add_ms, cap_ms });
    }

    fn mark_revealed(&mut self) {
        self.shown = true;
    }
}

/// Answers in one message of a dialect.
pub const DIALECT_ANSWERS_MAX: usize = 4;

/// A part of a message that was not followed, and why.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ignored {
    /// Where in the message, as a JSON pointer.
    pub path: String,
    pub reason: String,
}

/// What a message in a game's dialect means.
#[derive(Clone, PartialEq, Debug)]
pub enum DialectAction {
    Answer {
        /// The request that it answers, if it names one.
        input: Option<u32>,
        /// The head that the sender had, if it names one.
        head: Option<u32>,
        answer: Json,
        /// The retry key.
        key: Option<String>,
        /// The rest of the message, if it also answers the request that follows from this answer.
        then: Option<Json>,
    },
    /// Several answers of one seat, at most [`DIALECT_ANSWERS_MAX`]. Each is checked and applied by itself; one that is
    /// refused is ignored like everything in `ignored`, and the sender learns of both.
    Answers {
        /// The title of the request that each answers, and the answer.
        answers: Vec<(String, Json)>,
        ignored: Vec<Ignored>,
        /// The retry key.
        key: Option<String>,
    },
    /// The seat concedes.
    Concede,
    /// A viewer without a seat takes one.
    Sit {
        /// The seat; any free one if they name none.
        seat: Option<Seat>,
        /// What they bring.
        stake: i64,
    },
}

/// An invariant of the rules that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenInvariant {
    /// For the operator.
    pub why: String,
    /// What can be taken back to make it hold again; none if the match can only be ended.
    pub item: Option<String>,
}

/// How the operator repairs a match with a broken invariant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// Take back what broke it, and play on.
    Fail,
    /// End the match as a draw.
    Draw,
}

/// A running game of any type. The same methods as [`Game`], with answers, events and views as JSON.
pub trait DynGame: Send {
    /// The open asks.
    fn open_asks(&self) -> Asks;
    /// The description of an ask.
    fn request(&self, seat: Seat, ask: AskId) -> Selector;
    /// Whether the game accepts the answer.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal>;
    /// Checks an answer and applies it.
    ///
    /// # Errors
    /// Every fault of the answer; nothing has changed then.
    fn answer(
        &mut self,
        seat: Seat,
        ask: AskId,
        answer: &Json,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal>;
    /// Applies the end of an ask's time.
    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, rng: &mut Rng, output: &mut OutputBuffer);
    /// Applies a visit: a player joins, leaves, disconnects or reconnects.
    ///
    /// # Errors
    /// Why the game does not admit it; nothing has changed then.
    fn visit(&mut self, visit: Visit, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal>;
    /// A random legal answer.
    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json;
    /// The answer of this bot.
    fn bot(&self, seat: Seat, ask: AskId, bot: &BotChoice, rng: &mut Rng) -> Json;
    /// What this answer takes from the account of the seat's player; 0 if the game would refuse it.
    fn cost(&self, seat: Seat, ask: AskId, answer: &Json) -> i64 {
        let _ = (seat, ask, answer);
        0
    }
    /// Seats whose player has left while something of theirs is still at the table.
    fn vacating(&self) -> Seats {
        Seats::NONE
    }
    /// The least and the most that this player may bring now, if the game says more than [`crate::OpenSeating`] does.
    fn buy_in(&self, player: u64) -> Option<(i64, i64)> {
        let _ = player;
        None
    }
    /// Every legal answer, if they can be listed.
    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json>;
    /// What a viewer may know.
    fn view(&self, viewer: Viewer) -> Json;
    /// The result, once there is one.
    fn outcome(&self) -> Option<Outcome>;
    /// What to carry to the next match.
    fn carry(&self) -> Option<Json>;
    /// The whole state, as bytes: for digests and snapshots, never for a client.
    fn state(&self) -> Vec<u8>;
    /// A copy.
    fn fork(&self) -> Box<dyn DynGame>;
    /// A twin: another state that none of these viewers can tell from this one.
    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>>;
    /// Every hidden fact that the viewer was shown, with its value.
    fn known_facts(&self, viewer: Viewer) -> Facts;
    /// What a message in the game's dialect means here; `None` if the game has no dialect.
    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        let _ = (seat, words);
        None
    }
    /// What a message in the game's dialect means that comes from a viewer without a seat, with their name; `None` if
    /// only players may speak.
    fn interpret_guest(&self, name: &str, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        let _ = (name, words);
        None
    }
    /// What a seat can do now, in the game's dialect. The query may narrow it down: to one thing (`of`) that the
    /// player clicked on, to one `action`, with these `targets` already chosen. `None` if the game has no dialect.
    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        let _ = (seat, wanted);
        None
    }
    /// The invariant that the rules found broken, if any. The match does not go on until the operator has repaired
    /// it.
    fn broken_invariant(&self) -> Option<BrokenInvariant> {
        None
    }
    /// Repairs a broken invariant, for the operator.
    ///
    /// # Errors
    /// Why not: nothing is broken, or this repair does not apply; nothing has changed then.
    fn repair(&mut self, how: Repair, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal> {
        let _ = (how, rng, output);
        Err(Refusal::of(HouseCode::NotBroken, "nothing is broken here"))
    }
    /// Counts what is worth knowing about the bots of an arena; called once after every input.
    fn count(&self, counts: &mut SeatCounts) {
        let _ = counts;
    }
    /// Tokens in escrow.
    fn escrow(&self) -> i64;
    /// This seat's part of them if the match is stopped here.
    fn refund(&self, seat: Seat) -> i64;
    /// Checks `check(to_answer(m)) == m` for every listed move of this seat, and that each can be sampled.
    ///
    /// # Errors
    /// The move that does not survive it.
    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String>;
}

pub(crate) struct GameAdapter<G>(pub(crate) G);

/// Starts a game from untrusted settings.
pub(crate) fn start<G: Game>(
    from: &StartFrom<'_>,
    rng: &mut Rng,
    output: &mut OutputBuffer,
) -> Result<Box<dyn DynGame>, Refusal> {
    let StartFrom { settings, seats, seated, carry } = *from;
    let settings: G::Settings = match settings {
        Json::Null => G::Settings::default(),
        given => serde_json::from_value(given.clone()).map_err(|error| malformed("settings", &error))?,
    };
    let (fewest, most) = G::SEATS;
    if !(fewest..=most).contains(&seats) {
        let fault = Fault::new(HouseCode::Seats, "{game} is played by {fewest} to {most}, not {got}");
        return Err(fault
            .arg("game", G::NAME)
            .arg("fewest", fewest)
            .arg("most", most)
            .arg("got", seats)
            .into());
    }
    let carry = match carry {
        None => None,
        Some(carry) => {
            Some(serde_json::from_value(carry.clone()).map_err(|error| malformed("carry", &error))?)
        }
    };
    Ok(Box::new(GameAdapter(G::start(Setup { settings: &settings, seats, seated, carry }, rng, output)?)))
}

fn malformed(what: &'static str, error: &serde_json::Error) -> Refusal {
    Fault::new(HouseCode::Malformed, "{what}: {error}")
        .arg("what", what)
        .arg("error", error.to_string())
        .into()
}

fn typed<G: Game>(answer: &Json) -> Result<G::Answer, Refusal> {
    serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| malformed("answer", &error))
}

impl<G: Game> DynGame for GameAdapter<G> {
    fn open_asks(&self) -> Asks {
        self.0.open_asks()
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        self.0.request(seat, ask)
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        self.0.check(seat, ask, &typed::<G>(answer)?).map(|_| ())
    }

    fn answer(
        &mut self,
        seat: Seat,
        ask: AskId,
        answer: &Json,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let mv = self.0.check(seat, ask, &typed::<G>(answer)?)?;
        self.0.apply(Input::Answer { seat, ask, mv }, rng, output);
        Ok(())
    }

    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, rng: &mut Rng, output: &mut OutputBuffer) {
        self.0.apply(Input::Elapsed { ask, seat }, rng, output);
    }

    fn visit(&mut self, visit: Visit, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal> {
        self.0.admit(&visit)?;
        self.0.apply(Input::Visit(visit), rng, output);
        Ok(())
    }

    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json {
        let mv = self.0.sample(seat, ask, rng, &mut Vec::new());
        to_value(self.0.to_answer(seat, ask, &mv)).expect("an answer is plain data")
    }

    fn bot(&self, seat: Seat, ask: AskId, bot: &BotChoice, rng: &mut Rng) -> Json {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        let mv = G::bot_named(bot, &self.0.view(seat.into()), &legal, rng);
        to_value(self.0.to_answer(seat, ask, &mv)).expect("an answer is plain data")
    }

    fn cost(&self, seat: Seat, ask: AskId, answer: &Json) -> i64 {
        let checked = typed::<G>(answer).and_then(|answer| self.0.check(seat, ask, &answer));
        checked.map_or(0, |mv| self.0.cost(seat, &mv))
    }

    fn vacating(&self) -> Seats {
        self.0.vacating()
    }

    fn buy_in(&self, player: u64) -> Option<(i64, i64)> {
        self.0.buy_in(player)
    }

    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json> {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        legal
            .iter()
            .map(|mv| to_value(self.0.to_answer(seat, ask, mv)).expect("an answer is plain data"))
            .collect()
    }

    fn view(&self, viewer: Viewer) -> Json {
        to_value(self.0.view(viewer)).expect("a view is plain data")
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn carry(&self) -> Option<Json> {
        self.0.carry().map(|carry| to_value(carry).expect("a carry is plain data"))
    }

    fn state(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.0).expect("a state is plain data")
    }

    fn fork(&self) -> Box<dyn DynGame> {
        Box::new(Self(self.0.clone()))
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>> {
        Some(Box::new(Self(self.0.resample(viewers, rng)?)))
    }

    fn known_facts(&self, viewer: Viewer) -> Facts {
        let mut facts = Facts::default();
        self.0.known_facts(viewer, &mut facts);
        facts
    }

    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        self.0.interpret(seat, words)
    }

    fn interpret_guest(&self, name: &str, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        self.0.interpret_guest(name, words)
    }

    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        self.0.actions(seat, wanted)
    }

    fn count(&self, counts: &mut SeatCounts) {
        self.0.count(counts);
    }

    fn escrow(&self) -> i64 {
        self.0.escrow()
    }

    fn refund(&self, seat: Seat) -> i64 {
        self.0.refund(seat)
    }

    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String> {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        for mv in &legal {
            match self.0.check(seat, ask, &self.0.to_answer(seat, ask, mv)) {
                Ok(back) if back == *mv => {}
                Ok(back) => return Err(format!("{mv:?} is said so that it means {back:?}")),
                Err(refusal) => return Err(format!("{mv:?} is legal and refused: {refusal}")),
            }
        }
        Ok(legal.len())
    }
}
