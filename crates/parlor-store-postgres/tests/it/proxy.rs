//! A socket between the store and the server that can cut the connection at the worst moment.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::SeqCst};
use std::thread;

/// What becomes of the next commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Cut {
    /// It never reaches the server.
    BeforeTheCommit = 1,
    /// The server does it; its answer never arrives.
    BeforeTheAnswer = 2,
}

/// A commit as the client sends it, with the byte that ends it.
const COMMIT: &[u8] = b"COMMIT\0";

pub(crate) struct Proxy {
    pub(crate) folder: PathBuf,
    plan: Arc<Plan>,
}

#[derive(Default)]
struct Plan {
    cut: AtomicU8,
    /// How many commits pass before it.
    passing: AtomicU32,
    cuts: AtomicU32,
}

impl Plan {
    /// What becomes of a commit that comes by.
    fn next(&self) -> u8 {
        if self.cut.load(SeqCst) == 0 {
            return 0;
        }
        let passes = self.passing.fetch_update(SeqCst, SeqCst, |passing| passing.checked_sub(1)).is_ok();
        let cut = if passes { 0 } else { self.cut.swap(0, SeqCst) };
        self.cuts.fetch_add(u32::from(cut != 0), SeqCst);
        cut
    }
}

impl Proxy {
    /// Listens in a folder of its own, under the same port.
    pub(crate) fn new(socket: &str, port: u16) -> Self {
        let folder = PathBuf::from(socket).join("proxy");
        // From the test before.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("the folder is ours");
        let listener = UnixListener::bind(folder.join(format!(".s.PGSQL.{port}"))).expect("the name is free");
        let server = PathBuf::from(socket).join(format!(".s.PGSQL.{port}"));
        let plan = Arc::new(Plan::default());
        let shared = plan.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = UnixStream::connect(&server) else { continue };
                pass(client, server, shared.clone());
            }
        });
        Self { folder, plan }
    }

    /// Cuts the connection once, at the commit that follows so many others.
    pub(crate) fn arm(&self, cut: Cut, passing: u32) {
        self.plan.passing.store(passing, SeqCst);
        self.plan.cut.store(cut as u8, SeqCst);
    }

    pub(crate) fn cuts(&self) -> u32 {
        self.plan.cuts.load(SeqCst)
    }
}

/// Carries one connection's bytes, each way on a thread of its own.
fn pass(client: UnixStream, server: UnixStream, plan: Arc<Plan>) {
    let both = || (client.try_clone().expect("a handle more"), server.try_clone().expect("a handle more"));
    let ((mut from, mut to), (mut out, mut back)) = (both(), both());
    let mute = Arc::new(AtomicU8::new(0));
    let muted = mute.clone();
    thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let commits = bytes[..read].windows(COMMIT.len()).any(|window| window == COMMIT);
            let cut = if commits { plan.next() } else { 0 };
            if cut != 0 {
                mute.store(1, SeqCst);
            }
            if cut == Cut::BeforeTheCommit as u8 {
                break;
            }
            if to.write_all(&bytes[..read]).is_err() || cut != 0 {
                return;
            }
        }
        // Either side may have gone already.
        let _ = (to.shutdown(Shutdown::Both), from.shutdown(Shutdown::Both));
    });
    thread::spawn(move || {
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(read @ 1..) = back.read(&mut bytes) {
            if muted.load(SeqCst) == 1 || out.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        let _ = (out.shutdown(Shutdown::Both), back.shutdown(Shutdown::Both));
    });
}
