//! Expressions. Looking changes nothing but the working memory, and every look is counted.

use parlor_core::Seat;

use super::state::{EventData, Frame, State};
use crate::limits::IT_DEPTH_MAX;
use crate::program::{Expr, ExprId, ITEM, NEVER, NONE, Program, SEAT, Was};

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
    walk: (u32, u32),
    walks: u32,
    /// What was worked out once for a walk: the number of the walk, and the value.
    once: Vec<(u32, i64)>,
}

impl Scratch {
    /// With so many operations to spend.
    #[must_use]
    pub fn new(fuel: u32) -> Self {
        let (pool, once) = (Vec::new(), Vec::new());
        Self { its: [NONE; IT_DEPTH_MAX], fuel, deep: 0, pool, walk: (0, u32::MAX), walks: 0, once }
    }

    /// A walk over a selection begins; gives back the one around it.
    #[inline]
    pub(super) fn begin_walk(&mut self, sel: u32) -> (u32, u32) {
        self.walks = self.walks.wrapping_add(1);
        std::mem::replace(&mut self.walk, (self.walks, sel))
    }

    /// It is over.
    #[inline]
    pub(super) fn end_walk(&mut self, around: (u32, u32)) {
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
pub struct Eval<'a> {
    /// The rules.
    pub p: &'a Program,
    /// The state.
    pub s: &'a State,
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
    pub fn of(p: &'a Program, s: &'a State) -> Self {
        match s.frames.last() {
            Some(Frame { base, lists, this, you, ev, .. }) => Self {
                p,
                s,
                locals: &s.locals[*base as usize..],
                lists: &s.lists[*lists as usize..],
                this: *this,
                you: *you,
                ev,
            },
            None => Self::outside(p, s, NONE, NONE),
        }
    }

    /// From outside: no locals, no event.
    #[must_use]
    pub fn outside(p: &'a Program, s: &'a State, this: i64, you: i64) -> Self {
        Self { p, s, locals: &[], lists: &[], this, you, ev: &NO_EVENT }
    }

    /// The entity's index, if it is one.
    #[inline]
    pub(crate) fn ent(&self, value: i64) -> Option<usize> {
        (value >= 0 && (value as usize) < self.s.board.entities.len()).then_some(value as usize)
    }

    /// The seat's index, if there is one.
    #[inline]
    pub(crate) fn seat(&self, value: i64) -> Option<usize> {
        // Any number may be asked whether it is a seat, the least of all too.
        let n = value.wrapping_sub(SEAT);
        (n >= 0 && n < i64::from(self.s.board.seats)).then_some(n as usize)
    }

    fn owner_seat(n: u8) -> i64 {
        if n == super::board::NOBODY { NONE } else { SEAT + i64::from(n) }
    }

    fn answer(&self, slot: u16, seat: i64) -> &'a [i64] {
        self.seat(seat)
            .map_or(&[], |seat| &self.s.answers[usize::from(slot) * self.s.board.seats as usize + seat])
    }

    /// Whether it holds.
    #[inline]
    pub fn holds(&self, x: &mut Scratch, expr: ExprId) -> bool {
        self.value(x, expr) != 0
    }

    /// The value of an expression. What has no parts is looked up right here; whatever has some is worked out elsewhere,
    /// as the last thing that is done, so that looking up stays as cheap as it can be.
    #[inline]
    pub fn value(&self, x: &mut Scratch, expr: ExprId) -> i64 {
        if x.fuel == 0 {
            return 0;
        }
        x.fuel -= 1;
        let board = &self.s.board;
        match self.p.exprs[expr as usize] {
            Expr::Const(value) => value,
            Expr::Local(n) => self.local(n),
            Expr::It(depth) => x.its[usize::from(depth)],
            Expr::Var(slot) => board.vars[usize::from(slot)],
            Expr::ZoneLen(instance) => self.zone_len(instance),
            Expr::VarEq(_, slot, value) => i64::from(x.paid(board.vars[usize::from(slot)]) == value),
            Expr::ZoneLenEq(_, instance, value) => i64::from(x.paid(self.zone_len(instance)) == value),
            Expr::ZoneLenOver(_, instance, value) => i64::from(x.paid(self.zone_len(instance)) > value),
            Expr::ZoneFirst(instance) => {
                board.zones[usize::from(instance)].first().map_or(NONE, |ent| i64::from(*ent))
            }
            Expr::LocalAttr(_, n, attr) => {
                let ent = x.paid(self.local(n));
                self.printed(ent, attr)
            }
            Expr::ItAttr(_, depth, attr) => {
                let ent = x.paid(x.its[usize::from(depth)]);
                self.printed(ent, attr)
            }
            Expr::This => self.this,
            Expr::You => self.you,
            Expr::Active => SEAT + i64::from(board.active),
            Expr::Ev(field) => self.ev.args[usize::from(field)],
            Expr::Attr(of, attr) => self.attr_of(x, of, attr),
            Expr::SeatVar(base, seat) => self.seat_var(x, base, seat),
            Expr::Once(n, sel, inner) => self.once(x, usize::from(n), sel, inner),
            ref other => self.composed(x, other),
        }
    }

    #[inline]
    fn local(&self, n: u16) -> i64 {
        self.locals.get(usize::from(n)).copied().unwrap_or(NONE)
    }

    #[inline]
    fn zone_len(&self, instance: u16) -> i64 {
        self.s.board.zones[usize::from(instance)].len() as i64
    }

    /// A printed attribute that no layer changes.
    #[inline]
    fn printed(&self, ent: i64, attr: u16) -> i64 {
        match self.ent(ent) {
            Some(e) => self.p.printed(self.s.board.entities[e].def, attr),
            None => self.p.attrs[usize::from(attr)].default,
        }
    }

    #[inline(never)]
    fn attr_of(&self, x: &mut Scratch, of: ExprId, attr: u16) -> i64 {
        let ent = self.value(x, of);
        self.attr(x, ent, attr)
    }

    #[inline(never)]
    fn seat_var(&self, x: &mut Scratch, base: u16, seat: ExprId) -> i64 {
        let seat = self.value(x, seat);
        self.seat(seat).map_or(0, |n| self.s.board.vars[usize::from(base) + n])
    }

    /// The value of an expression that joins others. Everything else stands elsewhere, so that this stays small.
    #[inline(never)]
    fn composed(&self, x: &mut Scratch, expr: &Expr) -> i64 {
        match *expr {
            Expr::LtConst(a, value) => i64::from(self.value(x, a) < value),
            Expr::GtConst(a, value) => i64::from(self.value(x, a) > value),
            Expr::EqConst(a, value) => i64::from(self.value(x, a) == value),
            Expr::Eq(a, b) => i64::from(self.value(x, a) == self.value(x, b)),
            Expr::Lt(a, b) => i64::from(self.value(x, a) < self.value(x, b)),
            Expr::Le(a, b) => i64::from(self.value(x, a) <= self.value(x, b)),
            Expr::And(a, b) => i64::from(self.holds(x, a) && self.holds(x, b)),
            Expr::Or(a, b) => i64::from(self.holds(x, a) || self.holds(x, b)),
            Expr::Not(a) => i64::from(!self.holds(x, a)),
            Expr::If(c, a, b) => {
                let branch = if self.holds(x, c) { a } else { b };
                self.value(x, branch)
            }
            Expr::Add(a, b) => self.value(x, a).saturating_add(self.value(x, b)),
            Expr::Sub(a, b) => self.value(x, a).saturating_sub(self.value(x, b)),
            _ => self.read(x, expr),
        }
    }

    /// The value of an expression that reads something off the table.
    #[inline(never)]
    fn read(&self, x: &mut Scratch, expr: &Expr) -> i64 {
        match *expr {
            Expr::ItAttrEq(depth, attr, value) => {
                let it = x.its[usize::from(depth)];
                let printed = |e: usize| self.p.printed(self.s.board.entities[e].def, attr);
                i64::from(self.ent(it).is_some_and(|e| printed(e) == value))
            }
            Expr::ItAttrIs(depth, attr, value) => {
                let value = self.value(x, value);
                let it = x.its[usize::from(depth)];
                let printed = |e: usize| self.p.printed(self.s.board.entities[e].def, attr);
                i64::from(self.ent(it).map_or(NONE, printed) == value)
            }
            Expr::Answer(slot, seat) => {
                let seat = self.value(x, seat);
                self.answer(slot, seat).first().copied().unwrap_or(NONE)
            }
            Expr::EvId => i64::from(self.ev.id),
            Expr::EvItem => {
                let item = self.s.stack.iter().find(|item| item.ev.id == self.ev.id);
                item.map_or(NONE, |item| ITEM + i64::from(item.order))
            }
            Expr::Config(n) => self.s.config[usize::from(n)].first().copied().unwrap_or(NONE),
            Expr::Mul(a, b) => self.value(x, a).saturating_mul(self.value(x, b)),
            Expr::Div(a, b) => match (self.value(x, a), self.value(x, b)) {
                (_, 0) => 0,
                (a, b) => a.checked_div_euclid(b).unwrap_or(i64::MAX),
            },
            Expr::Rem(a, b) => self.value(x, a).checked_rem_euclid(self.value(x, b)).unwrap_or(0),
            Expr::Min(a, b) => self.value(x, a).min(self.value(x, b)),
            Expr::Max(a, b) => self.value(x, a).max(self.value(x, b)),
            other => self.seldom(x, other),
        }
    }

    /// A value that is the same all through a walk; outside of that walk it is worked out every time.
    #[inline(never)]
    fn once(&self, x: &mut Scratch, n: usize, sel: u32, inner: ExprId) -> i64 {
        let (walk, of) = x.walk;
        if of != sel {
            return self.value(x, inner);
        }
        if let Some((worked, value)) = x.once.get(n)
            && *worked == walk
        {
            return *value;
        }
        let value = self.value(x, inner);
        if x.once.len() <= n {
            x.once.resize(n + 1, (0, 0));
        }
        x.once[n] = (walk, value);
        value
    }

    fn seldom(&self, x: &mut Scratch, expr: Expr) -> i64 {
        let board = &self.s.board;
        match expr {
            Expr::Counter(e, kind) => {
                let ent = self.value(x, e);
                let width = self.p.counters.len();
                self.ent(ent).map_or(0, |e| board.counters[e * width + usize::from(kind)])
            }
            Expr::Has(e, keyword) => {
                let ent = self.value(x, e);
                i64::from(self.has(x, ent, keyword))
            }
            Expr::HasAbility(e, ability) => {
                let (ent, ability) = (self.value(x, e), self.value(x, ability));
                let has = |e: usize| {
                    let mut all = board.abilities(self.p, e as u16).flat_map(|part| &part.activated);
                    all.any(|a| i64::from(*a) == ability)
                };
                i64::from(self.ent(ent).is_some_and(has))
            }
            Expr::Card(e) => {
                let ent = self.value(x, e);
                self.ent(ent).map_or(NONE, |e| i64::from(board.entities[e].def))
            }
            Expr::ZoneOf(e) => {
                let ent = self.value(x, e);
                self.ent(ent)
                    .map_or(NONE, |e| i64::from(super::Board::zone_of(self.p, board.entities[e].at).0))
            }
            Expr::AnswerAt(slot, seat, place) => {
                let (seat, place) = (self.value(x, seat), self.value(x, place));
                let answer = self.answer(slot, seat);
                usize::try_from(place).ok().and_then(|n| answer.get(n)).copied().unwrap_or(NONE)
            }
            Expr::Touched(slot, seat) => {
                let seat = self.value(x, seat);
                let touched = self.s.touched[usize::from(slot)];
                i64::from(State::seat(seat).is_some_and(|seat| touched.has(seat)))
            }
            Expr::Owner(e) => {
                let ent = self.value(x, e);
                self.ent(ent).map_or(NONE, |e| Self::owner_seat(board.entities[e].owner))
            }
            Expr::Controller(e) => {
                let thing = self.value(x, e);
                self.controller(thing)
            }
            Expr::PlayedBy(e) => {
                let ent = self.value(x, e);
                self.ent(ent).map_or(NONE, |e| Self::owner_seat(board.entities[e].by))
            }
            Expr::SeatOffset(seat, by) => {
                let (seat, by) = (self.value(x, seat), self.value(x, by));
                let n = i64::from(board.seats);
                self.seat(seat).map_or(NONE, |seat| SEAT + (seat as i64).saturating_add(by).rem_euclid(n))
            }
            Expr::SeatNo(seat) => {
                let seat = self.value(x, seat);
                self.seat(seat).map_or(NONE, |n| n as i64)
            }
            Expr::SeatAt(n) => {
                let n = self.value(x, n);
                if (0..i64::from(board.seats)).contains(&n) { SEAT + n } else { NONE }
            }
            Expr::Seats => i64::from(board.seats),
            Expr::Table(table, first, keys, default) => {
                let mut found = default;
                for (key, value) in &self.p.tables[usize::from(table)] {
                    if (0..keys).all(|n| {
                        let Some(key) = key.get(usize::from(n)) else { return false };
                        let Expr::Const(expr) = self.p.exprs[(first + u32::from(n)) as usize] else {
                            return false;
                        };
                        self.value(x, expr as ExprId) == *key
                    }) {
                        found = *value;
                        break;
                    }
                }
                found
            }
            Expr::IsEnt(e) => i64::from((0..SEAT).contains(&self.value(x, e))),
            Expr::IsSeat(e) => i64::from((SEAT..ITEM).contains(&self.value(x, e))),
            Expr::IsNone(e) => i64::from(self.value(x, e) == NONE),
            Expr::OnStack(e) => {
                let item = self.value(x, e).wrapping_sub(ITEM);
                i64::from(self.s.stack.iter().any(|other| i64::from(other.order) == item))
            }
            Expr::ItemEvent(e) => {
                let item = self.value(x, e).wrapping_sub(ITEM);
                let found = self.s.stack.iter().find(|other| i64::from(other.order) == item);
                found.map_or(NONE, |item| i64::from(item.ev.ty))
            }
            Expr::TeamVar(base, seat) => {
                let seat = self.value(x, seat);
                self.team_of(seat).map_or(0, |team| board.vars[usize::from(base) + usize::from(team)])
            }
            Expr::Team(seat) => {
                let seat = self.value(x, seat);
                self.team_of(seat).map_or(NONE, i64::from)
            }
            Expr::Partner(seat) => {
                let seat = self.value(x, seat);
                let (Some(n), team) = (self.seat(seat), self.team_of(seat)) else { return NONE };
                let mut others = self.seats_from(n).skip(1).map(|seat| SEAT + seat.index() as i64);
                others.find(|other| team.is_some() && self.team_of(*other) == team).unwrap_or(NONE)
            }
            Expr::Was(e, column) => {
                let ent = self.value(x, e);
                self.was(x, ent, column)
            }
            Expr::Since(e) => {
                let ent = self.value(x, e);
                self.ent(ent).map_or(NONE, |e| i64::from(board.entities[e].since))
            }
            Expr::FaceDown(e) => {
                let ent = self.value(x, e);
                i64::from(self.ent(ent).is_some_and(|e| board.entities[e].down))
            }
            Expr::IsCopy => i64::from(self.s.current.as_ref().is_some_and(|current| current.item.copy)),
            Expr::Cell(e) => {
                let ent = self.value(x, e);
                let cell = self.ent(ent).map(|e| board.entities[e].cell);
                cell.filter(|cell| *cell != super::board::NO_CELL).map_or(NONE, i64::from)
            }
            Expr::InCell(zone, of, cell) => {
                let cell = self.value(x, cell);
                let cards = self.zone_cards(x, zone, of);
                let found =
                    cards.iter().find(|ent| i64::from(board.entities[usize::from(**ent)].cell) == cell);
                found.map_or(NONE, |ent| i64::from(*ent))
            }
            Expr::Round => i64::from(board.round),
            Expr::Phase => i64::from(board.phase),
            Expr::Step => i64::from(board.step),
            Expr::Turn => i64::from(board.turn),
            Expr::StackEmpty => i64::from(self.s.stack.is_empty()),
            Expr::Happened(event, span) => i64::from(self.s.counts[usize::from(event)][span as usize]),
            Expr::Count(_)
            | Expr::Exists(_)
            | Expr::Sum(..)
            | Expr::Most(..)
            | Expr::Least(..)
            | Expr::MaxBy(..)
            | Expr::MinBy(..)
            | Expr::First(_)
            | Expr::Last(_)
            | Expr::At(..) => self.fold(x, expr),
            _ => NONE,
        }
    }

    /// Who controls an entity or an item; a seat controls itself.
    #[must_use]
    pub fn controller(&self, thing: i64) -> i64 {
        if self.seat(thing).is_some() {
            return thing;
        }
        if thing >= ITEM {
            let item = self.s.stack.iter().find(|other| ITEM + i64::from(other.order) == thing);
            return item.map_or(NONE, |item| item.you);
        }
        self.ent(thing).map_or(NONE, |e| Self::owner_seat(self.s.board.entities[e].ctrl))
    }

    /// The team of a seat.
    pub(crate) fn team_of(&self, seat: i64) -> Option<u8> {
        self.seat(seat).and_then(|seat| self.p.teams.get(seat)).copied()
    }

    /// What an entity was like when it last left a zone, as the event that is reacted to found it; as it is, where it
    /// never left one.
    fn was(&self, x: &mut Scratch, ent: i64, column: u16) -> i64 {
        let Some(e) = self.ent(ent) else { return NONE };
        let rows = self.s.current.as_ref().map_or(&[][..], |current| &current.item.was);
        let width = self.p.was.len();
        let row = match rows.iter().find(|(other, _)| usize::from(*other) == e) {
            Some((_, row)) => row.as_slice(),
            None => &self.s.board.last[e * width..(e + 1) * width],
        };
        if row[usize::from(column)] != NEVER {
            return row[usize::from(column)];
        }
        match self.p.was[usize::from(column)] {
            Was::Attr(attr) => self.attr(x, ent, attr),
            Was::Counter(kind) => self.s.board.counters[e * self.p.counters.len() + usize::from(kind)],
            Was::Controller => self.controller(ent),
        }
    }

    /// The cards of a zone: of the game, or of a seat.
    pub(super) fn zone_cards(&self, x: &mut Scratch, zone: u16, of: Option<ExprId>) -> &'a [u16] {
        let base = usize::from(self.p.zones[usize::from(zone)].base);
        let place = match of {
            None => Some(0),
            Some(of) => {
                let seat = self.value(x, of);
                self.seat(seat)
            }
        };
        place.map_or(&[], |place| &self.s.board.zones[base + place])
    }

    /// The seats of a table, from this one on.
    pub(crate) fn seats_from(&self, first: usize) -> impl Iterator<Item = Seat> + use<> {
        let n = usize::from(self.s.board.seats);
        (0..n).map(move |k| Seat::new(((first + k) % n) as u8))
    }
}
