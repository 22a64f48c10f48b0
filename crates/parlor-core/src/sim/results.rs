//! The results of simulated matches: who won, why they ended, and the one that could not go on.

use std::collections::BTreeMap;

use crate::limits::SEATS_MAX;
use crate::outcome::Outcome;
use crate::seat::Seat;

/// How many reasons are counted separately; all others are counted together.
const REASONS_MAX: usize = 64;

/// The results of simulated matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SimResults {
    /// Matches that each seat won, alone or with others.
    pub wins: [u64; SEATS_MAX],
    /// Matches that ended without a winner.
    pub draws: u64,
    /// The number of matches for each reason.
    pub reasons: BTreeMap<String, u64>,
}

/// A match that stopped at a broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StuckMatch {
    /// The number of the match, from 0.
    pub number: u64,
    /// Inputs applied before it stopped.
    pub inputs: u64,
    pub why: String,
}

impl SimResults {
    pub(super) fn add(&mut self, outcome: Option<&Outcome>) {
        let Some(outcome) = outcome else { return };
        outcome.winners.iter().for_each(|seat: Seat| self.wins[seat.index()] += 1);
        self.draws += u64::from(outcome.winners.is_empty());
        self.count(&outcome.reason, 1);
    }

    fn count(&mut self, reason: &str, n: u64) {
        let full = self.reasons.len() >= REASONS_MAX;
        match self.reasons.get_mut(reason) {
            Some(count) => *count += n,
            None if full => *self.reasons.entry("other".to_owned()).or_default() += n,
            None => {
                self.reasons.insert(reason.to_owned(), n);
            }
        }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
        self.wins.iter_mut().zip(other.wins).for_each(|(mine, theirs)| *mine += theirs);
        self.draws += other.draws;
        other.reasons.iter().for_each(|(reason, n)| self.count(reason, *n));
        self
    }
}
