//! What operations do to items: countered, changed, copied, aimed elsewhere, and what cards and abilities do.

use super::react::Found;
use super::window::{Acting, Spec};
use crate::machine::eval::Eval;
use crate::machine::exec::board_ops::Done;
use crate::machine::ids::{EntityId, TextId};
use crate::machine::program::{ExprId, NONE, TargetDef, Ty};
use crate::machine::state::{Counter, EventData, Item, ItemKind, Rows, Status, Vm};
use crate::machine::value::item_value;

impl Vm<'_, '_> {
    fn item(&self, value: i64) -> Option<usize> {
        self.state.stack.iter().position(|item| item_value(item.order) == value)
    }

    /// A copy of an item goes onto the stack: the same targets, another controller, an event of its own.
    pub(in crate::machine) fn copy_item(&mut self, item: i64, you: i64) -> Done {
        let Some(n) = self.item(item) else { return Ok(()) };
        let order = self.room()?;
        let cause = self.state.frames.last().map_or(0, |frame| frame.ev.id);
        let mut copy: Item = self.state.stack[n].clone();
        (copy.order, copy.you, copy.copy, copy.countered) = (order, you, true, false);
        copy.counter = None;
        copy.before.clear();
        if !matches!(copy.kind, ItemKind::Reaction(_)) {
            self.state.next.event += 1;
            copy.ev = EventData { id: self.state.next.event, cause, ..copy.ev };
            self.append(&copy.ev, Status::Pending);
        }
        self.state.stack.push(copy);
        self.changed = parlor_core::Seats::ALL;
        self.state.passed = false;
        Ok(())
    }

    /// A target of an item is another from here on, where its rules let that be chosen.
    pub(in crate::machine) fn retarget(&mut self, item: i64, place: i64, to: i64) {
        let (Some(n), Ok(place)) = (self.item(item), usize::try_from(place)) else { return };
        let item = &self.state.stack[n];
        let ItemKind::Action(action) = item.kind else { return };
        let Some(seat) = crate::machine::State::seat(item.you) else { return };
        let targets = item.targets.clone();
        if place >= targets.len() {
            return;
        }
        let acting = Acting { program: self.program, state: self.state, seat: seat.index() as u8 };
        let def = &self.program.actions[action];
        let Spec::From(&TargetDef { from: sel, .. }, skip) = acting.spec(def, &targets[..place]) else {
            return;
        };
        let bound = &targets[..place];
        let this = targets.first().copied().unwrap_or(NONE);
        let outside = Eval::outside(self.program, self.state, this, item.you);
        let legal = Eval { locals: &bound[skip.min(place)..], ..outside }.contains(self.scratch, sel, to);
        if !legal {
            return;
        }
        let since = if acting.is_number(def, &targets, place) { 0 } else { self.since(to) };
        let item = &mut self.state.stack[n];
        item.targets[place] = to;
        if let Some(place) = item.since.get_mut(place) {
            *place = since;
        }
        if let Some(arg) = item.ev.args.get_mut(place) {
            *arg = to;
        }
        self.changed = parlor_core::Seats::ALL;
    }

    /// A trigger of one card goes onto the stack as if another card had it.
    pub(in crate::machine) fn activate(&mut self, of: i64, name: TextId, this: i64) -> Done {
        let Some(ent) = self.entity(of) else { return Ok(()) };
        let program = self.program;
        let name = program.texts[name].as_str();
        let mut ids = self.state.board.abilities(program, ent).flat_map(|part| &part.triggers);
        let Some(id) = ids.find(|id| program.triggers[**id].id == name).copied() else {
            return Ok(());
        };
        let ev = self.state.frames.last().map_or(EventData::NONE, |frame| frame.ev);
        let source = self.entity(this).unwrap_or(EntityId::NONE);
        self.react(&Found { id, source, serial: 0, n: 0 }, &ev, Rows::new(), 0)
    }

    /// The event that is replaced, or before which the current item stands, does not happen.
    pub fn prevent(&mut self) {
        if let Some(event) = self.replacing.last_mut() {
            event.1 = true;
            return;
        }
        let about = self.state.current.as_ref().map_or(0, |current| current.item.about);
        self.counter(about);
    }

    /// An item that waits is countered, by the item that resolves: everybody sees it lie there as countered.
    pub(in crate::machine) fn counter(&mut self, order: u32) {
        let by = self.state.current.as_ref().filter(|current| !current.is_apart());
        let by = by.map(|current| Counter::from(&current.item));
        if let Some(item) = self.state.stack.iter_mut().find(|item| item.order == order && order != 0) {
            item.countered = true;
            item.counter = item.counter.or(by);
            self.changed = parlor_core::Seats::ALL;
        }
    }

    /// A field of that event changes.
    pub fn modify_event(&mut self, field: u8, value: i64) {
        if let Some((event, _)) = self.replacing.last_mut() {
            event.args[usize::from(field)] = value;
            return;
        }
        let about = self.state.current.as_ref().map_or(0, |current| current.item.about);
        let since = self.since(value);
        if let Some(item) = self.state.stack.iter_mut().find(|item| item.order == about) {
            let fields = &self.program.events[item.ev.ty].fields;
            let number = fields.get(usize::from(field)).is_some_and(|(_, ty)| *ty == Ty::Int);
            let since = if number { 0 } else { since };
            item.ev.args[usize::from(field)] = value;
            if let Some(target) = item.targets.get_mut(usize::from(field)) {
                *target = value;
            }
            // The new one is there from here on: it is not the old one gone.
            if let Some(place) = item.since.get_mut(usize::from(field)) {
                *place = since;
            }
        }
    }

    /// What a card does when it resolves.
    pub fn run_card(&mut self, card: ExprId, first: u16) {
        let ent = self.eval(card);
        let Some(e) = self.entity(ent) else { return };
        let program = self.program;
        let def = &program.cards[self.state.board.entities[e].def];
        let Some(frame) = self.state.frames.last() else { return };
        let (you, ev) = (frame.you, frame.ev);
        let mut targets =
            self.state.locals.get(frame.base as usize + usize::from(first)..).unwrap_or(&[]).to_vec();
        let code = if def.modes.is_empty() {
            def.resolve
        } else {
            let mode = targets.first().copied().unwrap_or(NONE);
            targets.drain(..1.min(targets.len()));
            usize::try_from(mode).ok().and_then(|mode| def.modes.get(mode)).map(|mode| mode.code)
        };
        if let Some(code) = code {
            targets.truncate(usize::from(code.locals));
            self.enter(code, ent, you, ev, &targets);
        }
    }

    /// What the ability does that was chosen.
    pub fn run_ability(&mut self, source: ExprId, ability: u16, first: u16) {
        let ent = self.eval(source);
        let Some(frame) = self.state.frames.last() else { return };
        let (you, ev, base) = (frame.you, frame.ev, frame.base as usize);
        let ability = self.state.locals.get(base + usize::from(ability)).copied().unwrap_or(NONE);
        let program = self.program;
        let Some(def) = usize::try_from(ability).ok().and_then(|n| program.abilities.get(n)) else { return };
        let mut targets = self.state.locals.get(base + usize::from(first)..).unwrap_or(&[]).to_vec();
        targets.truncate(usize::from(def.code.locals));
        self.enter(def.code, ent, you, ev, &targets);
    }
}
