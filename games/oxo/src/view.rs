//! What viewers see.

use serde::Serialize;
use ts_rs::TS;

/// What everybody sees.
#[derive(Serialize, TS)]
pub struct View {
    /// Nine characters from the top left: `x`, `o` or `.`.
    pub board: String,
    /// Moves made so far.
    pub turn: u8,
}
