//! What a seat may call, and what it may do after it called: chi, pon, kan, kuikae, riichi.
//!
//! A red five and a plain one are different choices; two plain ones are not.

use crate::hand::Hand;
use crate::meld::{Block, Meld, MeldKind, Shape};
use crate::rules::{KuikaeForbidden, RiichiKan};
use crate::sets::{KindSet, TileSet};
use crate::split::splits;
use crate::tile::{Kind, Tile};
use crate::waits::{keishiki_tenpai, waits};

impl KuikaeForbidden {
    /// Both are forbidden.
    pub const BOTH: Self = Self { same: true, suji: true };
    /// Anything goes.
    pub const NEITHER: Self = Self { same: false, suji: false };

    /// The kinds that may not be discarded right after melding the called kind with these two of one's own.
    #[must_use]
    pub fn after(self, called: Kind, own: [Kind; 2]) -> KindSet {
        let mut forbidden = KindSet::EMPTY;
        if self.same {
            forbidden.insert(called);
        }
        let run = own[0] != own[1];
        if self.suji && run {
            let [low, high] = if own[0] < own[1] { own } else { [own[1], own[0]] };
            let rank = called.rank();
            let other_end = if called < low {
                (rank <= 6).then(|| rank + 3)
            } else if called > high {
                (rank >= 4).then(|| rank - 3)
            } else {
                None
            };
            if let Some(kind) = other_end.and_then(|rank| Kind::of(called.suit(), rank)) {
                forbidden.insert(kind);
            }
        }
        forbidden
    }
}

/// The ways to chi a tile: pairs of one's own tiles, lower kind first. One that would leave only forbidden discards is
/// not offered.
#[must_use]
pub fn chi_options(hand: TileSet, called: Tile, kuikae: KuikaeForbidden) -> Vec<[Tile; 2]> {
    let mut options = Vec::new();
    each_chi(hand, called, kuikae, true, |option| options.push(option));
    options
}

/// Calls `found` with every way to chi a tile, as [`chi_options`] lists them. With `reds` false a red five is like the
/// others.
pub fn each_chi(
    hand: TileSet,
    called: Tile,
    kuikae: KuikaeForbidden,
    reds: bool,
    mut found: impl FnMut([Tile; 2]),
) {
    let kind = called.kind();
    if kind.is_honor() {
        return;
    }
    for [low, high] in [[-2, -1], [-1, 1], [1, 2]] {
        let near =
            |step: i8| kind.rank().checked_add_signed(step).and_then(|rank| Kind::of(kind.suit(), rank));
        let (Some(low), Some(high)) = (near(low), near(high)) else { continue };
        let forbidden = kuikae.after(kind, [low, high]);
        for first in choices(hand, low, reds) {
            for second in choices(hand, high, reds) {
                let mut rest = hand;
                rest.remove(first);
                rest.remove(second);
                if rest.iter().any(|tile| !forbidden.contains(tile.kind())) {
                    found([first, second]);
                }
            }
        }
    }
}

/// The ways to pon a tile: pairs of one's own tiles.
#[must_use]
pub fn pon_options(hand: TileSet, called: Tile) -> Vec<[Tile; 2]> {
    let mut options = Vec::new();
    each_pon(hand, called, true, |option| options.push(option));
    options
}

/// Calls `found` with every way to pon a tile, as [`pon_options`] lists them. With `reds` false a red five is like the
/// others.
pub fn each_pon(hand: TileSet, called: Tile, reds: bool, mut found: impl FnMut([Tile; 2])) {
    let red = hand.of_kind(called.kind()).find(|tile| reds && tile.is_red());
    let mut plain = hand.of_kind(called.kind()).filter(|tile| Some(*tile) != red);
    let (first, second) = (plain.next(), plain.next());
    if let (Some(red), Some(plain)) = (red, first) {
        found([red, plain]);
    }
    if let (Some(first), Some(second)) = (first, second) {
        found([first, second]);
    }
}

/// The three tiles that make an open kan with a discard.
#[must_use]
pub fn daiminkan_option(hand: TileSet, called: Tile) -> Option<[Tile; 3]> {
    let own: Vec<Tile> = hand.of_kind(called.kind()).collect();
    own.try_into().ok()
}

/// The kinds of which a closed kan can be made.
#[must_use]
pub fn ankan_options(hand: TileSet) -> KindSet {
    Kind::all().filter(|kind| hand.of_kind(*kind).count() == 4).collect()
}

/// The tiles that can be added to a pon.
#[must_use]
pub fn kakan_options(hand: TileSet, melds: &[Meld]) -> Vec<Tile> {
    let pons = melds.iter().filter(|meld| meld.kind() == MeldKind::Pon);
    pons.flat_map(|pon| hand.of_kind(pon.tiles()[0].kind())).collect()
}

/// One tile of each look: the red five, and the plain tile with the lowest id.
fn choices(hand: TileSet, kind: Kind, reds: bool) -> impl Iterator<Item = Tile> {
    let red = hand.of_kind(kind).find(|tile| reds && tile.is_red());
    let plain = hand.of_kind(kind).find(|tile| Some(*tile) != red);
    red.into_iter().chain(plain)
}

/// The kinds that may be discarded with riichi: the hand of `3n + 2` tiles is tenpai without them. A hand with an open
/// meld has none.
#[must_use]
pub fn riichi_discards(hand: &Hand, melds: &[Block]) -> KindSet {
    if melds.iter().any(|meld| meld.open) {
        return KindSet::EMPTY;
    }
    let tenpai_without = |kind: &Kind| {
        let mut rest = *hand;
        rest.remove(*kind) && keishiki_tenpai(&rest, melds)
    };
    hand.kinds(1).iter().filter(tenpai_without).collect()
}

/// Whether riichi allows a closed kan of the kind just drawn. `before` is the hand of `3n + 1` tiles before the draw.
#[must_use]
pub fn riichi_kan_allowed(before: &Hand, drawn: Kind, rule: RiichiKan) -> bool {
    if rule == RiichiKan::Never || before.count(drawn) != 3 {
        return false;
    }
    let mut after = *before;
    (0..3).for_each(|_| {
        after.remove(drawn);
    });
    let waited = waits(before);
    if waited.is_empty() || waits(&after).without(KindSet::one(drawn)) != waited {
        return false;
    }
    rule == RiichiKan::SameWaits || waited.iter().all(|wait| always_triplet(before, wait, drawn))
}

fn always_triplet(before: &Hand, wait: Kind, triplet: Kind) -> bool {
    let mut complete = *before;
    if complete.add(wait).is_err() {
        return false;
    }
    let mut always = true;
    splits(&complete, |_, blocks| {
        always &= blocks.iter().any(|block| block.shape == Shape::Triplet && block.first == triplet);
    });
    always
}
