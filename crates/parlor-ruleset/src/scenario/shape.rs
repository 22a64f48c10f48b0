//! The fields of scenarios: one that nobody knows would be a check that is never made.

use parlor_core::Json;

use super::Wrong;
use crate::language::suggest;

const SCENARIO: &[&str] = &[
    "name",
    "cites",
    "settings",
    "seed",
    "seats",
    "chance",
    "given",
    "script",
    "then",
    "strict",
    "about",
    "row",
    "fullControl",
];
const GIVEN: &[&str] = &["zones", "vars", "step"];
const LINE: &[&str] = &["seat", "act", "targets", "say", "elapse", "passUntil", "leave", "events", "refused"];
const THEN: &[&str] =
    &["asked", "over", "winners", "reason", "vars", "zones", "cards", "stack", "step", "broken"];
/// What a line does: one of these.
const DEEDS: &[&str] = &["act", "say", "elapse", "passUntil", "leave"];

/// Whether everything in a scenario means something.
pub(super) fn check(scenario: &Json) -> Result<(), Wrong> {
    only(scenario, SCENARIO)?;
    only(&scenario["given"], GIVEN).map_err(|wrong| wrong.inside("given"))?;
    only(&scenario["then"], THEN).map_err(|wrong| wrong.inside("then"))?;
    for (section, list) in [("script", &scenario["script"]), ("chance", &scenario["chance"])] {
        match list {
            Json::Null | Json::Array(_) => {}
            _ => return Err(Wrong::new("a list is expected here").inside(section)),
        }
    }
    for (n, line) in scenario["script"].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
        self::line(line).map_err(|wrong| wrong.inside(n).inside("script"))?;
    }
    Ok(())
}

fn line(line: &Json) -> Result<(), Wrong> {
    only(line, LINE)?;
    let deeds: Vec<&str> = DEEDS.iter().copied().filter(|deed| line.get(*deed).is_some()).collect();
    match deeds.as_slice() {
        [_] => Ok(()),
        [] => Err(Wrong::new(format!("the line does nothing: one of {}", DEEDS.join(", ")))),
        several => Err(Wrong::new(format!("the line does several things: {}", several.join(", ")))),
    }
}

/// Fields that mean nothing here are mistakes.
pub(super) fn only(object: &Json, known: &[&str]) -> Result<(), Wrong> {
    let fields = match object {
        Json::Null => return Ok(()),
        Json::Object(fields) => fields,
        _ => return Err(Wrong::new("an object is expected here")),
    };
    let strange = fields.keys().find(|name| !known.contains(&name.as_str()) && !name.starts_with("//"));
    let Some(name) = strange else { return Ok(()) };
    let help = match suggest::name(name, known.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("known here: {}", known.join(", ")),
    };
    Err(Wrong::new(format!("there is no field '{name}' here; {help}")).inside(name))
}

/// A name that nobody knows, with the one that was probably meant.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Wrong {
    if let near @ Some(_) = suggest::name(name, known.clone()) {
        return unknown_near(what, name, near);
    }
    const MOST: usize = 12;
    let mut names: Vec<&str> = known.filter(|name| !name.is_empty()).take(MOST + 1).collect();
    if names.len() > MOST {
        names[MOST] = "…";
    }
    let help = if names.is_empty() { String::new() } else { format!("; known here: {}", names.join(", ")) };
    Wrong::new(format!("there is no {what} '{name}'{help}"))
}

/// The same where what was probably meant is known already.
pub(super) fn unknown_near(what: &str, name: &str, near: Option<&str>) -> Wrong {
    let help = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
    Wrong::new(format!("there is no {what} '{name}'{help}"))
}
