//! The nearest of some names by edit distance: for every message that says that there is no such name.

use strsim::osa_distance;

/// Characters of a name that is looked at; a longer one is no slip of the finger.
const CHARS_MAX: usize = 64;

/// The name that was probably meant: at most a third of it is wrong, and at least one letter may be.
pub fn suggest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().count() > CHARS_MAX {
        return None;
    }
    let lower = name.to_lowercase();
    let (wrong, near) = names
        .into_iter()
        .map(|known| (osa_distance(&lower, &known.to_lowercase()), known))
        .min_by_key(|(n, _)| *n)?;
    (wrong <= (near.chars().count() / 3).max(1)).then_some(near)
}
