//! The lines of statements: what stands on each, and how they are numbered.

use std::collections::BTreeMap;

use crate::ledger::TRANSFERS_MAX;

/// What the two accounts of a transfer hold after it, as their statements show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct After {
    /// Who pays.
    pub from: i64,
    /// Who is paid.
    pub to: i64,
}

/// The balances on the lines of one posting. Each leg is who pays, who is paid, and how much; `held` has what the
/// accounts hold before (nothing, where it names none) and afterwards what they hold then.
///
/// All that comes in is counted before anything goes out: no line is below zero where none of the balances is. A leg
/// from an account to itself has no line.
pub fn line_balances<A: Ord + Clone>(legs: &[(A, A, i64)], held: &mut BTreeMap<A, i64>) -> Vec<After> {
    let mut after = vec![After::default(); legs.len()];
    let mut count = |account: &A, change: i64| {
        let balance = held.entry(account.clone()).or_default();
        // Only the sum of a write is limited: a round trip of all tokens may pass what fits, and comes back from it.
        *balance = balance.wrapping_add(change);
        *balance
    };
    let moving = |leg: &&(A, A, i64)| leg.0 != leg.1;
    for (after, (_, to, amount)) in after.iter_mut().zip(legs).filter(|(_, leg)| moving(leg)) {
        after.to = count(to, *amount);
    }
    for (after, (from, _, amount)) in after.iter_mut().zip(legs).filter(|(_, leg)| moving(leg)) {
        after.from = count(from, -*amount);
    }
    after
}

/// Where a line stands: the same order as that of its numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LinePlace {
    /// The posting, from 1.
    pub posting: u64,
    /// Whether it is what goes out.
    pub out: bool,
    /// The place of the transfer in its posting, from 0.
    pub n: u64,
}

const TRANSFERS: u64 = TRANSFERS_MAX as u64;

impl LinePlace {
    /// The number of the line here.
    #[must_use]
    pub fn number(self) -> u64 {
        (self.posting * 2 + u64::from(self.out)) * TRANSFERS + self.n
    }

    /// Where the line with this number stands.
    #[must_use]
    pub fn of(number: u64) -> Self {
        let side = number / TRANSFERS;
        Self { posting: side / 2, out: side % 2 == 1, n: number % TRANSFERS }
    }

    /// Of the lines that go out, or of those that come in, the posting and the transfer before which those lie that
    /// come before this place.
    #[must_use]
    pub fn bound(self, out: bool) -> (u64, u64) {
        let n = match out.cmp(&self.out) {
            std::cmp::Ordering::Less => TRANSFERS,
            std::cmp::Ordering::Equal => self.n,
            std::cmp::Ordering::Greater => 0,
        };
        (self.posting, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_by_its_number_and_numbers_grow_as_places_do() {
        let place = |posting, out, n| LinePlace { posting, out, n };
        let places = [place(1, false, 0), place(1, false, 1023), place(1, true, 0), place(2, false, 7)];
        for place in places {
            assert_eq!(LinePlace::of(place.number()), place);
        }
        assert!(places.is_sorted_by_key(|place| place.number()));
    }

    #[test]
    fn what_comes_in_is_counted_first_and_no_line_is_below_zero() {
        let mut held = BTreeMap::from([("ann", 3)]);
        let legs = [("ann", "hold", 10), ("ann", "ann", 99), ("mint", "ann", 7)];
        let after = line_balances(&legs, &mut held);
        assert_eq!(after, [After { from: 0, to: 10 }, After::default(), After { from: -7, to: 10 }]);
        assert_eq!(held, BTreeMap::from([("ann", 0), ("hold", 10), ("mint", -7)]));
    }
}
