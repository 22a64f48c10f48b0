//! Tables that do not come from a room and are driven step by step: tests put two worlds of the testkit on real
//! servers with it, and compare what a real client shows.

use std::time::Instant;

use parlor_core::{Header, Record, Seat, Seed, Viewer};
use parlor_host::{Command, Effect, RecordWrite, Table};
use parlor_store::TableId;
use tokio::sync::oneshot;

use crate::Server;
use crate::house::hub::lock;
use crate::house::sessions::{Session, TableFacts, hash};
use crate::table::{Mail, TableTask};

/// Connections of the table's past have smaller numbers than this.
const CONNS_FROM: u64 = 1000;

/// A table and what is stored with it.
pub struct Staged {
    /// The table in its current state.
    pub table: Table,
    /// The table's root seed.
    pub root: Seed,
    /// The stored log, match by match.
    pub log: Vec<(Header, Vec<Record>)>,
    /// The token with which each seat's player may return.
    pub tokens: Vec<String>,
}

impl Server {
    /// Adds a table to the server under this name, and waits until all of it is stored.
    ///
    /// # Errors
    /// The name is not valid for a table, or the store refuses the write.
    pub async fn put(&self, id: &str, staged: Staged) -> Result<(), String> {
        let hub = self.hub();
        let name = TableId::new(id).map_err(|error| error.to_string())?;
        hub.skip_conns(CONNS_FROM);
        let mut effects = Vec::new();
        for (header, records) in staged.log {
            let match_no = header.match_no;
            let append = |opens, record| {
                Effect::Append(RecordWrite { match_no, opens, record, ..RecordWrite::default() })
            };
            effects.push(append(Some(Box::new(header)), None));
            effects.extend(records.into_iter().map(|record| append(None, Some(record.into()))));
        }
        let sessions = staged.tokens.iter().enumerate().map(|(n, token)| Session {
            name: format!("P{n}"),
            token: Some(hash(token)),
            seat: Seat::new(n as u8),
            player: None,
        });
        let facts = TableFacts {
            root: staged.root.to_hex(),
            sessions: sessions.collect(),
            players: vec![None; staged.tokens.len()],
            ..TableFacts::default()
        };
        let handle = TableTask::spawn(hub.clone(), name, staged.table, facts, 0, effects, |_| None);
        lock(&hub.tables).insert(id.to_owned(), handle);
        self.version(id, Viewer::Gallery).await.map(|_| ()).ok_or_else(|| "it could not be stored".to_owned())
    }

    /// Sets a held clock, gives a table a command, waits until its records are stored, and returns the version of the
    /// viewer's stream.
    pub async fn tell(&self, id: &str, at: u64, command: Command, viewer: Viewer) -> Option<u64> {
        let hub = self.hub();
        hub.clock.set(at);
        let handle = hub.running(id)?;
        // The seat's player may have another connection now.
        let command = match command {
            Command::Submit(conn, submit) => {
                Command::SubmitAs { seat: Seat::new(conn.0 as u8), conn, submit }
            }
            other => other,
        };
        let told = Mail::Do { command: Box::new(command), at: Instant::now() };
        handle.tx.send(told).await.ok()?;
        self.version(id, viewer).await
    }

    /// The version of the viewer's stream, once no write is pending.
    async fn version(&self, id: &str, viewer: Viewer) -> Option<u64> {
        let handle = self.hub().running(id)?;
        let (tx, version) = oneshot::channel();
        let look = Mail::Look(Box::new(move |table, _| {
            // The receiver is gone only when the test is over.
            let _ = tx.send(table.snapshot(viewer).v().unwrap_or(0));
        }));
        handle.tx.send(look).await.ok()?;
        version.await.ok()
    }
}
