//! The hosts of one database, and which of them to talk to: the primary with the highest timeline, and never one below
//! the highest that this process has seen. A deposed primary may go on taking writes that nobody will ever find again.

use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use futures_util::future::join_all;
use parlor_store::OpenError;
use tokio::sync::watch;
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls};

use crate::conn::Conn;
use crate::fault::{Fault, Result, words};

/// How long one host may take to answer.
const HOST_WITHIN: Duration = Duration::from_secs(3);
/// How often the other hosts are asked, while this one keeps us waiting, whether one of them was promoted.
const DEPOSED_EVERY: Duration = Duration::from_secs(1);
/// After how much silence a connection counts as broken.
const SILENCE_MAX: Duration = Duration::from_secs(20);
/// The oldest version that is supported, as the server counts them.
const VERSION_MIN: i32 = 140_000;

/// Sets a session up and tells what the server is. No time-out may end a statement of ours: a commit that is cancelled
/// while it waits for the standby stays committed. A session that forgot its transaction is another matter.
const SETTLE: &str = "SELECT current_setting('server_version_num')::int, pg_is_in_recovery(),
    CASE WHEN pg_is_in_recovery() THEN NULL
         ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END,
    current_setting('fsync'), current_setting('server_encoding'),
    set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') = 'remote_apply'
                                          THEN 'remote_apply' ELSE 'on' END, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('idle_in_transaction_session_timeout', '60s', false),
    set_config('client_min_messages', 'warning', false),
    set_config('search_path', 'parlor', false),
    (SELECT count(set_config(name, '0', false)) FROM pg_settings
     WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout'))";

pub(crate) struct Cluster {
    hosts: Vec<Config>,
    timeline_seen: AtomicU32,
    /// Counts how often the writer has connected: a reader's connection from before is not used again.
    moves: watch::Sender<u64>,
}

impl Cluster {
    /// Reads `postgres://user:password@a,b:5433/database`.
    pub(crate) fn parse(url: &str) -> std::result::Result<Self, OpenError> {
        let all: Config = url.parse().map_err(|error| OpenError::Io(words(&error)))?;
        let ports = all.get_ports();
        let port = |n: usize| ports.get(n).or(ports.first()).copied().unwrap_or(5432);
        let hosts = all.get_hosts().iter().enumerate().map(|(n, host)| one(&all, host, port(n)));
        let hosts: Vec<Config> = hosts.collect();
        if hosts.is_empty() {
            return Err(OpenError::Io("the address of the database names no host".to_owned()));
        }
        Ok(Self { hosts, timeline_seen: AtomicU32::new(0), moves: watch::Sender::new(0) })
    }

    /// Connects to the primary.
    pub(crate) async fn connect(&self) -> Result<Conn> {
        let found = join_all(self.hosts.iter().enumerate().map(|(n, host)| reach(n, host))).await;
        let (mut best, mut why): (Option<Conn>, Vec<String>) = (None, Vec::new());
        for found in found {
            match found {
                Ok(conn) if best.as_ref().is_none_or(|best| conn.timeline > best.timeline) => {
                    best = Some(conn);
                }
                Ok(_) => {}
                Err(told) => why.push(told),
            }
        }
        let Some(conn) = best else { return Err(Fault::Away(why.join("; "))) };
        let seen = self.timeline_seen.fetch_max(conn.timeline, SeqCst);
        if conn.timeline < seen {
            let found = conn.timeline;
            return Err(Fault::Away(format!(
                "the only primary is on timeline {found}, and one on timeline {seen} was seen"
            )));
        }
        Ok(conn)
    }

    /// The writer has connected: readers follow it.
    pub(crate) fn moved(&self) {
        self.moves.send_modify(|moves| *moves += 1);
    }

    pub(crate) fn moves(&self) -> watch::Receiver<u64> {
        self.moves.subscribe()
    }

    /// Returns when another host has been promoted above this connection's. It may take for ever.
    pub(crate) async fn deposed(&self, conn: &Conn) {
        if self.hosts.len() < 2 {
            return pending().await;
        }
        loop {
            tokio::time::sleep(DEPOSED_EVERY).await;
            let others = self.hosts.iter().enumerate().filter(|(n, _)| *n != conn.host);
            let found = join_all(others.map(|(n, host)| reach(n, host))).await;
            if found.into_iter().flatten().any(|other| other.timeline > conn.timeline) {
                return;
            }
        }
    }
}

/// The same connection to one of the hosts alone.
fn one(all: &Config, host: &Host, port: u16) -> Config {
    let mut config = Config::new();
    match host {
        Host::Tcp(name) => config.host(name),
        #[cfg(unix)]
        Host::Unix(path) => config.host_path(path),
    };
    config.port(port).connect_timeout(HOST_WITHIN).ssl_mode(all.get_ssl_mode());
    config.keepalives_idle(SILENCE_MAX / 2).tcp_user_timeout(SILENCE_MAX);
    config.application_name(all.get_application_name().unwrap_or("parlor"));
    if let Some(user) = all.get_user() {
        config.user(user);
    }
    if let Some(password) = all.get_password() {
        config.password(password);
    }
    if let Some(database) = all.get_dbname() {
        config.dbname(database);
    }
    if let Some(options) = all.get_options() {
        config.options(options);
    }
    config
}

/// Connects to one host, if it is a primary that will do; otherwise says in words why not.
async fn reach(n: usize, config: &Config) -> std::result::Result<Conn, String> {
    let name = match &config.get_hosts()[0] {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    let said = tokio::time::timeout(HOST_WITHIN, greet(n, config)).await;
    let said = said.map_err(|_| format!("no answer for {} s", HOST_WITHIN.as_secs()));
    said.and_then(|said| said).map_err(|why| format!("{name}: {why}"))
}

async fn greet(n: usize, config: &Config) -> std::result::Result<Conn, String> {
    let (client, connection) = config.connect(NoTls).await.map_err(|error| words(&error))?;
    let mut conn = Conn::new(client, connection, n);
    let rows = conn.query(SETTLE, &[]).await.map_err(|fault| fault.write_error().to_string())?;
    let row = rows.first().ok_or("no answer")?;
    let (version, standby, timeline): (i32, bool, Option<i32>) = (row.get(0), row.get(1), row.get(2));
    let (fsync, encoding): (String, String) = (row.get(3), row.get(4));
    match timeline {
        _ if version < VERSION_MIN => Err("PostgreSQL 14 or later is needed".to_owned()),
        Some(timeline) if !standby && fsync == "on" && encoding == "UTF8" => {
            conn.timeline = timeline as u32;
            Ok(conn)
        }
        _ if standby => Err("it is a standby".to_owned()),
        _ if fsync != "on" => Err("it has fsync = off: nothing would be durable".to_owned()),
        _ => Err(format!("the database has the encoding {encoding}, not UTF8")),
    }
}
