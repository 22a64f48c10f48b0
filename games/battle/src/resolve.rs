//! What two slots do to each other: heals first, each capped by itself, then attack, defense and counter.

use crate::card::{Card, Slot};

/// The most HP, and the HP at the start.
pub const MAX_HP: u8 = 10;
/// The damage of an attack that hits, in HP.
pub const DAMAGE: u8 = 2;
/// The HP that a heal restores, up to [`MAX_HP`].
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
    // The heal is capped before the damage: at full HP it is lost, even if an attack hits in the same step.
    let healed = if mine == Some(Card::Heal) { (hp + HEALING).min(MAX_HP) } else { hp };
    if hurts(mine, theirs) { healed.saturating_sub(DAMAGE) } else { healed }
}

/// Whether the player of `mine` is hit: by an attack that is not stopped, or by their own attack when it is countered.
#[inline]
fn hurts(mine: Slot, theirs: Slot) -> bool {
    match (mine, theirs) {
        (Some(Card::Attack), Some(Card::Counter)) => true,
        (Some(Card::Defense | Card::Counter), Some(Card::Attack)) => false,
        (_, theirs) => theirs == Some(Card::Attack),
    }
}
