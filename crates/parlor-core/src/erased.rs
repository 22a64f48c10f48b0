//! One game behind one pointer, speaking JSON: what the house holds.

use serde_json::to_value;

use crate::Json;
use crate::ask::{AskId, Asks};
use crate::game::{Account, Game, Input, Out, Posting, Setup, Visit};
use crate::luck::{Luck, OutOfFuel};
use crate::outcome::Outcome;
use crate::refusal::{Fault, Refusal};
use crate::seat::{Seat, Seats, Viewer};
use crate::select::Selector;

/// Time given to banks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus {
    /// Whose banks.
    pub seats: Seats,
    /// How much is added.
    pub add_ms: u32,
    /// What a bank can hold.
    pub cap_ms: u32,
}

/// Everything one input did beyond the state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Told {
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

impl Told {
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

impl<E: serde::Serialize> Out<E> for Told {
    fn tell(&mut self, to: Seats, event: E) {
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

    fn bank(&mut self, seats: Seats, add_ms: u32, cap_ms: u32) {
        self.burn();
        self.bonuses.push(Bonus { seats, add_ms, cap_ms });
    }

    fn shown(&mut self) {
        self.shown = true;
    }
}

/// What somebody meant who spoke in the words of a game's own document.
#[derive(Clone, PartialEq, Debug)]
pub enum Meant {
    /// An answer.
    Answer {
        /// The request it is for, where it names one.
        input: Option<u32>,
        /// The head it was said to, where it names one.
        head: Option<u32>,
        /// What it says.
        answer: Json,
        /// The key for retries.
        key: Option<String>,
    },
    /// The seat gives up.
    Concede,
}

/// Something that must always hold does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// What does not hold.
    pub why: String,
    /// What can be taken back to make it hold again; nothing where the match can only be ended.
    pub item: Option<String>,
}

/// How the operator settles a match that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Settle {
    /// What broke it is taken back, and play goes on.
    Fail,
    /// The match ends as a draw.
    Draw,
}

/// A running game of any kind. The same methods as [`Game`], with answers, events and views as JSON.
pub trait Hosted: Send {
    /// What stands.
    fn standing(&self) -> Asks;
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
        luck: &mut Luck,
        told: &mut Told,
    ) -> Result<(), Refusal>;
    /// An ask has elapsed.
    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, luck: &mut Luck, told: &mut Told);
    /// Somebody comes or goes.
    ///
    /// # Errors
    /// Why the game does not admit it; nothing has changed then.
    fn visit(&mut self, visit: Visit, luck: &mut Luck, told: &mut Told) -> Result<(), Refusal>;
    /// A random legal answer.
    fn sample(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Json;
    /// The bot's answer.
    fn bot(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Json;
    /// Every legal answer, where they can be listed.
    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json>;
    /// What a viewer may know.
    fn seen(&self, viewer: Viewer) -> Json;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// What to hand to the next match.
    fn carry(&self) -> Option<Json>;
    /// The whole state, as bytes: for digests and snapshots, never for a client.
    fn state(&self) -> Vec<u8>;
    /// A copy.
    fn fork(&self) -> Box<dyn Hosted>;
    /// Another world that none of these viewers can tell from this one.
    fn resample(&self, viewers: Seats, luck: &mut Luck) -> Option<Box<dyn Hosted>>;
    /// Every hidden fact that the viewer was shown, with its value.
    fn known(&self, viewer: Viewer) -> Vec<(u32, u32)>;
    /// What a message in the words of the game's own document means here; `None` where the game has no words of its own.
    fn meant(&self, seat: Seat, words: &Json) -> Option<Result<Meant, Refusal>> {
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
    fn broken(&self) -> Option<Broken> {
        None
    }
    /// The operator settles it.
    ///
    /// # Errors
    /// When nothing is broken, or not in a way that can be settled like this; nothing has changed then.
    fn settle(&mut self, how: Settle, luck: &mut Luck, told: &mut Told) -> Result<(), Refusal> {
        let _ = (how, luck, told);
        Err(Refusal::of("not_broken", "nothing is broken here"))
    }
    /// Tokens on the table.
    fn holds(&self) -> i64;
    /// What of them is this seat's if the match is stopped here.
    fn returns(&self, seat: Seat) -> i64;
    /// Checks `check(say(m)) == m` for every listed move of this seat, and that each can be sampled.
    ///
    /// # Errors
    /// Which move is not understood.
    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String>;
}

pub(crate) struct Erased<G>(pub(crate) G);

/// Starts a game from untrusted settings.
pub(crate) fn start<G: Game>(
    settings: &Json,
    seats: u8,
    carry: Option<&Json>,
    luck: &mut Luck,
    told: &mut Told,
) -> Result<Box<dyn Hosted>, Refusal> {
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
    Ok(Box::new(Erased(G::start(Setup { settings: &settings, seats, carry }, luck, told)?)))
}

fn malformed(what: &'static str, error: &serde_json::Error) -> Refusal {
    Fault::new("malformed", "{what}: {error}").arg("what", what).arg("error", error.to_string()).into()
}

fn typed<G: Game>(answer: &Json) -> Result<G::Answer, Refusal> {
    serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| malformed("answer", &error))
}

impl<G: Game> Hosted for Erased<G> {
    fn standing(&self) -> Asks {
        self.0.standing()
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
        luck: &mut Luck,
        told: &mut Told,
    ) -> Result<(), Refusal> {
        let mv = self.0.check(seat, ask, &typed::<G>(answer)?)?;
        self.0.apply(Input::Answer { seat, ask, mv }, luck, told);
        Ok(())
    }

    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, luck: &mut Luck, told: &mut Told) {
        self.0.apply(Input::Elapsed { ask, seat }, luck, told);
    }

    fn visit(&mut self, visit: Visit, luck: &mut Luck, told: &mut Told) -> Result<(), Refusal> {
        self.0.admit(&visit)?;
        self.0.apply(Input::Visit(visit), luck, told);
        Ok(())
    }

    fn sample(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Json {
        let mv = self.0.sample(seat, ask, luck, &mut Vec::new());
        to_value(self.0.say(seat, ask, &mv)).expect("an answer is plain data")
    }

    fn bot(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Json {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        let mv = G::bot(&self.0.seen(seat.into()), &legal, luck);
        to_value(self.0.say(seat, ask, &mv)).expect("an answer is plain data")
    }

    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json> {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        legal.iter().map(|mv| to_value(self.0.say(seat, ask, mv)).expect("an answer is plain data")).collect()
    }

    fn seen(&self, viewer: Viewer) -> Json {
        to_value(self.0.seen(viewer)).expect("a view is plain data")
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

    fn fork(&self) -> Box<dyn Hosted> {
        Box::new(Self(self.0.clone()))
    }

    fn resample(&self, viewers: Seats, luck: &mut Luck) -> Option<Box<dyn Hosted>> {
        Some(Box::new(Self(self.0.resample(viewers, luck)?)))
    }

    fn known(&self, viewer: Viewer) -> Vec<(u32, u32)> {
        let mut facts = Vec::new();
        self.0.known(viewer, &mut facts);
        facts
    }

    fn holds(&self) -> i64 {
        self.0.holds()
    }

    fn returns(&self, seat: Seat) -> i64 {
        self.0.returns(seat)
    }

    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String> {
        let mut legal = Vec::new();
        self.0.legal(seat, ask, &mut legal);
        for mv in &legal {
            match self.0.check(seat, ask, &self.0.say(seat, ask, mv)) {
                Ok(back) if back == *mv => {}
                Ok(back) => return Err(format!("{mv:?} is said so that it means {back:?}")),
                Err(refusal) => return Err(format!("{mv:?} is legal and refused: {refusal}")),
            }
        }
        Ok(legal.len())
    }
}
