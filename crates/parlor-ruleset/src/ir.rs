//! A ruleset as text: a reader that keeps places, what is found wrong with it, and the document's own forms.

pub mod extends;
pub mod finding;
pub mod json;
pub(crate) mod near;
pub mod place;
pub mod sugar;

pub use finding::{Elsewhere, Finding, Findings, Level};
pub use json::{Key, Node, Value};
