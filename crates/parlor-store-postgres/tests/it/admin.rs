//! A connection beside the store: to look at what it has written, and to forge it.

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Config, NoTls, Row};

pub(crate) struct Admin {
    runtime: Runtime,
    client: Client,
}

impl Admin {
    /// Connects, if the server is there.
    pub(crate) fn connect(socket: &str, port: u16, database: &str) -> Option<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a thread more");
        let mut config = Config::new();
        config.host_path(socket).port(port).user("postgres").dbname(database);
        let (client, connection) = runtime.block_on(config.connect(NoTls)).ok()?;
        runtime.spawn(async move {
            // How it ends is told by the next query.
            let _ = connection.await;
        });
        Some(Self { runtime, client })
    }

    pub(crate) fn run(&self, sql: &str) {
        let run = self.runtime.block_on(self.client.batch_execute(sql));
        run.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    }

    pub(crate) fn rows(&self, sql: &str) -> Vec<Row> {
        let rows = self.runtime.block_on(self.client.query(sql, &[]));
        rows.unwrap_or_else(|error| panic!("{sql}: {error:?}"))
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.rows(sql)[0].get(0)
    }
}
