//! What lasts for some time: modifiers, glances, cards face down, and triggers that wait.

use parlor_core::{Seat, Seats};

use super::board_ops::Done;
use crate::limits::{DELAYED_MAX, DELAYED_VALUES_FREE, MODIFIERS_MAX};
use crate::machine::board::{Delayed, Delta, Mod, NOBODY, Peek, Until};
use crate::machine::ids::{EntityId, TriggerId};
use crate::machine::program::{Change, Durations, ModifierDef, NONE, REVEALED, Who};
use crate::machine::state::{State, Verdict, Vm};

impl Vm<'_, '_> {
    /// From when on something holds that is made here and now.
    fn until(&self, how: Durations) -> Until {
        let (this, you) = self.state.frames.last().map_or((NONE, NONE), |frame| (frame.this, frame.you));
        let source = self.entity(this).map(|ent| (ent, self.state.board.entities[ent].since));
        let by = State::seat(you).map_or(NOBODY, |seat| seat.index() as u8);
        Until { how, by, source, turn: self.state.board.turn, round: self.board_round() }
    }

    /// Lays a modifier on each.
    pub fn modify(&mut self, modifier: &ModifierDef) -> Done {
        let mut values = Vec::with_capacity(modifier.changes.len());
        for Change { attr, set, value } in &modifier.changes {
            values.push((*attr, *set, self.eval(*value)));
        }
        let list = self.listed(modifier.to);
        if list.is_empty() {
            self.scratch.give(list);
            return Ok(());
        }
        // All that lies on cards is copied, and kept to be taken back.
        self.copies(self.state.board.mods.len() / 2)?;
        let mut mods = self.state.board.mods.clone();
        let until = self.until(modifier.until);
        let plain = Mod { ent: EntityId::NONE, change: None, keywords: 0, without: 0, mute: false, until };
        for value in &list {
            let Some(ent) = self.entity(*value) else { continue };
            mods.extend(values.iter().map(|change| Mod { ent, change: Some(*change), ..plain.clone() }));
            if modifier.keywords != 0 || modifier.without != 0 || modifier.mute {
                let (keywords, without, mute) = (modifier.keywords, modifier.without, modifier.mute);
                mods.push(Mod { ent, keywords, without, mute, ..plain.clone() });
            }
        }
        self.scratch.give(list);
        if mods.len() > MODIFIERS_MAX {
            return Err(Verdict::Entities);
        }
        self.change(Delta::Mods(mods));
        Ok(())
    }

    /// Takes away what is over: modifiers, glances, and triggers that waited.
    pub fn expire(&mut self, over: impl Fn(&Until, ()) -> bool) {
        if self.state.board.mods.iter().any(|m| over(&m.until, ())) {
            let left = self.state.board.mods.iter().filter(|m| !over(&m.until, ())).cloned().collect();
            self.change(Delta::Mods(left));
        }
        self.expire_peeks(|until, _| over(until, ()));
        self.expire_delayed(|until| over(until, ()));
    }

    pub(in crate::machine) fn expire_peeks(&mut self, over: impl Fn(&Until, &Peek) -> bool) {
        if !self.state.board.peeks.iter().any(|peek| over(&peek.until, peek)) {
            return;
        }
        let (gone, left): (Vec<Peek>, Vec<Peek>) =
            self.state.board.peeks.iter().cloned().partition(|peek| over(&peek.until, peek));
        self.change(Delta::Peeks(left));
        for peek in gone {
            // Whoever sees it for another reason goes on seeing it.
            let board = &self.state.board;
            let zone = if board.entities[peek.ent].down {
                Seats::NONE
            } else {
                self.sees(board.entities[peek.ent].at)
            };
            let others = board.peeks.iter().filter(|other| other.ent == peek.ent);
            let keeps = others.fold(zone, |all, other| all.and(other.seats));
            let lost = peek.seats.iter().filter(|seat| !keeps.has(*seat));
            let known = lost.fold(board.entities[peek.ent].known, Seats::without);
            if known != board.entities[peek.ent].known {
                self.change(Delta::Know(peek.ent, known));
            }
        }
    }

    pub(in crate::machine) fn expire_delayed(&mut self, over: impl Fn(&Until) -> bool) {
        if self.state.board.delayed.iter().any(|delayed| over(&delayed.until)) {
            let left =
                self.state.board.delayed.iter().filter(|delayed| !over(&delayed.until)).cloned().collect();
            self.change(Delta::Delayed(left));
        }
    }

    /// Shows each to these seats for some time, or until it moves.
    pub fn peek(&mut self, list: &[i64], who: Who, how: Durations) -> Done {
        let to: Seats = self.seats_of(who).map(|seat| Seat::new(seat as u8)).collect();
        let until = self.until(how);
        self.copies(self.state.board.peeks.len() / 2)?;
        let mut peeks = self.state.board.peeks.clone();
        for value in list {
            let Some(ent) = self.entity(*value) else { continue };
            let known = self.state.board.entities[ent].known;
            let seats = to.iter().filter(|seat| !known.has(*seat)).collect::<Seats>();
            if seats.is_empty() {
                continue;
            }
            peeks.push(Peek { ent, seats, until });
            self.show(ent, to);
        }
        if peeks.len() > MODIFIERS_MAX {
            return Err(Verdict::Entities);
        }
        self.change(Delta::Peeks(peeks));
        Ok(())
    }

    /// Turns cards over where they lie.
    pub fn flip(&mut self, list: &[i64], down: bool) -> Done {
        for value in list {
            let Some(ent) = self.entity(*value) else { continue };
            if self.state.board.entities[ent].down == down {
                continue;
            }
            self.change(Delta::Down(ent, down));
            if !down {
                self.show(ent, self.sees(self.state.board.entities[ent].at));
                if self.wanted(REVEALED) {
                    self.happen(REVEALED, &[*value])?;
                }
            }
        }
        Ok(())
    }

    /// From here on a trigger waits for its event, with the locals as they are.
    pub fn later(&mut self, trigger: TriggerId, once: bool, how: Durations) -> Done {
        let Some(frame) = self.state.frames.last() else { return Ok(()) };
        let (this, you) = (frame.this, frame.you);
        let locals = self.state.locals[frame.base as usize..].to_vec();
        let lists = self.state.lists[frame.lists as usize..].to_vec();
        let until = self.until(how);
        let serial = self.order();
        // All that waits is copied with what it keeps: lists may be long, and code may bind a lot of names.
        let size =
            |locals: &[i64], lists: &[Vec<i64>]| locals.len() + lists.iter().map(Vec::len).sum::<usize>();
        let kept =
            self.state.board.delayed.iter().map(|other| size(&other.locals, &other.lists)).sum::<usize>();
        self.copies((kept + size(&locals, &lists)).saturating_sub(DELAYED_VALUES_FREE))?;
        let mut delayed = self.state.board.delayed.clone();
        delayed.push(Delayed { serial, trigger, this, you, locals, lists, once, until });
        if delayed.len() > DELAYED_MAX {
            return Err(Verdict::Stack);
        }
        self.change(Delta::Delayed(delayed));
        Ok(())
    }
}
