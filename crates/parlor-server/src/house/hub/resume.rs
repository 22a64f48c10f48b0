//! Loads tables from the store: those that were running when the server starts, all others on demand.

use std::sync::Arc;

use parlor_host::Table;
use parlor_store::{Listing, MatchSelector, TableId, TableInfo, TableState, Write, WriteError};

use super::{Hub, lock};
use crate::house::sessions::TableFacts;
use crate::table::{TableHandle, TableTask};

impl Hub {
    /// Resumes every table that was running when the server stopped.
    pub(super) async fn resume_all(self: &Arc<Self>) -> Result<(), String> {
        let mut listing = Listing { state: Some(TableState::Running), ..Listing::default() };
        loop {
            let page = self.store.tables(&listing).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            listing.after = Some(last.table.clone());
            for (info, claimed) in page.iter().zip(self.claim_all(&page)) {
                let loaded = claimed.map_err(|error| error.to_string()).and_then(|_| self.resume(info));
                if let Err(why) = loaded {
                    tracing::error!(table = %info.table, %why, "could not resume table");
                }
            }
            tokio::task::yield_now().await;
        }
    }

    /// Claims all of these tables. The claims are submitted together, so that the store commits them in one flush
    /// instead of one flush per table.
    fn claim_all(&self, page: &[TableInfo]) -> Vec<Result<u64, WriteError>> {
        let (tell, told) = std::sync::mpsc::channel();
        for (n, info) in page.iter().enumerate() {
            let tell = tell.clone();
            let claim = Write::Claim { table: info.table.clone(), epoch: self.epoch };
            self.store.submit(
                claim,
                Box::new(move |result| {
                    // The receiver is gone only when the server shuts down.
                    let _ = tell.send((n, result));
                }),
            );
        }
        drop(tell);
        let mut words: Vec<_> = page.iter().map(|_| Err(WriteError::Closed)).collect();
        for (n, result) in told {
            words[n] = result;
        }
        words
    }

    /// Notes the players of paused tables: they still sit there.
    pub(super) fn note_paused(&self) -> Result<(), String> {
        let mut listing = Listing { state: Some(TableState::Paused), ..Listing::default() };
        loop {
            let page = self.store.tables(&listing).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            listing.after = Some(last.table.clone());
            for info in page {
                if let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0) {
                    self.note_sitting(info.table.as_str(), &info.game, &facts.players);
                }
            }
        }
    }

    fn load(self: &Arc<Self>, info: &TableInfo) -> Result<TableHandle, String> {
        self.store.claim(&info.table, self.epoch).map_err(|error| error.to_string())?;
        self.resume(info)
    }

    /// Resumes a table that this server has claimed.
    fn resume(self: &Arc<Self>, info: &TableInfo) -> Result<TableHandle, String> {
        let facts: TableFacts =
            serde_json::from_value(info.facts.0.clone()).map_err(|_| "its facts do not decode".to_owned())?;
        let root = facts.root().ok_or("its secret does not decode")?;
        let stored = self.store.read(&info.table, MatchSelector::Last).map_err(|error| error.to_string())?;
        let mut stored = stored.ok_or("its log is gone")?;
        let unknown = || format!("there is no game {}, or not with its rules", info.game);
        let def = self.def_of(&stored.header).ok_or_else(unknown)?;
        if info.state == TableState::Finished {
            // Only a finished match can have players who deleted their accounts.
            self.forget_in(&facts, &mut stored.header, &mut stored.records);
        }
        let beside = facts.beside.clone();
        let loaded = Table::load(def, root, stored.header, stored.records, beside, self.now());
        let (table, effects) = loaded.map_err(|error| error.to_string())?;
        let handle =
            TableTask::spawn(self.clone(), info.table.clone(), table, facts, stored.seq, effects, |_| None);
        lock(&self.tables).insert(info.table.to_string(), handle.clone());
        Ok(handle)
    }

    /// A running table; one that is only in the store is loaded.
    pub(crate) async fn table(self: &Arc<Self>, id: &str) -> Option<TableHandle> {
        if let Some(handle) = self.running(id) {
            return Some(handle);
        }
        let _one_at_a_time = self.loading.lock().await;
        if let Some(handle) = self.running(id) {
            return Some(handle);
        }
        let name = TableId::new(id).ok()?;
        let hub = self.clone();
        tokio::task::block_in_place(move || {
            let info = hub.store.table(&name).ok()??;
            hub.load(&info).map_err(|why| tracing::error!(table = %name, %why, "could not load table")).ok()
        })
    }
}
