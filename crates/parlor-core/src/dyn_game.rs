//! One game behind one pointer, speaking JSON: what the house holds.

use serde_json::to_value;

use crate::Json;
use crate::ask::{AskId, Asks};
use crate::game::{Account, Game, Input, Output, Posting, Setup, Visit};
use crate::outcome::Outcome;
use crate::refusal::{Fault, Refusal};
use crate::rng::{OutOfFuel, Rng};
use crate::seat::{Seat, Seats, Viewer};
use crate::secrets::Facts;
use crate::selector::Selector;

/// Time given to banks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus {
    /// Whose banks.
    pub seats: Seats,
    pub add_ms: u32,
    /// What a bank can hold.
    pub cap_ms: u32,
}

/// Everything one input did beyond the state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutputBuffer {
    /// Events with their audience, in order.
    pub events: Vec<(Seats, Json)>,
    /// Tokens that moved.
    pub postings: Vec<Posting>,
    /// Time given to banks.
    pub bonuses: Vec<Bonus>,
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

/// What somebody meant who spoke in the words of a game's own document.
#[derive(Clone, PartialEq, Debug)]
pub enum DialectAction {
    /// An answer.
    Answer {
        /// The request it is for, where it names one.
        input: Option<u32>,
        /// The head it was said to, where it names one.
        head: Option<u32>,
        answer: Json,
        /// The key for retries.
        key: Option<String>,
    },
    /// The seat gives up.
    Concede,
}

/// Something that must always hold does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenInvariant {
    /// What does not hold.
    pub why: String,
    /// What can be taken back to make it hold again; nothing where the match can only be ended.
    pub item: Option<String>,
}

/// How the operator settles a match that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repair {
    /// What broke it is taken back, and play goes on.
    Fail,
    /// The match ends as a draw.
    Draw,
}

/// A running game of any kind. The same methods as [`Game`], with answers, events and views as JSON.
pub trait DynGame: Send {
    /// What stands.
    fn open_asks(&self) -> Asks;
    /// The description of an ask.
    fn request(&self, seat: Seat, ask: AskId) -> Selector;
    /// Whether the answer would be taken.
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
    /// An ask has elapsed.
    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, rng: &mut Rng, output: &mut OutputBuffer);
    /// Somebody comes or goes.
    ///
    /// # Errors
    /// Why the game does not admit it; nothing has changed then.
    fn visit(&mut self, visit: Visit, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal>;
    /// A random legal answer.
    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json;
    /// The bot's answer.
    fn bot(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json;
    /// Every legal answer, where they can be listed.
    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json>;
    /// What a viewer may know.
    fn view(&self, viewer: Viewer) -> Json;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// What to hand to the next match.
    fn carry(&self) -> Option<Json>;
    /// The whole state, as bytes: for digests and snapshots, never for a client.
    fn state(&self) -> Vec<u8>;
    /// A copy.
    fn fork(&self) -> Box<dyn DynGame>;
    /// Another world that none of these viewers can tell from this one.
    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>>;
    /// Every hidden fact that the viewer was shown, with its value.
    fn known_facts(&self, viewer: Viewer) -> Facts;
    /// What a message in the words of the game's own document means here; `None` where the game has no words of its own.
    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        let _ = (seat, words);
        None
    }
    /// What a seat can do now, in the words of the game's own document. What it wants to know of may be narrowed: `of`
    /// one thing that it clicked on, one `action`, with these `targets` chosen already. `None` where the game has no
    /// words of its own.
    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        let _ = (seat, wanted);
        None
    }
    /// What is wrong with the state, where the rules themselves have found that something does not hold which must
    /// always hold: nothing goes on before the operator has settled it.
    fn broken_invariant(&self) -> Option<BrokenInvariant> {
        None
    }
    /// The operator settles it.
    ///
    /// # Errors
    /// When nothing is broken, or not in a way that can be settled like this; nothing has changed then.
    fn repair(&mut self, how: Repair, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal> {
        let _ = (how, rng, output);
        Err(Refusal::of("not_broken", "nothing is broken here"))
    }
    /// Tokens on the table.
    fn escrow(&self) -> i64;
    /// What of them is this seat's if the match is stopped here.
    fn refund(&self, seat: Seat) -> i64;
    /// Checks `check(to_answer(m)) == m` for every listed move of this seat, and that each can be sampled.
    ///
    /// # Errors
    /// Which move is not understood.
    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String>;
}

pub(crate) struct GameAdapter<G>(pub(crate) G);

/// Starts a game from untrusted settings.
pub(crate) fn start<G: Game>(
    settings: &Json,
    seats: u8,
    carry: Option<&Json>,
    rng: &mut Rng,
    output: &mut OutputBuffer,
) -> Result<Box<dyn DynGame>, Refusal> {
    let settings: G::Settings = match settings {
        Json::Null => G::Settings::default(),
        given => serde_json::from_value(given.clone()).map_err(|error| malformed("settings", &error))?,
    };
    let (fewest, most) = G::SEATS;
    if !(fewest..=most).contains(&seats) {
        let fault = Fault::new("seats", "{game} is played by {fewest} to {most}, not {got}");
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
    Ok(Box::new(GameAdapter(G::start(Setup { settings: &settings, seats, carry }, rng, output)?)))
}

fn malformed(what: &'static str, error: &serde_json::Error) -> Refusal {
    Fault::new("malformed", "{what}: {error}").arg("what", what).arg("error", error.to_string()).into()
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

    fn bot(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        let mv = G::bot(&self.0.view(seat.into()), &legal, rng);
        to_value(self.0.to_answer(seat, ask, &mv)).expect("an answer is plain data")
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
