//! A store in a database of its own, and the faults a test can cause.

use std::sync::{Arc, MutexGuard};

use parlor_store::Store;
use parlor_store::conformance::Rig;
use parlor_store_postgres::{Options, PostgresStore};

use crate::admin::Admin;
use crate::servers::{Servers, servers, until};

pub(crate) fn open(url: &str) -> PostgresStore {
    open_as(url, "test")
}

/// Opens a store that writes under this name.
pub(crate) fn open_as(url: &str, node: &str) -> PostgresStore {
    let node = Some(node.to_owned());
    PostgresStore::open(url, Options { node, ..Options::default() }).expect("the store opens")
}

/// What a crash is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crash {
    /// The primary is killed and started again. A lock keeps the writer back: nothing is committed anywhere.
    Restart,
    /// The primary is killed and the standby promoted. The standby keeps the writer back: what it does not have is
    /// committed on the primary alone, and waits.
    FailOver,
}

/// A PostgreSQL store and the faults a test can cause. A crash ends the process that writes, too: its threads stop.
///
/// A full disk is a trigger that says so with the database's own code; a read-only one a setting of the database.
pub(crate) struct Bench {
    pub(crate) servers: MutexGuard<'static, Servers>,
    pub(crate) store: Arc<PostgresStore>,
    pub(crate) database: String,
    crash: Crash,
    held: Option<Admin>,
    frozen: bool,
}

pub(crate) fn bench() -> Option<Bench> {
    bench_with(Crash::Restart)
}

pub(crate) fn failing_over() -> Option<Bench> {
    bench_with(Crash::FailOver)
}

fn bench_with(crash: Crash) -> Option<Bench> {
    let mut servers = servers()?;
    let database = servers.database();
    let store = Arc::new(open(&servers.url(&database)));
    Some(Bench { servers, store, database, crash, held: None, frozen: false })
}

impl Bench {
    pub(crate) fn admin(&self) -> Admin {
        self.servers.admin(&self.database)
    }

    /// How many entries one of the servers has.
    pub(crate) fn entries_on(&self, n: usize) -> i64 {
        let admin = Admin::connect(self.servers.socket(), Servers::ports()[n], &self.database);
        let sql = "SELECT coalesce(sum(entries), 0)::bigint FROM parlor.chunk";
        admin.expect("it is there").number(sql)
    }

    /// Ends the store's sessions on one of the servers.
    pub(crate) fn cut_on(&self, n: usize) {
        let admin = Admin::connect(self.servers.socket(), Servers::ports()[n], "postgres");
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'",
            self.database
        );
        admin.expect("it is there").rows(&sql);
    }

    /// The standby that was held back is no more.
    pub(crate) fn thawed(&mut self) {
        self.frozen = false;
    }

    pub(crate) fn url(&self) -> String {
        self.servers.url(&self.database)
    }
}

impl Rig for Bench {
    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn hold_back(&mut self, held: bool) {
        match (self.crash, held) {
            (Crash::Restart, true) => {
                let admin = self.admin();
                admin.run("BEGIN; LOCK TABLE parlor.node IN SHARE MODE");
                self.held = Some(admin);
            }
            (Crash::Restart, false) => {
                if let Some(admin) = self.held.take() {
                    admin.run("ROLLBACK");
                }
            }
            (Crash::FailOver, held) => {
                self.servers.freeze_standby(held);
                self.frozen = held;
            }
        }
    }

    fn crash(&mut self) {
        self.store.kill();
        match self.crash {
            Crash::Restart => self.servers.restart(),
            Crash::FailOver => self.servers.fail_over(),
        }
        // What kept the writer back has died with the server, and not before it.
        self.held = None;
        self.frozen = false;
        until("the writer stops", || self.store.is_dead());
        self.store = Arc::new(open(&self.servers.url(&self.database)));
    }

    fn set_full(&mut self, full: bool) {
        let admin = self.admin();
        for table in ["chunk", "probe"] {
            if full {
                admin.run(&format!(
                    "CREATE FUNCTION parlor.full_{table}() RETURNS trigger LANGUAGE plpgsql AS
                       $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
                     CREATE TRIGGER full_{table} BEFORE INSERT ON parlor.{table}
                       FOR EACH ROW EXECUTE FUNCTION parlor.full_{table}()"
                ));
            } else {
                admin.run(&format!("DROP FUNCTION parlor.full_{table}() CASCADE"));
            }
        }
    }

    fn set_read_only(&mut self, read_only: bool) {
        let admin = self.servers.admin("postgres");
        let value = if read_only { "on" } else { "off" };
        let sql = format!("ALTER DATABASE {} SET default_transaction_read_only = {value}", self.database);
        admin.run(&sql);
        // It holds for new sessions.
        self.servers.cut(&self.database);
    }

    fn crashes_rarer_by(&self) -> u32 {
        24
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // A test that failed leaves the next one a standby that follows.
        if self.frozen {
            self.servers.freeze_standby(false);
        }
    }
}
