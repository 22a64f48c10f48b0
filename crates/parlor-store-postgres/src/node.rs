//! The row of this process in the database: under which name it writes, how many flushes it has stored, and whether it
//! is alive. A database serves one house; a second server on it is refused.

use std::time::{Duration, Instant};

use parlor_store::OpenError;

use crate::conn::Conn;
use crate::fault::{Fault, Result, nonsense};

/// After how much silence a node counts as dead, by the database's clock.
const DEAD_AFTER: Duration = Duration::from_secs(5);
/// How often a server that waits looks whether the other one is alive.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// This process's place.
pub(crate) struct Node {
    name: String,
    serve: bool,
    no: i32,
    /// None until the first connection.
    instance: Option<String>,
    /// How many flushes are known to be durable.
    flush: i64,
    /// Whether the row was compared with that since the last connection.
    settled: bool,
}

impl Node {
    pub(crate) fn new(name: String, serve: bool) -> Self {
        Self { name, serve, no: 0, instance: None, flush: 0, settled: false }
    }

    /// Whether it says that it is alive.
    pub(crate) fn serves(&self) -> bool {
        self.serve
    }

    pub(crate) fn no(&self) -> i32 {
        self.no
    }

    /// What the next flush expects of the row.
    pub(crate) fn place(&self) -> (i32, String, i64) {
        (self.no, self.instance.clone().unwrap_or_default(), self.flush)
    }

    /// One more flush is durable.
    pub(crate) fn flushed(&mut self) {
        self.flush += 1;
    }

    /// A new connection: the first time this process takes the row, later it finds what it left.
    pub(crate) async fn enter(&mut self, conn: &Conn) -> Result<()> {
        self.settled = false;
        if self.instance.is_some() {
            return Ok(());
        }
        let sql = "INSERT INTO node (name, instance, flush, serving, seen_at)
                   VALUES ($1, gen_random_uuid(), 0, $2, clock_timestamp())
                   ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, serving = excluded.serving,
                     seen_at = excluded.seen_at
                   RETURNING no, instance::text, flush";
        conn.take_warning();
        let row = conn.find(sql, &[&self.name, &self.serve]).await?;
        let row = row.ok_or_else(|| nonsense("a node without a row"))?;
        if conn.take_warning() {
            return Err(Fault::GivenUp);
        }
        (self.no, self.instance, self.flush) = (row.get(0), Some(row.get(1)), row.get(2));
        self.settled = true;
        Ok(())
    }

    /// Whether the flush behind the last one that is known to be durable is there too. It waits until the transaction
    /// that wrote it, if any still runs, has ended; and then stores something itself, because what was committed
    /// before something that is durable is durable.
    pub(crate) async fn settle(&mut self, conn: &Conn, in_doubt: bool) -> Result<bool> {
        if self.settled {
            return Ok(false);
        }
        conn.run("BEGIN").await?;
        let sql = "UPDATE node SET seen_at = clock_timestamp() WHERE no = $1 RETURNING instance::text, flush";
        let row = conn.find(sql, &[&self.no]).await?;
        let (instance, found) = row.map_or((None, 0), |row| (Some(row.get::<_, String>(0)), row.get(1)));
        if found < self.flush {
            let (acknowledged, found) = (self.flush as u64, found as u64);
            return Err(Fault::WentBack { acknowledged, found });
        }
        if instance != self.instance {
            return Err(if in_doubt { Fault::ReplacedInDoubt } else { Fault::Replaced });
        }
        conn.take_warning();
        conn.run("COMMIT").await.map_err(|_| Fault::GivenUp)?;
        if conn.take_warning() {
            return Err(Fault::GivenUp);
        }
        self.settled = true;
        match found - self.flush {
            0 => Ok(false),
            1 if in_doubt => Ok(true),
            _ => Err(Fault::Replaced),
        }
    }

    /// Says that this node is alive.
    pub(crate) async fn renew(&self, conn: &Conn) -> Result<()> {
        let sql = "UPDATE node SET seen_at = clock_timestamp() WHERE no = $1 AND instance = $2::text::uuid";
        conn.execute(sql, &[&self.no, &self.instance]).await.map(drop)
    }

    /// Says that this node has stopped.
    pub(crate) async fn leave(&self, conn: &Conn) -> Result<()> {
        let sql = "UPDATE node SET serving = false WHERE no = $1 AND instance = $2::text::uuid";
        conn.execute(sql, &[&self.no, &self.instance]).await.map(drop)
    }
}

/// Returns when no other server serves this database. One that was killed counts as alive for a few seconds.
pub(crate) async fn alone(conn: &Conn) -> std::result::Result<(), OpenError> {
    let sql = "SELECT no, seen_at::text, clock_timestamp() - seen_at > make_interval(secs => $1)
               FROM node WHERE serving";
    let dead_after = DEAD_AFTER.as_secs_f64();
    let (started, mut first) = (Instant::now(), None);
    loop {
        let rows = conn.query(sql, &[&dead_after]).await.map_err(|fault| fault.open_error())?;
        let living: Vec<(i32, String)> =
            rows.iter().filter(|row| !row.get::<_, bool>(2)).map(|row| (row.get(0), row.get(1))).collect();
        if living.is_empty() {
            return Ok(());
        }
        // It has said so again since we look.
        if *first.get_or_insert_with(|| living.clone()) != living || started.elapsed() > 2 * DEAD_AFTER {
            return Err(OpenError::InUse);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
