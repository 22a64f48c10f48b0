//! One write buffer per thread, lent to one connection at a time: a thread writes for one connection at a time.

use std::cell::Cell;

/// The largest buffer that a thread keeps, in bytes: a batch is smaller, unless one message is huge.
const KEPT_BYTES_MAX: usize = 64 * 1024;

thread_local! {
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// An empty buffer, with capacity if this thread has one to lend.
pub(super) fn take() -> Vec<u8> {
    SPARE.try_with(Cell::take).unwrap_or_default()
}

/// Returns a buffer to this thread.
pub(super) fn give(mut buffer: Vec<u8>) {
    if buffer.capacity() <= KEPT_BYTES_MAX {
        buffer.clear();
        // A thread that is ending keeps nothing.
        let _ = SPARE.try_with(|buffer_pool| buffer_pool.set(buffer));
    }
}
