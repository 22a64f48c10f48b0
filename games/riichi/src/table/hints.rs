//! What a seat that is tenpai, or one discard away from it, can know about its waits: how many tiles are left and what
//! they are worth. Made from the seat's own tiles and what lies open, nothing else.

use serde::{Deserialize, Serialize};

use super::options::TurnOptions;
use super::player::Player;
use super::state::{Phase, Table};
use crate::hand::Hand;
use crate::meld::MeldKind;
use crate::pay::{Price, Seat};
use crate::sets::KindSet;
use crate::shanten::shanten;
use crate::tile::{KINDS, Kind, Tile};
use crate::waits::waits;
use crate::win::Flags;

/// What a win is worth, without honba, sticks and ura.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Worth {
    pub han: u8,
    pub fu: u8,
    /// All payments together.
    pub points: u32,
}

/// A tile that completes a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct WaitHint {
    pub kind: Kind,
    /// Tiles of the kind that neither lie open nor are the seat's own.
    pub left: u8,
    /// None without a yaku.
    pub ron: Option<Worth>,
    /// None without a yaku.
    pub tsumo: Option<Worth>,
    /// On a discard after riichi, without ippatsu; only for a discard with which it may be declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "game", ts(optional))]
    pub riichi: Option<Worth>,
}

/// A discard that leaves the hand tenpai.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct TenpaiDiscard {
    pub kind: Kind,
    /// Riichi may be declared with it.
    pub riichi: bool,
    /// A wait would be among the seat's own discards.
    pub furiten: bool,
    pub waits: Vec<WaitHint>,
}

/// Why a call forbids a discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum KuikaeReason {
    /// It is the kind that was called.
    Called,
    /// It is the other end of the run.
    OtherEnd,
}

/// A kind that the last call forbids to discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Kuikae {
    pub kind: Kind,
    pub reason: KuikaeReason,
}

/// What a seat is told about its own hand beside the tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Hints {
    /// How many tiles the hand is from tenpai; 0 in tenpai, -1 when it is complete.
    pub shanten: i8,
    /// What completes the hand now, without a tile just drawn.
    pub waits: Vec<WaitHint>,
    /// In its turn: the discards that leave it tenpai.
    pub discards: Vec<TenpaiDiscard>,
    pub kuikae: Vec<Kuikae>,
}

impl Table {
    /// What the seat can know about its waits; `seen` are the tiles of each kind that lie open.
    #[must_use]
    pub fn hints(&self, seat: Seat, seen: &[u8; KINDS]) -> Hints {
        let player = self.player(seat);
        let forbidden = player.forbidden.iter().map(|kind| Kuikae { kind, reason: reason(player, kind) });
        let shanten = shanten(player.hand());
        let mut hints = Hints { shanten, kuikae: forbidden.collect(), ..Hints::default() };
        let own_turn = matches!(self.phase, Phase::Turn { seat: turn, .. } if turn == seat);
        let is_over = self.round_result().is_some();
        if is_over {
            return hints;
        }
        if own_turn {
            hints.discards = self.tenpai_discards(seat, seen);
        }
        // From a call to the discard after it the hand has no waits of its own.
        if !own_turn || player.drawn.is_some() {
            let mut before = player.clone();
            if let Some(drawn) = before.drawn.take() {
                before.give(drawn);
            }
            hints.waits = self.wait_hints(&before, seat, player.waits, seen, player.hand());
        }
        hints
    }

    fn tenpai_discards(&self, seat: Seat, seen: &[u8; KINDS]) -> Vec<TenpaiDiscard> {
        let player = self.player(seat);
        if shanten(player.hand()) > 0 {
            return Vec::new();
        }
        let TurnOptions { discards, riichi, .. } = self.turn_options(seat);
        let mut found: Vec<TenpaiDiscard> = Vec::new();
        for tile in discards.iter() {
            let kind = tile.kind();
            if found.last().is_some_and(|last| last.kind == kind) {
                continue;
            }
            let mut after = player.clone();
            after.give(tile);
            let waits = waits(after.hand());
            if waits.is_empty() {
                continue;
            }
            let mut thrown = player.discarded;
            thrown.insert(kind);
            let mut hints = self.wait_hints(&after, seat, waits, seen, player.hand());
            let riichi = riichi.contains(kind);
            for wait in hints.iter_mut().filter(|_| riichi) {
                wait.riichi = self.worth(&after, seat, wait.kind, self.riichi_flag(seat));
            }
            let furiten = !waits.and(thrown).is_empty();
            found.push(TenpaiDiscard { kind, riichi, furiten, waits: hints });
        }
        found
    }

    fn wait_hints(
        &self,
        player: &Player,
        seat: Seat,
        waits: KindSet,
        seen: &[u8; KINDS],
        own: &Hand,
    ) -> Vec<WaitHint> {
        let hint = |kind: Kind| WaitHint {
            kind,
            left: 4_u8.saturating_sub(seen[kind.index()] + own.count(kind)),
            ron: self.worth(player, seat, kind, Flags::NONE),
            tsumo: self.worth(player, seat, kind, Flags::TSUMO),
            riichi: None,
        };
        waits.iter().map(hint).collect()
    }

    /// Riichi as it would be declared now.
    fn riichi_flag(&self, seat: Seat) -> Flags {
        let double = self.round.untouched && self.player(seat).river.is_empty();
        if double { Flags::DOUBLE_RIICHI } else { Flags::RIICHI }
    }

    fn worth(&self, player: &Player, seat: Seat, kind: Kind, how: Flags) -> Option<Worth> {
        // A plain tile: whether the red one comes is not known.
        let free = |tile: &Tile| {
            let melded = player.melds.iter().any(|meld| meld.meld.tiles().contains(tile));
            !melded && !player.tiles().contains(*tile)
        };
        let tile = kind.tiles().filter(free).min_by_key(|tile| tile.is_red())?;
        let mut tiles = player.tiles();
        tiles.insert(tile);
        let flags = self.flags(seat).with(how);
        let (win, score) = self.score_of(player, tiles, tile, seat, flags, &[])?;
        let points = Price::of(score.base, win.is_dealer(), win.is_tsumo()).total();
        Some(Worth { han: score.han, fu: score.fu, points })
    }
}

fn reason(player: &Player, kind: Kind) -> KuikaeReason {
    let called = player.melds.last().filter(|meld| meld.meld.kind() != MeldKind::Ankan);
    match called.and_then(|meld| meld.called) {
        Some(tile) if tile.kind() != kind => KuikaeReason::OtherEnd,
        _ => KuikaeReason::Called,
    }
}
