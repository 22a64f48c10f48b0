//! The nearest of some names by edit distance: for every message that says that there is no such name.

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
        .map(|known| (edits(&lower, &known.to_lowercase()), known))
        .min_by_key(|(n, _)| *n)?;
    (wrong <= (near.chars().count() / 3).max(1)).then_some(near)
}

/// Letters to add, drop, replace or swap with the next until one text is the other.
fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (n, letter) in from.iter().enumerate() {
        let mut row = vec![n + 1];
        for (m, other) in to.iter().enumerate() {
            let mut least =
                (rows[n][m] + usize::from(letter != other)).min(row[m] + 1).min(rows[n][m + 1] + 1);
            if n > 0 && m > 0 && *letter == to[m - 1] && from[n - 1] == *other {
                least = least.min(rows[n - 1][m - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}
