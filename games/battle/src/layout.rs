//! Layouts: three slots, each a card of the hand or empty.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::answer::SlotAnswer;
use crate::card::{Card, Hand, Slot};

/// Slots in a layout, and steps in a reveal.
pub const SLOTS: usize = 3;

/// Layouts that fit the default hand: one card of each kind, in any slots.
const DEFAULT_LAYOUTS: usize = 1 + 3 * 4 + 3 * 12 + 24;

/// The layout of a player: three empty slots until they send one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Layout(pub [Slot; SLOTS]);

/// A layout as sent, without the cards that the hand does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sifted {
    /// What is left.
    pub layout: Layout,
    /// A bit for each slot whose entry was taken out.
    pub dropped: u8,
}

impl Layout {
    /// No card at all.
    pub const EMPTY: Self = Self([None; SLOTS]);

    /// Every layout that fits the default hand.
    pub const DEFAULT: [Self; DEFAULT_LAYOUTS] = {
        let mut all = [Self::EMPTY; DEFAULT_LAYOUTS];
        let (mut code, mut found) = (0, 0);
        while code < CODES {
            let (a, b, c) = (code / 25, code / 5 % 5, code % 5);
            let twice = (a != 0 && (a == b || a == c)) || (b != 0 && b == c);
            if !twice {
                all[found] = Self::from_code(code);
                found += 1;
            }
            code += 1;
        }
        assert!(found == DEFAULT_LAYOUTS);
        all
    };

    /// The layouts in some order, fitting or not: a digit to base 5 for each slot, 0 for an empty one.
    const fn from_code(code: usize) -> Self {
        Self([slot(code / 25), slot(code / 5 % 5), slot(code % 5)])
    }

    /// Whether the hand holds every card of the layout, as often as the layout uses it.
    #[must_use]
    pub fn fits(&self, hand: &Hand) -> bool {
        hand.sift(&self.0.map(SlotAnswer::from)).dropped == 0
    }

    /// Every layout that fits the hand.
    pub fn all(hand: &Hand) -> impl Iterator<Item = Self> {
        let hand = *hand;
        (0..CODES).map(Self::from_code).filter(move |layout| layout.fits(&hand))
    }

    /// The first `slots` slots alone, the others empty.
    #[must_use]
    pub fn first(mut self, slots: usize) -> Self {
        for slot in self.0.iter_mut().skip(slots) {
            *slot = None;
        }
        self
    }
}

/// All ways to fill three slots with four cards or nothing, including impossible ones.
const CODES: usize = 125;

const fn slot(digit: usize) -> Slot {
    match digit {
        0 => None,
        n => Some(Card::ALL[n - 1]),
    }
}

impl Hand {
    /// Reads a layout from left to right and removes entries that are no card, or more cards than the hand holds.
    #[must_use]
    pub fn sift(&self, entries: &[SlotAnswer; SLOTS]) -> Sifted {
        let mut left = self.counts();
        let mut sifted = Sifted { layout: Layout::EMPTY, dropped: 0 };
        for (n, entry) in entries.iter().enumerate() {
            match entry {
                SlotAnswer::Empty => {}
                SlotAnswer::Card(card) if left[*card as usize] > 0 => {
                    left[*card as usize] -= 1;
                    sifted.layout.0[n] = Some(*card);
                }
                SlotAnswer::Card(_) | SlotAnswer::Unknown => sifted.dropped |= 1 << n,
            }
        }
        sifted
    }
}
