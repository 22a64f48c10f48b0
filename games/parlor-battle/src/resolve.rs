//! What two slots do to each other: heals first, each capped by itself, then attack, defense and counter.

use crate::card::{Card, Slot};

/// The most HP, and the HP at the start.
pub const MAX_HP: u8 = 10;
/// What an attack that lands takes.
pub const DAMAGE: u8 = 2;
/// What a heal gives, up to [`MAX_HP`].
pub const HEALING: u8 = 1;

/// The HP of both after one step.
#[must_use]
#[inline]
pub fn resolve(slots: [Slot; 2], hp: [u8; 2]) -> [u8; 2] {
    let [a, b] = slots;
    [after(a, b, hp[0]), after(b, a, hp[1])]
}

#[inline]
fn after(mine: Slot, theirs: Slot, hp: u8) -> u8 {
    // The heal is capped before the damage: at full HP it is lost, whatever hits in the same step.
    let healed = if mine == Some(Card::Heal) { (hp + HEALING).min(MAX_HP) } else { hp };
    if hurts(mine, theirs) { healed.saturating_sub(DAMAGE) } else { healed }
}

/// Whether whoever laid `mine` is hit: by an attack that nothing stops, or by his own that is turned back.
#[inline]
fn hurts(mine: Slot, theirs: Slot) -> bool {
    match (mine, theirs) {
        (Some(Card::Attack), Some(Card::Counter)) => true,
        (Some(Card::Defense | Card::Counter), Some(Card::Attack)) => false,
        (_, theirs) => theirs == Some(Card::Attack),
    }
}
