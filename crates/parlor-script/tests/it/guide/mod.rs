//! The game of docs/write-a-game.md, as `parlor new` writes it and as it is at the end of the page.

#![expect(unreachable_pub, reason = "written as the library of its own crate")]

#[rustfmt::skip]
pub(crate) mod highest;
#[rustfmt::skip]
pub(crate) mod new;
