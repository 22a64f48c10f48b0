//! Riichi mahjong: hands (tiles, shanten, waits, scoring), exact and fast, and the table around them.
//!
//! The hands know nothing of tables: no wall, no turns, no clock, no luck. They stand by themselves: who wants only a
//! scorer needs this crate without its feature `table` and no other of the project, and no `unsafe` comes with it. The
//! rules around them are in `table`: walls, turns, calls, rounds, settings, bots and notations; they need nothing else either.
//! `game` is that table as the house serves it, `dialect` the document's messages (feature `game`).
//!
//! # Scoring a win
//!
//! Say what happened in a [`Claim`](win::Claim); [`Win::new`](win::Win::new) believes it or names what cannot be;
//! [`score`](score::score) takes the best of all readings of the hand; [`explain`](explain::explain) says why, yaku by
//! yaku, fu by fu, and who pays what; [`settle`](pay::settle) moves the points, pao included.
//!
//! ```
//! use parlor_riichi::prelude::*;
//!
//! let mut taken = TileSet::EMPTY;
//! let mut read = |text: &str| read_tiles(text, &mut taken, true);
//! let mut hand = read("123m456p789s1122z")?;
//! let win = read("2z")?[0];
//! hand.push(win);
//! let dora = read("9s")?; // the indicator; 1s is the dora
//! let claim = Claim {
//!     hand: &hand,
//!     melds: &[],
//!     win,
//!     dora: &dora,
//!     ura: &[],
//!     seat_wind: Wind::South,
//!     round_wind: Wind::East,
//!     flags: Flags::TSUMO.with(Flags::RIICHI),
//! };
//! let win = Win::new(&claim)?;
//! let rules = Rules::tenhou();
//! let score = score(&win, &rules)?;
//! assert_eq!((score.han, score.fu), (3, 40));
//!
//! let explanation = explain(&win, &rules, &score, Stakes { honba: 1, sticks: 0 });
//! assert_eq!(explanation.payments[0], "the dealer pays 2600 + 100 (1 honba) = 2700");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every optional rule is a named field of [`Rules`](rules::Rules); take a preset and change what differs.
//!
//! # Shanten, waits, discards
//!
//! A [`Hand`](hand::Hand) is counts per kind; adding and removing a tile is cheap, and so are the questions:
//!
//! ```
//! use parlor_riichi::prelude::*;
//!
//! let tiles = read_tiles("123m456p789s11224z", &mut TileSet::default(), true)?;
//! let mut hand = Hand::from_tiles(&tiles)?;
//! assert_eq!(shanten(&hand), 0);
//! let best = discards(&hand, &[0; 34])[0];
//! assert_eq!((best.kind.to_string(), best.accepts.tiles), ("4z".to_owned(), 4));
//! hand.remove(best.kind);
//! let waits: Vec<String> = waits(&hand).iter().map(|kind| kind.to_string()).collect();
//! assert_eq!(waits, ["1z", "2z"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it costs
//!
//! Scoring allocates nothing. Shanten reads tables that are made once per process, on first use, in some 50 ms; about
//! 600 kB of them are ever looked at. On one core of a small server, per CPU second: some two million wins scored from
//! tile ids with every check, 60 million shanten of a kept hand, 35 million from counts. `benches/rivals/riichi` measures
//! that beside another library.
//!
//! # What this is not
//!
//! No three-player game, no local yaku beyond those in [`Yaku`](yaku::Yaku), no aotenjou, and no opinion on which of
//! two equal discards is wiser.
#![forbid(unsafe_code)]

pub mod calls;
#[cfg(feature = "game")]
pub mod dialect;
pub mod explain;
mod flags;
pub mod fu;
#[cfg(feature = "game")]
pub mod game;
pub mod hand;
pub mod limit;
pub mod meld;
mod pao;
pub mod pay;
mod plain_data;
pub mod rules;
pub mod score;
pub mod sets;
pub mod shanten;
mod shanten_tables;
mod split;
#[cfg(feature = "table")]
pub mod table;
pub mod text;
pub mod tile;
pub mod ukeire;
pub mod vectors;
pub mod waits;
pub mod win;
pub mod yaku;
mod yaku_find;

/// What most callers need, in one line.
pub mod prelude {
    pub use crate::explain::explain;
    pub use crate::hand::Hand;
    pub use crate::meld::{Meld, MeldKind};
    pub use crate::pay::{Parties, Price, Seat, Stakes, settle};
    pub use crate::rules::Rules;
    pub use crate::score::score;
    pub use crate::sets::{KindSet, TileSet};
    pub use crate::shanten::shanten;
    pub use crate::text::{read_tiles, write_tiles};
    pub use crate::tile::{Kind, Tile, Wind};
    pub use crate::ukeire::{discards, ukeire};
    pub use crate::waits::waits;
    pub use crate::win::{Claim, Flags, Win};
}
