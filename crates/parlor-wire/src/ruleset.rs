//! Rulesets as a server takes them: texts that a compiler turns into games, and what the compiler finds in them. The
//! server never looks inside a ruleset.

use parlor_core::GameDef;
use serde::Serialize;

/// Turns the text of a ruleset into a game.
pub trait RulesetCompiler: Send + Sync {
    /// Checks and compiles a ruleset; `base` gives the text of another one that it extends, by its name.
    ///
    /// # Errors
    /// Everything that was found, with at least one error among it.
    fn compile(
        &self,
        text: &str,
        base: &dyn Fn(&str) -> Option<String>,
    ) -> Result<CompiledRuleset, Vec<RulesetFinding>>;
}

/// A ruleset that compiles.
pub struct CompiledRuleset {
    /// The name in commands and URLs: the ruleset's own id.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The hash that names these rules in the header of every match.
    pub identity: [u8; 32],
    /// The ruleset with all that it extends, as one text.
    pub text: String,
    /// Whether its tables may stake tokens.
    pub staked: bool,
    /// What was found beside errors.
    pub warnings: Vec<RulesetFinding>,
    /// Makes the game. A game is kept for as long as the process lives, so that this is called only for a ruleset that
    /// is played.
    pub register: Box<dyn FnOnce() -> GameDef + Send>,
}

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FindingLevel {
    /// The ruleset cannot be played.
    Error,
    /// It can be played, but probably not as its author meant it.
    Warning,
}

/// Something that was found in a ruleset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesetFinding {
    pub level: FindingLevel,
    /// The kind of mistake, for programs.
    pub code: String,
    /// The file it lies in, where that is not the ruleset itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where in the value: a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}
