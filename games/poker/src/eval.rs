//! Comparing two hands given as text: the lines that `parlor poker eval` reads.

use serde::{Deserialize, Serialize};

use crate::card::{Card, parse_row};
use crate::rank::strength;
use crate::variant::HandKind;

/// Two hands to compare.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// How: `high`, `short`, `omaha`, `omaha8lo`, `stud`, `stud8lo`, `razz`, `27lo` or `badugi`.
    pub t: String,
    pub a: String,
    pub b: String,
    /// The board, if the game has one.
    #[serde(default)]
    pub board: String,
}

/// Which of two hands is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// 1 when the first is better, -1 when the second is, 0 when neither.
    pub cmp: i8,
    /// Whether the first makes a hand at all.
    pub qa: bool,
    /// Whether the second does.
    pub qb: bool,
}

/// Why two hands could not be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// An unknown way of comparing.
    #[error("t: expected high, short, omaha, omaha8lo, stud, stud8lo, razz, 27lo or badugi, got {0:?}")]
    Kind(String),
    /// Text that is not a row of known cards, or one with too many.
    #[error("{field}: expected up to 7 different known cards, got {text:?}")]
    Cards { field: &'static str, text: String },
}

/// The way of comparing with that name.
#[must_use]
pub fn kind_named(name: &str) -> Option<HandKind> {
    Some(match name {
        "high" | "stud" => HandKind::High,
        "short" => HandKind::ShortHigh,
        "omaha" => HandKind::OmahaHigh,
        "omaha8lo" => HandKind::OmahaLowEight,
        "stud8lo" => HandKind::LowEight,
        "razz" => HandKind::AceFive,
        "27lo" => HandKind::DeuceSeven,
        "badugi" => HandKind::Badugi,
        _ => return None,
    })
}

impl Question {
    /// Compares the hands.
    ///
    /// # Errors
    /// When the question names no known way or holds something that is no card.
    pub fn answer(&self) -> Result<Answer, EvalError> {
        let kind = kind_named(&self.t).ok_or_else(|| EvalError::Kind(self.t.clone()))?;
        let board = cards("board", &self.board, 5)?;
        let of = |field, text: &str| {
            let hole = cards(field, text, 7)?;
            let all: crate::card::CardSet = hole.iter().chain(&board).copied().collect();
            let short = kind == HandKind::ShortHigh && !all.without(crate::card::CardSet::SHORT).is_empty();
            if all.len() != hole.len() + board.len() || short {
                return Err(EvalError::Cards { field, text: text.into() });
            }
            Ok(strength(kind, &hole, &board))
        };
        let (a, b) = (of("a", &self.a)?, of("b", &self.b)?);
        Ok(Answer { cmp: a.cmp(&b) as i8, qa: a > 0, qb: b > 0 })
    }
}

fn cards(field: &'static str, text: &str, most: usize) -> Result<Vec<Card>, EvalError> {
    let known: Option<Vec<Card>> = parse_row(text).ok().and_then(|row| row.into_iter().collect());
    known.filter(|cards| cards.len() <= most).ok_or_else(|| EvalError::Cards { field, text: text.into() })
}
