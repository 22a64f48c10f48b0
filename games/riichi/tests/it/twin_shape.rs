//! Slow twins of shanten and waits, written from the rules alone.

/// Whether tiles are four sets and a pair (or as many sets as there is room for), by taking sets away one by one.
fn sets_and_pair(counts: &mut [u8; 34], pair: bool) -> bool {
    let Some(first) = counts.iter().position(|&count| count > 0) else { return pair };
    if !pair && counts[first] >= 2 {
        counts[first] -= 2;
        let done = sets_and_pair(counts, true);
        counts[first] += 2;
        if done {
            return true;
        }
    }
    for set in sets().filter(|set| set[0] == first) {
        let taken = take(counts, set);
        let done = taken && sets_and_pair(counts, pair);
        if taken {
            put(counts, set);
        }
        if done {
            return true;
        }
    }
    false
}

fn take(counts: &mut [u8; 34], set: [usize; 3]) -> bool {
    let mut left = *counts;
    for kind in set {
        if left[kind] == 0 {
            return false;
        }
        left[kind] -= 1;
    }
    *counts = left;
    true
}

fn put(counts: &mut [u8; 34], set: [usize; 3]) {
    set.into_iter().for_each(|kind| counts[kind] += 1);
}

/// All 34 triplets and 21 runs.
fn sets() -> impl Iterator<Item = [usize; 3]> {
    let runs = (0..27).filter(|kind| kind % 9 < 7).map(|kind| [kind, kind + 1, kind + 2]);
    (0..34).map(|kind| [kind; 3]).chain(runs)
}

const ORPHANS: [usize; 13] = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];

/// Whether tiles are complete in any of the three ways.
pub(crate) fn complete(counts: &[u8; 34]) -> bool {
    let tiles: u8 = counts.iter().sum();
    let seven_pairs = tiles == 14 && counts.iter().all(|&count| count == 0 || count == 2);
    let orphans = ORPHANS.iter().all(|&kind| counts[kind] > 0);
    let only_orphans = ORPHANS.iter().map(|&kind| counts[kind]).sum::<u8>() == 14;
    seven_pairs || (orphans && only_orphans) || sets_and_pair(&mut counts.clone(), false)
}

/// The waits, by trying all 34 kinds.
pub(crate) fn waits(counts: &[u8; 34]) -> Vec<u8> {
    let completes = |kind: &u8| {
        let mut with = *counts;
        with[usize::from(*kind)] += 1;
        with[usize::from(*kind)] <= 4 && complete(&with)
    };
    (0..34).filter(completes).collect()
}

/// How many tiles of the goal are not held.
fn missing(goal: &[u8; 34], counts: &[u8; 34]) -> usize {
    goal.iter().zip(counts).map(|(goal, held)| usize::from(goal.saturating_sub(*held))).sum()
}

/// Shanten for sets and a pair: the fewest tiles that lead to any choice of sets and a pair the box has tiles for, less
/// one. A set or pair of which the hand holds nothing costs all its tiles, and there are always kinds left for one.
pub(crate) fn regular(counts: &[u8; 34]) -> i8 {
    let tiles: u8 = counts.iter().sum();
    let wanted = usize::from(tiles / 3);
    let alone = |set: [usize; 3]| {
        let mut goal = [0; 34];
        put(&mut goal, set);
        (missing(&goal, counts), set)
    };
    let mut useful: Vec<(usize, [usize; 3])> =
        sets().map(alone).filter(|(missing, _)| *missing < 3).collect();
    useful.sort_unstable();
    let mut search = Search { counts, useful, best: 3 * wanted + 2 };
    search.sets(&mut [0; 34], 0, wanted, 2);
    for kind in (0..34).filter(|&kind| counts[kind] > 0) {
        let mut goal = [0; 34];
        goal[kind] = 2;
        search.sets(&mut goal, 0, wanted, 0);
    }
    search.best as i8 - 1
}

struct Search<'a> {
    counts: &'a [u8; 34],
    /// Sets that share a tile with the hand, with the tiles they miss at least, nearest first.
    useful: Vec<(usize, [usize; 3])>,
    best: usize,
}

impl Search<'_> {
    /// Chooses the remaining sets. `goal` is what has been chosen; `fresh` the tiles of a pair that shares none.
    fn sets(&mut self, goal: &mut [u8; 34], from: usize, left: usize, fresh: usize) {
        let cost = missing(goal, self.counts) + fresh;
        // The rest as sets of which nothing is held.
        self.best = self.best.min(cost + 3 * left);
        if left == 0 {
            return;
        }
        for index in from..self.useful.len() {
            let (at_least, set) = self.useful[index];
            if cost + at_least * left >= self.best {
                return;
            }
            put(goal, set);
            if set.iter().all(|&kind| goal[kind] <= 4) {
                self.sets(goal, index, left - 1, fresh);
            }
            set.into_iter().for_each(|kind| goal[kind] -= 1);
        }
    }
}

/// Seven pairs are of seven kinds: a pair needs two, and no kind gives two pairs.
pub(crate) fn seven_pairs(counts: &[u8; 34]) -> i8 {
    let mut have: Vec<u8> = counts.iter().map(|&count| count.min(2)).collect();
    have.sort_unstable_by(|a, b| b.cmp(a));
    14 - have[..7].iter().sum::<u8>() as i8 - 1
}

/// Thirteen orphans: one of each, and a second of any.
pub(crate) fn thirteen_orphans(counts: &[u8; 34]) -> i8 {
    let one_each = ORPHANS.iter().filter(|&&kind| counts[kind] > 0).count() as i8;
    let second = ORPHANS.iter().any(|&kind| counts[kind] > 1) as i8;
    14 - one_each - second - 1
}
