//! Amounts and cards inside a line.

use crate::money::{Amount, Scale};
use crate::row::Row;

/// An amount with a currency sign before it and punctuation around it.
pub(super) fn money(text: &str) -> Option<Amount> {
    let text = text.trim_matches(|c: char| matches!(c, '(' | ')' | '[' | ']'));
    let from = text.find(|c: char| c.is_ascii_digit()).or_else(|| text.find("inf"))?;
    Amount::parse(text[from..].trim_end_matches(['.', ','])).ok()
}

/// The cards of the last brackets.
pub(super) fn last_brackets(text: &str) -> Option<Row> {
    let (_, tail) = text.rsplit_once('[')?;
    let (cards, _) = tail.split_once(']')?;
    Row::parse(&cards.replace(' ', "")).ok().filter(|row| !row.is_empty())
}

/// Both amounts in a common unit.
fn common(a: Amount, b: Amount) -> Option<(Scale, i64, i64)> {
    let scale = Scale::new(a.decimals_needed().max(b.decimals_needed()));
    Some((scale, scale.chips(a)?, scale.chips(b)?))
}

/// Whether one amount is below another.
pub(super) fn less(a: Amount, b: Amount) -> bool {
    common(a, b).is_some_and(|(_, a, b)| a < b)
}

/// What is left, if anything.
pub(super) fn minus(a: Amount, b: Amount) -> Option<Amount> {
    common(a, b).filter(|(_, a, b)| a > b).map(|(scale, a, b)| scale.amount(a - b))
}
