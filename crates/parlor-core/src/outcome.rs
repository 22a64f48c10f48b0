//! How a match ended.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::limits::SEATS_MAX;
use crate::seat::{Seat, Seats};

/// The result of a match: who won, in which places the seats ended, and why.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// The winners; none in a draw.
    pub winners: Seats,
    /// The place of each seat, from 1; equal places share.
    pub places: ArrayVec<u8, SEATS_MAX>,
    /// A short code of the cause, such as `line` or `timeout`.
    pub reason: Cow<'static, str>,
}

impl Outcome {
    /// These seats win; all others share the place behind them.
    #[must_use]
    pub fn win(winners: Seats, seats: u8, reason: impl Into<Cow<'static, str>>) -> Self {
        let behind = winners.len() as u8 + 1;
        let places = (0..seats).map(|n| if winners.has(Seat::new(n)) { 1 } else { behind }).collect();
        Self { winners, places, reason: reason.into() }
    }

    /// Nobody wins; all seats share the first place.
    #[must_use]
    pub fn draw(seats: u8, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { winners: Seats::NONE, places: (0..seats).map(|_| 1).collect(), reason: reason.into() }
    }

    /// Places by score, highest first; equal scores share a place, and the first place wins.
    #[must_use]
    pub fn ranked(scores: &[i64], reason: impl Into<Cow<'static, str>>) -> Self {
        let mut places = [1_u8; SEATS_MAX];
        let (places, scores) = (&mut places[..scores.len()], &scores[..scores.len()]);
        for n in 1..scores.len() {
            let (mine, mut place) = (scores[n], 1_u8);
            for (other, other_place) in scores[..n].iter().zip(&mut *places) {
                // Seats are few: no place overflows.
                place = place.wrapping_add(u8::from(*other > mine));
                *other_place = other_place.wrapping_add(u8::from(*other < mine));
            }
            places[n] = place;
        }
        let mut winners = Seats::NONE;
        for (n, place) in places.iter().enumerate() {
            if *place == 1 {
                winners = winners.with(Seat::new(n as u8));
            }
        }
        let places = places.iter().copied().collect();
        Self { winners, places, reason: reason.into() }
    }

    /// Nobody wins and nobody loses: the match was stopped.
    #[must_use]
    pub fn stopped(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { winners: Seats::NONE, places: ArrayVec::new(), reason: reason.into() }
    }

    /// The result in a sentence, with the players' names.
    #[must_use]
    pub fn text(&self, names: &[impl AsRef<str>]) -> String {
        let names: Vec<&str> = self
            .winners
            .iter()
            .filter_map(|seat| names.get(seat.index()))
            .map(AsRef::as_ref)
            .filter(|name| !name.is_empty())
            .collect();
        match names.as_slice() {
            [] => format!("Game ended in a draw — {}", self.reason),
            [one] => format!("{one} wins due to {}", self.reason),
            [most @ .., last] => format!("{} and {last} share the win — {}", most.join(", "), self.reason),
        }
    }
}
