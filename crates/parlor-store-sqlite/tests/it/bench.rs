//! A store in a folder of its own, which goes when the test is over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parlor_store::Store;
use parlor_store::conformance::Rig;
use parlor_store_sqlite::{HeldBack, Options, SqliteStore, Together};

/// A folder that is removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("parlor-store-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("the folder for temporary files takes one more");
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover in the temporary folder is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn open(path: &Path) -> SqliteStore {
    open_with(path, Together::default())
}

pub(crate) fn open_with(path: &Path, together: Together) -> SqliteStore {
    SqliteStore::open(path, Options { together, ..Options::default() }).expect("the store opens")
}

/// A SQLite store and the faults a test can cause.
///
/// A crash is the files as they lie there while the writer is stopped between two flushes, copied and opened anew:
/// what `kill -9` leaves. That the system may lose more, when the power fails, only the store in memory can show.
///
/// A full disk is a quota of the database's own, a read-only disk its own refusal to write: no mode bits, because
/// they do not stop root, under which tests may run.
pub(crate) struct Bench {
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) path: PathBuf,
    pub(crate) folder: Folder,
    together: Together,
    held: Option<HeldBack>,
    crashes: u32,
}

pub(crate) fn bench() -> Bench {
    bench_with(Together::default())
}

pub(crate) fn bench_with(together: Together) -> Bench {
    let folder = Folder::new();
    let path = folder.file("store.sqlite");
    let store = Arc::new(open_with(&path, together));
    Bench { store, path, folder, together, held: None, crashes: 0 }
}

impl Rig for Bench {
    fn store(&self) -> Arc<dyn Store> {
        self.store.clone()
    }

    fn hold_back(&mut self, held: bool) {
        self.held = None;
        if held {
            self.held = Some(self.store.hold_back().expect("the writer is there"));
        }
    }

    fn crash(&mut self) {
        let held = self.held.take().unwrap_or_else(|| self.store.hold_back().expect("the writer is there"));
        self.crashes += 1;
        let image = self.folder.file(&format!("store-{}.sqlite", self.crashes));
        for suffix in ["", "-wal"] {
            let (from, to) = (with(&self.path, suffix), with(&image, suffix));
            if from.exists() {
                std::fs::copy(from, to).expect("the files can be copied");
            }
        }
        held.kill();
        let old = std::mem::replace(&mut self.path, image);
        self.store = Arc::new(open_with(&self.path, self.together));
        for suffix in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(with(&old, suffix));
        }
    }

    fn set_full(&mut self, full: bool) {
        self.store.set_quota(full.then_some(0)).expect("the writer is there");
    }

    fn set_read_only(&mut self, read_only: bool) {
        self.store.set_read_only(read_only).expect("the writer is there");
    }
}

/// The file beside the file.
pub(crate) fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Looks into the file behind the store's back.
pub(crate) fn raw(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).expect("the file opens")
}

/// A number from the file.
pub(crate) fn number(path: &Path, sql: &str) -> i64 {
    raw(path).query_row(sql, [], |row| row.get(0)).expect("there is a number")
}
