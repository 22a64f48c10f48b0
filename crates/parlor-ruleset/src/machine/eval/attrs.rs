//! Attributes as they are now: printed or kept, then counters, then modifiers and statics, layer by layer.
//!
//! Layers: what sets a value comes before what adds to it; among equals the older comes first. Statics do not look at
//! what other statics make of the things they look at: there is no solving of dependencies.

use crate::limits::ATTRIBUTE_DEPTH_MAX;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::{AttrId, CounterId, EntityId, StaticId};
use crate::machine::program::{AttrKind, amount, number};

impl Eval<'_> {
    /// The value of an attribute; its default where there is no entity.
    #[inline]
    pub(crate) fn attr(&self, scratch: &mut Scratch, ent: i64, attr: AttrId) -> i64 {
        let def = &self.program.attrs[attr];
        let Some(e) = self.ent(ent) else { return def.default };
        let base = match def.kind {
            AttrKind::Printed => self.program.printed(self.state.board.entities[e].def, attr),
            AttrKind::Kept(column) => self.state.board.attrs[self.program.attr_at(e, column)],
            AttrKind::Computed(expr, it) => {
                if !deeper(scratch) {
                    return def.default;
                }
                let before = std::mem::replace(&mut scratch.its[usize::from(it)], ent);
                let value = self.value(scratch, expr);
                scratch.its[usize::from(it)] = before;
                scratch.deep -= 1;
                value
            }
        };
        if !def.layered {
            return base;
        }
        if !deeper(scratch) {
            return base;
        }
        let value = self.layers(scratch, e, attr, base);
        scratch.deep -= 1;
        value
    }

    fn layers(&self, scratch: &mut Scratch, e: EntityId, attr: AttrId, base: i64) -> i64 {
        let board = &self.state.board;
        let mut set = base;
        let mut add = 0i64;
        for (kind, (_, changes)) in self.program.counters.iter().enumerate() {
            for (changed, by) in changes {
                if *changed == attr {
                    let n = board.counters[self.program.counter_at(e, CounterId::at(kind))];
                    add = add.saturating_add(n.saturating_mul(*by));
                }
            }
        }
        for m in board.mods.iter().filter(|m| m.ent == e) {
            match m.change {
                Some((changed, true, value)) if changed == attr => set = value,
                Some((changed, false, value)) if changed == attr => add = add.saturating_add(value),
                _ => {}
            }
        }
        self.each_static(scratch, e, &mut |eval, scratch, def, _| {
            for change in def.changes.iter().filter(|change| change.attr == attr) {
                let value = eval.value(scratch, change.value);
                if change.set {
                    set = value;
                } else {
                    add = add.saturating_add(value);
                }
            }
        });
        if add == 0 { set } else { number(amount(set).saturating_add(add)) }
    }

    /// Whether an entity has a keyword: printed, given by a modifier, or by a static.
    pub(crate) fn has(&self, scratch: &mut Scratch, ent: i64, keyword: u16) -> bool {
        let Some(e) = self.ent(ent) else { return false };
        let bit = 1u64 << keyword;
        let board = &self.state.board;
        let mut has = board.entities[e].keywords & bit != 0;
        self.each_static(scratch, e, &mut |_, _, def, _| has |= def.keywords & bit != 0);
        has
    }

    fn each_static(
        &self,
        scratch: &mut Scratch,
        e: EntityId,
        f: &mut dyn FnMut(&Eval<'_>, &mut Scratch, &crate::machine::program::StaticDef, EntityId),
    ) {
        let board = &self.state.board;
        if board.statics.is_empty() {
            return;
        }
        let here = self.program.bit_of(board.entities[e].at);
        let mut sources: Vec<(u8, u32, EntityId, StaticId)> = Vec::new();
        for source in &board.statics {
            let bit = self.program.bit_of(board.entities[*source].at);
            for id in board.abilities(self.program, *source).flat_map(|part| &part.statics) {
                let def = &self.program.statics[*id];
                if def.zones & bit != 0 && def.affects & here != 0 {
                    sources.push((def.layer, board.entities[*source].since, *source, *id));
                }
            }
        }
        sources.sort_unstable();
        for (_, _, source, id) in sources {
            let def = &self.program.statics[id];
            let this = source.value();
            let eval = Eval { this, you: self.controller(this), locals: &[], lists: &[], ..*self };
            let before = std::mem::replace(&mut scratch.its[usize::from(def.it)], e.value());
            // One look at a static costs more than one operation; a static that asks for itself ends by its fuel.
            scratch.fuel = scratch.fuel.saturating_sub(4);
            if def.when.is_none_or(|when| scratch.fuel > 0 && eval.holds(scratch, when)) {
                f(&eval, scratch, def, source);
            }
            scratch.its[usize::from(def.it)] = before;
        }
    }
}

/// One attribute inside another; where they never end, the look is over.
fn deeper(scratch: &mut Scratch) -> bool {
    if scratch.deep >= ATTRIBUTE_DEPTH_MAX {
        scratch.fuel = 0;
        return false;
    }
    scratch.deep += 1;
    true
}
