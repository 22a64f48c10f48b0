//! What viewers see.

use serde::Serialize;

/// What everybody sees.
#[derive(Serialize)]
pub struct View {
    /// Nine characters from the top left: `x`, `o` or `.`.
    pub board: String,
    /// Moves made so far.
    pub turn: u8,
}
