//! What operations do to the table: moves, deals, shuffles, and who comes to know what.

use parlor_core::{Seat, Seats};

use super::board::{Board, Delta, Mod, NOBODY};
use super::state::{EventData, State, Verdict, Vm};
use crate::limits::{ENTITIES_MAX, EVENT_FIELDS_MAX, MODIFIERS_MAX};
use crate::program::{
    AttrKind, CARD_CREATED, Durations, NONE, Place, REVEALED, SEAT, See, To, Who, ZONE_MOVED,
};

/// What an operation comes to.
pub type Done = Result<(), Verdict>;

impl Vm<'_, '_> {
    /// The instance of a zone that an operation names.
    pub fn instance(&mut self, to: To) -> Option<u16> {
        let def = &self.p.zones[usize::from(to.zone)];
        if !def.per_player {
            return Some(def.base);
        }
        let base = def.base;
        let seat = self.eval(to.of?);
        let n = seat - SEAT;
        (n >= 0 && n < i64::from(self.s.board.seats)).then(|| base + n as u16)
    }

    /// Who sees the cards of a zone instance.
    #[must_use]
    pub fn sees(&self, instance: u16) -> Seats {
        let (zone, owner) = Board::zone_of(self.p, instance);
        match self.p.zones[usize::from(zone)].see {
            See::All => Seats::ALL,
            See::Owner if owner != NOBODY => Seats::only(Seat::new(owner)),
            See::Owner | See::None => Seats::NONE,
        }
    }

    /// Moves an entity.
    pub fn put(&mut self, ent: u16, to: u16, place: Place, by: u8) -> Done {
        let e = usize::from(ent);
        let from = self.s.board.at[e];
        let (zone, owner) = Board::zone_of(self.p, to);
        let def = &self.p.zones[usize::from(zone)];
        if from != to
            && def.capacity.is_some_and(|max| self.s.board.zones[usize::from(to)].len() >= max.into())
        {
            return Err(Verdict::Rules);
        }
        let (saw, sees) = (self.sees(from), self.sees(to));
        let handle = if saw == sees { self.s.board.handle[e] } else { self.handle() };
        let since = self.order();
        let at = if place == Place::Top { u16::MAX } else { 0 };
        let moved = from != to && Board::zone_of(self.p, from).0 != zone;
        if moved {
            self.clean(ent);
        }
        self.change(Delta::Move { ent, to, at, handle, by, since });
        if owner != NOBODY && self.s.board.ctrl[e] != owner {
            self.change(Delta::Control(ent, owner));
        }
        self.show(ent, sees);
        if from != to && self.wanted(ZONE_MOVED) {
            let (from_zone, from_owner) = Board::zone_of(self.p, from);
            let seat = |n: u8| if n == NOBODY { NONE } else { SEAT + i64::from(n) };
            let args = [ent.into(), from_zone.into(), zone.into(), seat(from_owner), seat(owner)];
            self.happen(ZONE_MOVED, &args)?;
        }
        Ok(())
    }

    /// An entity that goes elsewhere leaves counters, modifiers and most of what was kept behind.
    fn clean(&mut self, ent: u16) {
        let e = usize::from(ent);
        for attr in 0..self.p.attrs.len() {
            let def = &self.p.attrs[attr];
            if let (AttrKind::Kept(column), true) = (def.kind, def.reset_move) {
                let value = self.p.cards[usize::from(self.s.board.def[e])].attrs[attr];
                if self.s.board.attrs[e * usize::from(self.p.kept) + usize::from(column)] != value {
                    self.change(Delta::Attr(ent, column, value));
                }
            }
        }
        for kind in 0..self.p.counters.len() {
            if self.s.board.counters[e * self.p.counters.len() + kind] != 0 {
                self.change(Delta::Counter(ent, kind as u16, 0));
            }
        }
        let gone = |m: &Mod| {
            m.ent == ent
                || m.source.is_some_and(|(source, _)| source == ent && m.until == Durations::WhileSource)
        };
        if self.s.board.mods.iter().any(gone) {
            let left = self.s.board.mods.iter().filter(|m| !gone(m)).cloned().collect();
            self.change(Delta::Mods(left));
        }
    }

    /// Shows an entity to these viewers.
    pub fn show(&mut self, ent: u16, to: Seats) {
        let known = self.s.board.known[usize::from(ent)];
        if known.covers(to) {
            return;
        }
        if let Some(told) = &mut self.out.told {
            parlor_core::Out::<parlor_core::Json>::shown(*told);
        }
        let fact = 1 + u64::from(self.s.board.def[usize::from(ent)]);
        let seats = self.s.board.seats;
        for viewer in parlor_core::Viewer::all(seats) {
            if to.sees(viewer) && !known.sees(viewer) {
                self.s.learn(viewer.index(seats), fact);
            }
        }
        self.change(Delta::Know(ent, known.and(to)));
    }

    /// Everybody learns a value from what follows.
    pub fn disclose(&mut self, value: i64) {
        for viewer in 0..=usize::from(self.s.board.seats) {
            self.s.learn(viewer, (value as u64).wrapping_add(1 << 40));
        }
    }

    /// Moves everything that a list names.
    pub fn put_all(&mut self, list: &[i64], to: To, place: Place, by: u8) -> Done {
        let Some(instance) = self.instance(to) else { return Ok(()) };
        for value in list {
            if let Some(ent) = self.entity(*value) {
                self.put(ent, instance, place, by)?;
            }
        }
        Ok(())
    }

    /// The entity of a scalar.
    #[must_use]
    pub fn entity(&self, value: i64) -> Option<u16> {
        (value >= 0 && (value as usize) < self.s.board.def.len()).then_some(value as u16)
    }

    /// Shuffles a zone: faces change places among its cards, and nobody knows any of them.
    ///
    /// # Errors
    /// When too much luck was drawn.
    pub fn shuffle(&mut self, instance: u16) -> Done {
        self.lucky(self.s.board.zones[usize::from(instance)].len())?;
        let sees = self.sees(instance);
        // In the order of their numbers: where a card lay before tells nothing of where it lies now.
        let mut ents = self.s.board.zones[usize::from(instance)].clone();
        if !ents.is_sorted() {
            ents.sort_unstable();
            self.change(Delta::Order(instance, ents.clone()));
        }
        let mut faces: Vec<u16> = ents.iter().map(|ent| self.s.board.def[usize::from(*ent)]).collect();
        self.deal_faces(instance, &mut faces);
        let faces = ents.iter().zip(faces).map(|(ent, face)| (*ent, face, Seats::NONE)).collect();
        self.change(Delta::Faces(faces));
        if !sees.is_empty() {
            for ent in ents {
                self.show(ent, sees);
            }
        }
        Ok(())
    }

    /// Deals so many to each, one seat after the other.
    pub fn deal(&mut self, from: To, zone: u16, who: Who, n: i64) -> Done {
        let Some(from) = self.instance(from) else { return Ok(()) };
        let seats = self.seats_of(who);
        let base = self.p.zones[usize::from(zone)].base;
        let n = n.clamp(0, ENTITIES_MAX as i64);
        for seat in seats {
            for _ in 0..n {
                let Some(ent) = self.s.board.zones[usize::from(from)].last().copied() else { return Ok(()) };
                self.put(ent, base + seat as u16, Place::Top, NOBODY)?;
            }
        }
        Ok(())
    }

    /// Moves from the top of one zone to another.
    pub fn draw(&mut self, from: To, to: To, n: i64) -> Done {
        let (Some(from), Some(to)) = (self.instance(from), self.instance(to)) else { return Ok(()) };
        for _ in 0..n.clamp(0, ENTITIES_MAX as i64) {
            let Some(ent) = self.s.board.zones[usize::from(from)].last().copied() else { break };
            self.put(ent, to, Place::Top, NOBODY)?;
        }
        Ok(())
    }

    /// The numbers of these seats, in order.
    pub fn seats_of(&mut self, who: Who) -> Vec<usize> {
        let mut seats = Vec::new();
        let eval = super::Eval::of(self.p, self.s);
        let _ = eval.each_seat(self.x, who, &mut |_, seat| {
            seats.push(seat);
            std::ops::ControlFlow::Continue(())
        });
        seats
    }

    /// Makes cards of these kinds.
    pub fn create(&mut self, kinds: &[i64], to: To, n: i64) -> Done {
        let Some(instance) = self.instance(to) else { return Ok(()) };
        let owner = Board::zone_of(self.p, instance).1;
        let sees = self.sees(instance);
        for kind in kinds {
            for _ in 0..n.clamp(0, ENTITIES_MAX as i64) {
                if self.s.board.def.len() >= ENTITIES_MAX {
                    return Err(Verdict::Entities);
                }
                if !(0..self.p.cards.len() as i64).contains(kind) {
                    continue;
                }
                let (handle, since) = (self.handle(), self.order());
                let ent = self.s.board.def.len() as u16;
                self.change(Delta::Create(*kind as u16, instance, owner, handle, since));
                self.show(ent, sees);
                if self.wanted(CARD_CREATED) {
                    self.happen(CARD_CREATED, &[ent.into()])?;
                }
            }
        }
        Ok(())
    }

    /// Shows where they lie.
    pub fn reveal(&mut self, list: &[i64], who: Option<Who>) -> Done {
        let to = match who {
            None => Seats::ALL,
            Some(who) => self.seats_of(who).into_iter().map(|seat| Seat::new(seat as u8)).collect(),
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

    /// Lays a modifier on each.
    pub fn modify(
        &mut self,
        list: &[i64],
        changes: &[(u16, bool, i64)],
        keywords: u64,
        until: Durations,
    ) -> Done {
        let mut mods = self.s.board.mods.clone();
        let (this, you) = self.s.frames.last().map_or((NONE, NONE), |frame| (frame.this, frame.you));
        let source = self.entity(this).map(|ent| (ent, self.s.board.since[usize::from(ent)]));
        let by = State::seat(you).map_or(NOBODY, |seat| seat.index() as u8);
        let turn = self.s.board.turn;
        for value in list {
            let Some(ent) = self.entity(*value) else { continue };
            for change in changes {
                mods.push(Mod { ent, change: Some(*change), keywords: 0, until, by, source, turn });
            }
            if keywords != 0 {
                mods.push(Mod { ent, change: None, keywords, until, by, source, turn });
            }
        }
        if mods.len() > MODIFIERS_MAX {
            return Err(Verdict::Entities);
        }
        self.change(Delta::Mods(mods));
        Ok(())
    }

    /// Takes away the modifiers whose time is over.
    pub fn expire(&mut self, over: impl Fn(&Mod) -> bool) {
        if self.s.board.mods.iter().any(&over) {
            let left = self.s.board.mods.iter().filter(|m| !over(m)).cloned().collect();
            self.change(Delta::Mods(left));
        }
    }

    /// Sets a variable, within its bounds.
    pub fn set_var(&mut self, var: u16, of: Option<u32>, value: i64) {
        let def = &self.p.vars[usize::from(var)];
        let (base, min, max) = (def.base, def.min, def.max);
        let slot = match of {
            None => base,
            Some(of) => {
                let n = self.eval(of) - SEAT;
                if n < 0 || n >= i64::from(self.s.board.seats) {
                    return;
                }
                base + n as u16
            }
        };
        let mut value = value;
        if let Some(max) = max {
            value = value.min(self.eval(max));
        }
        if let Some(min) = min {
            value = value.max(self.eval(min));
        }
        if self.s.board.vars[usize::from(slot)] != value {
            self.change(Delta::Var(slot, value));
        }
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
