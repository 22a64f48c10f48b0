//! The document's own JSON, rewritten into the language before it is compiled. Places stay where they were.

use super::json::Node;

/// Rewrites the forms of the document.
#[must_use]
pub fn desugar(node: Node) -> Node {
    node
}
