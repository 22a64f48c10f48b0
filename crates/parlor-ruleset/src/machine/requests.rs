//! Questions, answers, drafts and deadlines.

pub(crate) mod auto;
pub(crate) mod choose;
pub(crate) mod reask;

use parlor_core::{Rng, Seat, Seats};
use serde_json::json;

use super::eval::{Eval, Scratch};
use super::stack::window::Acting;
use super::state::{Announce, Open, Question, State, Vm};
use crate::game::request::For;
use crate::limits::{FITTING_LOOKS_MAX, NUMBERS_LISTED_MAX, OPS_PER_LOOK_MAX};
use crate::machine::ids::{ActionId, QuestionId};
use crate::machine::program::{AskDef, AskKind, AskMode, Expr, ExprId, Fallback, NONE, Program};
use crate::machine::value::seat_value;

/// What a seat says, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatInput {
    /// To pass.
    Pass,
    /// An action, with as many targets as were named.
    Act(ActionId, Vec<i64>),
    /// The next target of the action that is put together.
    Target(i64),
    /// Not to go on with that action.
    Cancel,
    /// These, in this order; for places also [`NONE`].
    Picks(Vec<i64>),
    /// Nothing that can be taken; but somebody is there.
    Alive,
    /// What the seat does by itself from now on.
    Auto(super::requests::auto::Intent),
}

/// A look at what a seat is asked.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The rules.
    pub program: &'a Program,
    /// The state.
    pub state: &'a State,
    /// Who is asked.
    pub seat: Seat,
}

impl<'a> Asked<'a> {
    /// The question of a statement, if that is what stands.
    #[must_use]
    pub(crate) fn def(&self) -> Option<&'a AskDef> {
        match self.state.open.as_ref()?.what {
            Question::Ask(ask) => Some(&self.program.asks[ask]),
            _ => None,
        }
    }

    #[inline]
    fn value(&self, scratch: &mut Scratch, def: &AskDef, expr: ExprId) -> i64 {
        if let Expr::Const(value) = self.program.exprs[expr] {
            return scratch.paid(value);
        }
        scratch.its[usize::from(def.asked)] = seat_value(self.seat.index());
        Eval::of(self.program, self.state).value(scratch, expr)
    }

    /// The least and the most that a number may be.
    pub(crate) fn range(&self, scratch: &mut Scratch, def: &AskDef) -> (i64, i64) {
        (self.value(scratch, def, def.min), self.value(scratch, def, def.max))
    }

    /// The bounds of a number, where there are too many to list them.
    pub(crate) fn wide(&self, scratch: &mut Scratch, def: &AskDef) -> Option<(i64, i64)> {
        if def.kind != AskKind::Number {
            return None;
        }
        let (min, max) = self.range(scratch, def);
        (max.saturating_sub(min) >= NUMBERS_LISTED_MAX).then_some((min, max))
    }

    /// What may be picked; of a number with a wide range its bounds.
    #[inline]
    pub(crate) fn options(&self, scratch: &mut Scratch, def: &AskDef, list: &mut Vec<i64>) {
        match def.kind {
            AskKind::Confirm => list.extend([1, 0]),
            AskKind::Mode => list.extend(0..def.modes.len() as i64),
            AskKind::Number => {
                let (min, max) = self.range(scratch, def);
                match max.saturating_sub(min) {
                    ..NUMBERS_LISTED_MAX => list.extend(min..=max),
                    _ => list.extend([min, max]),
                }
            }
            _ => {
                scratch.its[usize::from(def.asked)] = seat_value(self.seat.index());
                if let Some(from) = def.from {
                    Eval::of(self.program, self.state).list(scratch, from, list);
                }
            }
        }
    }

    /// How many may be picked among so many, least and most.
    #[inline]
    #[must_use]
    pub(crate) fn bounds(&self, scratch: &mut Scratch, def: &AskDef, options: usize) -> (usize, usize) {
        match def.kind {
            AskKind::Pick => {
                let (min, max) = (self.value(scratch, def, def.min), self.value(scratch, def, def.max));
                let clip = |n: i64| n.clamp(0, options as i64) as usize;
                (clip(min).min(clip(max)), clip(max))
            }
            AskKind::Order => (options, options),
            AskKind::Slots(n) => (0, options.min(n.into())),
            _ => (1, 1),
        }
    }

    /// Whether there is anything to choose.
    #[inline]
    pub(crate) fn can(&self, scratch: &mut Scratch, def: &AskDef) -> bool {
        match (def.kind, def.from) {
            (AskKind::Pick, Some(from)) => {
                scratch.its[usize::from(def.asked)] = seat_value(self.seat.index());
                Eval::of(self.program, self.state).any(scratch, from) && self.value(scratch, def, def.max) > 0
            }
            _ => {
                let mut list = scratch.list();
                self.options(scratch, def, &mut list);
                let any = self.bounds(scratch, def, list.len()).1 > 0 && !list.is_empty();
                scratch.give(list);
                any
            }
        }
    }

    /// What a distribution adds up to.
    #[must_use]
    pub(crate) fn sum(&self, scratch: &mut Scratch, def: &AskDef) -> i64 {
        self.value(scratch, def, def.max).clamp(0, 10_000)
    }

    /// Something legal.
    #[must_use]
    pub(crate) fn sample(&self, rng: &mut Rng) -> SeatInput {
        self.sample_with(&mut Scratch::new(OPS_PER_LOOK_MAX), rng)
    }

    /// Something legal, with working memory that is used again.
    #[must_use]
    pub(crate) fn sample_with(&self, scratch: &mut Scratch, rng: &mut Rng) -> SeatInput {
        let Some(open) = &self.state.open else { return SeatInput::Pass };
        match &open.what {
            Question::Wait(_) => SeatInput::Pass,
            Question::Choose => {
                SeatInput::Picks(self.state.choice.as_ref().map_or(Vec::new(), |choice| choice.sample(rng)))
            }
            Question::Priority => {
                let acting =
                    Acting { program: self.program, state: self.state, seat: self.seat.index() as u8 };
                let actions = acting.actions(scratch);
                let n = rng.below(actions.len() as u32 + 1) as usize;
                let Some(action) = actions.get(n) else { return SeatInput::Pass };
                let options = acting.options(scratch, &self.program.actions[*action], &[]);
                if options.is_empty() {
                    return SeatInput::Act(*action, Vec::new());
                }
                SeatInput::Act(*action, vec![*rng.pick(&options)])
            }
            Question::Target => {
                let Some(announce) = &self.state.announce else { return SeatInput::Cancel };
                let acting = Acting { program: self.program, state: self.state, seat: announce.seat };
                let def = &self.program.actions[announce.action];
                let options = acting.options(scratch, def, &announce.targets);
                if options.is_empty() { SeatInput::Cancel } else { SeatInput::Target(*rng.pick(&options)) }
            }
            Question::Ask(ask) => {
                let def = &self.program.asks[*ask];
                let mut list = scratch.list();
                self.options(scratch, def, &mut list);
                self.sample_from(scratch, def, list, rng)
            }
        }
    }

    #[inline]
    fn sample_from(
        &self,
        scratch: &mut Scratch,
        def: &AskDef,
        mut list: Vec<i64>,
        rng: &mut Rng,
    ) -> SeatInput {
        match def.kind {
            AskKind::Slots(n) => {
                rng.shuffle(&mut list);
                let slots = (0..usize::from(n))
                    .map(|k| match list.get(k) {
                        Some(value) if rng.below(3) > 0 => *value,
                        _ => NONE,
                    })
                    .collect();
                SeatInput::Picks(slots)
            }
            AskKind::Distribute => {
                let mut parts = vec![0; list.len()];
                if !parts.is_empty() {
                    for _ in 0..self.sum(scratch, def) {
                        let n = rng.below(parts.len() as u32) as usize;
                        parts[n] += 1;
                    }
                }
                SeatInput::Picks(parts)
            }
            AskKind::Number if let Some((min, max)) = self.wide(scratch, def) => {
                let width = max.abs_diff(min).saturating_add(1);
                let word = u64::from(rng.below(1 << 31)) << 31 | u64::from(rng.below(1 << 31));
                SeatInput::Picks(vec![min.saturating_add_unsigned(word % width)])
            }
            _ => {
                let (min, max) = self.bounds(scratch, def, list.len());
                let count = if min < max { min + rng.below((max - min) as u32 + 1) as usize } else { min };
                for n in 0..count {
                    let other = n + rng.below((list.len() - n) as u32) as usize;
                    list.swap(n, other);
                }
                list.truncate(count);
                SeatInput::Picks(self.or_fitting(scratch, def, list))
            }
        }
    }

    /// Whether all that is picked fits together. Nothing always does.
    pub(crate) fn fits(&self, scratch: &mut Scratch, def: &AskDef, picks: &[i64]) -> bool {
        let Some((fits, list)) = def.fits.filter(|_| !picks.is_empty()) else { return true };
        let eval = Eval::of(self.program, self.state);
        let mut lists = eval.lists.to_vec();
        lists.resize(lists.len().max(usize::from(list) + 1), Vec::new());
        lists[usize::from(list)] = picks.to_vec();
        scratch.its[usize::from(def.asked)] = seat_value(self.seat.index());
        Eval { lists: &lists, ..eval }.holds(scratch, fits)
    }

    /// The first picks that fit together, as far as they are looked for; nothing where none do.
    pub(crate) fn fitting(&self, scratch: &mut Scratch, def: &AskDef) -> Option<Vec<i64>> {
        let mut options = Vec::new();
        self.options(scratch, def, &mut options);
        let (min, max) = self.bounds(scratch, def, options.len());
        let mut left = FITTING_LOOKS_MAX;
        (min.max(1)..=max).find_map(|count| {
            let mut places: Vec<usize> = (0..count).collect();
            loop {
                left = left.checked_sub(1)?;
                let picks: Vec<i64> = places.iter().map(|n| options[*n]).collect();
                if self.fits(scratch, def, &picks) && scratch.fuel > 0 {
                    return Some(picks);
                }
                // The next choice of so many, in the order of the options.
                let last = (0..count).rev().find(|n| places[*n] + count - *n < options.len())?;
                places[last] += 1;
                (last + 1..count).for_each(|n| places[n] = places[n - 1] + 1);
            }
        })
    }

    /// These picks where they fit together; otherwise the first that do, and where none do, these.
    fn or_fitting(&self, scratch: &mut Scratch, def: &AskDef, picks: Vec<i64>) -> Vec<i64> {
        if def.fits.is_none() || self.fits(scratch, def, &picks) {
            return picks;
        }
        self.fitting(scratch, def).unwrap_or(picks)
    }

    /// The first thing that is legal.
    #[must_use]
    pub(crate) fn first(&self, scratch: &mut Scratch, def: &AskDef) -> Vec<i64> {
        let mut list = Vec::new();
        self.options(scratch, def, &mut list);
        match def.kind {
            AskKind::Slots(n) => vec![NONE; n.into()],
            AskKind::Distribute => {
                let mut parts = vec![0; list.len()];
                if let Some(first) = parts.first_mut() {
                    *first = self.sum(scratch, def);
                }
                parts
            }
            _ => {
                let (min, max) = self.bounds(scratch, def, list.len());
                list.truncate(min.max(max.min(1)));
                list
            }
        }
    }
}

impl Vm<'_, '_> {
    /// Asks. Seats that have nothing to choose from are not asked: their answer is empty.
    pub fn ask(&mut self, ask: QuestionId) {
        let program = self.program;
        let def = &program.asks[ask];
        let who = self.seats_of(def.who);
        let seats_max = usize::from(self.state.board.seats);
        let row = def.answer.index() * seats_max;
        for answer in &mut self.state.answers[row..row + seats_max] {
            answer.clear();
        }
        self.state.touched[def.answer] = Seats::NONE;
        self.state.sealed[def.answer] = Seats::NONE;
        let mut seats = Seats::NONE;
        for n in who {
            let seat = Seat::new(n as u8);
            if self.state.lost.has(seat) {
                continue;
            }
            // A question that stays open until its deadline is put to everybody: nobody learns who had no choice.
            let asked = Asked { program, state: self.state, seat };
            let can = def.deadline || def.always || def.mode == AskMode::All || asked.can(self.scratch, def);
            if can {
                seats = seats.with(seat);
                if def.mode == AskMode::One {
                    break;
                }
            }
        }
        if seats.is_empty() {
            return;
        }
        let ms = match def.ms {
            Some(ms) => self.eval(ms).clamp(0, 86_400_000) as u32,
            None => 0,
        };
        if def.shown {
            self.changed = Seats::ALL;
        }
        if let Some(before) = self.reask.take().filter(|before| before.is_of(ask)) {
            self.ask_again(before, seats, ms);
        } else {
            let id = self.next_ask();
            self.wake(seats);
            self.state.open = Some(Open { id, what: Question::Ask(ask), seats, ms });
        }
        if def.auto && !program.is_first_edition() {
            self.answer_forced(ask);
        }
    }

    /// Answers for seats that have no choice, one after another, up to one that has: as the house does at a table, but at
    /// the start of a match and in scenarios too.
    fn answer_forced(&mut self, ask: QuestionId) {
        while let Some(open) = self.state.open.as_ref().filter(|open| open.what == Question::Ask(ask)) {
            let Some(seat) = open.seats.lowest() else { return };
            let posed = crate::game::request::posed(self.program, self.state, seat, For::Client);
            let Some(said) = posed.selector.forced() else { return };
            let said = serde_json::to_value(said).expect("a response is plain data");
            let Ok(said) = crate::game::request::check(self.program, self.state, seat, false, &said) else {
                return;
            };
            self.answered(seat, ask, false, said);
        }
    }

    /// A seat says something, checked before.
    pub fn answer(&mut self, seat: Seat, draft: bool, said: SeatInput) {
        if let SeatInput::Auto(auto) = said {
            return self.set_auto(seat, auto);
        }
        let Some(what) = self.state.open.as_ref().map(|open| open.what) else { return };
        match (what, said) {
            (Question::Ask(ask), said) => self.answered(seat, ask, draft, said),
            (Question::Priority, SeatInput::Act(action, targets)) => {
                self.wake(Seats::only(seat));
                self.state.open = None;
                self.announce(Announce { action, seat: seat.index() as u8, targets });
            }
            (Question::Priority, _) => {
                self.state.open = None;
                self.pass_on();
            }
            (Question::Target, SeatInput::Target(target)) => {
                self.state.open = None;
                if let Some(mut announce) = self.state.announce.take() {
                    announce.targets.push(target);
                    self.announce(announce);
                }
            }
            (Question::Target, _) => self.cancel(),
            (Question::Choose, SeatInput::Picks(picks)) => self.chosen(picks),
            (Question::Choose | Question::Wait(_), _) => {}
        }
        self.run();
    }

    /// An action that is put together is given up; nothing of it was paid.
    fn cancel(&mut self) {
        self.state.open = None;
        self.state.announce = None;
        self.state.window = None;
        self.state.passed = false;
        self.changed = Seats::ALL;
    }

    fn answered(&mut self, seat: Seat, ask: QuestionId, draft: bool, said: SeatInput) {
        let def = &self.program.asks[ask];
        let answer = def.answer;
        self.state.touched[answer] = self.state.touched[answer].with(seat);
        let row = answer.index() * usize::from(self.state.board.seats) + seat.index();
        let note = match said {
            SeatInput::Picks(picks) => {
                let before = std::mem::replace(&mut self.state.answers[row], picks);
                self.scratch.give(before);
                if draft { "drafted" } else { "answered" }
            }
            _ => "present",
        };
        let alive = note == "present";
        if self.out.output.is_some() && (def.mode != AskMode::One || draft) {
            self.tell(Seats::only(seat), json!({"type": note, "ask": def.id}));
        }
        if draft || alive {
            return;
        }
        self.state.sealed[answer] = self.state.sealed[answer].with(seat);
        let (mode, deadline) = (def.mode, def.deadline);
        if mode == AskMode::Any && !deadline {
            self.remember_question(ask, seat);
        }
        if def.shown {
            self.changed = Seats::ALL;
        }
        let Some(open) = &mut self.state.open else { return };
        open.seats = open.seats.without(seat);
        if (open.seats.is_empty() || mode == AskMode::Any) && !deadline {
            self.state.open = None;
        }
    }

    /// What stands has elapsed: by its time, or because nobody is left in it.
    pub fn elapsed(&mut self) {
        let Some(open) = self.state.open.take() else { return };
        match open.what {
            Question::Wait(_) => {}
            // Whoever says nothing has chosen what the rules would.
            Question::Choose => self.chosen(Vec::new()),
            Question::Priority => self.pass_on(),
            Question::Target => {
                self.state.open = Some(open);
                self.cancel();
            }
            Question::Ask(ask) => {
                self.state.open = Some(open.clone());
                let def = &self.program.asks[ask];
                for seat in open.seats.iter() {
                    let asked = Asked { program: self.program, state: self.state, seat };
                    let row = def.answer.index() * usize::from(self.state.board.seats) + seat.index();
                    let picks = match def.fallback {
                        Fallback::Draft => {
                            let drafted = self.state.answers[row].clone();
                            if drafted.is_empty() { asked.nothing(self.scratch, def) } else { drafted }
                        }
                        Fallback::First => asked.first(self.scratch, def),
                        Fallback::Pass if def.kind == AskKind::Confirm => Vec::new(),
                        Fallback::Pass => asked.nothing(self.scratch, def),
                        Fallback::Value(expr) => {
                            let value = asked.value(self.scratch, def, expr);
                            let mut list = Vec::new();
                            asked.options(self.scratch, def, &mut list);
                            let wide = asked.wide(self.scratch, def);
                            let fits =
                                wide.map_or(list.contains(&value), |(min, max)| (min..=max).contains(&value));
                            if fits { vec![value] } else { asked.first(self.scratch, def) }
                        }
                        Fallback::Random => {
                            let mut list = Vec::new();
                            asked.options(self.scratch, def, &mut list);
                            let said = asked.sample_from(self.scratch, def, list.clone(), self.rng);
                            let picks = if let SeatInput::Picks(picks) = said { picks } else { Vec::new() };
                            self.drawn(def.ty, &list, picks)
                        }
                    };
                    let asked = Asked { program: self.program, state: self.state, seat };
                    self.state.answers[row] = asked.or_fitting(self.scratch, def, picks);
                }
                self.state.open = None;
            }
        }
        self.run();
    }
}

impl Asked<'_> {
    /// As little as may be said: an empty answer, or the first thing that is legal where one must be given.
    fn nothing(&self, scratch: &mut Scratch, def: &AskDef) -> Vec<i64> {
        let mut list = self.first(scratch, def);
        if def.kind == AskKind::Pick {
            let mut options = Vec::new();
            self.options(scratch, def, &mut options);
            list.truncate(self.bounds(scratch, def, options.len()).0);
        }
        list
    }
}
