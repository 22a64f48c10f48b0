//! What the house takes. The uncalled bet is returned before and never raked.

use crate::money::Chips;

/// How rake is taken from the pots of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rake {
    /// The amount itself, where it is known; the share and cap then do not matter.
    pub fixed: Option<Chips>,
    /// The share of the pot in hundredths of a percent: 500 is 5 %.
    pub basis_points: u32,
    /// The most that is taken from one hand.
    pub cap: Option<Chips>,
    /// Whether nothing is taken unless a flop (or a second street) was dealt.
    pub no_flop_no_drop: bool,
}

impl Rake {
    /// No rake.
    pub const NONE: Self = Self { fixed: None, basis_points: 0, cap: None, no_flop_no_drop: true };

    /// Rake on pots of `total` together.
    #[must_use]
    pub fn of(self, total: Chips, saw_flop: bool) -> Chips {
        if let Some(fixed) = self.fixed {
            return fixed.clamp(0, total);
        }
        if self.basis_points == 0 || self.no_flop_no_drop && !saw_flop {
            return 0;
        }
        let share = (i128::from(total) * i128::from(self.basis_points) / 10_000) as Chips;
        share.min(self.cap.unwrap_or(share)).clamp(0, total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rake_is_a_share_up_to_the_cap_and_nothing_before_the_flop() {
        let rake = Rake { basis_points: 500, cap: Some(300), ..Rake::NONE };
        assert_eq!(rake.of(1999, true), 99);
        assert_eq!(rake.of(100_000, true), 300);
        assert_eq!(rake.of(100_000, false), 0);
        assert_eq!(Rake { fixed: Some(7), ..rake }.of(100, false), 7);
    }
}
