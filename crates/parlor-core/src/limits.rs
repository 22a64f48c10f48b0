//! Every limit of the contract, with its unit last. A refusal names the limit that was exceeded.

/// Seats at one table; one more bit of a [`crate::Seats`] is for the gallery.
pub const SEATS_MAX: usize = 15;
/// Asks that may be open at once.
pub const ASKS_MAX: usize = 8;
/// Bytes of one answer, as JSON text.
pub const ANSWER_BYTES_MAX: usize = 16 * 1024;
/// Nesting depth of one answer.
pub const ANSWER_DEPTH_MAX: usize = 16;
/// Choices in one selector, counted through all levels.
pub const CHOICES_MAX: usize = 4096;
/// Items in one selection, counted through all levels.
pub const SELECTION_ITEMS_MAX: usize = 1024;
/// Calls into the engine (emit, post, draw, add time) while one input is applied.
pub const FUEL_PER_INPUT_MAX: u64 = 100_000;
/// Automatic answers that follow from one input.
pub const AUTO_ANSWERS_MAX: usize = 64;
/// Characters of one chat message.
pub const CHAT_CHARS_MAX: usize = 1000;
/// Characters of a retry key.
pub const KEY_CHARS_MAX: usize = 64;
/// Retry keys remembered for each seat.
pub const KEYS_MAX: usize = 64;
/// Records after which a match is linked to a successor as soon as its game allows.
pub const RECORDS_PER_MATCH_MAX: usize = 1000;
/// Live records between two checkpoints kept for undo.
pub const CHECKPOINT_RECORDS: usize = 32;

/// How deep a JSON value is nested; a scalar has depth 0. Stops counting one past `limit`.
#[must_use]
pub fn depth(value: &crate::Json, limit: usize) -> usize {
    use crate::Json;
    let inner = |child: &Json| if limit == 0 { 1 } else { depth(child, limit - 1) + 1 };
    match value {
        Json::Array(items) => items.iter().map(inner).max().unwrap_or(1),
        Json::Object(map) => map.values().map(inner).max().unwrap_or(1),
        _ => 0,
    }
}
