//! Notations of a hand: PHH in TOML, the same in JSON, and PokerStars' text. All are read into a [`Record`], which holds
//! what was written and knows no rules; [`crate::replay`] plays it.

mod builder;
pub mod entry;
pub mod json;
pub mod log;
pub mod phh;
pub mod pokerstars;
pub mod record;
pub mod seed;
pub mod toml;
pub mod value;

pub use entry::{Entry, Step};
pub use log::Log;
pub use record::{Record, RecordError};
pub use value::{SourcePosition, SyntaxError, Table, Value};

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text does not follow its syntax.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The syntax is right but a hand in it is not.
    #[error("{}{error}", if hand.is_empty() { String::new() } else { format!("hand {hand}: ") })]
    Hand {
        /// Which hand: its key or number in the file; empty when there is only one.
        hand: String,
        /// What is wrong in it.
        error: RecordError,
    },
    /// A line that cannot be right where it stands.
    #[error("{place}: {problem}")]
    Line {
        place: SourcePosition,
        /// What is wrong with it.
        problem: String,
    },
}
