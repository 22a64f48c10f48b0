//! Which entities listen for which events: an index that follows from where entities lie, what they are and what lies
//! on them.

use crate::machine::board::{Board, Mod};
use crate::machine::ids::EntityId;
use crate::machine::program::{Abilities, Program};

impl Board {
    /// Finds out again who hears what: after a state was loaded.
    pub fn listen(&mut self, program: &Program) {
        self.hear = vec![Vec::new(); program.events.len()];
        self.statics = Vec::new();
        self.dirty = None;
        for ent in self.all_entities() {
            self.wear(program, ent);
            self.enlist(program, ent);
        }
    }

    /// What works of an entity's abilities: its own, unless it has lost them, and those of its keywords.
    pub(in crate::machine) fn abilities<'p>(
        &self,
        program: &'p Program,
        ent: EntityId,
    ) -> impl Iterator<Item = &'p Abilities> + use<'p> {
        let entity = &self.entities[ent];
        let own = (!entity.mute).then(|| &program.cards[entity.def].abilities);
        let mut bits = entity.keywords & program.listening_keywords;
        own.into_iter().chain(std::iter::from_fn(move || {
            let n = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            program.macros.get(n)
        }))
    }

    /// Works out which keywords an entity has, and whether it has lost its abilities: in the order in which that came.
    pub(in crate::machine) fn wear(&mut self, program: &Program, ent: EntityId) {
        let mut keywords = program.cards[self.entities[ent].def].keywords;
        let mut mute = false;
        for m in self.mods.iter().filter(|m| m.ent == ent) {
            keywords = (keywords | m.keywords) & !m.without;
            mute |= m.mute;
        }
        (self.entities[ent].keywords, self.entities[ent].mute) = (keywords, mute);
    }

    /// What lies on entities is now this.
    pub(in crate::machine) fn lay(&mut self, program: &Program, mods: &[Mod]) {
        let touches = |m: &Mod| m.mute || m.keywords != 0 || m.without != 0;
        // Mostly one more lies there, or one less: what stays as it was before and after it changes nothing.
        let first = self.mods.iter().zip(mods).take_while(|(old, new)| old == new).count();
        let (old, new) = (&self.mods[first..], &mods[first..]);
        let last = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[..old.len() - last], &new[..new.len() - last]);
        let mut changed: Vec<EntityId> =
            old.iter().chain(new).filter(|m| touches(m)).map(|m| m.ent).collect();
        changed.sort_unstable();
        changed.dedup();
        for ent in &changed {
            self.unlist(program, *ent);
        }
        self.mods.clear();
        self.mods.extend_from_slice(mods);
        for ent in changed {
            self.wear(program, ent);
            self.enlist(program, ent);
        }
        self.dirty = None;
    }

    /// Whether there is anything on an entity that listens.
    #[inline]
    pub(in crate::machine) fn is_silent(&self, program: &Program, ent: EntityId) -> bool {
        let entity = &self.entities[ent];
        program.nothing_listens
            || entity.keywords & program.listening_keywords == 0
                && program.cards[entity.def].abilities.is_silent()
    }

    pub(in crate::machine) fn enlist(&mut self, program: &Program, ent: EntityId) {
        if self.is_silent(program, ent) || self.entities[ent].down {
            return;
        }
        let bit = program.bit_of(self.entities[ent].at);
        for part in self.abilities(program, ent) {
            let triggers = part.triggers.iter().map(|t| &program.triggers[*t]).map(|t| (t.event, t.zones));
            let replaces = part.replaces.iter().map(|r| &program.replaces[*r]).map(|r| (r.event, r.zones));
            for (event, zones) in triggers.chain(replaces) {
                if zones & bit != 0 {
                    insert(&mut self.hear[event], ent);
                }
            }
            if part.statics.iter().any(|s| program.statics[*s].zones & bit != 0) {
                insert(&mut self.statics, ent);
                self.dirty = None;
            }
        }
    }

    pub(in crate::machine) fn unlist(&mut self, program: &Program, ent: EntityId) {
        if self.is_silent(program, ent) {
            return;
        }
        for part in self.abilities(program, ent) {
            for t in &part.triggers {
                remove(&mut self.hear[program.triggers[*t].event], ent);
            }
            for r in &part.replaces {
                remove(&mut self.hear[program.replaces[*r].event], ent);
            }
        }
        if remove(&mut self.statics, ent) {
            self.dirty = None;
        }
    }
}

fn insert(list: &mut Vec<EntityId>, ent: EntityId) {
    if let Err(place) = list.binary_search(&ent) {
        list.insert(place, ent);
    }
}

fn remove(list: &mut Vec<EntityId>, ent: EntityId) -> bool {
    let found = list.binary_search(&ent);
    if let Ok(place) = found {
        list.remove(place);
    }
    found.is_ok()
}
