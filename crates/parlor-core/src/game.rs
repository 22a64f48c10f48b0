//! The [`Game`] trait: what a game author implements.
//!
//! A [`Game`] is a plain value. It lists its open asks, checks an untrusted [`Game::Answer`] into a trusted
//! [`Game::Move`], and applies one [`Input`] at a time. `apply` cannot fail: only `check`, `legal` and `sample`
//! create moves. No game implements what the engine can derive: ids, clocks, versions, undo, replay, deltas, twins.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Json;
use crate::ask::{Ask, AskId, Asks};
use crate::bots::{BotChoice, BotDef};
use crate::code::HouseCode;
use crate::dyn_game::DialectAction;
use crate::game_def::GameDef;
use crate::lobby::Lobby;
use crate::outcome::Outcome;
use crate::rating::Rating;
use crate::refusal::Refusal;
use crate::rng::Rng;
use crate::schema::Schema;
use crate::seat::{Seat, Seats, Viewer};
use crate::secrets::Facts;
use crate::selector::{Choice, Response, Selector};
use crate::sim::SeatCounts;

/// Who may take an answer back (000/R5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Undo {
    None,
    /// A seat may take back its own last answer, unless something was drawn or shown, or another seat has answered
    /// since.
    Own,
    /// A seat may take back any answer if every other seat agrees.
    Consent,
}

/// When the seed of a finished match is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reveal {
    /// To everyone, when the match is over.
    Public,
    /// To an auditor only: it would reveal what players were free to keep secret.
    Auditor,
}

/// What happens when a player's connection is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnDisconnect {
    /// Nothing: the clocks decide.
    #[default]
    Wait,
    /// The player forfeits when the grace period is over.
    Forfeit,
    /// A bot plays for the player when the grace period is over, until they return.
    Bot,
    /// The game is notified at once, and decides (a poker player sits out).
    SitOut,
}

/// A game's policy for lost connections. The rules know nothing of connections: the host acts on this.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DisconnectPolicy {
    /// Applied when the grace period is over.
    pub on_disconnect: OnDisconnect,
    /// How long the player has to come back, in milliseconds.
    pub grace_ms: u64,
    /// Whether the match is paused in the meantime.
    pub pause: bool,
    /// How long the table waits for its last human player, in milliseconds; the server's own time if none.
    pub last_human_grace_ms: Option<u64>,
    /// The name of the bot that plays for the player; the game's first if none.
    pub stand_in: Option<&'static str>,
}

/// A player joins, leaves, disconnects or reconnects. Only games with [`Game::VISITS`] are notified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visit {
    /// A player joins during a match with this stake, which is already in escrow.
    Join {
        seat: Seat,
        /// In the table's currency.
        stake: i64,
        /// Who it is: a number that is theirs whenever they come to this table; 0 if nobody knows.
        #[serde(default, skip_serializing_if = "is_zero")]
        player: u64,
    },
    /// A player leaves for good.
    Leave {
        seat: Seat,
        /// As in [`Visit::Join`].
        #[serde(default, skip_serializing_if = "is_zero")]
        player: u64,
    },
    /// A player's connection is lost.
    Away { seat: Seat },
    /// A player has reconnected.
    Back { seat: Seat },
}

impl Visit {
    /// Somebody joins of whom nothing is known.
    #[must_use]
    pub const fn join(seat: Seat, stake: i64) -> Self {
        Self::Join { seat, stake, player: 0 }
    }

    /// Somebody leaves of whom nothing is known.
    #[must_use]
    pub const fn leave(seat: Seat) -> Self {
        Self::Leave { seat, player: 0 }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// One input to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input<M> {
    /// A seat has answered an ask.
    Answer {
        seat: Seat,
        ask: AskId,
        /// Checked by [`Game::check`].
        mv: M,
    },
    /// An ask has elapsed: no seat is left in it and its minimum time is over, or a clock has run out.
    Elapsed {
        ask: AskId,
        /// The seat whose own clock ran out; none for a wait, a window or a common clock.
        seat: Option<Seat>,
    },
    Visit(Visit),
}

/// A side of a posting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Account {
    /// The player in this seat.
    Seat(Seat),
    /// The escrow of the table: pots and stacks.
    Table,
    /// The operator of the server: rake and fees.
    House,
    /// Tokens that leave circulation; the books still show them.
    Burn,
}

/// Tokens that move from one account to another: double-entry by construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Posting {
    pub from: Account,
    pub to: Account,
    /// In the table's smallest unit; never negative.
    pub amount: i64,
}

/// Receives the effects of an input. In a simulation these calls do nothing and compile to nothing.
pub trait Output<E> {
    /// Whether anybody is told: in a simulation events need not be made. It is known when the rules are compiled, so that
    /// rules that ask cost a simulation nothing.
    const LISTENS: bool = true;
    /// Emits an event to these viewers. A viewer's view changes only together with an event to them.
    fn emit(&mut self, to: Seats, event: E);
    /// Moves tokens.
    fn post(&mut self, from: Account, to: Account, amount: i64);
    /// Adds time to the banks of these seats, up to a cap.
    fn add_time(&mut self, seats: Seats, add_ms: u32, cap_ms: u32);
    /// Notes that a seat has learnt something hidden. [`crate::Secrets::show`] calls this itself.
    fn mark_revealed(&mut self);
    /// Notes in the operator's log what an honest client of this seat would not have sent. No client is told.
    #[inline]
    fn warn(&mut self, seat: Seat, what: &'static str) {
        let _ = (seat, what);
    }
    /// Blames a seat for data that no honest client can have sent, where it shows only after the answer was accepted: the
    /// seat is expelled, and a bot plays on for it.
    #[inline]
    fn blame(&mut self, seat: Seat, what: &'static str) {
        let _ = (seat, what);
    }
    /// The rules have sent this seat's player away: the seat is free, as if they had left.
    #[inline]
    fn dismiss(&mut self, seat: Seat) {
        let _ = seat;
    }
}

/// Discards all output.
pub struct NoOutput;

impl<E> Output<E> for NoOutput {
    const LISTENS: bool = false;

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
    pub seats: u8,
    /// What each seat brings; none for a free seat. As long as `seats`.
    pub seated: &'a [Option<i64>],
    /// What the previous match carried over.
    pub carry: Option<G::Carry>,
}

impl<G: Game> Setup<'_, G> {
    /// The seats that are taken.
    #[must_use]
    pub fn taken(&self) -> Seats {
        let taken = |(n, seat): (usize, &Option<i64>)| seat.map(|_| Seat::new(n as u8));
        self.seated.iter().enumerate().filter_map(taken).collect()
    }

    /// What the player in this seat brings, in the table's smallest unit; 0 if that is left to the game.
    #[must_use]
    pub fn stake(&self, seat: Seat) -> i64 {
        self.seated.get(seat.index()).copied().flatten().unwrap_or(0)
    }
}

/// The money of a table. The two are never exchanged for one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Money {
    /// Tokens of the players' accounts.
    #[default]
    Tokens,
    /// Play money, which the house refills.
    Play,
}

/// How players take and leave seats while a table runs. A game without it starts when every seat is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OpenSeating {
    /// The seats that must be taken before the first match starts.
    pub start_with: u8,
    /// The least that a player brings.
    pub buy_in_min: i64,
    /// The most that a player brings.
    pub buy_in_max: i64,
    pub money: Money,
    /// The smallest bet, by which a table is asked for; 0 where nothing is bet.
    #[serde(skip)]
    pub min_bet: i64,
}

/// The rules of a game.
pub trait Game: Clone + Serialize + DeserializeOwned + Send + Sized + 'static {
    /// The name in commands and URLs, such as `oxo`.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// The version of the rules; raised only when an old log would play differently.
    const RULES: u32;
    /// Older versions of the rules that differ only in that nothing was answered automatically: their logs hold every
    /// answer, and go on that way.
    const RULES_WITHOUT_AUTO: &'static [u32] = &[];
    /// The minimum and maximum number of seats.
    const SEATS: (u8, u8);
    /// Who may take an answer back.
    const UNDO: Undo = Undo::None;
    /// When the seed is published.
    const REVEAL: Reveal = Reveal::Public;
    /// Whether the rules themselves handle players who join and leave. If not, a player who leaves forfeits.
    const VISITS: bool = false;
    /// What a match between players with accounts does to their ratings; none if the game is not rated.
    const RATING: Option<Rating> = None;
    /// The bots that the game ships; the first plays where nobody chose one.
    const BOTS: &'static [BotDef] = &[BotDef::DEFAULT];
    /// What a lobby knows of the game.
    const LOBBY: Lobby = Lobby::DEFAULT;

    /// The settings of a table.
    type Settings: Serialize + DeserializeOwned + Default + Clone + Send;
    /// A player's untrusted answer, as the log stores it.
    type Answer: Serialize + DeserializeOwned;
    /// A checked move: small, `Copy` if possible.
    type Move: Clone + PartialEq + std::fmt::Debug;
    /// An event, emitted to an audience.
    type Event: Serialize;
    /// What one match carries over to the next at the same table; `()` if matches are not linked.
    type Carry: Serialize + DeserializeOwned;
    /// What one viewer may know. A view names what it shows; it never hides parts of the state.
    type View<'a>: Serialize
    where
        Self: 'a;

    /// The first position.
    ///
    /// # Errors
    /// Every setting that is wrong.
    fn start(
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Self::Event>,
    ) -> Result<Self, Refusal>;

    /// The open asks; none when the match is over.
    fn open_asks(&self) -> Asks;

    /// The ask that a simulation answers next: of the open asks that block, the first of a seat, or else the first wait. A
    /// game may say it faster than by listing all asks, never differently.
    fn next_ask(&self) -> Option<Ask> {
        crate::sim::next(&self.open_asks()).copied()
    }

    /// Adds every legal move of this seat, or a fair sample if there are too many to list.
    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Self::Move>);

    /// A random legal move.
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

    /// Applies one input.
    fn apply(&mut self, input: Input<Self::Move>, rng: &mut Rng, out: &mut impl Output<Self::Event>);

    /// Describes an ask to the seat that is asked; called only when a client needs it.
    fn request(&self, seat: Seat, ask: AskId) -> Selector;

    /// What this viewer may know.
    fn view(&self, viewer: Viewer) -> Self::View<'_>;

    /// The result, once there is one.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether this visit is possible now. Called only with [`Game::VISITS`].
    ///
    /// # Errors
    /// Why not.
    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        let _ = visit;
        Err(Refusal::of(HouseCode::NoVisits, "nobody can come or go here"))
    }

    /// Seats whose player has left while something of theirs is still at the table, such as a hand that is played to
    /// its end: nobody else sits down there yet, and what the seat is paid is theirs.
    fn vacating(&self) -> Seats {
        Seats::NONE
    }

    /// The least and the most that this player may bring now; none if it is what [`OpenSeating`] says. The number is that
    /// of [`Visit::Join`].
    fn buy_in(&self, player: u64) -> Option<(i64, i64)> {
        let _ = player;
        None
    }

    /// What to carry to the next match, if the table goes on after this one. `None` if the match cannot be linked.
    fn carry(&self) -> Option<Self::Carry> {
        None
    }

    /// Goes on to the next match of the table; false if none follows, and then nothing has changed. `setup` carries nothing.
    /// A simulation plays match after match: a game may go on in place, never to another state than [`Game::start`] makes
    /// of [`Game::carry`].
    ///
    /// # Errors
    /// As [`Game::start`].
    fn next_match(
        &mut self,
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Self::Event>,
    ) -> Result<bool, Refusal> {
        let Some(carry) = self.carry() else { return Ok(false) };
        *self = Self::start(Setup { carry: Some(carry), ..setup }, rng, out)?;
        Ok(true)
    }

    /// A bot's choice among its legal moves. It sees only its seat's view, and has no way to see more.
    fn bot(view: &Self::View<'_>, legal: &[Self::Move], rng: &mut Rng) -> Self::Move {
        let _ = view;
        rng.pick(legal).clone()
    }

    /// The choice of the bot with this name and level, one of [`Game::BOTS`]. Games with one bot write
    /// [`Game::bot`] alone.
    fn bot_named(bot: &BotChoice, view: &Self::View<'_>, legal: &[Self::Move], rng: &mut Rng) -> Self::Move {
        let _ = bot;
        Self::bot(view, legal, rng)
    }

    /// What this move takes from the account of the player in the seat, such as the chips of a top-up. The house
    /// reserves it before it applies the move, and the move posts no more than that from the seat.
    fn cost(&self, seat: Seat, mv: &Self::Move) -> i64 {
        let _ = (seat, mv);
        0
    }

    /// A twin: another state that none of these viewers can tell from this one, in which every hidden fact may
    /// differ; `None` if nothing is hidden, or if it cannot be reshuffled (then no undo goes back past a draw).
    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let _ = (viewers, rng);
        None
    }

    /// Names every hidden fact that the viewer was shown, with its value;
    /// [`Secrets::known_facts`](crate::Secrets::known_facts) does so for games that use [`Secrets`](crate::Secrets).
    /// Two twins may look different to the viewer only if a fact that the viewer knows in both has two values.
    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        let _ = (viewer, facts);
    }

    /// What a message in the game's own dialect means here; `None` if the game has no dialect.
    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        let _ = (seat, words);
        None
    }

    /// What a message in the game's own dialect means that comes from a viewer without a seat, with their name; `None` if
    /// only players may speak.
    fn interpret_guest(&self, name: &str, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        let _ = (name, words);
        None
    }

    /// What a seat can do now, in the game's own dialect, as [`DynGame::actions`](crate::DynGame::actions) says.
    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        let _ = (seat, wanted);
        None
    }

    /// Counts what is worth knowing about the bots of an arena, such as the rounds that each seat won; called once after
    /// every input.
    fn count(&self, counts: &mut SeatCounts) {
        let _ = counts;
    }

    /// Tokens in escrow: those posted to [`Account::Table`] minus those posted from it.
    fn escrow(&self) -> i64 {
        0
    }

    /// This seat's part of the escrow if the match is stopped here without a winner. The parts of all seats add up to
    /// [`Game::escrow`]; the engine pays them back.
    fn refund(&self, seat: Seat) -> i64 {
        let _ = seat;
        0
    }

    /// The policy for lost connections under these settings; `None` leaves it to the table.
    fn disconnect_policy(settings: &Self::Settings) -> Option<DisconnectPolicy> {
        let _ = settings;
        None
    }

    /// How players take and leave seats while the table runs, under these settings; needs [`Game::VISITS`]. `None` if
    /// everybody sits down before the first match.
    fn open_seating(settings: &Self::Settings) -> Option<OpenSeating> {
        let _ = settings;
        None
    }

    /// A JSON Schema of the settings: names and types are derived, and the game may add to them.
    #[must_use]
    fn schema() -> Json {
        Schema::of(&serde_json::to_value(Self::Settings::default()).expect("settings are plain data")).json()
    }

    /// The definition of this game, which the server needs before a match runs.
    #[must_use]
    fn def() -> GameDef {
        GameDef::for_game::<Self>()
    }

    /// A state saved by these older rules, converted to the current ones; `None` if that is impossible.
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
        let index = chosen.single().ok_or_else(|| Refusal::of(HouseCode::Count, "pick exactly one"))?;
        Ok(self.moves[index].clone())
    }

    /// The answer that picks this move.
    ///
    /// # Panics
    /// If the move is not on the menu.
    pub fn to_answer(&self, mv: &M) -> Response {
        let index = self.moves.iter().position(|other| other == mv).expect("the move is on the menu");
        self.selector.to_answer(&[index])
    }
}
