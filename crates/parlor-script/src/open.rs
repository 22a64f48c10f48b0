//! A request that stands: whom it asks, what has been said so far, and under which ids it is known.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use parlor_core::limits::{ASKS_MAX, SEATS_MAX};
use parlor_core::{Ask, AskId, Asks, Json, Luck, Refusal, Seat, Seats, Selector};

use crate::script::Script;
use crate::wish::{Said, Wish};

/// One seat's answer to a group of requests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given<A> {
    /// Who answered.
    pub seat: Seat,
    /// What.
    pub answer: A,
    /// Whether it came by itself: there was no choice, or the clock ran out.
    pub auto: bool,
}

/// Who must answer before the script goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Everybody who is asked.
    All,
    /// The first.
    First,
}

/// A standing request, seen from the executor.
pub(crate) trait Asked<S> {
    fn describe(&self, game: &S, seat: Seat) -> Selector;
    fn read(&self, game: &S, seat: Seat, answer: &Json) -> Result<Said, Refusal>;
    fn say(&self, game: &S, seat: Seat, said: &Said) -> Json;
    fn sample(&self, game: &S, seat: Seat, luck: &mut Luck) -> Said;
    fn legal(&self, game: &S, seat: Seat) -> Vec<Said>;
    fn bot(&self, game: &S, seat: Seat, luck: &mut Luck) -> Said;
    /// What has been said and is not known to anybody else yet.
    fn sealed(&self) -> &[Given<Said>];
    /// Puts other sealed answers in place of these.
    fn seal(&mut self, sealed: Vec<Given<Said>>);
    /// The sealed answers, with others in place of those that none of these viewers gave.
    fn resealed(&self, game: &S, viewers: Seats, luck: &mut Luck) -> Vec<Given<Said>>;
    fn asks(&self) -> Asks;
    fn answer(&mut self, game: &S, seat: Seat, said: Said);
    fn elapse(&mut self, game: &S, ask: AskId, seat: Option<Seat>);
    fn closed(&self) -> bool;
}

/// A group of requests, one to each of its seats.
pub(crate) struct Open<F, W> {
    pub(crate) mode: Mode,
    /// In the order of the selectors.
    pub(crate) seats: ArrayVec<Seat, SEATS_MAX>,
    pub(crate) wish: F,
    pub(crate) given: Vec<Given<Said>>,
    /// The request of the group.
    pub(crate) id: u32,
    /// Seats whose request goes by an id of its own.
    pub(crate) own: Vec<(Seat, u32)>,
    /// What the first seat's request says about clocks and undo, as an ask of nobody.
    pub(crate) form: Ask,
    elapsed: bool,
    wishes: PhantomData<fn() -> W>,
}

impl<F, W: Wish> Open<F, W> {
    pub(crate) fn new(mode: Mode, seats: impl IntoIterator<Item = Seat>, wish: F) -> Self {
        let seats: ArrayVec<Seat, SEATS_MAX> = seats.into_iter().collect();
        for (n, seat) in seats.iter().enumerate() {
            assert!(!seats[..n].contains(seat), "{seat:?} is asked twice at once");
        }
        assert!(mode == Mode::All || (1..=ASKS_MAX).contains(&seats.len()), "any asks 1 to {ASKS_MAX} seats");
        let form = Ask::request(0, Seats::NONE);
        Self {
            mode,
            seats,
            wish,
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

    /// What was said by this seat.
    pub(crate) fn take(&mut self, seat: Seat) -> Option<Given<Said>> {
        let place = self.given.iter().position(|given| given.seat == seat)?;
        Some(self.given.swap_remove(place))
    }
}

impl<S, F, W> Asked<S> for Open<F, W>
where
    S: Script,
    W: Wish,
    F: Fn(&S, Seat) -> W,
{
    fn describe(&self, game: &S, seat: Seat) -> Selector {
        (self.wish)(game, seat).describe()
    }

    fn read(&self, game: &S, seat: Seat, answer: &Json) -> Result<Said, Refusal> {
        (self.wish)(game, seat).read(answer)
    }

    fn say(&self, game: &S, seat: Seat, said: &Said) -> Json {
        (self.wish)(game, seat).say(said)
    }

    fn sample(&self, game: &S, seat: Seat, luck: &mut Luck) -> Said {
        (self.wish)(game, seat).sample(luck)
    }

    fn legal(&self, game: &S, seat: Seat) -> Vec<Said> {
        (self.wish)(game, seat).legal()
    }

    fn bot(&self, game: &S, seat: Seat, luck: &mut Luck) -> Said {
        bot(game, seat, &(self.wish)(game, seat), luck)
    }

    fn sealed(&self) -> &[Given<Said>] {
        &self.given
    }

    fn seal(&mut self, sealed: Vec<Given<Said>>) {
        self.given = sealed;
    }

    fn resealed(&self, game: &S, viewers: Seats, luck: &mut Luck) -> Vec<Given<Said>> {
        let mut sealed = self.given.clone();
        for given in sealed.iter_mut().filter(|given| !given.auto && !viewers.has(given.seat)) {
            given.answer = (self.wish)(game, given.seat).sample(luck);
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

    fn answer(&mut self, game: &S, seat: Seat, said: Said) {
        assert!(
            self.waiting().has(seat),
            "{seat:?} is not asked: the rules are not those that wrote this log"
        );
        let wish = (self.wish)(game, seat);
        assert!(wish.fits(&said), "{said:?} is no answer here: the rules are not those that wrote this log");
        self.given.push(Given { seat, answer: said, auto: false });
    }

    fn elapse(&mut self, game: &S, ask: AskId, seat: Option<Seat>) {
        let late: Vec<Seat> = self
            .waiting()
            .iter()
            .filter(|waiting| seat.map_or(self.id_of(*waiting) == ask.0, |seat| seat == *waiting))
            .collect();
        for seat in late {
            let answer = (self.wish)(game, seat).by_clock();
            self.given.push(Given { seat, answer, auto: true });
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

/// What the script's bot says, or anything if it has no opinion.
pub(crate) fn bot<S: Script>(game: &S, seat: Seat, wish: &impl Wish, luck: &mut Luck) -> Said {
    let said = S::bot(&game.seen(seat.into()), &wish.offer(), luck);
    said.unwrap_or_else(|| wish.sample(luck))
}
