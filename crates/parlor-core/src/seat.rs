//! Seats, and sets of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::SEATS_MAX;

/// A seat at the table, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Seat number `n`, counted from 0.
    ///
    /// # Panics
    /// If `n` is not below [`SEATS_MAX`].
    #[must_use]
    pub const fn new(n: u8) -> Self {
        assert!((n as usize) < SEATS_MAX, "seat number out of range");
        Self(n)
    }

    /// The number, as an index into arrays with one entry for each seat.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat in turn order among `seats` seats.
    #[must_use]
    pub const fn next(self, seats: u8) -> Self {
        Self((self.0 + 1) % seats)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A viewer of a match: a player, or the gallery (all spectators see the same).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// A spectator, who knows only what is public.
    Gallery,
}

impl Viewer {
    /// All viewers of a table with `seats` seats: each seat, then the gallery.
    pub fn all(seats: u8) -> impl Iterator<Item = Self> {
        (0..seats).map(|n| Self::Seat(Seat(n))).chain([Self::Gallery])
    }

    /// The seat, if this viewer has one.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Gallery => None,
        }
    }

    /// A small number for arrays with one entry for each viewer of `seats` seats; the gallery comes last.
    #[must_use]
    pub const fn index(self, seats: u8) -> usize {
        match self {
            Self::Seat(seat) => seat.index(),
            Self::Gallery => seats as usize,
        }
    }
}

impl From<Seat> for Viewer {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "seat {seat}"),
            Self::Gallery => f.write_str("gallery"),
        }
    }
}

/// A set of viewers, in one machine word: seats, and perhaps the gallery.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Seats(u16);

impl Seats {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Every viewer: all seats and the gallery.
    pub const ALL: Self = Self(u16::MAX);
    /// The spectators alone.
    pub const GALLERY: Self = Self(1 << SEATS_MAX);

    /// The first `n` seats, without the gallery.
    #[must_use]
    pub const fn first(n: u8) -> Self {
        Self((1u16 << n) - 1)
    }

    /// This seat alone.
    #[must_use]
    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// Every viewer, including the gallery, except this seat.
    #[must_use]
    pub const fn all_but(seat: Seat) -> Self {
        Self(!(1 << seat.0))
    }

    /// The set with this seat added.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// The set with this seat removed.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// The union of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection of both sets.
    #[must_use]
    pub const fn shared(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The members of this set that are not in the other.
    #[must_use]
    pub const fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the seat is in the set.
    #[must_use]
    pub const fn has(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// Whether this viewer is in the set.
    #[must_use]
    pub const fn sees(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.has(seat),
            Viewer::Gallery => self.0 & Self::GALLERY.0 != 0,
        }
    }

    /// Whether every member of `other` is a member of this set.
    #[must_use]
    pub const fn covers(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set; the gallery is not counted.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.0 & !Self::GALLERY.0).count_ones() as usize
    }

    /// The seats in the set, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut rest = self.0 & !Self::GALLERY.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let n = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            Some(Seat(n))
        })
    }

    /// The lowest seat in the set.
    #[must_use]
    pub fn lowest(self) -> Option<Seat> {
        self.iter().next()
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<Viewer> for Seats {
    fn from(viewer: Viewer) -> Self {
        match viewer {
            Viewer::Seat(seat) => Self::only(seat),
            Viewer::Gallery => Self::GALLERY,
        }
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut set = f.debug_set();
        set.entries(self.iter().map(Seat::index));
        if self.sees(Viewer::Gallery) {
            set.entry(&"gallery");
        }
        set.finish()
    }
}
