//! Small games. `oxo` is the folder to copy when you write your own.

pub mod oxo;

pub use oxo::Oxo;
