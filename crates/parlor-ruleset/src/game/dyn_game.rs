//! A match of a ruleset as a [`DynGame`]: what the house calls, and what tests and scenarios call directly.

use std::sync::Arc;

use parlor_core::{
    Ask, AskId, Asks, BotChoice, DynGame, Facts, Json, Outcome, OutputBuffer, Refusal, Rng, Seat, Seats,
    Selector, Viewer, Visit,
};

use super::request;
use crate::limits::FACTS_KEPT;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::QuestionId;
use crate::machine::program::Program;
use crate::machine::requests::{Asked, SeatInput};
use crate::machine::state::{KeptAsk, More, Question, Sink, State, Vm};

/// A match of a ruleset.
#[derive(Clone)]
pub struct RulesetGame {
    pub(crate) program: Arc<Program>,
    pub(crate) state: State,
    scratch: Scratch,
}

impl RulesetGame {
    /// Begins a match with these knobs.
    #[must_use]
    pub fn start(
        program: Arc<Program>,
        config: Vec<Vec<i64>>,
        seats: u8,
        rng: &mut Rng,
        out: &mut Sink<'_>,
    ) -> Self {
        Self::start_with(program, config, seats, rng, out, |_| {})
    }

    /// Begins a match on a table that somebody has laid: for scenarios.
    #[must_use]
    pub fn start_with(
        program: Arc<Program>,
        config: Vec<Vec<i64>>,
        seats: u8,
        rng: &mut Rng,
        out: &mut Sink<'_>,
        given: impl FnOnce(&mut Vm<'_, '_>),
    ) -> Self {
        let state = first_state(&program, config, seats);
        let mut game = Self { program, state, scratch: Scratch::new(0) };
        game.with(rng, out, |vm| {
            given(vm);
            vm.set_out();
            vm.run();
        });
        game
    }

    /// A match for a simulation, before anything is left to luck.
    pub(super) fn opening(program: Arc<Program>, config: Vec<Vec<i64>>, seats: u8) -> Self {
        let state = first_state(&program, config, seats);
        let mut game = Self { program, state, scratch: Scratch::new(0) };
        game.with(&mut Rng::fast(0), &mut Sink::silent(), |vm| {
            vm.set_out();
            vm.prelude();
        });
        game
    }

    /// The same opening goes on with this luck, at a table that is no longer needed.
    pub(super) fn go_on(&self, game: &mut Self, rng: &mut Rng) {
        game.state.clone_from(&self.state);
        game.with(rng, &mut Sink::silent(), |vm| {
            // The opening and what follows are one input.
            vm.scratch.fuel = self.scratch.fuel;
            vm.run();
        });
    }

    /// A match that was saved.
    #[must_use]
    pub fn load(program: Arc<Program>, state: &[u8]) -> Option<Self> {
        let (mut state, rest): (State, &[u8]) = postcard::take_from_bytes(state).ok()?;
        if !rest.is_empty() {
            state.more = postcard::from_bytes(rest).ok()?;
        }
        let fits = state.board.vars.len() == usize::from(program.var_slots)
            && state.board.zones.len() == usize::from(program.zone_slots)
            && state.config.len() == program.config.len();
        if !fits {
            return None;
        }
        state.board.listen(&program);
        Some(Self { program, state, scratch: Scratch::new(0) })
    }

    /// The rules.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The state.
    #[must_use]
    pub fn inside(&self) -> &State {
        &self.state
    }

    fn with<R>(&mut self, rng: &mut Rng, out: &mut Sink<'_>, f: impl FnOnce(&mut Vm<'_, '_>) -> R) -> R {
        self.scratch.fuel = self.program.limits().ops;
        self.scratch.deep = 0;
        let mut vm = Vm {
            program: &self.program,
            state: &mut self.state,
            scratch: &mut self.scratch,
            rng,
            out,
            events: 0,
            draws: 0,
            idle: 0,
            depth: 0,
            refilled: false,
            replacing: Vec::new(),
            changed: Seats::NONE,
            heard: Seats::NONE,
            again: crate::machine::requests::choose::Again::default(),
            reask: None,
            aiming: false,
        };
        f(&mut vm)
    }

    /// A seat says something that was checked before.
    pub fn say(&mut self, seat: Seat, draft: bool, said: SeatInput, rng: &mut Rng, out: &mut Sink<'_>) {
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
    pub fn any(&self, seat: Seat, rng: &mut Rng) -> SeatInput {
        Asked { program: &self.program, state: &self.state, seat }.sample(rng)
    }

    /// Something legal, for a simulation: with the table's own working memory.
    pub(super) fn quick(&mut self, seat: Seat, rng: &mut Rng) -> SeatInput {
        self.scratch.fuel = crate::limits::OPS_PER_LOOK_MAX;
        Asked { program: &self.program, state: &self.state, seat }.sample_with(&mut self.scratch, rng)
    }

    /// How a match ended, for whoever wrote the rules: a verdict with its place and its reason.
    pub(super) fn with_place(&self, mut over: Outcome) -> Outcome {
        if let Some(stop) = self.scratch.told.filter(|_| over.reason.starts_with("verdict: ")) {
            over.reason = format!("{}{}", over.reason, stop.text(&self.program)).into();
        }
        over
    }

    /// Where and why the rules were stopped last.
    pub(crate) fn stopped(&self) -> Option<crate::machine::exec::stopped::Stop> {
        self.scratch.told
    }

    /// What an answer to this ask means.
    ///
    /// # Errors
    /// Every fault of the answer.
    pub fn read(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<SeatInput, Refusal> {
        if ask == request::OFFER {
            return request::offered(&self.program, answer);
        }
        request::check(&self.program, &self.state, seat, self.is_draft(ask), answer)
    }

    fn is_draft(&self, ask: AskId) -> bool {
        let kept = self.state.more.kept.iter().map(|kept| kept.id);
        self.state.open.as_ref().is_some_and(|open| kept.chain([open.id]).any(|id| ask.0 == id + 1))
    }

    /// The ask of the question that stands, and of its drafts.
    fn ask(&self, open: &crate::machine::state::Open, asks: &mut Asks) {
        match &open.what {
            Question::Wait(ms) => asks.push(Ask::wait(open.id, *ms)),
            Question::Priority | Question::Target | Question::Choose => {
                let ask = Ask::request(open.id, open.seats);
                asks.push(if open.ms > 0 { ask.within(open.ms) } else { ask });
            }
            Question::Ask(n) => {
                let mut fresh = open.seats;
                for kept in &self.state.more.kept {
                    fresh = fresh.but(kept.seats);
                    self.put(*n, KeptAsk { seats: kept.seats.shared(open.seats), ..*kept }, asks);
                }
                self.put(*n, KeptAsk { id: open.id, seats: fresh, ms: open.ms }, asks);
            }
        }
    }

    /// The ask of these seats to a statement's question, and of their drafts. A window stands though nobody is left in it.
    fn put(&self, n: QuestionId, asked: KeptAsk, asks: &mut Asks) {
        let def = &self.program.asks[n];
        let KeptAsk { id, seats, ms } = asked;
        if seats.is_empty() && !self.state.more.kept.is_empty() {
            return;
        }
        let mut ask = Ask::request(id, seats);
        if ms > 0 {
            ask = ask.within(ms);
        }
        if def.deadline {
            ask = ask.at_least(ms);
        }
        if def.auto && self.program.is_first_edition() {
            ask = ask.auto();
        }
        asks.push(ask);
        if def.drafts {
            asks.push(Ask::draft(id + 1, seats));
        }
    }

    /// Whether everything holds that the ruleset says always holds.
    #[must_use]
    pub fn sound(&self) -> bool {
        let mut scratch = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
        crate::machine::exec::invariants::first_broken(&self.program, &self.state, &mut scratch).is_none()
    }
}

/// The state before the first operation.
fn first_state(program: &Program, config: Vec<Vec<i64>>, seats: u8) -> State {
    let rows = program.answers.len();
    let viewers = usize::from(seats) + 1;
    let mut state = State {
        board: crate::machine::Board::new(program, seats),
        config,
        answers: vec![Vec::new(); rows * usize::from(seats)],
        touched: vec![Seats::NONE; rows],
        sealed: vec![Seats::NONE; rows],
        counts: vec![[0; 3]; program.events.len()],
        facts: vec![0; viewers * FACTS_KEPT],
        learnt: vec![0; viewers],
        auto: vec![crate::machine::requests::auto::Auto::default(); usize::from(seats)],
        ..State::default()
    };
    let mut scratch = Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
    for var in &program.vars {
        let value =
            Eval::outside(program, &state, crate::machine::program::NONE, crate::machine::program::NONE)
                .value(&mut scratch, var.default);
        for n in 0..var.count(program, seats) {
            state.board.vars[var.base.of(n.into())] = value;
        }
    }
    state
}

impl DynGame for RulesetGame {
    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        let Some(open) = self.state.open.as_ref().filter(|_| self.state.broken.is_none()) else {
            return asks;
        };
        self.ask(open, &mut asks);
        if crate::machine::requests::auto::has_priority(&self.program) {
            let there = (0..self.state.board.seats).map(Seat::new).filter(|seat| !self.state.lost.has(*seat));
            asks.push(Ask::offer(request::OFFER.0, there.collect()));
        }
        asks
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        if ask == request::OFFER {
            return request::offer(&self.program);
        }
        request::posed(&self.program, &self.state, seat, request::For::Client).selector
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
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let said = self.read(seat, ask, answer)?;
        let draft = self.is_draft(ask);
        self.say(seat, draft, said, rng, &mut Sink::telling(output));
        Ok(())
    }

    fn elapsed(&mut self, _: AskId, _: Option<Seat>, rng: &mut Rng, output: &mut OutputBuffer) {
        self.elapse(rng, &mut Sink::telling(output));
    }

    fn visit(&mut self, visit: Visit, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal> {
        match visit {
            Visit::Leave { seat, .. } if seat.index() < usize::from(self.state.board.seats) => {
                self.leave(seat, rng, &mut Sink::telling(output));
                Ok(())
            }
            Visit::Away { seat } | Visit::Back { seat }
                if seat.index() < usize::from(self.state.board.seats) =>
            {
                Ok(())
            }
            Visit::Join { .. } => Err(Refusal::of("join", "nobody can join a match that has begun")),
            _ => Err(Refusal::of("unknown_seat", "there is no such seat")),
        }
    }

    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Json {
        if ask == request::OFFER {
            return request::say(
                &self.program,
                &self.state,
                seat,
                rng.pick(&request::every_offer(&self.program)),
            );
        }
        request::say(&self.program, &self.state, seat, &self.any(seat, rng))
    }

    fn bot(&self, seat: Seat, ask: AskId, _: &BotChoice, rng: &mut Rng) -> Json {
        self.sample(seat, ask, rng)
    }

    fn legal(&self, seat: Seat, ask: AskId) -> Vec<Json> {
        self.every(seat, ask)
            .iter()
            .map(|said| request::say(&self.program, &self.state, seat, said))
            .collect()
    }

    fn view(&self, viewer: Viewer) -> Json {
        super::view::seen(&self.program, &self.state, viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.over.clone()
    }

    fn carry(&self) -> Option<Json> {
        None
    }

    fn state(&self) -> Vec<u8> {
        let mut bytes = postcard::to_stdvec(&self.state).expect("a state is plain data");
        if self.state.more != More::default() {
            bytes.extend(postcard::to_stdvec(&self.state.more).expect("a state is plain data"));
        }
        bytes
    }

    fn fork(&self) -> Box<dyn DynGame> {
        Box::new(self.clone())
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>> {
        self.twin(viewers, rng).map(|twin| Box::new(twin) as Box<dyn DynGame>)
    }

    fn known_facts(&self, viewer: Viewer) -> Facts {
        let n = viewer.index(self.state.board.seats);
        let learnt = self.state.learnt[n];
        let kept = learnt.min(FACTS_KEPT as u32 - 1);
        (0..kept)
            .map(|back| {
                let count = learnt - back;
                (count, self.state.facts[n * FACTS_KEPT + count as usize % FACTS_KEPT])
            })
            .collect()
    }

    fn escrow(&self) -> i64 {
        self.state.pot
    }

    fn refund(&self, _: Seat) -> i64 {
        // Everybody staked the same. Variables are counters of the ruleset's own, no tokens of the house.
        self.state.pot / i64::from(self.state.board.seats.max(1))
    }

    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<parlor_core::DialectAction, Refusal>> {
        Some(crate::dialect::inbound(self, seat, words))
    }

    fn actions(&self, seat: Seat, wanted: &Json) -> Option<Json> {
        serde_json::to_value(crate::dialect::actions(self, seat, wanted)).ok()
    }

    fn broken_invariant(&self) -> Option<parlor_core::BrokenInvariant> {
        crate::machine::exec::invariants::broken(&self.program, &self.state)
    }

    fn repair(
        &mut self,
        how: parlor_core::Repair,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let Some(broken) = self.broken_invariant() else {
            return Err(Refusal::of("not_broken", "nothing is broken here"));
        };
        if how == parlor_core::Repair::Fail && broken.item.is_none() {
            return Err(Refusal::of("no_item", "nothing resolves that could fail"));
        }
        self.with(rng, &mut Sink::telling(output), |vm| vm.settled(how));
        Ok(())
    }

    fn round_trip(&self, seat: Seat, ask: AskId) -> Result<usize, String> {
        let all = self.every(seat, ask);
        for said in &all {
            let json = request::say(&self.program, &self.state, seat, said);
            match self.read(seat, ask, &json) {
                Ok(back) if back == *said => {}
                Ok(back) => return Err(format!("{said:?} is said so that it means {back:?}: {json}")),
                Err(refusal) => return Err(format!("{said:?} is legal and refused: {refusal}: {json}")),
            }
        }
        Ok(all.len())
    }
}
