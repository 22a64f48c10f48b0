//! Riichi mahjong: tiles, shanten, waits, scoring.
