//! Small games. `oxo` is the folder to copy when you write your own.

pub mod oxo;

pub use oxo::Oxo;

/// The program on the first screen of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
