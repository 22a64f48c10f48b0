//! Values of the language, as the machine counts them: a word of 64 bits each, so that an expression costs what it must. How
//! a seat or an item stands in such a word is known here alone.
//!
//! Types are checked when a ruleset is compiled, so the machine seldom needs to ask what a value is; where it does, and only
//! the value itself can say, that is [`Value`].

use crate::machine::ids::EntityId;
/// Nothing: no entity, no seat, an empty slot. It is none of the numbers: `number` keeps it out of arithmetic, and it is
/// so far from those that games count with that nobody misses it.
pub const NONE: i64 = -(1 << 62) - 1;
/// What was never remembered.
pub(crate) const NEVER: i64 = i64::MIN;
/// Seat 0. Below it are entities.
const SEAT: i64 = 0x1_0000;
/// Item number 0.
const ITEM: i64 = 0x2_0000;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Nothing.
    Nothing,
    /// A number that is no thing.
    Number(i64),
    /// An entity, if there are so many.
    Card(EntityId),
    /// A seat, if there are so many.
    Seat(i64),
    /// An item on the stack, by its order.
    Item(i64),
}

impl Value {
    /// What a thing is: of a number it says what thing has this number.
    #[must_use]
    pub(crate) const fn of(value: i64) -> Self {
        match value {
            NONE => Self::Nothing,
            ..0 => Self::Number(value),
            0..SEAT => Self::Card(EntityId::at(value as usize)),
            SEAT..ITEM => Self::Seat(value - SEAT),
            ITEM.. => Self::Item(value - ITEM),
        }
    }
}

/// A seat, as a value.
#[inline]
#[must_use]
pub const fn seat_value(seat: usize) -> i64 {
    SEAT + seat as i64
}

/// The number of the seat that a value is. Any value may be asked, the least of all too.
#[inline]
#[must_use]
pub(crate) const fn seat_number(value: i64) -> i64 {
    value.wrapping_sub(SEAT)
}

/// An item on the stack, as a value.
#[inline]
#[must_use]
pub(crate) const fn item_value(order: u32) -> i64 {
    ITEM + order as i64
}

/// The order of the item that a value is; 0, which no item has, where it is none.
#[inline]
#[must_use]
pub(crate) fn item_order(value: i64) -> u32 {
    u32::try_from(value.wrapping_sub(ITEM)).unwrap_or(0)
}

/// What arithmetic came to: never [`NONE`], but the number beside it.
#[inline]
#[must_use]
pub(crate) const fn number(value: i64) -> i64 {
    if value == NONE { NONE + 1 } else { value }
}

/// What a value counts in arithmetic: nothing is 0.
#[inline]
#[must_use]
pub(crate) const fn amount(value: i64) -> i64 {
    if value == NONE { 0 } else { value }
}
