//! The bots that a game ships, and which of them plays a seat.

use serde::{Deserialize, Serialize};

/// A bot that a game ships. `/catalog` lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BotDef {
    /// The name in commands and requests, such as `greedy`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The highest level, where a higher one plays better; 1 if there is only one.
    pub levels: u8,
    /// Whether a decision may take long: then it is made on another thread, within a budget.
    #[serde(skip)]
    pub slow: bool,
}

impl BotDef {
    /// The bot of a game that has one and gives it no name.
    pub const DEFAULT: Self = Self { name: "house", title: "House bot", levels: 1, slow: false };
    /// The list of a game with that bot alone.
    pub const ONLY_DEFAULT: &'static [Self] = &[Self::DEFAULT];
}

/// Which bot plays a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct BotChoice {
    /// [`BotDef::name`]; the game's first bot if empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bot: String,
    /// From 1; 0 leaves it to the bot.
    #[serde(skip_serializing_if = "is_zero")]
    pub level: u8,
}

impl BotChoice {
    /// The bot with this name, at the level that it chooses itself.
    #[must_use]
    pub fn named(bot: &str) -> Self {
        Self { bot: bot.to_owned(), level: 0 }
    }

    /// Whether nobody chose a bot.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(level: &u8) -> bool {
    *level == 0
}
