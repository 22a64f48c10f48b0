//! Ukeire: which draws bring a hand nearer, and which discard leaves the most of them.

use crate::hand::Hand;
use crate::sets::KindSet;
use crate::shanten::shanten;
use crate::tile::{KINDS, Kind};

/// What a hand accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ukeire {
    /// The shanten of the hand.
    pub shanten: i8,
    /// The kinds that lower it.
    pub kinds: KindSet,
    /// How many tiles of those kinds are not in sight.
    pub tiles: u8,
}

/// A discard and what the hand accepts after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discard {
    /// What is thrown.
    pub kind: Kind,
    /// What the rest accepts.
    pub accepts: Ukeire,
}

/// The draws that bring a hand of `3n + 1` tiles nearer. `elsewhere` counts the tiles in sight outside the hand.
#[must_use]
pub fn ukeire(hand: &Hand, elsewhere: &[u8; KINDS]) -> Ukeire {
    let now = shanten(hand);
    let mut accepts = Ukeire { shanten: now, kinds: KindSet::EMPTY, tiles: 0 };
    let mut next = *hand;
    // Any kind may help: 1111z and three melds are as near with any tile at all.
    for kind in Kind::all() {
        if next.add(kind).is_err() {
            continue;
        }
        if shanten(&next) < now {
            accepts.kinds.insert(kind);
            accepts.tiles += 4_u8.saturating_sub(hand.count(kind) + elsewhere[kind.index()].min(4));
        }
        next.remove(kind);
    }
    accepts
}

/// Every discard from a hand of `3n + 2` tiles, best first: nearest, then most tiles accepted, then most kinds; of
/// equals the one named first.
#[must_use]
pub fn discards(hand: &Hand, elsewhere: &[u8; KINDS]) -> Vec<Discard> {
    let mut discards: Vec<Discard> = hand
        .kinds(1)
        .iter()
        .map(|kind| {
            let mut rest = *hand;
            rest.remove(kind);
            // The discarded tile is in sight from then on, and was before: it is not drawn again.
            let mut seen = *elsewhere;
            seen[kind.index()] += 1;
            Discard { kind, accepts: ukeire(&rest, &seen) }
        })
        .collect();
    discards.sort_by_key(|discard| {
        let Ukeire { shanten, kinds, tiles } = discard.accepts;
        (shanten, std::cmp::Reverse((tiles, kinds.len())), discard.kind)
    });
    discards
}
