//! What luck brings: every shuffle, roll and draw by lot of the machine goes through here, so that a scenario can say
//! what comes of it.

use parlor_core::Luck;

use super::state::{State, Vm};
use crate::program::Program;

/// Somebody who decides what luck brings. What it has no word for is left to luck.
pub trait Chance {
    /// A zone is shuffled: the kinds of its cards, from the bottom, as luck has laid them.
    fn shuffled(&mut self, p: &Program, s: &State, instance: u16, faces: &mut Vec<u16>);
    /// A number below the sides is rolled.
    fn rolled(&mut self, sides: u32, luck: u32) -> u32;
    /// A list is put into an order.
    fn mixed(&mut self, p: &Program, s: &State, list: &mut Vec<i64>);
    /// Somebody is answered for by lot: from these, luck has drawn those.
    fn drawn(&mut self, p: &Program, s: &State, from: &[i64], picks: &mut Vec<i64>);
}

/// Fisher–Yates: the order of the draws is part of every log.
fn shuffle<T>(luck: &mut Luck, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        let other = luck.below(last as u32 + 1) as usize;
        list.swap(last, other);
    }
}

impl Vm<'_, '_> {
    pub(super) fn deal_faces(&mut self, instance: u16, faces: &mut Vec<u16>) {
        shuffle(self.luck, faces);
        if let Some(chance) = &mut self.out.chance {
            chance.shuffled(self.p, self.s, instance, faces);
        }
    }

    pub(super) fn rolled(&mut self, sides: u32) -> u32 {
        let value = self.luck.below(sides);
        match &mut self.out.chance {
            None => value,
            Some(chance) => chance.rolled(sides, value),
        }
    }

    pub(super) fn mix(&mut self, list: &mut Vec<i64>) {
        self.luck.shuffle(list);
        if let Some(chance) = &mut self.out.chance {
            chance.mixed(self.p, self.s, list);
        }
    }

    pub(super) fn drawn(&mut self, from: &[i64], mut picks: Vec<i64>) -> Vec<i64> {
        if let Some(chance) = &mut self.out.chance {
            chance.drawn(self.p, self.s, from, &mut picks);
        }
        picks
    }
}
