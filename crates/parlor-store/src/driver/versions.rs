//! Which version of a ruleset may be stored.

use crate::error::WriteError;
use crate::id::PlayerId;
use crate::rulesets::{RULESET_NAME_BYTES_MAX, RulesetState, RulesetVersion};

/// Whether a version is new (`true`) or stored already. `newest` is the number and the author of the newest version of
/// that name, `same` the stored version of that number.
///
/// # Errors
/// The name belongs to another author, another version has this number, or the number is not the next one.
pub fn is_new_version(
    version: &RulesetVersion,
    newest: Option<(u32, Option<&PlayerId>)>,
    same: Option<&RulesetVersion>,
) -> Result<bool, WriteError> {
    let name = &version.name;
    if name.is_empty() || name.len() > RULESET_NAME_BYTES_MAX || name.contains(char::is_control) {
        return Err(WriteError::Malformed("a ruleset's name has 1 to 64 bytes and no control characters"));
    }
    if newest.is_some_and(|(_, author)| author != version.author.as_ref()) {
        return Err(WriteError::NameTaken);
    }
    if let Some(same) = same {
        let again = RulesetVersion { at_ms: same.at_ms, ..version.clone() };
        return if again == *same { Ok(false) } else { Err(WriteError::KeyReused("version".to_owned())) };
    }
    let next = newest.map_or(1, |(number, _)| number + 1);
    if version.version == next { Ok(true) } else { Err(WriteError::Malformed("versions follow one another")) }
}

/// The state of a ruleset after its author has published a version.
#[must_use]
pub fn published(before: RulesetState) -> RulesetState {
    match before {
        RulesetState::TakenDown => RulesetState::TakenDown,
        RulesetState::Listed | RulesetState::Withdrawn => RulesetState::Listed,
    }
}
