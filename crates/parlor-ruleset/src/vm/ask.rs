//! Questions, answers, drafts and deadlines.

use parlor_core::{Rng, Seat, Seats};
use serde_json::json;

use super::eval::{Eval, Scratch};
use super::state::{Announce, Open, Question, State, Vm};
use super::window::Acting;
use crate::limits::{NUMBERS_LISTED_MAX, OPS_PER_LOOK_MAX};
use crate::program::{AskDef, AskKind, AskMode, Expr, Fallback, NONE, Program, SEAT};

/// What a seat says, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// To pass.
    Pass,
    /// An action, with as many targets as were named.
    Act(u16, Vec<i64>),
    /// The next target of the action that is put together.
    Target(i64),
    /// Not to go on with that action.
    Cancel,
    /// These, in this order; for places also [`NONE`].
    Picks(Vec<i64>),
    /// Nothing that can be taken; but somebody is there.
    Alive,
    /// What the seat does by itself from now on.
    Auto(super::auto::Intent),
}

/// A look at what a seat is asked.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The rules.
    pub p: &'a Program,
    /// The state.
    pub s: &'a State,
    /// Who is asked.
    pub seat: Seat,
}

impl<'a> Asked<'a> {
    /// The question of a statement, if that is what stands.
    #[must_use]
    pub fn def(&self) -> Option<&'a AskDef> {
        match self.s.open.as_ref()?.what {
            Question::Ask(ask) => Some(&self.p.asks[usize::from(ask)]),
            _ => None,
        }
    }

    #[inline]
    fn value(&self, x: &mut Scratch, def: &AskDef, expr: u32) -> i64 {
        if let Expr::Const(value) = self.p.exprs[expr as usize] {
            return x.paid(value);
        }
        x.its[usize::from(def.asked)] = SEAT + self.seat.index() as i64;
        Eval::of(self.p, self.s).value(x, expr)
    }

    /// The least and the most that a number may be.
    pub fn range(&self, x: &mut Scratch, def: &AskDef) -> (i64, i64) {
        (self.value(x, def, def.min), self.value(x, def, def.max))
    }

    /// The bounds of a number, where there are too many to list them.
    pub fn wide(&self, x: &mut Scratch, def: &AskDef) -> Option<(i64, i64)> {
        if def.kind != AskKind::Number {
            return None;
        }
        let (min, max) = self.range(x, def);
        (max.saturating_sub(min) >= NUMBERS_LISTED_MAX).then_some((min, max))
    }

    /// What may be picked; of a number with a wide range its bounds.
    #[inline]
    pub fn options(&self, x: &mut Scratch, def: &AskDef, list: &mut Vec<i64>) {
        match def.kind {
            AskKind::Confirm => list.extend([1, 0]),
            AskKind::Mode => list.extend(0..def.modes.len() as i64),
            AskKind::Number => {
                let (min, max) = self.range(x, def);
                match max.saturating_sub(min) {
                    ..NUMBERS_LISTED_MAX => list.extend(min..=max),
                    _ => list.extend([min, max]),
                }
            }
            _ => {
                x.its[usize::from(def.asked)] = SEAT + self.seat.index() as i64;
                if let Some(from) = def.from {
                    Eval::of(self.p, self.s).list(x, from, list);
                }
            }
        }
    }

    /// How many may be picked among so many, least and most.
    #[inline]
    #[must_use]
    pub fn bounds(&self, x: &mut Scratch, def: &AskDef, options: usize) -> (usize, usize) {
        match def.kind {
            AskKind::Pick => {
                let (min, max) = (self.value(x, def, def.min), self.value(x, def, def.max));
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
    pub fn can(&self, x: &mut Scratch, def: &AskDef) -> bool {
        match (def.kind, def.from) {
            (AskKind::Pick, Some(from)) => {
                x.its[usize::from(def.asked)] = SEAT + self.seat.index() as i64;
                Eval::of(self.p, self.s).any(x, from) && self.value(x, def, def.max) > 0
            }
            _ => {
                let mut list = x.list();
                self.options(x, def, &mut list);
                let any = self.bounds(x, def, list.len()).1 > 0 && !list.is_empty();
                x.give(list);
                any
            }
        }
    }

    /// What a distribution adds up to.
    #[must_use]
    pub fn sum(&self, x: &mut Scratch, def: &AskDef) -> i64 {
        self.value(x, def, def.max).clamp(0, 10_000)
    }

    /// Something legal.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> Said {
        self.sample_with(&mut Scratch::new(OPS_PER_LOOK_MAX), rng)
    }

    /// Something legal, with working memory that is used again.
    #[must_use]
    pub fn sample_with(&self, x: &mut Scratch, rng: &mut Rng) -> Said {
        let Some(open) = &self.s.open else { return Said::Pass };
        match &open.what {
            Question::Wait(_) => Said::Pass,
            Question::Choose => {
                Said::Picks(self.s.choice.as_ref().map_or(Vec::new(), |choice| choice.sample(rng)))
            }
            Question::Priority => {
                let acting = Acting { p: self.p, s: self.s, seat: self.seat.index() as u8 };
                let actions = acting.actions(x);
                let n = rng.below(actions.len() as u32 + 1) as usize;
                let Some(action) = actions.get(n) else { return Said::Pass };
                let options = acting.options(x, &self.p.actions[usize::from(*action)], &[]);
                if options.is_empty() {
                    return Said::Act(*action, Vec::new());
                }
                Said::Act(*action, vec![*rng.pick(&options)])
            }
            Question::Target => {
                let Some(announce) = &self.s.announce else { return Said::Cancel };
                let acting = Acting { p: self.p, s: self.s, seat: announce.seat };
                let def = &self.p.actions[usize::from(announce.action)];
                let options = acting.options(x, def, &announce.targets);
                if options.is_empty() { Said::Cancel } else { Said::Target(*rng.pick(&options)) }
            }
            Question::Ask(ask) => {
                let def = &self.p.asks[usize::from(*ask)];
                let mut list = x.list();
                self.options(x, def, &mut list);
                self.sample_from(x, def, list, rng)
            }
        }
    }

    #[inline]
    fn sample_from(&self, x: &mut Scratch, def: &AskDef, mut list: Vec<i64>, rng: &mut Rng) -> Said {
        match def.kind {
            AskKind::Slots(n) => {
                rng.shuffle(&mut list);
                let slots = (0..usize::from(n))
                    .map(|k| match list.get(k) {
                        Some(value) if rng.below(3) > 0 => *value,
                        _ => NONE,
                    })
                    .collect();
                Said::Picks(slots)
            }
            AskKind::Distribute => {
                let mut parts = vec![0; list.len()];
                if !parts.is_empty() {
                    for _ in 0..self.sum(x, def) {
                        let n = rng.below(parts.len() as u32) as usize;
                        parts[n] += 1;
                    }
                }
                Said::Picks(parts)
            }
            AskKind::Number if let Some((min, max)) = self.wide(x, def) => {
                let width = max.abs_diff(min).saturating_add(1);
                let word = u64::from(rng.below(1 << 31)) << 31 | u64::from(rng.below(1 << 31));
                Said::Picks(vec![min.saturating_add_unsigned(word % width)])
            }
            _ => {
                let (min, max) = self.bounds(x, def, list.len());
                let count = if min < max { min + rng.below((max - min) as u32 + 1) as usize } else { min };
                for n in 0..count {
                    let other = n + rng.below((list.len() - n) as u32) as usize;
                    list.swap(n, other);
                }
                list.truncate(count);
                Said::Picks(list)
            }
        }
    }

    /// The first thing that is legal.
    #[must_use]
    pub fn first(&self, x: &mut Scratch, def: &AskDef) -> Vec<i64> {
        let mut list = Vec::new();
        self.options(x, def, &mut list);
        match def.kind {
            AskKind::Slots(n) => vec![NONE; n.into()],
            AskKind::Distribute => {
                let mut parts = vec![0; list.len()];
                if let Some(first) = parts.first_mut() {
                    *first = self.sum(x, def);
                }
                parts
            }
            _ => {
                let (min, max) = self.bounds(x, def, list.len());
                list.truncate(min.max(max.min(1)));
                list
            }
        }
    }
}

impl Vm<'_, '_> {
    /// Asks. Seats that have nothing to choose from are not asked: their answer is empty.
    pub fn ask(&mut self, ask: u16) {
        let p = self.p;
        let def = &p.asks[usize::from(ask)];
        let who = self.seats_of(def.who);
        let seats_max = usize::from(self.s.board.seats);
        let row = usize::from(def.answer) * seats_max;
        for answer in &mut self.s.answers[row..row + seats_max] {
            answer.clear();
        }
        self.s.touched[usize::from(def.answer)] = Seats::NONE;
        self.s.sealed[usize::from(def.answer)] = Seats::NONE;
        let mut seats = Seats::NONE;
        for n in who {
            let seat = Seat::new(n as u8);
            if self.s.lost.has(seat) {
                continue;
            }
            // A question that stays open until its deadline is put to everybody: nobody learns who had no choice.
            let asked = Asked { p, s: self.s, seat };
            let can = def.deadline || def.always || def.mode == AskMode::All || asked.can(self.x, def);
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
        let id = self.next_ask();
        self.wake(seats);
        if def.shown {
            self.changed = Seats::ALL;
        }
        self.s.open = Some(Open { id, what: Question::Ask(ask), seats, ms });
    }

    /// A seat says something, checked before.
    pub fn answer(&mut self, seat: Seat, draft: bool, said: Said) {
        if let Said::Auto(auto) = said {
            return self.set_auto(seat, auto);
        }
        let Some(what) = self.s.open.as_ref().map(|open| open.what) else { return };
        match (what, said) {
            (Question::Ask(ask), said) => self.answered(seat, ask, draft, said),
            (Question::Priority, Said::Act(action, targets)) => {
                self.wake(Seats::only(seat));
                self.s.open = None;
                self.announce(Announce { action, seat: seat.index() as u8, targets });
            }
            (Question::Priority, _) => {
                self.s.open = None;
                self.pass_on();
            }
            (Question::Target, Said::Target(target)) => {
                self.s.open = None;
                if let Some(mut announce) = self.s.announce.take() {
                    announce.targets.push(target);
                    self.announce(announce);
                }
            }
            (Question::Target, _) => self.cancel(),
            (Question::Choose, Said::Picks(picks)) => self.chosen(picks),
            (Question::Choose | Question::Wait(_), _) => {}
        }
        self.run();
    }

    /// An action that is put together is given up; nothing of it was paid.
    fn cancel(&mut self) {
        self.s.open = None;
        self.s.announce = None;
        self.s.window = None;
        self.s.passed = false;
        self.changed = Seats::ALL;
    }

    fn answered(&mut self, seat: Seat, ask: u16, draft: bool, said: Said) {
        let def = &self.p.asks[usize::from(ask)];
        let answer = usize::from(def.answer);
        self.s.touched[answer] = self.s.touched[answer].with(seat);
        let row = answer * usize::from(self.s.board.seats) + seat.index();
        let note = match said {
            Said::Picks(picks) => {
                let before = std::mem::replace(&mut self.s.answers[row], picks);
                self.x.give(before);
                if draft { "drafted" } else { "answered" }
            }
            _ => "present",
        };
        let alive = note == "present";
        if self.out.told.is_some() && (def.mode != AskMode::One || draft) {
            self.tell(Seats::only(seat), json!({"type": note, "ask": def.id}));
        }
        if draft || alive {
            return;
        }
        self.s.sealed[answer] = self.s.sealed[answer].with(seat);
        let (mode, deadline) = (def.mode, def.deadline);
        if def.shown {
            self.changed = Seats::ALL;
        }
        let Some(open) = &mut self.s.open else { return };
        open.seats = open.seats.without(seat);
        if (open.seats.is_empty() || mode == AskMode::Any) && !deadline {
            self.s.open = None;
        }
    }

    /// What stands has elapsed: by its time, or because nobody is left in it.
    pub fn elapsed(&mut self) {
        let Some(open) = self.s.open.take() else { return };
        match open.what {
            Question::Wait(_) => {}
            // Whoever says nothing has chosen what the rules would.
            Question::Choose => self.chosen(Vec::new()),
            Question::Priority => self.pass_on(),
            Question::Target => {
                self.s.open = Some(open);
                self.cancel();
            }
            Question::Ask(ask) => {
                self.s.open = Some(open.clone());
                let def = &self.p.asks[usize::from(ask)];
                for seat in open.seats.iter() {
                    let asked = Asked { p: self.p, s: self.s, seat };
                    let row = usize::from(def.answer) * usize::from(self.s.board.seats) + seat.index();
                    let picks = match def.fallback {
                        Fallback::Draft => {
                            let drafted = self.s.answers[row].clone();
                            if drafted.is_empty() { asked.nothing(self.x, def) } else { drafted }
                        }
                        Fallback::First => asked.first(self.x, def),
                        Fallback::Pass if def.kind == AskKind::Confirm => Vec::new(),
                        Fallback::Pass => asked.nothing(self.x, def),
                        Fallback::Value(expr) => {
                            let value = asked.value(self.x, def, expr);
                            let mut list = Vec::new();
                            asked.options(self.x, def, &mut list);
                            let wide = asked.wide(self.x, def);
                            let fits =
                                wide.map_or(list.contains(&value), |(min, max)| (min..=max).contains(&value));
                            if fits { vec![value] } else { asked.first(self.x, def) }
                        }
                        Fallback::Random => {
                            let mut list = Vec::new();
                            asked.options(self.x, def, &mut list);
                            let said = asked.sample_from(self.x, def, list.clone(), self.rng);
                            let picks = if let Said::Picks(picks) = said { picks } else { Vec::new() };
                            self.drawn(&list, picks)
                        }
                    };
                    self.s.answers[row] = picks;
                }
                self.s.open = None;
            }
        }
        self.run();
    }
}

impl Asked<'_> {
    /// As little as may be said: an empty answer, or the first thing that is legal where one must be given.
    fn nothing(&self, x: &mut Scratch, def: &AskDef) -> Vec<i64> {
        let mut list = self.first(x, def);
        if def.kind == AskKind::Pick {
            let mut options = Vec::new();
            self.options(x, def, &mut options);
            list.truncate(self.bounds(x, def, options.len()).0);
        }
        list
    }
}
