//! A ruleset as text: a reader that keeps places, what is found wrong with it, and the document's own forms.

pub(crate) mod edit_distance;
pub mod extends;
pub mod finding;
pub mod json;
pub mod place;
pub mod sugar;
pub(crate) mod suggest;

pub use finding::{Elsewhere, Finding, Findings, Level};
pub use json::{Key, Node, Value};
