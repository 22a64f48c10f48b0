//! How rounds and games end.

use serde::{Deserialize, Serialize};

use super::SEATS_MAX;
use super::player::TableMeld;
use crate::limit::Limit;
use crate::pay::Seat;
use crate::tile::Tile;
use crate::yaku::Yaku;

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RoundResult {
    /// Somebody won; two or three on one tile, in turn order from the discarder.
    Wins(Vec<WinResult>),
    Draw {
        kind: DrawKind,
        /// The declarer of nine kinds.
        by: Option<Seat>,
        /// Who laid the hand open: the tenpai seats, the declarer, all after four riichi, the callers of a triple ron.
        shown: Vec<(Seat, Vec<Tile>)>,
        /// Whose river made nagashi mangan.
        nagashi: Vec<Seat>,
        deltas: [i32; SEATS_MAX],
    },
}

impl RoundResult {
    /// What each seat gained or lost, riichi sticks paid in the round aside.
    #[must_use]
    pub fn deltas(&self) -> [i32; SEATS_MAX] {
        match self {
            Self::Draw { deltas, .. } => *deltas,
            Self::Wins(wins) => {
                let mut sum = [0; SEATS_MAX];
                for win in wins {
                    sum.iter_mut().zip(win.deltas).for_each(|(sum, delta)| *sum += delta);
                }
                sum
            }
        }
    }
}

/// The ways to end a round without a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DrawKind {
    /// The wall is used up.
    Exhaustive,
    /// The wall is used up and a river is all terminals and honors.
    NagashiMangan,
    NineKinds,
    FourWinds,
    FourRiichi,
    FourKans,
    TripleRon,
}

impl DrawKind {
    /// Whether the round was broken off.
    #[must_use]
    pub const fn is_abort(self) -> bool {
        !matches!(self, Self::Exhaustive | Self::NagashiMangan)
    }
}

/// One win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct WinResult {
    pub who: Seat,
    /// The discarder, or the seat whose kan was robbed; none for a self-draw.
    pub from: Option<Seat>,
    pub tile: Tile,
    /// The concealed tiles, the winning one among them, lowest id first.
    pub hand: Vec<Tile>,
    pub melds: Vec<TableMeld>,
    /// Each yaku with its han; yakuman with 13 or 26.
    pub yaku: Vec<(Yaku, u8)>,
    /// Han by dora, red fives and ura.
    pub dora: u8,
    pub reds: u8,
    pub ura: u8,
    pub han: u8,
    pub fu: u8,
    pub limit: Limit,
    /// All payments together, without honba and sticks.
    pub points: u32,
    /// By the discarder, or by the dealer (by each where the dealer won); then by each of the others.
    pub cost: [u32; 2],
    pub dora_indicators: Vec<Tile>,
    /// Turned only for a seat in riichi.
    pub ura_indicators: Vec<Tile>,
    /// The honba that are paid to this winner.
    pub honba: u16,
    /// The riichi sticks that this winner takes.
    pub sticks: u16,
    /// Who is liable for a yakuman of the hand.
    pub liable: Option<Seat>,
    pub deltas: [i32; SEATS_MAX],
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct GameEnd {
    /// With the leftover sticks.
    pub scores: [i32; SEATS_MAX],
    /// Place of each seat, from 1; equal where equal points share a place.
    pub places: [u8; SEATS_MAX],
    /// Final points in tenths: uma and oka included.
    pub points: [i32; SEATS_MAX],
}
