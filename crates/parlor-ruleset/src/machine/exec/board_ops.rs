//! What operations do to the table: moves, deals, shuffles, and who comes to know what.

use parlor_core::limits::SEATS_MAX;
use parlor_core::{Seat, Seats};

use crate::limits::{ENTITIES_MAX, EVENT_FIELDS_MAX};
use crate::machine::board::{Board, Delta, Entity, Face, Mod, NO_CELL, NOBODY, Peek, Until};
use crate::machine::eval::Eval;
use crate::machine::exec::stopped::Reason;
use crate::machine::ids::{AttrId, ColumnId, CounterId, EntityId, InstanceId, KindId, VarId, ZoneId};
use crate::machine::program::{
    AttrKind, CARD_CREATED, Durations, ExprId, Instance, NONE, REVEALED, To, Ty, Was, Who, ZONE_MOVED,
    ZonePosition,
};
use crate::machine::state::{EventData, State, Verdict, Vm};
use crate::machine::value::{seat_number, seat_value};

/// What an operation comes to.
pub(crate) type Done = Result<(), Verdict>;

/// Some seats in an order: at most all of a table.
pub struct SeatList {
    seats: [u8; SEATS_MAX + 1],
    at: u8,
    end: u8,
}

impl Iterator for SeatList {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let seat = (self.at < self.end).then(|| self.seats[usize::from(self.at)]);
        self.at += u8::from(seat.is_some());
        seat.map(usize::from)
    }
}

impl Vm<'_, '_> {
    /// The instance of a zone that an operation names.
    pub fn instance(&mut self, to: To) -> Option<InstanceId> {
        let def = &self.program.zones[to.zone];
        if !def.per_player {
            return Some(def.base);
        }
        let base = def.base;
        let seat = self.eval(to.of?);
        let n = seat_number(seat);
        (n >= 0 && n < i64::from(self.state.board.seats)).then(|| base.of(n as usize))
    }

    /// Who sees the cards of a zone instance.
    #[must_use]
    pub fn sees(&self, instance: InstanceId) -> Seats {
        self.program.instances[instance].sees
    }

    /// Moves an entity that somebody, or the rules, have chosen.
    ///
    /// # Errors
    /// A zone that is full, a cell that is taken, or a guardrail.
    pub fn put(&mut self, ent: EntityId, to: InstanceId, place: ZonePosition, by: u8) -> Done {
        self.lose_sight(ent, to, place);
        self.put_openly(ent, to, place, by)
    }

    /// Whoever sees neither what leaves a zone nor from where in it, nor what comes to where it goes, cannot tell any
    /// longer which cards are left: what he knew there he knows no more, whichever it was.
    #[inline]
    fn lose_sight(&mut self, ent: EntityId, to: InstanceId, place: ZonePosition) {
        let from = self.state.board.entities[ent].at;
        let blind = self.program.instances[from].blind;
        let sees = if place.is_down() { Seats::NONE } else { self.sees(to) };
        let lost = blind.but(sees);
        if from != to && !lost.is_empty() {
            self.forget(ent, from, lost);
        }
    }

    /// These seats know no card of a zone any more from which this one leaves, and the cards they knew get other names.
    #[inline(never)]
    fn forget(&mut self, leaves: EntityId, zone: InstanceId, lost: Seats) {
        // In a batch all happens at the same time: what has just come is not what leaves, unless it does.
        let came = |card: &Entity, state: &State| state.batch > 0 && card.since > state.batch_since;
        let just_came = came(&self.state.board.entities[leaves], self.state);
        for at in 0..self.state.board.zones[zone].len() {
            let ent = self.state.board.zones[zone][at];
            let card = self.state.board.entities[ent];
            if card.known.shared(lost).is_empty() || (!just_came && came(&card, self.state)) {
                continue;
            }
            if self.state.board.peeks.iter().any(|peek| peek.ent == ent) {
                let over = |peek: &Peek| peek.ent == ent && peek.seats.but(lost).is_empty();
                let still = |peek: &Peek| match peek.ent == ent {
                    true => Peek { seats: peek.seats.but(lost), ..peek.clone() },
                    false => peek.clone(),
                };
                let peeks = self.state.board.peeks.iter().filter(|peek| !over(peek)).map(still).collect();
                self.change(Delta::Peeks(peeks));
            }
            self.change(Delta::Know(ent, card.known.but(lost)));
            let (handle, by, since) = (self.handle(), card.by, card.since);
            self.change(Delta::Move { ent, to: zone, at: at as u16, handle, by, since });
        }
    }

    /// Moves an entity where everybody knows which of its zone it is: the topmost, or all of them.
    fn put_openly(&mut self, ent: EntityId, to: InstanceId, place: ZonePosition, by: u8) -> Done {
        let card = self.state.board.entities[ent];
        let from = card.at;
        let Instance { zone, owner, sees, capacity, grid, .. } = self.program.instances[to];
        let left = self.program.instances[from];
        if from != to && self.state.board.zones[to].len() >= capacity.into() {
            return Err(self.because(Verdict::Rules, Reason::Full(to)));
        }
        let face_down = place.is_down();
        let saw = if card.down { Seats::NONE } else { left.sees };
        let sees = if face_down { Seats::NONE } else { sees };
        let cell = if grid { self.cell_for(ent, to, place)? } else { NO_CELL };
        let handle = if saw == sees { card.handle } else { self.handle() };
        let since = self.order();
        let at = if matches!(place, ZonePosition::Bottom | ZonePosition::BottomDown) { 0 } else { u16::MAX };
        let moved = left.zone != zone;
        if moved
            && (self.program.marks
                || !self.state.board.mods.is_empty()
                || !self.state.board.delayed.is_empty())
        {
            self.leave_zone(ent);
        }
        if !self.state.board.peeks.is_empty() {
            self.unpeek(ent);
        }
        if card.down != face_down {
            self.change(Delta::Down(ent, face_down));
        }
        if self.unwatched() {
            self.state.board.relocate(self.program, ent, to, at, (handle, by, since));
        } else {
            self.change(Delta::Move { ent, to, at, handle, by, since });
        }
        if card.cell != cell {
            self.change(Delta::Cell(ent, cell));
        }
        if owner != NOBODY && card.ctrl != owner {
            if self.unwatched() {
                self.state.board.give(ent, owner);
            } else {
                self.change(Delta::Control(ent, owner));
            }
        }
        self.show(ent, sees);
        if from != to && self.wanted(ZONE_MOVED) {
            return self.moved(ent, from, to);
        }
        Ok(())
    }

    /// An entity has come from one instance of a zone to another.
    #[inline(never)]
    fn moved(&mut self, ent: EntityId, from: InstanceId, to: InstanceId) -> Done {
        let (from, to) = (self.program.instances[from], self.program.instances[to]);
        let seat = |n: u8| if n == NOBODY { NONE } else { seat_value(usize::from(n)) };
        let args = [ent.value(), from.zone.value(), to.zone.value(), seat(from.owner), seat(to.owner)];
        self.happen(ZONE_MOVED, &args).map(|_| ())
    }

    /// The cell that an entity comes to: the one that is named, or the first that is free.
    #[inline(never)]
    fn cell_for(&mut self, ent: EntityId, to: InstanceId, place: ZonePosition) -> Result<u16, Verdict> {
        let (zone, _) = Board::zone_of(self.program, to);
        let Some((columns, rows)) = self.program.zones[zone].grid else { return Ok(NO_CELL) };
        let cells = u16::from(columns) * u16::from(rows);
        let taken = |board: &Board, cell: u16| {
            board.zones[to].iter().any(|e| *e != ent && board.entities[*e].cell == cell)
        };
        match place {
            ZonePosition::Cell(cell) | ZonePosition::CellDown(cell) => {
                let named = self.eval(cell);
                let cell = u16::try_from(named).ok().filter(|cell| *cell < cells);
                let free = cell.filter(|cell| !taken(&self.state.board, *cell));
                free.ok_or_else(|| self.because(Verdict::Rules, Reason::Cell(to, named)))
            }
            _ => {
                let free = (0..cells).find(|cell| !taken(&self.state.board, *cell));
                free.ok_or_else(|| self.because(Verdict::Rules, Reason::Full(to)))
            }
        }
    }

    /// Who saw an entity for some time sees it no longer.
    #[inline(never)]
    fn unpeek(&mut self, ent: EntityId) {
        self.expire_peeks(|_, peek| peek.ent == ent);
    }

    /// An entity that goes elsewhere leaves counters, modifiers and most of what was kept behind; what it was like is
    /// remembered where the ruleset asks for it.
    #[inline(never)]
    fn leave_zone(&mut self, ent: EntityId) {
        if !self.program.was.is_empty() {
            let eval = Eval::outside(self.program, self.state, NONE, NONE);
            let row = self.program.was.iter().map(|was| match was {
                Was::Attr(attr) => eval.attr(self.scratch, ent.value(), *attr),
                Was::Counter(kind) => self.state.board.counters[self.program.counter_at(ent, *kind)],
                Was::Controller => eval.controller(ent.value()),
            });
            let row = row.collect();
            self.change(Delta::Last(ent, row));
        }
        for attr in (0..self.program.attrs.len()).map(AttrId::at) {
            let def = &self.program.attrs[attr];
            if let (AttrKind::Kept(column), true) = (def.kind, def.reset_move) {
                let value = self.program.cards[self.state.board.entities[ent].def].attrs[attr];
                if self.state.board.attrs[self.program.attr_at(ent, column)] != value {
                    self.change(Delta::Attr(ent, column, value));
                }
            }
        }
        for kind in (0..self.program.counters.len()).map(CounterId::at) {
            if self.state.board.counters[self.program.counter_at(ent, kind)] != 0 {
                self.change(Delta::Counter(ent, kind, 0));
            }
        }
        let from_it = |until: &Until| {
            until.how == Durations::WhileSource && until.source.is_some_and(|(source, _)| source == ent)
        };
        let gone = |m: &Mod| m.ent == ent || from_it(&m.until);
        if self.state.board.mods.iter().any(gone) {
            let left = self.state.board.mods.iter().filter(|m| !gone(m)).cloned().collect();
            self.change(Delta::Mods(left));
        }
        self.expire_peeks(|until, _| from_it(until));
        self.expire_delayed(from_it);
    }

    /// Shows an entity to these viewers.
    #[inline]
    pub fn show(&mut self, ent: EntityId, to: Seats) {
        let known = self.state.board.entities[ent].known;
        if !known.covers(to) {
            self.show_more(ent, known, to);
        }
    }

    fn show_more(&mut self, ent: EntityId, known: Seats, to: Seats) {
        if let Some(output) = &mut self.out.output {
            parlor_core::Output::<parlor_core::Json>::mark_revealed(*output);
        }
        let fact = 1 + u64::from(self.state.board.entities[ent].def.0);
        self.state.learn(to.but(known), fact);
        if self.unwatched() {
            self.state.board.entities[ent].known = known.and(to);
        } else {
            self.change(Delta::Know(ent, known.and(to)));
        }
    }

    /// Everybody learns a value from what follows.
    pub fn disclose(&mut self, value: i64) {
        self.state.learn(Seats::ALL, (value as u64).wrapping_add(1 << 40));
    }

    /// Moves everything that a list names.
    pub fn put_all(&mut self, list: &[i64], to: To, place: ZonePosition, by: u8) -> Done {
        let Some(instance) = self.instance(to) else { return Ok(()) };
        let whole = self.is_whole_zone(list);
        for value in list {
            let Some(ent) = self.entity(*value) else { continue };
            match whole {
                true => self.put_openly(ent, instance, place, by)?,
                false => self.put(ent, instance, place, by)?,
            }
        }
        Ok(())
    }

    /// Whether a list is everything that lies in one zone: then it tells nothing who is in it.
    fn is_whole_zone(&self, list: &[i64]) -> bool {
        let at = |value: &i64| self.entity(*value).map(|ent| self.state.board.entities[ent].at);
        let Some(Some(zone)) = list.first().map(at) else { return false };
        // No card is in a list twice: selections are sets.
        list.len() == self.state.board.zones[zone].len() && list.iter().all(|value| at(value) == Some(zone))
    }

    /// The entity of a scalar.
    #[must_use]
    pub fn entity(&self, value: i64) -> Option<EntityId> {
        self.state.board.entity(value)
    }

    /// Shuffles a zone: faces change places among its cards, and nobody knows any of them.
    ///
    /// # Errors
    /// When too much luck was drawn.
    pub fn shuffle(&mut self, instance: InstanceId) -> Done {
        self.lucky(self.state.board.zones[instance].len())?;
        let sees = self.sees(instance);
        // In the order of their numbers: where a card lay before tells nothing of where it lies now.
        let mut ents = self.state.board.zones[instance].clone();
        if !ents.is_sorted() {
            ents.sort_unstable();
            self.change(Delta::Order(instance, ents.clone()));
        }
        let mut from: Vec<EntityId> = ents.clone();
        self.deal_faces(instance, &mut from);
        self.carry_marks(&ents, &from);
        if !self.state.board.peeks.is_empty() {
            let in_it = |peek: &Peek| ents.contains(&peek.ent);
            let left = self.state.board.peeks.iter().filter(|peek| !in_it(peek)).cloned().collect();
            self.change(Delta::Peeks(left));
        }
        for ent in &ents {
            if self.state.board.entities[*ent].down {
                self.change(Delta::Down(*ent, false));
            }
        }
        let face = |(ent, from): (&EntityId, &EntityId)| {
            let Entity { def, owner, ctrl, .. } = self.state.board.entities[*from];
            Face { ent: *ent, def, owner, ctrl, known: Seats::NONE }
        };
        let faces = ents.iter().zip(&from).map(face).collect();
        let known = |ent: &EntityId| !self.state.board.entities[*ent].known.is_empty();
        let named: Vec<EntityId> = ents.iter().copied().filter(known).collect();
        self.change(Delta::Faces(faces));
        self.follow(&ents, &from);
        if !self.program.is_first_edition() {
            // Somebody knew which card has this name: it has another face now, and gets another name with it.
            for ent in named {
                let handle = self.handle();
                self.change(Delta::Handle(ent, handle));
            }
        }
        if !sees.is_empty() {
            for ent in ents {
                self.show(ent, sees);
            }
        }
        Ok(())
    }

    /// What is kept on cards goes with their faces: each of these gets what lies on the one that its face comes from.
    fn carry_marks(&mut self, ents: &[EntityId], from: &[EntityId]) {
        let was = self.program.was.len();
        let mut deltas = Vec::new();
        let goes = |ent: EntityId| from.iter().position(|other| *other == ent).map_or(ent, |n| ents[n]);
        for (to, from) in ents.iter().zip(from) {
            let (program, board) = (self.program, &self.state.board);
            for column in (0..program.kept).map(ColumnId) {
                let value = board.attrs[program.attr_at(*from, column)];
                if board.attrs[program.attr_at(*to, column)] != value {
                    deltas.push(Delta::Attr(*to, column, value));
                }
            }
            for kind in (0..program.counters.len()).map(CounterId::at) {
                let n = board.counters[program.counter_at(*from, kind)];
                if board.counters[program.counter_at(*to, kind)] != n {
                    deltas.push(Delta::Counter(*to, kind, n));
                }
            }
            if to != from && was > 0 {
                deltas.push(Delta::Last(*to, board.last[from.index() * was..][..was].to_vec()));
            }
        }
        if self.state.board.mods.iter().any(|m| ents.contains(&m.ent)) {
            let mods = self.state.board.mods.iter().map(|m| Mod { ent: goes(m.ent), ..m.clone() });
            deltas.push(Delta::Mods(mods.collect()));
        }
        for delta in deltas {
            self.change(delta);
        }
    }

    /// Variables and attributes that mean a card go on meaning it, wherever its face has gone.
    fn follow(&mut self, ents: &[EntityId], from: &[EntityId]) {
        let means_cards = |ty: Ty| matches!(ty, Ty::Ent | Ty::Thing);
        let goes = |value: i64| {
            let n = from.iter().position(|ent| ent.value() == value)?;
            (ents[n] != from[n]).then_some(ents[n].value())
        };
        let mut deltas = Vec::new();
        for var in self.program.vars.iter().filter(|var| means_cards(var.ty)) {
            let slots = usize::from(var.count(self.program, self.state.board.seats));
            let slots = (0..slots).map(|n| var.base.of(n)).map(|slot| (slot, self.state.board.vars[slot]));
            deltas.extend(slots.filter_map(|(slot, value)| Some(Delta::Var(slot, goes(value)?))));
        }
        let (attrs, kept) = (&self.state.board.attrs, usize::from(self.program.kept));
        for attr in self.program.attrs.iter().filter(|attr| means_cards(attr.ty)) {
            let AttrKind::Kept(column) = attr.kind else { continue };
            let rows = attrs.iter().skip(column.index()).step_by(kept).enumerate();
            deltas.extend(
                rows.filter_map(|(ent, value)| Some(Delta::Attr(EntityId::at(ent), column, goes(*value)?))),
            );
        }
        for delta in deltas {
            self.change(delta);
        }
    }

    /// Deals so many to each, one seat after the other.
    pub fn deal(&mut self, from: To, zone: ZoneId, who: Who, n: i64) -> Done {
        let Some(from) = self.instance(from) else { return Ok(()) };
        let seats = self.seats_of(who);
        let base = self.program.zones[zone].base;
        let n = n.clamp(0, ENTITIES_MAX as i64);
        for seat in seats {
            let left = self.state.board.zones[from].len();
            self.state.board.zones[base.of(seat)].reserve(left.min(n as usize));
            for _ in 0..n {
                let Some(ent) = self.state.board.zones[from].last().copied() else {
                    return Ok(());
                };
                self.take(ent, base.of(seat))?;
            }
        }
        Ok(())
    }

    /// Moves from the top of one zone to another.
    pub fn draw(&mut self, from: To, to: To, n: i64) -> Done {
        let (Some(from), Some(to)) = (self.instance(from), self.instance(to)) else { return Ok(()) };
        for _ in 0..n.clamp(0, ENTITIES_MAX as i64) {
            let Some(ent) = self.state.board.zones[from].last().copied() else { break };
            self.take(ent, to)?;
        }
        Ok(())
    }

    /// Moves the topmost card of a zone.
    fn take(&mut self, ent: EntityId, to: InstanceId) -> Done {
        let (from, _) = Board::zone_of(self.program, self.state.board.entities[ent].at);
        if self.program.zones[from].ordered {
            return self.put_openly(ent, to, ZonePosition::Top, NOBODY);
        }
        self.put(ent, to, ZonePosition::Top, NOBODY)
    }

    /// The numbers of these seats, in order.
    pub fn seats_of(&mut self, who: Who) -> SeatList {
        let mut seats = SeatList { seats: [0; SEATS_MAX + 1], at: 0, end: 0 };
        let eval = crate::machine::Eval::of(self.program, self.state);
        if let Who::One(seat) = who {
            let seat = eval.value(self.scratch, seat);
            if let Some(seat) = eval.seat(seat) {
                (seats.seats[0], seats.end) = (seat as u8, 1);
            }
            return seats;
        }
        let _ = eval.each_seat(self.scratch, who, &mut |_, seat| {
            seats.seats[usize::from(seats.end)] = seat as u8;
            seats.end += 1;
            std::ops::ControlFlow::Continue(())
        });
        seats
    }

    /// Makes cards of these kinds.
    ///
    /// # Errors
    /// A zone that is full, a cell that is taken, too many cards, or a guardrail.
    pub fn create(&mut self, kinds: &[i64], to: To, n: i64, place: ZonePosition) -> Done {
        let Some(instance) = self.instance(to) else { return Ok(()) };
        let known = |kind: &&i64| (0..self.program.cards.len() as i64).contains(kind);
        let wanted = (kinds.iter().filter(known).count() as i64).saturating_mul(n.max(0));
        if wanted > (ENTITIES_MAX - self.state.board.entities.len()) as i64 {
            return Err(Verdict::Entities);
        }
        for kind in kinds.iter().filter(known) {
            for _ in 0..n {
                if self.state.board.entities.len() >= ENTITIES_MAX {
                    return Err(Verdict::Entities);
                }
                let cell = self.cell_of_new(instance, place)?;
                let ent = self.make(KindId::at(*kind as usize), instance, cell, place.is_down());
                if self.wanted(CARD_CREATED) {
                    self.happen(CARD_CREATED, &[ent.value()])?;
                }
            }
        }
        Ok(())
    }

    /// The cell that a card which is made there comes to.
    fn cell_of_new(&mut self, instance: InstanceId, place: ZonePosition) -> Result<u16, Verdict> {
        let Instance { capacity, grid, .. } = self.program.instances[instance];
        if self.program.is_first_edition() {
            return Ok(NO_CELL);
        }
        if self.state.board.zones[instance].len() >= capacity.into() {
            return Err(self.because(Verdict::Rules, Reason::Full(instance)));
        }
        if grid { self.cell_for(EntityId::NONE, instance, place) } else { Ok(NO_CELL) }
    }

    /// The cell that a card which a scenario gives comes to: the one that is named, or the first that is free.
    pub(crate) fn cell_of_given(&mut self, instance: InstanceId, cell: Option<u16>) -> Result<u16, Verdict> {
        let first = self.cell_of_new(instance, ZonePosition::Top)?;
        let (zone, _) = Board::zone_of(self.program, instance);
        let Some(cell) = cell else { return Ok(first) };
        let (columns, rows) = self.program.zones[zone].grid.unwrap_or((0, 0));
        let board = &self.state.board;
        let taken = |e: &EntityId| board.entities[*e].cell == cell;
        let free = cell < u16::from(columns) * u16::from(rows) && !board.zones[instance].iter().any(taken);
        if free { Ok(cell) } else { Err(Verdict::Rules) }
    }

    /// Makes a card on top of a zone, in a cell of it, face up or down.
    pub(crate) fn make(&mut self, kind: KindId, instance: InstanceId, cell: u16, down: bool) -> EntityId {
        let Instance { owner, sees, .. } = self.program.instances[instance];
        let (handle, since) = (self.handle(), self.order());
        let ent = EntityId::at(self.state.board.entities.len());
        self.change(Delta::Create(kind, instance, owner, handle, since));
        if cell != NO_CELL {
            self.change(Delta::Cell(ent, cell));
        }
        if down {
            self.change(Delta::Down(ent, true));
        }
        self.show(ent, if down { Seats::NONE } else { sees });
        ent
    }

    /// Shows where they lie.
    pub fn reveal(&mut self, list: &[i64], who: Option<Who>) -> Done {
        let to = match who {
            None => Seats::ALL,
            Some(who) => self.seats_of(who).map(|seat| Seat::new(seat as u8)).collect(),
        };
        for value in list {
            if let Some(ent) = self.entity(*value) {
                self.show(ent, to);
                if self.wanted(REVEALED) {
                    self.happen(REVEALED, &[*value])?;
                }
            }
        }
        Ok(())
    }

    /// Sets a variable, within its bounds.
    ///
    /// # Errors
    /// Where it is nobody's. The first edition says nothing of that.
    pub fn set_var(&mut self, var: VarId, of: Option<ExprId>, value: i64) -> Done {
        let def = &self.program.vars[var];
        let (base, min, max) = (def.base, def.min, def.max);
        let slot = match of {
            None => base,
            Some(of) => {
                let Some(n) = self.var_place(var, of) else {
                    let silent = self.program.is_first_edition();
                    return if silent {
                        Ok(())
                    } else {
                        Err(self.because(Verdict::Rules, Reason::Nobody(var)))
                    };
                };
                base.of(n)
            }
        };
        let mut value = value;
        if let Some(max) = max {
            value = value.min(self.eval(max));
        }
        if let Some(min) = min {
            value = value.max(self.eval(min));
        }
        if self.state.board.vars[slot] != value {
            self.change(Delta::Var(slot, value));
        }
        Ok(())
    }

    /// Whose of a variable that seats or teams have: the place after its first.
    pub(in crate::machine) fn var_place(&mut self, var: VarId, of: ExprId) -> Option<usize> {
        if self.program.vars[var].per.is_some() {
            let count = self.program.vars[var].count(self.program, 0);
            return usize::try_from(self.eval(of)).ok().filter(|n| *n < count.into());
        }
        let n = seat_number(self.eval(of));
        let seat = (0..i64::from(self.state.board.seats)).contains(&n).then_some(n as usize)?;
        if self.program.vars[var].per_team {
            return self.program.teams.get(seat).map(|team| usize::from(*team));
        }
        Some(seat)
    }

    /// An event's fields, filled up.
    #[must_use]
    pub fn args(given: &[i64]) -> [i64; EVENT_FIELDS_MAX] {
        let mut args = EventData::NONE.args;
        for (place, value) in args.iter_mut().zip(given) {
            *place = *value;
        }
        args
    }
}
