//! For those who write a driver, and for nobody else: what every driver decides in the same way.
//!
//! [`Packed`] checks a write and turns its entries into bytes, [`Head`] decides whether an append may follow what a
//! table has, [`changes`] and [`bear`] decide whether accounts can pay, [`repeats`] whether transfers are those of a
//! write that was stored before, [`line_balances`] what stands on the lines of statements, [`Stakes`] what a stopped
//! table owes, [`is_new_version`] which version of a ruleset comes next.
//! A driver that uses them differs from the others only in where the bytes lie. Nothing here reads or writes a disk.
//!
//! The server and the games do not use this module. It may change with any release.

mod balances;
mod head;
mod lines;
mod pack;
mod versions;

pub use balances::{Changes, Stakes, bear, changes, repeats};
pub use head::{AppendKind, Head};
pub use lines::{After, LinePlace, line_balances};
pub use pack::{Frames, Packed, Shape, checksum, shape, unpack};
pub use versions::{is_new_version, published};
