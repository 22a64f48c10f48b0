//! Small games. `oxo` is the folder to copy when you write your own.

pub mod grid64;
pub mod oxo;

pub use grid64::Grid64;
pub use oxo::Oxo;

/// The program on the first screen of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
