//! A match of a ruleset behind the house's one pointer.

use std::sync::Arc;

use parlor_core::{
    Ask, AskId, Asks, DynGame, Facts, Json, Outcome, OutputBuffer, Refusal, Rng, Seat, Seats, Selector,
    Viewer, Visit,
};

use super::request;
use crate::limits::FACTS_KEPT;
use crate::program::Program;
use crate::vm::ask::{Asked, Said};
use crate::vm::eval::{Eval, Scratch};
use crate::vm::state::{Question, Sink, State, Vm};

/// A match of a ruleset.
#[derive(Clone)]
pub struct Table {
    pub(crate) p: Arc<Program>,
    pub(crate) s: State,
    x: Scratch,
    watch: bool,
}

impl Table {
    /// Begins a match with these knobs.
    #[must_use]
    pub fn start(
        p: Arc<Program>,
        config: Vec<Vec<i64>>,
        seats: u8,
        rng: &mut Rng,
        out: &mut Sink<'_>,
    ) -> Self {
        Self::start_with(p, config, seats, rng, out, |_| {})
    }

    /// Begins a match on a table that somebody has laid: for scenarios.
    #[must_use]
    pub fn start_with(
        p: Arc<Program>,
        config: Vec<Vec<i64>>,
        seats: u8,
        rng: &mut Rng,
        out: &mut Sink<'_>,
        given: impl FnOnce(&mut Vm<'_, '_>),
    ) -> Self {
        let s = first_state(&p, config, seats);
        let mut table = Self { p, s, x: Scratch::new(0), watch: true };
        table.with(rng, out, |vm| {
            given(vm);
            vm.set_out();
            vm.run();
        });
        table
    }

    /// A match for a simulation, before anything is left to luck: what must always hold is not looked at.
    pub(super) fn opening(p: Arc<Program>, config: Vec<Vec<i64>>, seats: u8) -> Self {
        let s = first_state(&p, config, seats);
        let mut table = Self { p, s, x: Scratch::new(0), watch: true };
        table.with(&mut Rng::fast(0), &mut Sink::silent(), |vm| {
            vm.set_out();
            vm.prelude();
        });
        table
    }

    /// The same opening goes on with this luck, at a table that is no longer needed.
    pub(super) fn go_on(&self, table: &mut Self, rng: &mut Rng) {
        table.s.clone_from(&self.s);
        table.with(rng, &mut Sink::silent(), |vm| {
            // The opening and what follows are one input.
            vm.x.fuel = self.x.fuel;
            vm.run();
        });
    }

    /// A match that was saved.
    #[must_use]
    pub fn load(p: Arc<Program>, state: &[u8]) -> Option<Self> {
        let mut s: State = postcard::from_bytes(state).ok()?;
        let fits = s.board.vars.len() == usize::from(p.var_slots)
            && s.board.zones.len() == usize::from(p.zone_slots)
            && s.config.len() == p.config.len();
        if !fits {
            return None;
        }
        s.board.listen(&p);
        Some(Self { p, s, x: Scratch::new(0), watch: true })
    }

    /// The rules.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.p
    }

    /// The state.
    #[must_use]
    pub fn inside(&self) -> &State {
        &self.s
    }

    fn with<R>(&mut self, rng: &mut Rng, out: &mut Sink<'_>, f: impl FnOnce(&mut Vm<'_, '_>) -> R) -> R {
        self.x.fuel = self.p.limits().ops;
        self.x.deep = 0;
        let mut vm = Vm {
            p: &self.p,
            s: &mut self.s,
            x: &mut self.x,
            rng,
            out,
            events: 0,
            draws: 0,
            depth: 0,
            refilled: false,
            replacing: Vec::new(),
            changed: Seats::NONE,
            heard: Seats::NONE,
            watch: self.watch,
            again: crate::vm::choose::Again::default(),
        };
        f(&mut vm)
    }

    /// A seat says something that was checked before.
    pub fn say(&mut self, seat: Seat, draft: bool, said: Said, rng: &mut Rng, out: &mut Sink<'_>) {
        self.with(rng, out, |vm| vm.answer(seat, draft, said));
    }

    /// What stands has elapsed.
    pub fn elapse(&mut self, rng: &mut Rng, out: &mut Sink<'_>) {
        self.with(rng, out, |vm| vm.elapsed());
    }

    /// A seat leaves for good.
    pub fn leave(&mut self, seat: Seat, rng: &mut Rng, out: &mut Sink<'_>) {
        self.with(rng, out, |vm| vm.left(seat));
    }

    /// Something legal for a seat that is asked.
    #[must_use]
    pub fn any(&self, seat: Seat, rng: &mut Rng) -> Said {
        Asked { p: &self.p, s: &self.s, seat }.sample(rng)
    }

    /// Something legal, for a simulation: with the table's own working memory.
    pub(super) fn quick(&mut self, seat: Seat, rng: &mut Rng) -> Said {
        self.x.fuel = crate::limits::OPS_PER_LOOK_MAX;
        Asked { p: &self.p, s: &self.s, seat }.sample_with(&mut self.x, rng)
    }

    /// What an answer to this ask means.
    ///
    /// # Errors
    /// Every fault of the answer.
    pub fn read(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<Said, Refusal> {
        if ask == request::OFFER {
            return request::offered(&self.p, answer);
        }
        request::check(&self.p, &self.s, seat, self.is_draft(ask), answer)
    }

    fn is_draft(&self, ask: AskId) -> bool {
        self.s.open.as_ref().is_some_and(|open| ask.0 == open.id + 1)
    }

    /// The ask of the question that stands, and of its drafts.
    fn ask(&self, open: &crate::vm::state::Open, asks: &mut Asks) {
        match &open.what {
            Question::Wait(ms) => asks.push(Ask::wait(open.id, *ms)),
            Question::Priority | Question::Target | Question::Choose => {
                let ask = Ask::request(open.id, open.seats);
                asks.push(if open.ms > 0 { ask.within(open.ms) } else { ask });
            }
            Question::Ask(n) => {
                let def = &self.p.asks[usize::from(*n)];
                let mut ask = Ask::request(open.id, open.seats);
                if open.ms > 0 {
                    ask = ask.within(open.ms);
                }
                if def.deadline {
                    ask = ask.at_least(open.ms);
                }
                if def.auto {
                    ask = ask.auto();
                }
                asks.push(ask);
                if def.drafts {
                    asks.push(Ask::draft(open.id + 1, open.seats));
                }
            }
        }
    }

    /// Whether everything holds that the ruleset says always holds.
    #[must_use]
    pub fn sound(&self) -> bool {
        let mut x = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
        crate::vm::sound::first_broken(&self.p, &self.s, &mut x).is_none()
    }
}

/// The state before the first operation.
fn first_state(p: &Program, config: Vec<Vec<i64>>, seats: u8) -> State {
    let rows = p.answers.len();
    let viewers = usize::from(seats) + 1;
    let mut s = State {
        board: crate::vm::Board::new(p, seats),
        config,
        answers: vec![Vec::new(); rows * usize::from(seats)],
        touched: vec![Seats::NONE; rows],
        sealed: vec![Seats::NONE; rows],
        counts: vec![[0; 3]; p.events.len()],
        facts: vec![0; viewers * FACTS_KEPT],
        learnt: vec![0; viewers],
        auto: vec![crate::vm::auto::Auto::default(); usize::from(seats)],
        ..State::default()
    };
    let mut x = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
    for var in &p.vars {
        let value =
            Eval::outside(p, &s, crate::program::NONE, crate::program::NONE).value(&mut x, var.default);
        let count = match (var.per_player, var.per_team) {
            (true, _) => usize::from(seats),
            (false, true) => p.team_names.len(),
            (false, false) => 1,
        };
        for n in 0..count {
            s.board.vars[usize::from(var.base) + n] = value;
        }
    }
    s
}

impl DynGame for Table {
    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        let Some(open) = self.s.open.as_ref().filter(|_| self.s.broken.is_none()) else { return asks };
        self.ask(open, &mut asks);
        if crate::vm::auto::has_priority(&self.p) {
            let there = (0..self.s.board.seats).map(Seat::new).filter(|seat| !self.s.lost.has(*seat));
            asks.push(Ask::offer(request::OFFER.0, there.collect()));
        }
        asks
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        if ask == request::OFFER {
            return request::offer(&self.p);
        }
        request::posed(&self.p, &self.s, seat, request::For::Client).selector
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        self.read(seat, ask, answer).map(|_| ())
    }

    fn answer(
        &mut self,
        seat: Seat,
        ask: AskId,
        answer: &Json,
        rng: &mut Rng,
        told: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let said = self.read(seat, ask, answer)?;
        let draft = self.is_draft(ask);
        self.say(seat, draft, said, rng, &mut Sink::telling(told));
        Ok(())
    }

    fn elapsed(&mut self, _: AskId, _: Option<Seat>, rng: &mut Rng, told: &mut OutputBuffer) {
        self.elapse(rng, &mut Sink::telling(told));
    }

    fn visit(&mut self, visit: Visit, rng: &mut Rng, told: &mut OutputBuffer) -> Result<(), Refusal> {
        match visit {
            Visit::Leave { seat } if seat.index() < usize::from(self.s.board.seats) => {
                self.leave(seat, rng, &mut Sink::telling(told));
                Ok(())
            }
            Visit::Away { seat } | Visit::Back { seat } if seat.index() < usize::from(self.s.board.seats) => {
                Ok(())
            }
            Visit::Join { .. } => Err(Refusal::of("join", "nobody can join a match that has begun")),
            _ => Err(Refusal::of("unknown_seat", "there is no such seat")),
        }
    }

    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json {
        if ask == request::OFFER {
            return request::say(&self.p, &self.s, seat, rng.pick(&request::every_offer(&self.p)));
        }
        request::say(&self.p, &self.s, seat, &self.any(seat, rng))
    }

    fn bot(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json {
        self.sample(seat, ask, rng)
    }

    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json> {
        self.every(seat, ask).iter().map(|said| request::say(&self.p, &self.s, seat, said)).collect()
    }

    fn view(&self, viewer: Viewer) -> Json {
        super::view::seen(&self.p, &self.s, viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.s.over.clone()
    }

    fn carry(&self) -> Option<Json> {
        None
    }

    fn state(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.s).expect("a state is plain data")
    }

    fn fork(&self) -> Box<dyn DynGame> {
        Box::new(self.clone())
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>> {
        self.twin(viewers, rng).map(|twin| Box::new(twin) as Box<dyn DynGame>)
    }

    fn known_facts(&self, viewer: Viewer) -> Facts {
        let n = viewer.index(self.s.board.seats);
        let learnt = self.s.learnt[n];
        let kept = learnt.min(FACTS_KEPT as u32 - 1);
        (0..kept)
            .map(|back| {
                let count = learnt - back;
                (count, self.s.facts[n * FACTS_KEPT + count as usize % FACTS_KEPT])
            })
            .collect()
    }

    fn escrow(&self) -> i64 {
        self.s.pot
    }

    fn refund(&self, _: Seat) -> i64 {
        // Everybody staked the same. Variables are counters of the ruleset's own, no tokens of the house.
        self.s.pot / i64::from(self.s.board.seats.max(1))
    }

    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<parlor_core::DialectAction, Refusal>> {
        Some(crate::dialect::inbound(self, seat, words))
    }

    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        Some(crate::dialect::actions(self, seat, wanted))
    }

    fn broken_invariant(&self) -> Option<parlor_core::BrokenInvariant> {
        crate::vm::sound::broken(&self.p, &self.s)
    }

    fn repair(
        &mut self,
        how: parlor_core::Repair,
        rng: &mut Rng,
        told: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let Some(broken) = self.broken_invariant() else {
            return Err(Refusal::of("not_broken", "nothing is broken here"));
        };
        if how == parlor_core::Repair::Fail && broken.item.is_none() {
            return Err(Refusal::of("no_item", "nothing resolves that could fail"));
        }
        self.with(rng, &mut Sink::telling(told), |vm| vm.settled(how));
        Ok(())
    }

    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String> {
        let all = self.every(seat, ask);
        for said in &all {
            let json = request::say(&self.p, &self.s, seat, said);
            match self.read(seat, ask, &json) {
                Ok(back) if back == *said => {}
                Ok(back) => return Err(format!("{said:?} is said so that it means {back:?}: {json}")),
                Err(refusal) => return Err(format!("{said:?} is legal and refused: {refusal}: {json}")),
            }
        }
        Ok(all.len())
    }
}
