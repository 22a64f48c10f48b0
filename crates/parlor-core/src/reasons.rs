//! Why a match is paused, and why one is stopped without its rules.
//!
//! A log and a message have the reason as text. What the house itself writes reads back as what it was, so that a table
//! decides after a restart as it did before; in any other words it is the operator's. Whoever pauses a match in the words
//! of the house means what the house means by them.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::code::HouseCode;
use crate::refusal::Refusal;

const PLAYER_AWAY: &str = "waiting for a player to come back";
const PAUSED_BY_OWNER: &str = "paused by its owner";
const BROKEN_INVARIANT: &str = "broken: ";
/// How a pause begins that follows a panic of the rules; what panicked comes after it.
pub(crate) const RULES_PANICKED: &str = "the rules broke down: ";
/// How a pause begins that follows an input that cost too much.
pub(crate) const OUT_OF_FUEL: &str = "the rules used up fuel_per_input_max (";
const ABANDONED: &str = "abandoned";
const ENDED_BY_OWNER: &str = "ended by its owner";

/// Why a match is paused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PauseReason {
    /// A player is away, and the table waits. The pause ends by itself.
    PlayerAway,
    /// Its owner paused it, and may resume it.
    ByOwner,
    /// An invariant of the rules does not hold, and which: the operator repairs it.
    BrokenInvariant(String),
    /// The rules panicked or cost too much, and how.
    RulesFailed(String),
    /// In the operator's words.
    Other(String),
}

impl From<String> for PauseReason {
    fn from(text: String) -> Self {
        match text.as_str() {
            PLAYER_AWAY => Self::PlayerAway,
            PAUSED_BY_OWNER => Self::ByOwner,
            _ if text.starts_with(RULES_PANICKED) || text.starts_with(OUT_OF_FUEL) => Self::RulesFailed(text),
            _ => match text.strip_prefix(BROKEN_INVARIANT) {
                Some(which) => Self::BrokenInvariant(which.to_owned()),
                None => Self::Other(text),
            },
        }
    }
}

/// The pause that follows from what neither a bot nor a clock can do in sound rules.
impl From<&Refusal> for PauseReason {
    fn from(refusal: &Refusal) -> Self {
        let text = refusal.to_string();
        if refusal.has(HouseCode::Broken) { Self::RulesFailed(text) } else { text.into() }
    }
}

impl fmt::Display for PauseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PlayerAway => f.write_str(PLAYER_AWAY),
            Self::ByOwner => f.write_str(PAUSED_BY_OWNER),
            Self::BrokenInvariant(which) => write!(f, "{BROKEN_INVARIANT}{which}"),
            Self::RulesFailed(text) | Self::Other(text) => f.write_str(text),
        }
    }
}

/// Why a match was stopped without its rules: nobody wins, and everybody is refunded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// All its players are gone.
    Abandoned,
    /// Its owner ended it.
    ByOwner,
    /// In the operator's words.
    Other(String),
}

impl From<String> for StopReason {
    fn from(text: String) -> Self {
        match text.as_str() {
            ABANDONED => Self::Abandoned,
            ENDED_BY_OWNER => Self::ByOwner,
            _ => Self::Other(text),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Abandoned => ABANDONED,
            Self::ByOwner => ENDED_BY_OWNER,
            Self::Other(text) => text,
        })
    }
}

/// A reason is written and read as its text.
macro_rules! as_text {
    ($reason:ty) => {
        impl From<&str> for $reason {
            fn from(text: &str) -> Self {
                text.to_owned().into()
            }
        }

        impl Serialize for $reason {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $reason {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

as_text!(PauseReason);
as_text!(StopReason);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_reads_back_as_what_it_was() {
        let broke = |template: String| PauseReason::from(&Refusal::of(HouseCode::Broken, template));
        for (reason, text) in [
            (PauseReason::PlayerAway, "waiting for a player to come back"),
            (PauseReason::ByOwner, "paused by its owner"),
            (PauseReason::BrokenInvariant("51 cards".to_owned()), "broken: 51 cards"),
            (broke(format!("{RULES_PANICKED}boom")), "the rules broke down: boom"),
            (broke(format!("{OUT_OF_FUEL}9)")), "the rules used up fuel_per_input_max (9)"),
            (PauseReason::Other("lunch".to_owned()), "lunch"),
        ] {
            assert_eq!(serde_json::to_value(&reason).expect("plain data"), text);
            assert_eq!(PauseReason::from(text), reason, "{text}");
        }
        for (reason, text) in [
            (StopReason::Abandoned, "abandoned"),
            (StopReason::ByOwner, "ended by its owner"),
            (StopReason::Other("lunch".to_owned()), "lunch"),
        ] {
            assert_eq!(serde_json::to_value(&reason).expect("plain data"), text);
            assert_eq!(StopReason::from(text), reason, "{text}");
        }
    }

    #[test]
    fn a_game_that_refuses_with_the_code_broken_has_not_failed() {
        let refusal = Refusal::of("broken", "a wheel is broken");
        assert_eq!(PauseReason::from(&refusal), PauseReason::Other("a wheel is broken".to_owned()));
    }
}
