//! Files of rulesets that a server follows. Reading them is the caller's business.

use parlor_wire::ruleset::{CompiledRuleset, RulesetFinding};

/// Files of rulesets that are served and followed: a file that is saved becomes the next version.
pub trait RulesetFiles: Send {
    /// The files that are new or have changed since the last call. It may read files, and is called off the threads
    /// that serve connections.
    fn changes(&mut self) -> Vec<RulesetFile>;
}

/// A file that is new or has changed.
pub struct RulesetFile {
    /// The path, for messages.
    pub path: String,
    /// What came of it.
    pub compiled: Result<CompiledRuleset, Vec<RulesetFinding>>,
}
