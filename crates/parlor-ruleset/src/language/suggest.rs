//! The name that was probably meant. Names of a ruleset are often made of parts (`2-clubs`, `declare_attackers`): the same
//! parts in another order, or with something else between them, are the same name misremembered.

use super::edit_distance::suggest;

/// Words that people put between the parts of a name.
const BETWEEN: [&str; 2] = ["of", "the"];

/// The name that was probably meant.
#[must_use]
pub(crate) fn name<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    same_parts(name, known.clone()).or_else(|| suggest(name, known.clone())).or_else(|| inside(name, known))
}

/// The card that was probably meant: known by its name, and spoken of by its title where that is what people see.
#[must_use]
pub(crate) fn card<'a>(name: &str, known: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<&'a str> {
    let cards: Vec<(&str, &str)> = known.into_iter().collect();
    let by_title = |title: &str| cards.iter().find(|(_, other)| *other == title).map(|(name, _)| *name);
    let lower = name.to_lowercase();
    let titled = cards.iter().find(|(_, title)| title.to_lowercase() == lower).map(|(name, _)| *name);
    titled
        .or_else(|| self::name(name, cards.iter().map(|(name, _)| *name)))
        .or_else(|| self::name(name, cards.iter().map(|(_, title)| *title)).and_then(by_title))
}

/// The parts of a name: what stands between signs, in small letters.
fn parts(name: &str) -> Vec<String> {
    let all = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    all.map(str::to_lowercase).filter(|part| !BETWEEN.contains(&part.as_str())).collect()
}

fn same_parts<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut said = parts(name);
    let glued = said.concat();
    said.sort();
    known.into_iter().filter(|_| !said.is_empty()).find(|other| {
        let mut theirs = parts(other);
        let forth = theirs.concat();
        let back = theirs.iter().rev().map(String::as_str).collect::<String>();
        theirs.sort();
        theirs == said || forth == glued || back == glued
    })
}

/// A name that ends with another: `inPhase` for `phase`.
fn inside<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let ends = |other: &&str| name.len() > 3 && other.to_lowercase().ends_with(&name);
    known.into_iter().find(ends)
}
