//! Bots that think for long decide on threads of their own, within a budget.

use std::time::Duration;

use parlor_core::Seat;
use parlor_host::Command;

use super::{Mail, TableTask};

/// How long one decision may take. After that the table goes on without it.
pub(crate) const DECISION_MAX: Duration = Duration::from_secs(2);

impl TableTask {
    /// Has a bot decide on another thread; the table hears what, or that it took too long.
    pub(super) fn think(&mut self, seat: Seat, input: u32) {
        let Some(task) = self.table.bot_task(seat, input) else { return };
        let (hub, table) = (self.hub.clone(), self.id.clone());
        tokio::spawn(async move {
            let deciding = tokio::task::spawn_blocking(move || task.run());
            let decided = tokio::time::timeout(DECISION_MAX, deciding).await;
            let answer = decided.ok().and_then(Result::ok).and_then(Result::ok);
            if answer.is_none() {
                tracing::warn!(%table, seat = seat.index(), "a bot did not decide in time");
            }
            if let Some(handle) = hub.running(table.as_str()) {
                let command = Box::new(Command::Decided { seat, input, answer });
                let _ = handle.tx.send(Mail::Do { command, at: std::time::Instant::now() }).await;
            }
        });
    }
}
