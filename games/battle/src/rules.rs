//! The state of a match, and the rules behind the `Game` trait.

use parlor_core::ask::one;
use parlor_core::game::{DisconnectPolicy, OnDisconnect};
use parlor_core::{
    Account, Ask, AskId, Asks, Facts, Game, Input, Json, Lobby, Outcome, Output, Rating, Refusal, Rng, Route,
    Seat, Seats, Selector, Setup, Undo, Viewer, Visit,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{Answer, LayoutAnswer, Move, Wrong};
use crate::card::Hand;
use crate::end::{End, Reason, SEATS, Verdict, other};
use crate::event::Event;
use crate::layout::{Layout, SLOTS, Sifted};
use crate::resolve::MAX_HP;
use crate::settings::{Profile, Settings};
use crate::view::View;

/// Asks of one round: the layout, its draft, then a wait for each step of the reveal.
const ASKS: u32 = 8;
const DRAFT: u32 = 1;

/// The document's queue knows this game only (002/R12). The lobby plays for nothing, and a round ends with the second
/// confirm.
const LOBBY: Lobby = Lobby {
    order: 3,
    settings: Some(|| json!({"profile": "standard", "stake": 0})),
    default_for: &[Route::Queue],
    scores: Some("/hp"),
    ..Lobby::DEFAULT
};

/// What the operator's log says of a draft with a card that is not in the hand (002-8).
const INVALID_CARD: &str = "[INVALID_CARD_FROM_CLIENT]";

/// Points and leagues of the spec page.
const RATING: Rating = Rating {
    won: 5,
    lost: -2,
    drawn: 0,
    floor: 0,
    leagues: &[("wood", 0), ("iron", 100), ("bronze", 200), ("silver", 350), ("gold", 550), ("mythic", 800)],
};

/// A match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Battle {
    pub(crate) settings: Settings,
    /// Counted from 1.
    pub(crate) round: u32,
    /// 0 in PREP; then the step that is turned over next, from 1, and one more after the last.
    pub(crate) step: u8,
    pub(crate) sides: [Side; 2],
    pub(crate) end: Option<End>,
}

/// One player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) hp: u8,
    /// The draft, until a confirm takes its place.
    pub(crate) laid: Layout,
    /// What was laid in the round before, by now known to everybody.
    pub(crate) last: Layout,
    /// Whether anything came from this player in this round.
    pub(crate) present: bool,
    pub(crate) confirmed: bool,
    /// Rounds in a row in which nothing came.
    pub(crate) afk: u8,
}

impl Side {
    const START: Self = Self {
        hp: MAX_HP,
        laid: Layout::EMPTY,
        last: Layout::EMPTY,
        present: false,
        confirmed: false,
        afk: 0,
    };

    pub(crate) fn next_round(&mut self) {
        (self.last, self.laid) = (self.laid, Layout::EMPTY);
        (self.present, self.confirmed) = (false, false);
    }
}

impl Battle {
    pub(crate) fn hp(&self) -> [u8; 2] {
        self.sides.map(|side| side.hp)
    }

    pub(crate) fn sudden_death(&self) -> bool {
        self.round > self.settings.round_limit.into()
    }

    /// How many slots of this round are revealed.
    pub(crate) fn steps_shown(&self) -> usize {
        usize::from(self.step.saturating_sub(1))
    }

    pub(crate) fn holds_tokens(&self) -> i64 {
        if self.end.is_some() { 0 } else { 2 * i64::from(self.settings.stake) }
    }

    /// Whether PREP runs to its deadline even if both have confirmed.
    pub(crate) fn waits(&self) -> bool {
        self.settings.profile == Profile::Document
    }

    fn unconfirmed(&self) -> Seats {
        SEATS.into_iter().filter(|seat| !self.sides[seat.index()].confirmed).collect()
    }

    fn hand(&self, seat: Seat) -> &Hand {
        &self.settings.hands[seat.index()]
    }

    fn is_draft(ask: AskId) -> bool {
        ask.0 % ASKS == DRAFT
    }

    fn lay(ask: AskId, layout: Layout) -> Move {
        if Self::is_draft(ask) { Move::Draft(Sifted { layout, dropped: 0 }) } else { Move::Confirm(layout) }
    }

    fn answered(&mut self, seat: Seat, mv: Move, out: &mut impl Output<Event>) {
        let side = &mut self.sides[seat.index()];
        side.present = true;
        let event = match mv {
            Move::Draft(Sifted { layout, dropped }) => {
                side.laid = layout;
                if dropped != 0 {
                    out.warn(seat, INVALID_CARD);
                }
                let invalid = (0..SLOTS as u8).filter(|n| dropped & 1 << n != 0).collect();
                Event::Drafted { layout, invalid }
            }
            Move::Confirm(layout) => {
                (side.laid, side.confirmed) = (layout, true);
                Event::Confirmed { layout }
            }
            Move::Present(wrong) => Event::Present { error: wrong.fault() },
        };
        out.emit(Seats::only(seat), event);
    }
}

impl Game for Battle {
    const NAME: &'static str = "battle";
    const TITLE: &'static str = "Battle";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::None;
    const VISITS: bool = true;
    const RATING: Option<Rating> = Some(RATING);
    const LOBBY: Lobby = LOBBY;

    type Settings = Settings;
    type Answer = Answer;
    type Move = Move;
    type Event = Event;
    type Carry = ();
    type View<'a> = View;

    fn start(setup: Setup<'_, Self>, _: &mut Rng, out: &mut impl Output<Event>) -> Result<Self, Refusal> {
        let settings = *setup.settings;
        settings.check()?;
        for seat in SEATS {
            out.post(Account::Seat(seat), Account::Table, settings.stake.into());
        }
        let game = Self { settings, round: 1, step: 0, sides: [Side::START; 2], end: None };
        game.prepare(out);
        Ok(game)
    }

    fn open_asks(&self) -> Asks {
        let id = self.round * ASKS;
        match self.step {
            _ if self.end.is_some() => Asks::new(),
            0 => {
                let (prep, seats) = (self.settings.prep_ms, self.unconfirmed());
                let layout = Ask::request(id, seats).within(prep);
                let mut asks = one(if self.waits() { layout.at_least(prep) } else { layout });
                asks.push(Ask::draft(id + DRAFT, seats));
                asks
            }
            1 => one(Ask::wait(id + 2, self.settings.first_reveal_ms)),
            step => one(Ask::wait(id + 1 + u32::from(step), self.settings.reveal_ms)),
        }
    }

    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Move>) {
        let hand = self.hand(seat);
        if *hand == Hand::default() {
            moves.extend(Layout::DEFAULT.iter().map(|layout| Self::lay(ask, *layout)));
        } else {
            moves.extend(Layout::all(hand).map(|layout| Self::lay(ask, layout)));
        }
    }

    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        if *self.hand(seat) == Hand::default() {
            return Self::lay(ask, *rng.pick(&Layout::DEFAULT));
        }
        scratch.clear();
        self.legal(seat, ask, scratch);
        *rng.pick(scratch)
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Answer) -> Result<Move, Refusal> {
        let wrong = match &answer.layout {
            LayoutAnswer::Other => Wrong::Shape,
            LayoutAnswer::Three(entries) => {
                let sifted = self.hand(seat).sift(entries);
                if Self::is_draft(ask) {
                    return Ok(Move::Draft(sifted));
                }
                if sifted.dropped == 0 {
                    return Ok(Move::Confirm(sifted.layout));
                }
                Wrong::Cards
            }
        };
        // The first answer in a round counts as a sign of life even if it is wrong. It must not be refused: a refusal
        // leaves no record, so the rules would not know of it.
        if self.sides[seat.index()].present { Err(wrong.into()) } else { Ok(Move::Present(wrong)) }
    }

    fn to_answer(&self, _: Seat, _: AskId, mv: &Move) -> Answer {
        mv.to_answer()
    }

    fn apply(&mut self, input: Input<Move>, _: &mut Rng, out: &mut impl Output<Event>) {
        match input {
            _ if self.end.is_some() => {}
            Input::Answer { seat, mv, .. } => self.answered(seat, mv, out),
            Input::Elapsed { .. } if self.step == 0 => self.finalize_round(out),
            Input::Elapsed { .. } => self.reveal(out),
            Input::Visit(Visit::Leave { seat, .. }) => {
                self.end_match(Reason::Disconnect, Verdict::Won(other(seat)), out);
            }
            Input::Visit(Visit::Away { .. } | Visit::Back { .. } | Visit::Join { .. }) => {}
        }
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        let title = if Self::is_draft(ask) { "Draft a layout" } else { "Confirm a layout" };
        let mut selector = Selector::action(title);
        selector.meta = Some(json!({"hand": self.hand(seat), "slots": SLOTS}));
        selector
    }

    fn view(&self, viewer: Viewer) -> View {
        self.seen_by(viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| end.outcome())
    }

    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        let seat = match visit {
            Visit::Join { .. } => return Err(Refusal::of("join", "nobody can join a battle that has begun")),
            Visit::Leave { seat, .. } | Visit::Away { seat } | Visit::Back { seat } => seat,
        };
        if seat.index() >= SEATS.len() {
            return Err(Refusal::of("unknown_seat", "there is no such seat"));
        }
        Ok(())
    }

    fn bot(view: &View, legal: &[Move], rng: &mut Rng) -> Move {
        crate::bot::choose(view, legal, rng)
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        Some(self.twin(viewers, rng))
    }

    fn known_facts(&self, _: Viewer, facts: &mut Facts) {
        self.facts(facts);
    }

    fn escrow(&self) -> i64 {
        self.holds_tokens()
    }

    fn refund(&self, _: Seat) -> i64 {
        self.holds_tokens() / 2
    }

    fn disconnect_policy(settings: &Settings) -> Option<DisconnectPolicy> {
        let grace_ms = settings.profile.grace_ms();
        let pause = grace_ms > 0;
        let on_disconnect = OnDisconnect::Forfeit;
        Some(DisconnectPolicy { on_disconnect, grace_ms, pause, ..DisconnectPolicy::default() })
    }

    fn schema() -> Json {
        Settings::schema()
    }
}
