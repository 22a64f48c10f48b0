//! Places in a hand, in the order of play: the first is the player left of the button, the last has the button.

use std::fmt;

/// Most players a hand can hold.
pub const SEATS_MAX: usize = 10;

/// A player's place in the order of play, counted from 0; the notation calls it `p1`.
pub type Seat = usize;

/// A set of places.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct SeatSet(u16);

impl SeatSet {
    /// Nobody.
    pub const EMPTY: Self = Self(0);

    /// The first `n` places.
    #[must_use]
    pub const fn first(n: usize) -> Self {
        Self((1 << n) - 1)
    }

    /// Only this place.
    #[must_use]
    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat)
    }

    /// Whether the place is in the set.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// Adds a place.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat;
    }

    /// Takes a place out.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat);
    }

    /// How many places.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest place.
    #[must_use]
    pub const fn lowest(self) -> Option<Seat> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// The first place at or after `seat`, going round.
    #[must_use]
    pub const fn from(self, seat: Seat) -> Option<Seat> {
        let after = Self(self.0 & !((1 << seat) - 1));
        if after.0 != 0 { after.lowest() } else { self.lowest() }
    }

    /// The places after this one, not going round.
    #[must_use]
    pub const fn after(self, seat: Seat) -> Self {
        Self(self.0 & !((2 << seat) - 1))
    }

    /// The places of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The places of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether at most one place is in the set.
    #[must_use]
    pub const fn is_at_most_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) == 0
    }

    /// The places in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut bits = u32::from(self.0);
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let seat = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(seat)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<T: IntoIterator<Item = Seat>>(seats: T) -> Self {
        let mut set = Self::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_round_comes_back_to_the_first_place() {
        let set: SeatSet = [1, 4].into_iter().collect();
        assert_eq!([set.from(0), set.from(2), set.from(5)], [Some(1), Some(4), Some(1)]);
        assert_eq!(SeatSet::EMPTY.from(3), None);
    }
}
