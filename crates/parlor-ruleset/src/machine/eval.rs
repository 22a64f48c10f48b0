//! Expressions. Looking changes nothing but the working memory, and every look is counted.

mod attrs;
mod filter;
mod functions;
pub(crate) mod select;

use parlor_core::Seat;

use super::exec::stopped::Stop;
use super::state::{EventData, Frame, State};
use crate::limits::IT_DEPTH_MAX;
use crate::machine::ids::{AnswerId, AttrId, EntityId, InstanceId, SlotId, VarId, ZoneId};
use crate::machine::program::{Expr, ExprId, NEVER, NONE, Program, SelId, Was, amount, number};
use crate::machine::value::{Value, item_value, seat_number, seat_value};
use crate::operations::{OPERANDS_MAX, function};

/// Working memory: no part of the state.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// What is looked at, by depth.
    pub its: [i64; IT_DEPTH_MAX],
    /// Operations left.
    pub fuel: u32,
    /// Attributes that are computed inside one another.
    pub deep: u16,
    /// Lists that can be used again.
    pool: Vec<Vec<i64>>,
    /// The walk that is under way: its number, and its selection. Numbers are never used again.
    walk: (u32, Option<SelId>),
    walks: u32,
    /// What was worked out once for a walk: the number of the walk, and the value.
    once: Vec<(u32, i64)>,
    /// Where and why the machine was stopped, until it is told.
    pub(in crate::machine) stop: Stop,
    /// What was told of that last.
    pub(crate) told: Option<Stop>,
}

impl Scratch {
    /// With so many operations to spend.
    #[must_use]
    pub fn new(fuel: u32) -> Self {
        let (pool, once) = (Vec::new(), Vec::new());
        let (stop, told) = (Stop::default(), None);
        Self { its: [NONE; IT_DEPTH_MAX], fuel, deep: 0, pool, walk: (0, None), walks: 0, once, stop, told }
    }

    /// A walk over a selection begins; gives back the one around it.
    #[inline]
    pub(super) fn begin_walk(&mut self, sel: SelId) -> (u32, Option<SelId>) {
        self.walks = self.walks.wrapping_add(1);
        std::mem::replace(&mut self.walk, (self.walks, Some(sel)))
    }

    /// It is over.
    #[inline]
    pub(super) fn end_walk(&mut self, around: (u32, Option<SelId>)) {
        self.walk = around;
    }

    /// A value that was read off, for one operation; 0 where there is none left.
    #[inline]
    pub(super) fn paid(&mut self, value: i64) -> i64 {
        if self.fuel == 0 {
            return 0;
        }
        self.fuel -= 1;
        value
    }

    /// Looks at so many things at this cost each, as far as there is fuel; says at how many.
    #[inline]
    pub(super) fn looks(&mut self, things: usize, cost: u32) -> usize {
        let all = things as u64 * u64::from(cost);
        if all <= u64::from(self.fuel) {
            self.fuel -= all as u32;
            return things;
        }
        (std::mem::take(&mut self.fuel) / cost) as usize
    }

    /// An empty list.
    pub fn list(&mut self) -> Vec<i64> {
        self.pool.pop().unwrap_or_default()
    }

    /// Gives a list back.
    pub fn give(&mut self, mut list: Vec<i64>) {
        list.clear();
        self.pool.push(list);
    }
}

/// A look at a state from inside a frame.
#[derive(Clone, Copy)]
pub(crate) struct Eval<'a> {
    /// The rules.
    pub program: &'a Program,
    /// The state.
    pub state: &'a State,
    /// Locals of the frame.
    pub locals: &'a [i64],
    /// Lists of the frame.
    pub lists: &'a [Vec<i64>],
    /// The entity that has the ability.
    pub this: i64,
    /// Who controls it.
    pub you: i64,
    /// The event it is about.
    pub ev: &'a EventData,
}

const NO_EVENT: EventData = EventData::NONE;

impl<'a> Eval<'a> {
    /// From inside the innermost frame.
    #[must_use]
    #[inline]
    pub(crate) fn of(program: &'a Program, state: &'a State) -> Self {
        match state.frames.last() {
            Some(Frame { base, lists, this, you, ev, .. }) => Self {
                program,
                state,
                locals: &state.locals[*base as usize..],
                lists: &state.lists[*lists as usize..],
                this: *this,
                you: *you,
                ev,
            },
            None => Self::outside(program, state, NONE, NONE),
        }
    }

    /// From outside: no locals, no event.
    #[must_use]
    pub(crate) fn outside(program: &'a Program, state: &'a State, this: i64, you: i64) -> Self {
        Self { program, state, locals: &[], lists: &[], this, you, ev: &NO_EVENT }
    }

    /// The entity, if it is one.
    #[inline]
    pub(crate) fn ent(&self, value: i64) -> Option<EntityId> {
        self.state.board.entity(value)
    }

    /// The seat's index, if there is one.
    #[inline]
    pub(crate) fn seat(&self, value: i64) -> Option<usize> {
        // Any number may be asked whether it is a seat, the least of all too.
        let n = seat_number(value);
        (n >= 0 && n < i64::from(self.state.board.seats)).then_some(n as usize)
    }

    fn owner_seat(n: u8) -> i64 {
        if n == super::board::NOBODY { NONE } else { seat_value(usize::from(n)) }
    }

    fn answer(&self, slot: AnswerId, seat: i64) -> &'a [i64] {
        self.seat(seat)
            .map_or(&[], |seat| &self.state.answers[slot.index() * self.state.board.seats as usize + seat])
    }

    /// Whether it holds.
    #[inline]
    pub(crate) fn holds(&self, scratch: &mut Scratch, expr: ExprId) -> bool {
        self.value(scratch, expr) != 0
    }

    /// The value of an expression. What has no parts is looked up right here; whatever has some is worked out elsewhere,
    /// as the last thing that is done, so that looking up stays as cheap as it can be.
    #[inline]
    pub(crate) fn value(&self, scratch: &mut Scratch, expr: ExprId) -> i64 {
        if scratch.fuel == 0 {
            return 0;
        }
        scratch.fuel -= 1;
        let board = &self.state.board;
        match self.program.exprs[expr] {
            Expr::Const(value) => value,
            Expr::Local(n) => self.local(n),
            Expr::It(depth) => scratch.its[usize::from(depth)],
            Expr::Var(slot) => board.vars[slot],
            Expr::ZoneLen(instance) => self.zone_len(instance),
            Expr::VarEq(_, slot, value) => i64::from(scratch.paid(board.vars[slot]) == value),
            Expr::ZoneLenEq(_, instance, value) => i64::from(scratch.paid(self.zone_len(instance)) == value),
            Expr::ZoneLenOver(_, instance, value) => i64::from(scratch.paid(self.zone_len(instance)) > value),
            Expr::ZoneFirst(instance) => board.zones[instance].first().map_or(NONE, |ent| ent.value()),
            Expr::LocalAttr(_, n, attr) => {
                let ent = scratch.paid(self.local(n));
                self.printed(ent, attr)
            }
            Expr::ItAttr(_, depth, attr) => {
                let ent = scratch.paid(scratch.its[usize::from(depth)]);
                self.printed(ent, attr)
            }
            Expr::This => self.this,
            Expr::You => self.you,
            Expr::Active => seat_value(usize::from(board.active)),
            Expr::Ev(field) => self.ev.args[usize::from(field)],
            Expr::Attr(of, attr) => self.attr_of(scratch, of, attr),
            Expr::SeatVar(base, seat) => self.seat_var(scratch, base, seat),
            Expr::Once(n, sel, inner) => self.once(scratch, usize::from(n), sel, inner),
            ref other => self.eval_operators(scratch, other),
        }
    }

    /// What an expression counts in arithmetic.
    #[inline]
    fn amount(&self, scratch: &mut Scratch, expr: ExprId) -> i64 {
        amount(self.value(scratch, expr))
    }

    #[inline]
    fn local(&self, n: u16) -> i64 {
        self.locals.get(usize::from(n)).copied().unwrap_or(NONE)
    }

    #[inline]
    fn zone_len(&self, instance: InstanceId) -> i64 {
        self.state.board.zones[instance].len() as i64
    }

    /// A printed attribute that no layer changes.
    #[inline]
    fn printed(&self, ent: i64, attr: AttrId) -> i64 {
        match self.ent(ent) {
            Some(e) => self.program.printed(self.state.board.entities[e].def, attr),
            None => self.program.attrs[attr].default,
        }
    }

    #[inline(never)]
    fn attr_of(&self, scratch: &mut Scratch, of: ExprId, attr: AttrId) -> i64 {
        let ent = self.value(scratch, of);
        self.attr(scratch, ent, attr)
    }

    #[inline(never)]
    fn seat_var(&self, scratch: &mut Scratch, base: SlotId, seat: ExprId) -> i64 {
        let seat = self.value(scratch, seat);
        self.seat(seat).map_or(0, |n| self.state.board.vars[base.of(n)])
    }

    /// The value of an expression that joins others. Everything else stands elsewhere, so that this stays small.
    #[inline(never)]
    fn eval_operators(&self, scratch: &mut Scratch, expr: &Expr) -> i64 {
        match *expr {
            Expr::LtConst(a, value) => i64::from(self.value(scratch, a) < value),
            Expr::GtConst(a, value) => i64::from(self.value(scratch, a) > value),
            Expr::EqConst(a, value) => i64::from(self.value(scratch, a) == value),
            Expr::Eq(a, b) => i64::from(self.value(scratch, a) == self.value(scratch, b)),
            Expr::Lt(a, b) => i64::from(self.value(scratch, a) < self.value(scratch, b)),
            Expr::Le(a, b) => i64::from(self.value(scratch, a) <= self.value(scratch, b)),
            Expr::And(a, b) => i64::from(self.holds(scratch, a) && self.holds(scratch, b)),
            Expr::Or(a, b) => i64::from(self.holds(scratch, a) || self.holds(scratch, b)),
            Expr::Not(a) => i64::from(!self.holds(scratch, a)),
            Expr::If(c, a, b) => {
                let branch = if self.holds(scratch, c) { a } else { b };
                self.value(scratch, branch)
            }
            Expr::Add(a, b) => number(self.amount(scratch, a).saturating_add(self.amount(scratch, b))),
            Expr::Sub(a, b) => number(self.amount(scratch, a).saturating_sub(self.amount(scratch, b))),
            Expr::Count(_) => self.fold(scratch, *expr),
            _ => self.eval_reads(scratch, expr),
        }
    }

    /// The value of an expression that reads something off the table.
    #[inline(never)]
    fn eval_reads(&self, scratch: &mut Scratch, expr: &Expr) -> i64 {
        match *expr {
            Expr::ItAttrEq(depth, attr, value) => {
                let it = scratch.its[usize::from(depth)];
                let printed = |e: EntityId| self.program.printed(self.state.board.entities[e].def, attr);
                i64::from(self.ent(it).is_some_and(|e| printed(e) == value))
            }
            Expr::ItAttrIs(depth, attr, value) => {
                let value = self.value(scratch, value);
                let it = scratch.its[usize::from(depth)];
                let printed = |e: EntityId| self.program.printed(self.state.board.entities[e].def, attr);
                i64::from(self.ent(it).map_or(NONE, printed) == value)
            }
            Expr::Answer(slot, seat) => {
                let seat = self.value(scratch, seat);
                self.answer(slot, seat).first().copied().unwrap_or(NONE)
            }
            Expr::EvId => i64::from(self.ev.id),
            Expr::Config(n) => self.state.config[n].first().copied().unwrap_or(NONE),
            Expr::Mul(a, b) => number(self.amount(scratch, a).saturating_mul(self.amount(scratch, b))),
            Expr::Div(a, b) => match (self.amount(scratch, a), self.amount(scratch, b)) {
                (_, 0) => 0,
                (a, b) => number(a.checked_div_euclid(b).unwrap_or(i64::MAX)),
            },
            Expr::Rem(a, b) => {
                self.amount(scratch, a).checked_rem_euclid(self.amount(scratch, b)).unwrap_or(0)
            }
            Expr::Min(a, b) => self.value(scratch, a).min(self.value(scratch, b)),
            Expr::Max(a, b) => self.value(scratch, a).max(self.value(scratch, b)),
            other => self.eval_rare(scratch, other),
        }
    }

    /// A value that is the same all through a walk; outside of that walk it is worked out every time.
    #[inline(never)]
    fn once(&self, scratch: &mut Scratch, n: usize, sel: SelId, inner: ExprId) -> i64 {
        let (walk, of) = scratch.walk;
        if of != Some(sel) {
            return self.value(scratch, inner);
        }
        if let Some((worked, value)) = scratch.once.get(n)
            && *worked == walk
        {
            return *value;
        }
        let value = self.value(scratch, inner);
        if scratch.once.len() <= n {
            scratch.once.resize(n + 1, (0, 0));
        }
        scratch.once[n] = (walk, value);
        value
    }

    fn eval_rare(&self, scratch: &mut Scratch, expr: Expr) -> i64 {
        let board = &self.state.board;
        match expr {
            Expr::Function(number, count, operands) => {
                let mut values = [NONE; OPERANDS_MAX];
                for (value, operand) in values.iter_mut().zip(operands).take(count.into()) {
                    *value = self.value(scratch, operand);
                }
                function(number).map_or(NONE, |function| (function.value)(self, scratch, values))
            }
            Expr::Counter(e, kind) => self.counters(self.value(scratch, e), kind),
            Expr::Has(e, keyword) => {
                let ent = self.value(scratch, e);
                i64::from(self.has(scratch, ent, keyword))
            }
            Expr::Card(e) => self.kind_of(self.value(scratch, e)),
            Expr::ZoneOf(e) => self.zone_of(self.value(scratch, e)),
            Expr::AnswerAt(slot, seat, place) => {
                let (seat, place) = (self.value(scratch, seat), self.value(scratch, place));
                let answer = self.answer(slot, seat);
                usize::try_from(place).ok().and_then(|n| answer.get(n)).copied().unwrap_or(NONE)
            }
            Expr::Touched(slot, seat) => {
                let touched = self.state.touched[slot];
                i64::from(State::seat(self.value(scratch, seat)).is_some_and(|seat| touched.has(seat)))
            }
            Expr::Owner(e) => self.owner(self.value(scratch, e)),
            Expr::Controller(e) => self.controller(self.value(scratch, e)),
            Expr::SeatOffset(seat, by) => {
                let (seat, by) = (self.value(scratch, seat), self.amount(scratch, by));
                let n = i64::from(board.seats);
                self.seat(seat)
                    .map_or(NONE, |seat| seat_value((seat as i64).saturating_add(by).rem_euclid(n) as usize))
            }
            Expr::SeatNo(seat) => self.seat(self.value(scratch, seat)).map_or(NONE, |n| n as i64),
            Expr::SeatAt(n) => {
                let n = self.value(scratch, n);
                if (0..i64::from(board.seats)).contains(&n) { seat_value(n as usize) } else { NONE }
            }
            Expr::Seats => i64::from(board.seats),
            Expr::Table(table, first, keys, default) => self.tabled(scratch, table, (first, keys), default),
            Expr::ItemEvent(e) => self.item_event(self.value(scratch, e)),
            Expr::TeamVar(base, seat) => {
                let team = self.team_of(self.value(scratch, seat));
                team.map_or(0, |team| board.vars[base.of(team.into())])
            }
            Expr::Team(seat) => self.team_of(self.value(scratch, seat)).map_or(NONE, i64::from),
            Expr::Partner(seat) => self.partner(self.value(scratch, seat)),
            Expr::Was(e, column) => {
                let ent = self.value(scratch, e);
                self.was(scratch, ent, column)
            }
            Expr::InCell(zone, of, cell) => {
                let cell = self.value(scratch, cell);
                let mut cards = self.zone_cards(scratch, zone, of).iter();
                let found = cards.find(|ent| i64::from(board.entities[**ent].cell) == cell);
                found.map_or(NONE, |ent| ent.value())
            }
            Expr::EnumVar(base, count, which) => {
                let n = self.value(scratch, which);
                let there = (0..i64::from(count)).contains(&n);
                if there { board.vars[base.of(n as usize)] } else { 0 }
            }
            Expr::Phase => board.phase.value(),
            Expr::Step => board.step.value(),
            Expr::Turn => i64::from(board.turn),
            Expr::StackEmpty => i64::from(self.state.stack.is_empty()),
            Expr::Happened(event, span) => i64::from(self.state.counts[event][span as usize]),
            other => self.fold(scratch, other),
        }
    }

    /// Who controls an entity or an item; a seat controls itself.
    #[must_use]
    pub(crate) fn controller(&self, thing: i64) -> i64 {
        if self.seat(thing).is_some() {
            return thing;
        }
        if matches!(Value::of(thing), Value::Item(_)) {
            let item = self.state.stack.iter().find(|other| item_value(other.order) == thing);
            return item.map_or(NONE, |item| item.you);
        }
        self.ent(thing).map_or(NONE, |e| Self::owner_seat(self.state.board.entities[e].ctrl))
    }

    /// Where a variable is kept, counted from its base: whose it is; nothing where that is nobody.
    pub(crate) fn place_of(&self, scratch: &mut Scratch, var: VarId, of: Option<ExprId>) -> Option<usize> {
        let def = &self.program.vars[var];
        let Some(of) = of else { return Some(0) };
        let whose = self.value(scratch, of);
        match (def.per, def.per_team) {
            (Some(_), _) => {
                let n = usize::try_from(whose).ok();
                n.filter(|n| *n < usize::from(def.count(self.program, 0)))
            }
            (None, true) => self.team_of(whose).map(usize::from),
            (None, false) => self.seat(whose),
        }
    }

    /// The value of a variable; nothing where it is nobody's.
    pub(crate) fn var_of(&self, scratch: &mut Scratch, var: VarId, of: Option<ExprId>) -> Option<i64> {
        let base = self.program.vars[var].base;
        self.place_of(scratch, var, of).map(|place| self.state.board.vars[base.of(place)])
    }

    /// The team of a seat.
    pub(crate) fn team_of(&self, seat: i64) -> Option<u8> {
        self.seat(seat).and_then(|seat| self.program.teams.get(seat)).copied()
    }

    /// What an entity was like when it last left a zone, as the event that is reacted to found it; as it is, where it
    /// never left one.
    fn was(&self, scratch: &mut Scratch, ent: i64, column: u16) -> i64 {
        let Some(e) = self.ent(ent) else { return NONE };
        let rows = self.state.current.as_ref().map_or(&[][..], |current| &current.item.was);
        let width = self.program.was.len();
        let row = match rows.iter().find(|(other, _)| *other == e) {
            Some((_, row)) => row.as_slice(),
            None => &self.state.board.last[e.index() * width..][..width],
        };
        if row[usize::from(column)] != NEVER {
            return row[usize::from(column)];
        }
        match self.program.was[usize::from(column)] {
            Was::Attr(attr) => self.attr(scratch, ent, attr),
            Was::Counter(kind) => self.state.board.counters[self.program.counter_at(e, kind)],
            Was::Controller => self.controller(ent),
        }
    }

    /// The cards of a zone: of the game, or of a seat.
    pub(super) fn zone_cards(
        &self,
        scratch: &mut Scratch,
        zone: ZoneId,
        of: Option<ExprId>,
    ) -> &'a [EntityId] {
        let base = self.program.zones[zone].base;
        let place = match of {
            None => Some(0),
            Some(of) => {
                let seat = self.value(scratch, of);
                self.seat(seat)
            }
        };
        place.map_or(&[], |place| &self.state.board.zones[base.of(place)])
    }

    /// The seats of a table, from this one on.
    pub(crate) fn seats_from(&self, first: usize) -> impl Iterator<Item = Seat> + use<> {
        let n = usize::from(self.state.board.seats);
        (0..n).map(move |k| Seat::new(((first + k) % n) as u8))
    }
}
