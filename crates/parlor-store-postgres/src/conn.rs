//! One connection: statements are prepared once, independent statements go out together, and a warning is noticed.

use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use futures_util::future::{join, join_all};
use futures_util::{StreamExt, stream};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio_postgres::error::Severity;
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Connection, Row, Statement};

use crate::fault::Result;

/// Statements that one connection keeps prepared.
const STATEMENTS_MAX: usize = 256;

pub(crate) type Param = Box<dyn ToSql + Send + Sync>;

/// A statement and its values.
pub(crate) struct Step {
    pub(crate) sql: &'static str,
    pub(crate) values: Vec<Param>,
}

/// A step of these values.
macro_rules! step {
    ($sql:expr $(, $value:expr)* $(,)?) => {
        $crate::conn::Step { sql: $sql, values: vec![$(Box::new($value) as $crate::conn::Param),*] }
    };
}
pub(crate) use step;

/// One connection to a primary.
pub(crate) struct Conn {
    client: Client,
    statements: Mutex<HashMap<String, Statement>>,
    warned: Arc<AtomicBool>,
    /// The timeline of the primary when the connection was made.
    pub(crate) timeline: u32,
    /// Which of the hosts it is.
    pub(crate) host: usize,
}

impl Conn {
    /// Drives the connection on the current runtime.
    pub(crate) fn new<S, T>(client: Client, connection: Connection<S, T>, host: usize) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let warned = Arc::new(AtomicBool::new(false));
        tokio::spawn(drive(connection, warned.clone()));
        Self { client, statements: Mutex::default(), warned, timeline: 0, host }
    }

    /// Whether the database has warned of anything since this was asked last. A commit that says so may be there on
    /// this machine alone.
    pub(crate) fn take_warning(&self) -> bool {
        self.warned.swap(false, SeqCst)
    }

    async fn statement(&self, sql: &str) -> Result<Statement> {
        let known = self.statements.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        let mut statements = self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        if statements.len() >= STATEMENTS_MAX {
            statements.clear();
        }
        statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(crate) async fn query(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let statement = self.statement(sql).await?;
        Ok(self.client.query(&statement, values).await?)
    }

    pub(crate) async fn find(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>> {
        Ok(self.query(sql, values).await?.into_iter().next())
    }

    pub(crate) async fn execute(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64> {
        let statement = self.statement(sql).await?;
        Ok(self.client.execute(&statement, values).await?)
    }

    /// SQL without values and without rows.
    pub(crate) async fn run(&self, sql: &str) -> Result<()> {
        Ok(self.client.batch_execute(sql).await?)
    }

    /// Sends all steps, begins a transaction before them if there is none yet, and then waits for all their rows: one
    /// way to the database and back, however many steps there are. They are executed in their order.
    pub(crate) async fn together(&self, begin: bool, steps: &[Step]) -> Result<Vec<Vec<Row>>> {
        let mut prepared = Vec::with_capacity(steps.len());
        for step in steps {
            prepared.push(self.statement(step.sql).await?);
        }
        let sent = prepared.iter().zip(steps).map(|(statement, step)| async move {
            let values: Vec<&(dyn ToSql + Sync)> =
                step.values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
            self.client.query(statement, &values).await
        });
        let first = async { if begin { self.client.batch_execute("BEGIN").await } else { Ok(()) } };
        let (begun, rows) = join(first, join_all(sent)).await;
        begun?;
        // Of several errors the first one tells what happened; the others only follow.
        Ok(rows.into_iter().collect::<std::result::Result<_, _>>()?)
    }
}

/// Carries the connection's bytes until it ends. A warning is noted before the answer behind it is handed on.
async fn drive<S, T>(mut connection: Connection<S, T>, warned: Arc<AtomicBool>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    let mut messages = pin!(stream::poll_fn(move |cx| connection.poll_message(cx)));
    while let Some(Ok(message)) = messages.next().await {
        if let AsyncMessage::Notice(notice) = message
            && notice.parsed_severity() == Some(Severity::Warning)
        {
            warned.store(true, SeqCst);
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for what another thread drives. On a thread of the caller's runtime, that runtime's other tasks go on
/// elsewhere meanwhile.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    let of_a_runtime = Handle::try_current().is_ok_and(|h| h.runtime_flavor() == RuntimeFlavor::MultiThread);
    if of_a_runtime { tokio::task::block_in_place(|| park(future)) } else { park(future) }
}

fn park<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}
