//! Riichi mahjong: tiles, shanten, waits, scoring.
#![forbid(unsafe_code)]

pub mod calls;
pub mod explain;
pub mod fu;
pub mod hand;
pub mod limit;
pub mod meld;
pub mod pay;
pub mod rules;
pub mod score;
pub mod sets;
pub mod shanten;
mod shanten_tables;
mod split;
pub mod text;
pub mod tile;
pub mod ukeire;
pub mod vectors;
pub mod waits;
pub mod win;
pub mod yaku;
mod yaku_find;
