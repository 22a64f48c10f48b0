//! Chance: every shuffle, roll and draw by lot of the machine goes through here, so that a scenario can say what comes
//! of it.

use crate::machine::ids::{EntityId, InstanceId, KindId};
use crate::machine::program::{Program, Ty};
use crate::machine::state::{State, Vm};

/// Somebody who decides what luck brings. What it has no word for is left to luck.
pub trait Chance {
    /// A zone is shuffled: the kinds of its cards, from the bottom, as luck has laid them.
    fn shuffled(&mut self, program: &Program, state: &State, instance: InstanceId, faces: &mut Vec<KindId>);
    /// A number below the sides is rolled.
    fn rolled(&mut self, sides: u32, rng: u32) -> u32;
    /// A list of these is put into an order.
    fn mixed(&mut self, program: &Program, state: &State, ty: Ty, list: &mut Vec<i64>);
    /// Somebody is answered for by lot: from these, luck has drawn those.
    fn drawn(&mut self, program: &Program, state: &State, ty: Ty, from: &[i64], picks: &mut Vec<i64>);
    /// How far it has come.
    fn place(&self) -> usize;
    /// An operation is taken back and will be done again: what it drew is drawn again from here on.
    fn back(&mut self, place: usize);
}

impl Vm<'_, '_> {
    /// Puts the cards of a zone into an order.
    pub(in crate::machine) fn deal_faces(&mut self, instance: InstanceId, ents: &mut Vec<EntityId>) {
        self.mix(ents);
        let Some(chance) = &mut self.out.chance else { return };
        let kind = |ent: &EntityId| self.state.board.entities[*ent].def;
        let mut kinds: Vec<KindId> = ents.iter().map(kind).collect();
        chance.shuffled(self.program, self.state, instance, &mut kinds);
        let mut left = std::mem::take(ents);
        for wanted in kinds {
            if let Some(n) = left.iter().position(|ent| kind(ent) == wanted) {
                ents.push(left.remove(n));
            }
        }
    }

    pub(in crate::machine) fn rolled(&mut self, sides: u32) -> u32 {
        let value = self.below(sides);
        match &mut self.out.chance {
            None => value,
            Some(chance) => chance.rolled(sides, value),
        }
    }

    pub(in crate::machine) fn mix_list(&mut self, list: &mut Vec<i64>, ty: Ty) {
        self.mix(list);
        if let Some(chance) = &mut self.out.chance {
            chance.mixed(self.program, self.state, ty, list);
        }
    }

    pub(in crate::machine) fn drawn(&mut self, ty: Ty, from: &[i64], mut picks: Vec<i64>) -> Vec<i64> {
        if let Some(chance) = &mut self.out.chance {
            chance.drawn(self.program, self.state, ty, from, &mut picks);
        }
        picks
    }
}
