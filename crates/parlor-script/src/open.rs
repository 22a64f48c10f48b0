//! An open request of a script: the seats it asks, the answers so far, and its ids.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use parlor_core::limits::{ASKS_MAX, SEATS_MAX};
use parlor_core::{Ask, AskId, Asks, Json, Refusal, Rng, Seat, Seats, Selector};

use crate::question::{CheckedAnswer, Question};
use crate::script::Script;

/// One seat's answer to a group of requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatAnswer<A> {
    pub seat: Seat,
    pub answer: A,
    /// Whether it was automatic: there was no choice, or the clock ran out.
    pub auto: bool,
}

/// Which seats must answer before the script continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    All,
    /// Any one of them.
    First,
}

/// An open request, as the executor uses it.
pub(crate) trait Asked<S> {
    fn describe(&self, game: &S, seat: Seat) -> Selector;
    fn read(&self, game: &S, seat: Seat, answer: &Json) -> Result<CheckedAnswer, Refusal>;
    fn to_answer(&self, game: &S, seat: Seat, answer: &CheckedAnswer) -> Json;
    fn sample(&self, game: &S, seat: Seat, rng: &mut Rng) -> CheckedAnswer;
    fn legal(&self, game: &S, seat: Seat) -> Vec<CheckedAnswer>;
    fn bot(&self, game: &S, seat: Seat, rng: &mut Rng) -> CheckedAnswer;
    /// The answers that no other viewer knows yet.
    fn sealed(&self) -> &[SeatAnswer<CheckedAnswer>];
    /// Replaces the sealed answers.
    fn seal(&mut self, sealed: Vec<SeatAnswer<CheckedAnswer>>);
    /// The sealed answers, with random ones in place of those that none of these viewers gave.
    fn resealed(&self, game: &S, viewers: Seats, rng: &mut Rng) -> Vec<SeatAnswer<CheckedAnswer>>;
    fn asks(&self) -> Asks;
    fn answer(&mut self, game: &S, seat: Seat, answer: CheckedAnswer);
    fn elapse(&mut self, game: &S, ask: AskId, seat: Option<Seat>);
    fn closed(&self) -> bool;
}

/// A group of requests, one to each of its seats.
pub(crate) struct Open<F, W> {
    pub(crate) mode: Mode,
    /// In the order of the script's call.
    pub(crate) seats: ArrayVec<Seat, SEATS_MAX>,
    pub(crate) question: F,
    pub(crate) given: Vec<SeatAnswer<CheckedAnswer>>,
    /// The id of the group's request.
    pub(crate) id: u32,
    /// Seats whose request has its own id.
    pub(crate) own: Vec<(Seat, u32)>,
    /// The time limit and undo terms of the first seat's request, as an ask of no seat.
    pub(crate) form: Ask,
    elapsed: bool,
    wishes: PhantomData<fn() -> W>,
}

impl<F, W: Question> Open<F, W> {
    pub(crate) fn new(mode: Mode, seats: impl IntoIterator<Item = Seat>, question: F) -> Self {
        let seats: ArrayVec<Seat, SEATS_MAX> = seats.into_iter().collect();
        for (n, seat) in seats.iter().enumerate() {
            assert!(!seats[..n].contains(seat), "{seat:?} is asked twice at once");
        }
        assert!(mode == Mode::All || (1..=ASKS_MAX).contains(&seats.len()), "any asks 1 to {ASKS_MAX} seats");
        let form = Ask::request(0, Seats::NONE);
        Self {
            mode,
            seats,
            question,
            given: Vec::new(),
            id: 0,
            own: Vec::new(),
            form,
            elapsed: false,
            wishes: PhantomData,
        }
    }

    pub(crate) fn waiting(&self) -> Seats {
        let answered = |seat: &Seat| self.given.iter().any(|given| given.seat == *seat);
        self.seats.iter().copied().filter(|seat| !answered(seat)).collect()
    }

    pub(crate) fn id_of(&self, seat: Seat) -> u32 {
        self.own.iter().find(|(owner, _)| *owner == seat).map_or(self.id, |(_, id)| *id)
    }

    /// Removes and returns this seat's answer.
    pub(crate) fn take(&mut self, seat: Seat) -> Option<SeatAnswer<CheckedAnswer>> {
        let place = self.given.iter().position(|given| given.seat == seat)?;
        Some(self.given.swap_remove(place))
    }
}

impl<S, F, W> Asked<S> for Open<F, W>
where
    S: Script,
    W: Question,
    F: Fn(&S, Seat) -> W,
{
    fn describe(&self, game: &S, seat: Seat) -> Selector {
        (self.question)(game, seat).describe()
    }

    fn read(&self, game: &S, seat: Seat, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        (self.question)(game, seat).read(answer)
    }

    fn to_answer(&self, game: &S, seat: Seat, answer: &CheckedAnswer) -> Json {
        (self.question)(game, seat).to_answer(answer)
    }

    fn sample(&self, game: &S, seat: Seat, rng: &mut Rng) -> CheckedAnswer {
        (self.question)(game, seat).sample(rng)
    }

    fn legal(&self, game: &S, seat: Seat) -> Vec<CheckedAnswer> {
        (self.question)(game, seat).legal()
    }

    fn bot(&self, game: &S, seat: Seat, rng: &mut Rng) -> CheckedAnswer {
        bot(game, seat, &(self.question)(game, seat), rng)
    }

    fn sealed(&self) -> &[SeatAnswer<CheckedAnswer>] {
        &self.given
    }

    fn seal(&mut self, sealed: Vec<SeatAnswer<CheckedAnswer>>) {
        self.given = sealed;
    }

    fn resealed(&self, game: &S, viewers: Seats, rng: &mut Rng) -> Vec<SeatAnswer<CheckedAnswer>> {
        let mut sealed = self.given.clone();
        for given in sealed.iter_mut().filter(|given| !given.auto && !viewers.has(given.seat)) {
            given.answer = (self.question)(game, given.seat).sample(rng);
        }
        sealed
    }

    fn asks(&self) -> Asks {
        let waiting = self.waiting();
        let mut asks = Asks::new();
        let mut group = waiting;
        for (seat, id) in self.own.iter().filter(|(seat, _)| waiting.has(*seat)) {
            group = group.without(*seat);
            asks.push(Ask { id: AskId(*id), seats: Seats::only(*seat), ..self.form });
        }
        if !group.is_empty() || asks.is_empty() {
            asks.push(Ask { id: AskId(self.id), seats: group, ..self.form });
        }
        asks
    }

    fn answer(&mut self, game: &S, seat: Seat, answer: CheckedAnswer) {
        assert!(
            self.waiting().has(seat),
            "{seat:?} is not asked: the rules are not those that wrote this log"
        );
        let question = (self.question)(game, seat);
        assert!(
            question.fits(&answer),
            "{answer:?} is no answer here: the rules are not those that wrote this log"
        );
        self.given.push(SeatAnswer { seat, answer, auto: false });
    }

    fn elapse(&mut self, game: &S, ask: AskId, seat: Option<Seat>) {
        let late: Vec<Seat> = self
            .waiting()
            .iter()
            .filter(|waiting| seat.map_or(self.id_of(*waiting) == ask.0, |seat| seat == *waiting))
            .collect();
        for seat in late {
            let answer = (self.question)(game, seat).by_clock();
            self.given.push(SeatAnswer { seat, answer, auto: true });
        }
        self.elapsed = seat.is_none();
    }

    fn closed(&self) -> bool {
        let answered = match self.mode {
            Mode::All => self.given.len() == self.seats.len(),
            Mode::First => !self.given.is_empty(),
        };
        answered && (self.form.min_ms == 0 || self.elapsed)
    }
}

/// The answer of the script's bot, or a random one if it returns none.
pub(crate) fn bot<S: Script>(game: &S, seat: Seat, question: &impl Question, rng: &mut Rng) -> CheckedAnswer {
    let answer = S::bot(&game.view(seat.into()), &question.offer(), rng);
    answer.unwrap_or_else(|| question.sample(rng))
}
