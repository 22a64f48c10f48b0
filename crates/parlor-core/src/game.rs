//! What a game author writes.
//!
//! A [`Game`] is a plain value. It names what stands, checks an untrusted [`Game::Answer`] into a trusted
//! [`Game::Move`], and applies one [`Input`] at a time. `apply` cannot fail: only `check`, `legal` and `sample` make a
//! move. Whatever the house can derive (ids, clocks, versions, undo, replay, deltas, twins) no game writes.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Json;
use crate::ask::{AskId, Asks};
use crate::game_def::GameDef;
use crate::outcome::Outcome;
use crate::rating::Rating;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::schema::Schema;
use crate::seat::{Seat, Seats, Viewer};
use crate::secrets::Facts;
use crate::selector::{Choice, Response, Selector};

/// Who may take an answer back (000/R5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Undo {
    /// Nobody, never.
    None,
    /// A seat its own last answer, while nothing was drawn or shown and nobody else has answered since.
    Own,
    /// A seat any answer, if every other seat agrees.
    Consent,
}

/// When the seed of a finished match is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// To everybody, when the match is over.
    Public,
    /// To an auditor only: it would show what players were free to keep to themselves.
    Auditor,
}

/// What happens when a player's connection is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnDisconnect {
    /// Nothing: clocks decide.
    #[default]
    Wait,
    /// He forfeits when the grace is over.
    Forfeit,
    /// A bot plays for him when the grace is over, and gives the seat back when he returns.
    Bot,
    /// The game is told at once, and decides (a poker player sits out).
    SitOut,
}

/// How much patience a game has with a lost connection. Rules know of no connections: the house acts on this.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DisconnectPolicy {
    /// What happens in the end.
    pub on_disconnect: OnDisconnect,
    /// How long the player has to come back, in milliseconds.
    pub grace_ms: u64,
    /// Whether the match stands still in the meantime.
    pub pause: bool,
}

/// Somebody comes or goes. Only games with [`Game::VISITS`] are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visit {
    /// A player sits down in the middle of a match with this stake, which is already held for him.
    Join {
        seat: Seat,
        /// What he brings, in the table's currency.
        stake: i64,
    },
    /// A player gets up for good.
    Leave { seat: Seat },
    /// A player's connection is gone.
    Away { seat: Seat },
    /// A player's connection is back.
    Back { seat: Seat },
}

/// One thing that happens to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input<M> {
    /// A seat has answered what it was asked.
    Answer {
        seat: Seat,
        ask: AskId,
        /// What was said, checked.
        mv: M,
    },
    /// An ask has elapsed: nobody is left in it and its minimum is over, or a clock has run out.
    Elapsed {
        ask: AskId,
        /// On whom a clock of his own ran out; nobody, for a wait, a window or a common clock.
        seat: Option<Seat>,
    },
    /// Somebody comes or goes.
    Visit(Visit),
}

/// A side of a posting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Account {
    /// The player in this seat.
    Seat(Seat),
    /// What lies on the table: pots and stacks.
    Table,
    /// The house: rake and fees.
    House,
    /// Out of the world, on the books.
    Burn,
}

/// Tokens that move, from one account to another: double entry by construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Posting {
    pub from: Account,
    pub to: Account,
    /// How much, in the table's smallest unit; never negative.
    pub amount: i64,
}

/// Where the effects of an input go. In a simulation nobody listens and nothing is left of these calls.
pub trait Output<E> {
    /// Tells these viewers what happened. What a viewer sees changes only with what he is told.
    fn emit(&mut self, to: Seats, event: E);
    /// Moves tokens.
    fn post(&mut self, from: Account, to: Account, amount: i64);
    /// Gives time to the banks of these seats, up to a cap.
    fn add_time(&mut self, seats: Seats, add_ms: u32, cap_ms: u32);
    /// Notes that a seat has learnt something hidden. [`crate::Secrets::show`] does it by itself.
    fn mark_revealed(&mut self);
}

/// Nobody listens.
pub struct NoOutput;

impl<E> Output<E> for NoOutput {
    #[inline]
    fn emit(&mut self, _: Seats, _: E) {}
    #[inline]
    fn post(&mut self, _: Account, _: Account, _: i64) {}
    #[inline]
    fn add_time(&mut self, _: Seats, _: u32, _: u32) {}
    #[inline]
    fn mark_revealed(&mut self) {}
}

/// What a match starts from.
pub struct Setup<'a, G: Game> {
    pub settings: &'a G::Settings,
    /// How many seats there are.
    pub seats: u8,
    /// What the match before this one left behind.
    pub carry: Option<G::Carry>,
}

/// The rules of a game.
pub trait Game: Clone + Serialize + DeserializeOwned + Send + Sized + 'static {
    /// The name in commands and addresses, such as `oxo`.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// The version of the rules; raised only when an old log would play differently.
    const RULES: u32;
    /// The fewest and the most seats.
    const SEATS: (u8, u8);
    /// Who may take an answer back.
    const UNDO: Undo = Undo::None;
    /// When the seed is published.
    const REVEAL: Reveal = Reveal::Public;
    /// Whether the rules themselves deal with people who come and go. If not, whoever leaves forfeits.
    const VISITS: bool = false;
    /// What a match between players with accounts does to their ratings; none where nobody is rated.
    const RATING: Option<Rating> = None;

    /// What a table may set.
    type Settings: Serialize + DeserializeOwned + Default + Clone + Send;
    /// What a player says, untrusted: what the log holds.
    type Answer: Serialize + DeserializeOwned;
    /// What he means, checked: small, `Copy` where it can be.
    type Move: Clone + PartialEq + std::fmt::Debug;
    /// What happened, told to an audience.
    type Event: Serialize;
    /// What one match leaves to the next at the same table; `()` where a match is the whole story.
    type Carry: Serialize + DeserializeOwned;
    /// What one viewer may know: written by naming what is shown.
    type View<'a>: Serialize
    where
        Self: 'a;

    /// The first position, or why these settings cannot be played.
    ///
    /// # Errors
    /// Every setting that is wrong.
    fn start(
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Self::Event>,
    ) -> Result<Self, Refusal>;

    /// What stands. Nothing stands when the match is over.
    fn open_asks(&self) -> Asks;

    /// Adds every legal move of this seat, or a fair sample where there are too many to list.
    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Self::Move>);

    /// One random legal move.
    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng, scratch: &mut Vec<Self::Move>) -> Self::Move {
        scratch.clear();
        self.legal(seat, ask, scratch);
        rng.pick(scratch).clone()
    }

    /// Turns an answer into a move.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn check(&self, seat: Seat, ask: AskId, answer: &Self::Answer) -> Result<Self::Move, Refusal>;

    /// The answer that means this move: `check(to_answer(m)) == m`.
    fn to_answer(&self, seat: Seat, ask: AskId, mv: &Self::Move) -> Self::Answer;

    /// Lets one thing happen.
    fn apply(&mut self, input: Input<Self::Move>, rng: &mut Rng, out: &mut impl Output<Self::Event>);

    /// Describes an ask to the seat that is asked; built only when somebody looks.
    fn request(&self, seat: Seat, ask: AskId) -> Selector;

    /// What this viewer may know.
    fn view(&self, viewer: Viewer) -> Self::View<'_>;

    /// How it ended, once it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether somebody may come or go now. Asked only with [`Game::VISITS`].
    ///
    /// # Errors
    /// Why not.
    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        let _ = visit;
        Err(Refusal::of("no_visits", "nobody can come or go here"))
    }

    /// What to hand to the next match, where the table goes on after this one. `None` where a match cannot be linked.
    fn carry(&self) -> Option<Self::Carry> {
        None
    }

    /// A bot's choice among its legal moves, from what its seat sees. It has no way to see more.
    fn bot(view: &Self::View<'_>, legal: &[Self::Move], rng: &mut Rng) -> Self::Move {
        let _ = view;
        rng.pick(legal).clone()
    }

    /// Another state that none of these viewers can tell from this one, with every hidden fact open to change; `None`
    /// where nothing is hidden, or where it cannot be reshuffled (then no undo goes back past a draw).
    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let _ = (viewers, rng);
        None
    }

    /// Names every hidden fact that the viewer was shown, with its value: [`Secrets::known_facts`](crate::Secrets::known_facts)
    /// does it for games on the Secret store. Two worlds may look different to him only where a fact he knows in
    /// both has two values.
    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        let _ = (viewer, facts);
    }

    /// Tokens that lie on the table: what was posted to [`Account::Table`] less what was posted from it.
    fn escrow(&self) -> i64 {
        0
    }

    /// What of that belongs to this seat if the match is stopped here and nobody has won: all seats together, all of
    /// [`Game::escrow`]. The house pays it back.
    fn refund(&self, seat: Seat) -> i64 {
        let _ = seat;
        0
    }

    /// How much patience there is with a lost connection under these settings; `None` leaves it to the house.
    fn disconnect_policy(settings: &Self::Settings) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// What can be set, as a JSON Schema: names and types by themselves, and what the game adds to them.
    #[must_use]
    fn schema() -> Json {
        Schema::of(&serde_json::to_value(Self::Settings::default()).expect("settings are plain data")).json()
    }

    /// What the house needs to know before a match of this game runs.
    #[must_use]
    fn def() -> GameDef {
        GameDef::for_game::<Self>()
    }

    /// The state that these older rules saved, brought up to date; `None` where that cannot be done.
    fn migrate(rules: u32, state: &[u8]) -> Option<Self> {
        let _ = (rules, state);
        None
    }
}

/// A request whose choices are moves: gives a game its `request`, `check` and `to_answer` from one list.
pub struct Menu<M> {
    pub selector: Selector,
    /// The move behind each choice.
    pub moves: Vec<M>,
}

impl<M: Clone + PartialEq> Menu<M> {
    /// A menu of these moves; `label` names each.
    pub fn new(title: &str, moves: Vec<M>, label: impl Fn(&M) -> Choice) -> Self {
        Self { selector: Selector::pick(title, moves.iter().map(label).collect()), moves }
    }

    /// The move that the answer picks.
    ///
    /// # Errors
    /// Every fault of the answer.
    pub fn check(&self, answer: &Response) -> Result<M, Refusal> {
        let chosen = self.selector.validate(answer)?;
        let index = chosen.single().ok_or_else(|| Refusal::of("count", "pick exactly one"))?;
        Ok(self.moves[index].clone())
    }

    /// The answer that picks this move.
    ///
    /// # Panics
    /// When the move is not on the menu.
    pub fn to_answer(&self, mv: &M) -> Response {
        let index = self.moves.iter().position(|other| other == mv).expect("the move is on the menu");
        self.selector.to_answer(&[index])
    }
}
