//! Small games. `oxo` is the one to copy when you write a machine, `hearts` when you write a script.

pub mod draft;
pub mod grid64;
pub mod hearts;
pub mod oxo;
pub mod sharing;

pub use draft::Draft;
pub use grid64::Grid64;
pub use hearts::Hearts;
pub use oxo::Oxo;
pub use sharing::Sharing;

/// The program on the first screen of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
