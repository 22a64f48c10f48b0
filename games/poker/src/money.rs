//! Money. The rules count [`Chips`], whole units of the hand's smallest coin; the notation holds [`Amount`]s, decimal
//! numbers exactly as written. A [`Scale`] turns one into the other without loss. There are no floats.

use std::fmt;

/// Money in the hand's smallest unit.
pub type Chips = i64;

/// What an unknown stack (`inf`) counts: more than any amount a hand may hold.
pub const ENDLESS: Chips = 1 << 58;

/// Largest number of units one amount may have; sums over a table stay far below [`ENDLESS`].
pub const CHIPS_MAX: Chips = 1_000_000_000_000_000;

/// Most decimals an amount may have.
pub const DECIMALS_MAX: u8 = 8;

/// Whether the number stands for an unknown stack or something bounded only by one.
#[must_use]
pub const fn is_endless(chips: Chips) -> bool {
    chips >= ENDLESS / 2
}

/// An amount as it is written: `0.50` is 50 units with 2 decimals and is written back as `0.50`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// A decimal number: its digits and how many of them follow the point.
    Number {
        /// The number without its point.
        units: Chips,
        /// Digits after the point.
        decimals: u8,
    },
    /// A stack nobody wrote down.
    Unknown,
}

/// Text that is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an amount such as 100, 0.25 or inf, got {0:?}")]
pub struct AmountError(pub String);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self::whole(0);

    /// A whole number.
    #[must_use]
    pub const fn whole(units: Chips) -> Self {
        Self::Number { units, decimals: 0 }
    }

    /// Reads a decimal number with an optional sign; commas and underscores between digits are ignored, as hand
    /// histories write `1,250`.
    ///
    /// # Errors
    /// When the text is no decimal number, or one with too many digits.
    pub fn parse(text: &str) -> Result<Self, AmountError> {
        let bad = || AmountError(text.chars().take(40).collect());
        let (negative, digits) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            all => (false, all),
        };
        if digits == b"inf" && !negative {
            return Ok(Self::Unknown);
        }
        let (mut units, mut decimals, mut point, mut seen): (Chips, u8, bool, bool) = (0, 0, false, false);
        for &byte in digits {
            match byte {
                b'0'..=b'9' => {
                    units = units * 10 + Chips::from(byte - b'0');
                    decimals += u8::from(point);
                    seen = true;
                    if units > CHIPS_MAX || decimals > DECIMALS_MAX {
                        return Err(bad());
                    }
                }
                b'.' if !point && seen => point = true,
                b',' | b'_' if seen && !point => {}
                _ => return Err(bad()),
            }
        }
        if !seen || point && decimals == 0 {
            return Err(bad());
        }
        Ok(Self::Number { units: if negative { -units } else { units }, decimals })
    }

    /// How many decimals the number needs, without trailing zeros.
    #[must_use]
    pub fn decimals_needed(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Number { mut units, mut decimals } => {
                while decimals > 0 && units % 10 == 0 {
                    units /= 10;
                    decimals -= 1;
                }
                decimals
            }
        }
    }

    /// Whether the amount is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        matches!(self, Self::Number { units: 0, .. })
    }

    /// Whether the amount is below nothing.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        matches!(self, Self::Number { units: ..0, .. })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unknown => f.write_str("inf"),
            Self::Number { units, decimals: 0 } => write!(f, "{units}"),
            Self::Number { units, decimals } => {
                let one = (10 as Chips).pow(u32::from(decimals));
                let sign = if units < 0 { "-" } else { "" };
                let (whole, part) = (units.abs() / one, units.abs() % one);
                write!(f, "{sign}{whole}.{part:0width$}", width = decimals as usize)
            }
        }
    }
}

/// How many decimals one hand uses: its smallest unit is 10 to the minus that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Scale(u8);

impl Scale {
    /// A scale of so many decimals, at most [`DECIMALS_MAX`].
    #[must_use]
    pub const fn new(decimals: u8) -> Self {
        Self(if decimals > DECIMALS_MAX { DECIMALS_MAX } else { decimals })
    }

    /// Decimals of the smallest unit.
    #[must_use]
    pub const fn decimals(self) -> u8 {
        self.0
    }

    /// The amount in units; `None` when it does not fit the scale or is too large.
    #[must_use]
    pub fn chips(self, amount: Amount) -> Option<Chips> {
        match amount {
            Amount::Unknown => Some(ENDLESS),
            Amount::Number { units, decimals } if decimals <= self.0 => {
                let chips = units.checked_mul((10 as Chips).pow(u32::from(self.0 - decimals)))?;
                (chips.abs() <= CHIPS_MAX).then_some(chips)
            }
            Amount::Number { units, decimals } => {
                let cut = (10 as Chips).pow(u32::from(decimals - self.0));
                (units % cut == 0).then_some(units / cut)
            }
        }
    }

    /// The amount that so many units are, with all decimals of the scale.
    #[must_use]
    pub const fn amount(self, chips: Chips) -> Amount {
        if is_endless(chips) { Amount::Unknown } else { Amount::Number { units: chips, decimals: self.0 } }
    }

    /// The shortest text of so many units: no trailing zeros.
    #[must_use]
    pub fn text(self, chips: Chips) -> String {
        let amount = self.amount(chips);
        match amount {
            Amount::Unknown => amount.to_string(),
            Amount::Number { .. } => {
                let short = Self(amount.decimals_needed());
                let cut = (10 as Chips).pow(u32::from(self.0 - short.0));
                short.amount(chips / cut).to_string()
            }
        }
    }

    /// The text of the smallest unit: `1`, or `0.01`.
    #[must_use]
    pub fn unit_text(self) -> String {
        self.amount(1).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_in_text_out_is_exact() {
        for text in ["0", "75.25", "0.50", "-0.25", "1000000", "inf", "0.00"] {
            assert_eq!(Amount::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Amount::parse("1,250").unwrap(), Amount::whole(1250));
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in
            ["", "-", ".5", "5.", "1.2.3", "1e9", "-inf", "99999999999999999999", "0.123456789", "nan", "1 2"]
        {
            assert!(Amount::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_scale_counts_cents_and_prints_the_shortest_text() {
        let cents = Scale::new(2);
        assert_eq!(cents.chips(Amount::parse("75.25").unwrap()), Some(7525));
        assert_eq!(cents.chips(Amount::parse("0.005").unwrap()), None);
        assert_eq!(cents.text(50), "0.5");
        assert_eq!(cents.text(100), "1");
        assert_eq!(cents.text(ENDLESS - 3), "inf");
        assert_eq!([cents.unit_text(), Scale::new(0).unit_text()], ["0.01", "1"]);
    }
}
