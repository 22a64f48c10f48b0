//! Small games. `oxo` is the one to copy when you write a machine, `hearts` when you write a script.

pub mod draft;
pub mod hearts;
pub mod oxo;
pub mod sharing;

pub use draft::Draft;
pub use hearts::Hearts;
pub use oxo::Oxo;
pub use sharing::Sharing;
