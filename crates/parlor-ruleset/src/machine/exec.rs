//! The operations, one after another, until something is asked or the match is over.

pub(crate) mod board_ops;
pub(crate) mod chance;
pub(crate) mod deeds;
mod durations;
mod ending;
pub(crate) mod event;
pub(crate) mod invariants;
mod leave;
pub(crate) mod stopped;
pub(crate) mod turn;

use parlor_core::{Outcome, Seats};

use super::board::NOBODY;
use super::eval::Eval;
use super::exec::board_ops::Done;
use super::exec::deeds::Operands;
use super::exec::stopped::Stop;
use super::state::{Before, Current, EventData, Frame, Group, More, Open, Question, State, Verdict, Vm};
use crate::limits::{EVENT_FIELDS_MAX, LOOP_TURNS_MAX};
use crate::machine::ids::{EventType, VarId};
use crate::machine::program::{
    Block, CARD_CREATED, Durations, ExprId, NONE, Op, STEP_END, SelId, ZONE_MOVED, amount, number,
};
use crate::operations::{Deed, STATEMENTS};

impl<'a> Vm<'a, '_> {
    /// Whether there is anything to do before somebody says something.
    #[inline]
    fn goes_on(&self) -> bool {
        self.state.open.is_none() && self.state.over.is_none() && self.state.broken.is_none()
    }

    /// Runs until something is asked or the match is over.
    pub fn run(&mut self) {
        if !self.program.chooses {
            while let Err(verdict) = self.steps() {
                self.stopped(verdict);
            }
        }
        while self.goes_on() {
            let (op, pc) = match self.steer() {
                Ok(Some(next)) => next,
                Ok(None) => {
                    self.rank();
                    continue;
                }
                Err(verdict) => {
                    self.stopped(verdict);
                    continue;
                }
            };
            let saved = self.save(op);
            let done = self.operate(op, pc);
            if done.is_err() {
                self.stopped_at(pc);
            }
            match (done, saved) {
                (Err(Verdict::Choice), Some(saved)) => {
                    self.scratch.stop = Stop::default();
                    self.put_off(*saved);
                }
                (done, saved) => {
                    if saved.is_some() {
                        self.saved();
                    }
                    if let Err(verdict) = done {
                        self.stopped(verdict);
                    }
                }
            }
        }
        // What lies between items must hold as soon as somebody is asked.
        if self.state.current.is_none() && self.state.over.is_none() {
            self.unsound();
        }
        if self.state.over.is_some() {
            self.state.open = None;
            self.state.window = None;
        }
        if self.state.open.is_none() {
            self.state.more = More { full: self.state.more.full, ..More::default() };
        }
        self.settle();
    }

    /// Everybody's stake, and the code of the match.
    pub fn set_out(&mut self) {
        self.stake();
        self.enter(self.program.main, NONE, NONE, EventData::NONE, &[]);
    }

    /// The first operations of a match, as long as nobody is asked, no luck is drawn and nothing happens that anybody
    /// reacts to: all matches with the same knobs begin with them.
    pub fn prelude(&mut self) {
        if self.program.chooses || self.wanted(ZONE_MOVED) || self.wanted(CARD_CREATED) {
            return;
        }
        while self.goes_on() {
            let done = match self.steer() {
                Ok(Some((op @ (Op::Create(..) | Op::Move(..)), pc))) => self.operate(op, pc),
                Ok(_) => return,
                Err(verdict) => Err(verdict),
            };
            if let Err(verdict) = done {
                return self.stopped(verdict);
            }
        }
    }

    /// Whoever's view has changed without a word is told that it has.
    pub(super) fn settle(&mut self) {
        if self.out.output.is_none() {
            return;
        }
        let rest: Seats = parlor_core::Viewer::all(self.state.board.seats)
            .filter(|viewer| self.changed.sees(*viewer) && !self.heard.sees(*viewer))
            .fold(Seats::NONE, |all, viewer| all.and(viewer.into()));
        if !rest.is_empty() {
            self.tell(rest, serde_json::json!({"type": "changed"}));
        }
    }

    /// A guardrail stopped what ran: the item fails and play goes on; the flow of the game itself ends the match.
    pub(super) fn stopped(&mut self, verdict: Verdict) {
        let spent = verdict == Verdict::Fuel || verdict == Verdict::Events;
        let item = self.state.current.as_ref().is_some_and(|current| !current.is_apart());
        if item && !(spent && self.refilled) {
            if spent {
                self.refilled = true;
                self.scratch.fuel = self.program.limits().ops / 8 + 1000;
                self.events = 0;
            }
            self.fail(verdict);
            return;
        }
        self.verdict(verdict, 0);
        if verdict == Verdict::Repetition && self.program.limits().same_ranked {
            return self.ranked(format!("verdict: {}", verdict.name()));
        }
        self.finish(Outcome::draw(self.state.board.seats, format!("verdict: {}", verdict.name())));
    }

    /// Begins a block.
    pub fn enter(&mut self, block: Block, this: i64, you: i64, ev: EventData, locals: &[i64]) {
        let base = self.state.locals.len();
        let size = usize::from(block.locals).max(locals.len());
        self.state.locals.extend_from_slice(locals);
        self.state.locals.resize(base + size, NONE);
        let lists = self.state.lists.len();
        self.state.lists.resize(lists + usize::from(block.lists), Vec::new());
        self.state.frames.push(Frame { pc: block.pc, base: base as u32, lists: lists as u32, this, you, ev });
    }

    /// Leaves the innermost block.
    pub fn leave(&mut self) {
        if let Some(frame) = self.state.frames.pop() {
            self.state.locals.truncate(frame.base as usize);
            self.state.lists.truncate(frame.lists as usize);
        }
    }

    pub(super) fn local(&mut self, n: u16) -> &mut i64 {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        &mut self.state.locals[base + usize::from(n)]
    }

    pub(super) fn goto(&mut self, pc: u32) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.pc = pc;
        }
    }

    /// Everything a selection names, in a list that is given back.
    pub fn listed(&mut self, sel: SelId) -> Vec<i64> {
        let mut list = self.scratch.list();
        Eval::of(self.program, self.state).list(self.scratch, sel, &mut list);
        list
    }

    pub(super) fn you(&self) -> u8 {
        let you = self.state.frames.last().map_or(NONE, |frame| frame.you);
        State::seat(you).map_or(NOBODY, |seat| seat.index() as u8)
    }

    /// Operations, one after another, as long as there is anything to do and nothing stops them.
    fn steps(&mut self) -> Done {
        while self.goes_on() {
            self.step()?;
        }
        Ok(())
    }

    /// One operation that may do something to the table, and whatever steers the code before it.
    pub fn step(&mut self) -> Done {
        match self.steer()? {
            Some((op, pc)) => {
                let done = self.operate(op, pc);
                if done.is_err() {
                    self.stopped_at(pc);
                }
                done
            }
            None => {
                self.rank();
                Ok(())
            }
        }
    }

    /// Operations that only steer the code or set variables, as many as follow one another. None of them asks, ends the
    /// match or leaves the frame, so where the code stands is noted once, at their end. Gives the operation that comes
    /// next, and its place; nothing where there is no code left.
    #[inline(always)]
    fn steer(&mut self) -> Result<Option<(&'a Op, u32)>, Verdict> {
        let Some(frame) = self.state.frames.last() else { return Ok(None) };
        let (mut pc, base, lists) = (frame.pc, frame.base as usize, frame.lists as usize);
        let program = self.program;
        let stop = loop {
            if self.scratch.fuel == 0 {
                break Err(Verdict::Fuel);
            }
            self.scratch.fuel -= 1;
            let mut next = pc + 1;
            let op = &program.code[pc as usize];
            match op {
                Op::Let(slot, expr) => {
                    let value = self.eval_at(base, *expr);
                    self.state.locals[base + usize::from(*slot)] = value;
                }
                Op::Jump(to) => next = *to,
                Op::Unless(expr, to) => {
                    if self.eval_at(base, *expr) == 0 {
                        next = *to;
                    }
                }
                Op::LetList(n, sel) => {
                    let at = lists + usize::from(*n);
                    let mut list = std::mem::take(&mut self.state.lists[at]);
                    list.clear();
                    Eval::of(program, self.state).list(self.scratch, *sel, &mut list);
                    self.state.lists[at] = list;
                }
                Op::Next(list, counter, local, end) => {
                    let n = self.state.locals[base + usize::from(*counter)];
                    let list = &self.state.lists[lists + usize::from(*list)];
                    match usize::try_from(n).ok().and_then(|n| list.get(n)).copied() {
                        Some(value) => {
                            self.state.locals[base + usize::from(*local)] = value;
                            self.state.locals[base + usize::from(*counter)] = n + 1;
                        }
                        None => next = *end,
                    }
                }
                Op::Again(counter, most, end) => {
                    let most = self.eval_at(base, *most);
                    let n = self.state.locals[base + usize::from(*counter)];
                    if n >= most {
                        next = *end;
                    } else if n >= i64::from(LOOP_TURNS_MAX) {
                        pc = next;
                        break Err(Verdict::Loop);
                    } else {
                        self.state.locals[base + usize::from(*counter)] = n + 1;
                    }
                }
                Op::SetVar(var, of, value) => {
                    let value = self.eval_at(base, *value);
                    if let Err(verdict) = self.set_var(*var, *of, value) {
                        break Err(verdict);
                    }
                }
                Op::AddVar(var, of, by) => {
                    let (now, by) = (self.var(*var, *of), self.eval_at(base, *by));
                    let sum = number(amount(now).saturating_add(amount(by)));
                    if let Err(verdict) = self.set_var(*var, *of, sum) {
                        break Err(verdict);
                    }
                }
                _ => {
                    // It was not done, and costs nothing yet.
                    self.scratch.fuel += 1;
                    break Ok(Some((op, pc)));
                }
            }
            pc = next;
        };
        self.goto(pc);
        if stop.is_err() {
            self.stopped_at(pc);
        }
        stop
    }

    /// One operation that does more than steer.
    #[inline(always)]
    fn operate(&mut self, op: &Op, pc: u32) -> Done {
        let program = self.program;
        self.scratch.fuel -= 1;
        self.goto(pc + 1);
        match op {
            Op::Move(sel, to, place, by) => {
                let by = match by {
                    Some(by) => State::seat(self.eval(*by)).map_or(NOBODY, |seat| seat.index() as u8),
                    None => self.you(),
                };
                if let Some(expr) = program.sels[*sel].single() {
                    let value = self.eval(expr);
                    if let (Some(ent), Some(instance)) = (self.entity(value), self.instance(*to)) {
                        self.put(ent, instance, *place, by)?;
                    }
                    return if self.scratch.fuel == 0 { Err(Verdict::Fuel) } else { Ok(()) };
                }
                let list = self.listed(*sel);
                let done = self.put_all(&list, *to, *place, by);
                self.scratch.give(list);
                done?;
            }
            Op::Ask(ask) => self.ask(*ask),
            Op::Drain => {
                if self.state.current.is_none() && self.depth == 0 && self.beat()? {
                    self.again(pc);
                }
            }
            Op::Emit(ty, args, each) => self.emit(*ty, args, *each)?,
            Op::End => self.ended()?,
            other => self.exec_rare(other, pc)?,
        }
        if self.scratch.fuel == 0 { Err(Verdict::Fuel) } else { Ok(()) }
    }

    pub(super) fn var(&mut self, var: VarId, of: Option<ExprId>) -> i64 {
        let base = self.program.vars[var].base;
        let place = match of {
            None => Some(0),
            Some(of) => self.var_place(var, of),
        };
        place.map_or(0, |place| self.state.board.vars[base.of(place)])
    }

    pub(super) fn emit(&mut self, ty: EventType, args: &[ExprId], each: Option<(SelId, u8)>) -> Done {
        let mut given = self.fields(args);
        let Some((sel, field)) = each else {
            return self.happen(ty, &given).map(|_| ());
        };
        // After whatever came before this was replaced, and in the order of their numbers.
        let mut list = self.listed(sel);
        Eval::of(self.program, self.state).by_name(&mut list);
        for value in &list {
            given[usize::from(field)] = *value;
            self.happen(ty, &given)?;
        }
        self.scratch.give(list);
        Ok(())
    }

    /// The fields of an event, worked out.
    fn fields(&mut self, args: &[ExprId]) -> [i64; EVENT_FIELDS_MAX] {
        let mut given = [NONE; EVENT_FIELDS_MAX];
        for (place, expr) in given.iter_mut().zip(args) {
            *place = self.eval(*expr);
        }
        given
    }

    pub(super) fn exec_rare(&mut self, op: &Op, pc: u32) -> Done {
        match op {
            Op::Do(number, operands) => {
                if let Deed::Machine(deed) = STATEMENTS[usize::from(*number)].deed {
                    deed(self, Operands(operands))?;
                }
            }
            Op::SetAttr(sel, attr, value) => self.set_attr(*sel, *attr, *value),
            Op::Deal(from, zone, who, n) => {
                let n = self.eval(*n);
                self.deal(*from, *zone, *who, n)?;
            }
            Op::Draw(from, to, n) => {
                let n = self.eval(*n);
                self.draw(*from, *to, n)?;
            }
            Op::Create(kinds, to, n, place) => {
                let (list, n) = (self.listed(*kinds), self.eval(*n));
                self.create(&list, *to, n, *place)?;
                self.scratch.give(list);
            }
            Op::Push(ty, args, respond) => {
                let given = self.fields(args);
                self.push_event(*ty, &given, *respond)?;
            }
            Op::Aimed(targets) => self.aimed(*targets),
            Op::Apply(modifier) => self.modify(modifier)?,
            Op::Peek(sel, who, until) => {
                let list = self.listed(*sel);
                self.peek(&list, *who, *until)?;
                self.scratch.give(list);
            }
            Op::Flip(sel, down) => {
                let list = self.listed(*sel);
                self.flip(&list, *down)?;
                self.scratch.give(list);
            }
            Op::Later(trigger, once, until) => self.later(*trigger, *once, *until)?,
            Op::Activate(of, name, this) => {
                let (of, this) = (self.eval(*of), self.eval(*this));
                self.activate(of, *name, this)?;
            }
            Op::BatchStart => self.begin_batch(),
            Op::BatchEnd => self.end_batch(),
            Op::AtomicStart => self.begin_group(),
            Op::AtomicEnd => self.end_group(),
            Op::Wait(ms) => {
                let ms = self.eval(*ms).clamp(0, 86_400_000) as u32;
                let id = self.next_ask();
                self.state.open = Some(Open { id, what: Question::Wait(ms), seats: Seats::NONE, ms: 0 });
            }
            Op::BeginTurn(first, counter) => {
                let first = if *self.local(*counter) == 1 { *first } else { None };
                self.begin_turn(first)?;
            }
            Op::EndTurn => self.end_turn()?,
            Op::EnterStep(step) => self.enter_step(*step)?,
            Op::LeaveStep(step) => {
                self.expire(|until, ()| until.how == Durations::StepEnd);
                let phase = self.program.steps[*step].phase;
                self.happen(STEP_END, &[phase.value(), step.value()])?;
            }
            Op::Priority(step) => self.priority(*step, pc)?,
            Op::Modify(field, value) => {
                let value = self.eval(*value);
                self.modify_event(*field, value);
            }
            Op::Run(card, first) => self.run_card(*card, *first),
            Op::RunAbility(source, ability, first) => self.run_ability(*source, *ability, *first),
            Op::Roll(slot, sides) => self.roll(*slot, *sides)?,
            Op::Mix(n, ty) => self.mix_bound(*n, *ty)?,
            Op::Note(place) => {
                // It is no part of the rules, and costs nothing.
                self.scratch.fuel += 1;
                self.program.note(*place);
            }
            _ => {}
        }
        Ok(())
    }

    /// An atomic group begins. Outside of any item nothing is kept to take back: from here on it is.
    fn begin_group(&mut self) {
        if self.state.current.is_none() {
            self.state.current = Some(Box::new(Current::apart(self.state)));
        }
        let journal = self.state.current.as_ref().map_or(0, |current| current.journal.len()) as u32;
        let happened = self.state.happened.len() as u32;
        let before = Before::of(self.state);
        self.state.groups.push(Group { journal, happened, fell: false, before });
    }

    /// An atomic group is at its end: where it fell, nothing of it has happened but what prevented it.
    fn end_group(&mut self) {
        let Some(group) = self.state.groups.pop() else { return };
        if group.fell {
            self.roll_back(group.journal as usize);
            let after =
                self.state.happened.split_off((group.happened as usize).min(self.state.happened.len()));
            let told =
                after.into_iter().filter(|past| past.ev.ty == crate::machine::program::EVENT_PREVENTED);
            self.state.happened.extend(told);
            group.before.again(self.state);
            self.changed = Seats::ALL;
            let about = self.state.frames.last().map_or(0, |frame| frame.ev.id);
            self.verdict(Verdict::Group, about);
        }
        if self.state.groups.is_empty()
            && self.state.current.as_ref().is_some_and(|current| current.is_apart())
        {
            self.state.current = None;
        }
    }

    /// The number of a new question; the next one is left for its drafts.
    pub fn next_ask(&mut self) -> u32 {
        self.state.more.kept.clear();
        self.state.next.ask += 2;
        self.state.next.ask
    }
}
