//! Ends what nobody uses any more, now and then, whether or not anybody asks: rooms that stayed empty, tables that left
//! memory and whose players did not come back, finished tables that are too old to be kept.

use std::sync::{Arc, Weak};
use std::time::Duration;

use parlor_store::{Listing, TableInfo, TableState};

use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::table::{AFTER_RESTART_MS, Mail};

/// Finished tables that are deleted at a time: each costs the store's only writer some time.
const DELETED_AT_ONCE_MAX: usize = 200;
/// Tables of the store that are looked at together: more would take memory that nothing else needs.
const TABLES_AT_ONCE: usize = 50;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Sweeps for as long as the hub exists.
pub(crate) async fn keep_sweeping(hub: Weak<Hub>) {
    let Some(every) = hub.upgrade().map(|hub| Duration::from_millis(hub.config.sweep_ms.max(10))) else {
        return;
    };
    loop {
        tokio::time::sleep(every).await;
        let Some(hub) = hub.upgrade().filter(|hub| !hub.stopping()) else { return };
        hub.sweep_rooms();
        hub.forget_ended_tables();
        if hub.store.health().failing.is_none() {
            hub.end_forgotten_tables().await;
            hub.delete_old_tables().await;
        }
    }
}

impl Hub {
    /// Ends the tables that run in the store alone and that nobody has come back to.
    async fn end_forgotten_tables(self: &Arc<Self>) {
        let mut listing =
            Listing { state: Some(TableState::Running), limit: TABLES_AT_ONCE, ..Listing::default() };
        loop {
            let (store, page) = (self.store.clone(), listing.clone());
            let read = tokio::task::spawn_blocking(move || store.tables(&page)).await;
            let Ok(Ok(page)) = read else { return };
            let Some(last) = page.last() else { return };
            listing.after = Some(last.table.clone());
            for info in page {
                if self.is_forgotten(&info)
                    && let Some(handle) = self.table(info.table.as_str()).await
                {
                    let _ = handle.tx.send(Mail::GiveUp).await;
                }
            }
        }
    }

    /// Whether nothing has happened at a table for longer than it waits for its last player. The time during which the
    /// server was away does not count.
    fn is_forgotten(&self, info: &TableInfo) -> bool {
        if self.running(info.table.as_str()).is_some() {
            return false;
        }
        let facts: Option<TableFacts> = serde_json::from_value(info.facts.0.clone()).ok();
        let own = facts.and_then(|facts| facts.settings.last_human_grace_ms);
        let usual = self.config.last_human_grace_ms;
        let least = if info.updated_ms < self.began_ms { AFTER_RESTART_MS } else { usual };
        let since = info.updated_ms.max(self.began_ms);
        self.wall_ms().saturating_sub(since) >= own.unwrap_or(usual).max(least)
    }

    /// Deletes finished tables that are older than they are kept, or more than are kept.
    async fn delete_old_tables(&self) {
        let (days, kept) = (self.config.finished_kept_days, self.config.finished_kept_max);
        let too_old = (days > 0).then(|| self.wall_ms().saturating_sub(days * DAY_MS));
        let store = self.store.clone();
        let swept = tokio::task::spawn_blocking(move || {
            let beyond = if kept > 0 { store.finished_beyond(kept).ok().flatten() } else { None };
            let before = too_old.max(beyond.map(|at| at + 1));
            before.map_or(Ok(0), |before| store.sweep(before, DELETED_AT_ONCE_MAX))
        });
        match swept.await {
            Ok(Ok(count)) if count > 0 => tracing::info!(count, days, kept, "deleted old finished tables"),
            Ok(Err(error)) => tracing::warn!(%error, "old tables could not be deleted"),
            _ => {}
        }
    }
}
