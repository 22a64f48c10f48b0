//! Tables that come from elsewhere than a room and are driven by hand: this is how two worlds of the testkit stand on a
//! real server, before a real screen.

use std::time::Instant;

use parlor_core::{Header, Record, Seat, Seed, Viewer};
use parlor_host::{Command, Effect, RecordWrite, Table};
use parlor_store::TableId;
use tokio::sync::oneshot;

use crate::Server;
use crate::house::hub::lock;
use crate::house::sessions::{Session, TableFacts, hash};
use crate::table::{Mail, TableTask};

/// Connections of the table's past have numbers below this.
const CONNS_FROM: u64 = 1000;

/// A table, and what is kept with it.
pub struct Staged {
    /// The table as it stands.
    pub table: Table,
    /// Its own secret.
    pub root: Seed,
    /// What was stored of it, match by match.
    pub log: Vec<(Header, Vec<Record>)>,
    /// The token with which the player of each seat may return.
    pub tokens: Vec<String>,
}

impl Server {
    /// Puts a table into the house under this name, and waits until all of it is stored.
    ///
    /// # Errors
    /// A name that no table can have, or a store that does not take it.
    pub async fn put(&self, id: &str, staged: Staged) -> Result<(), String> {
        let hub = self.hub();
        let name = TableId::new(id).map_err(|error| error.to_string())?;
        hub.skip_conns(CONNS_FROM);
        let mut effects = Vec::new();
        for (header, records) in staged.log {
            let match_no = header.match_no;
            let append = |opens, record| {
                Effect::Append(RecordWrite { match_no, opens, record, postings: Vec::new(), ends: None })
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
            owner: None,
            bots: 0,
            settings: parlor_host::TableSettings::default(),
            players: vec![None; staged.tokens.len()],
            staked: false,
            rated: false,
            spectator_delay_ms: 0,
            invite: None,
            continued: None,
        };
        let handle = TableTask::spawn(hub.clone(), name, staged.table, facts, 0, effects, |_| None);
        lock(&hub.tables).insert(id.to_owned(), handle);
        self.version(id, Viewer::Gallery).await.map(|_| ()).ok_or_else(|| "it could not be stored".to_owned())
    }

    /// Tells a table something at this time of a held clock; when all of it is stored, says where the viewer's stream is.
    pub async fn tell(&self, id: &str, at: u64, command: Command, viewer: Viewer) -> Option<u64> {
        let hub = self.hub();
        hub.clock.set(at);
        let handle = hub.running(id)?;
        // Whoever sits there may have come by another connection since.
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

    /// Where the viewer's stream is, once nothing is under way to the store.
    async fn version(&self, id: &str, viewer: Viewer) -> Option<u64> {
        let handle = self.hub().running(id)?;
        let (tx, version) = oneshot::channel();
        let look = Mail::Look(Box::new(move |table, _| {
            // Nobody waits any more only where the test is over.
            let _ = tx.send(table.snapshot(viewer).v().unwrap_or(0));
        }));
        handle.tx.send(look).await.ok()?;
        version.await.ok()
    }
}
