//! Watches a reader from outside: what it reads at the moment, whether it ever comes back, and how much memory it takes.

use std::cell::RefCell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// After this long a reader hangs. Debug builds on a busy machine are slow.
const HANGS_AFTER: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Bytes before the input in the file of what is read at the moment: its length, and one more so that none is not empty.
const HEAD_BYTES: usize = 8;

thread_local! {
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes from now on where each thread has panicked, before it says so.
fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            PANICKED_AT.with_borrow_mut(|at| *at = place);
            before(panic);
        }));
    });
}

/// Where this thread has panicked last.
pub(super) fn panicked_at() -> String {
    PANICKED_AT.with_borrow(Clone::clone)
}

type Current = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// Notes each input before it is read.
pub(super) struct Watch {
    current: Current,
    closed: Arc<AtomicBool>,
    /// It outlives a process that a reader takes down with it.
    file: Option<File>,
}

impl Watch {
    pub(super) fn new(name: &str, folder: Option<&Path>) -> Self {
        note_panics();
        let (current, closed) = (Current::default(), Arc::new(AtomicBool::new(false)));
        let file = folder.map(|folder| File::create(folder.join("running")).expect("the folder is writable"));
        let (watched, stop, name) = (current.clone(), closed.clone(), name.to_owned());
        let folder = folder.map_or_else(|| std::env::temp_dir().join("parlor-fuzz"), PathBuf::from);
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK_EVERY);
                let now = watched.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((since, input)) = now.as_ref()
                    && since.elapsed() > HANGS_AFTER
                {
                    let path = super::keep(&folder, "faults", "hang", input);
                    eprintln!("{name}: an input is read for {} s: {path}", HANGS_AFTER.as_secs());
                    // Nothing else ends a loop without end.
                    std::process::exit(101);
                }
            }
        });
        Self { current, closed, file }
    }

    pub(super) fn begin(&self, input: &[u8]) {
        if let Some(file) = &self.file {
            let head = (input.len() as u64 + 1).to_le_bytes();
            let written =
                file.write_all_at(input, HEAD_BYTES as u64).and_then(|()| file.write_all_at(&head, 0));
            written.expect("the folder is writable");
        }
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), input.to_vec()));
    }

    pub(super) fn end(&self) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The run is over: nothing is read any more.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        if let Some(file) = &self.file {
            file.set_len(0).expect("the folder is writable");
        }
    }
}

/// What was being read when a process ended, in the file that it has left.
pub(super) fn interrupted(file: &[u8]) -> Option<&[u8]> {
    let (head, rest) = file.split_first_chunk::<HEAD_BYTES>()?;
    rest.get(..usize::try_from(u64::from_le_bytes(*head)).ok()?.checked_sub(1)?)
}

fn status_kib(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The memory that the process has now.
pub(super) fn now_kib() -> Option<u64> {
    status_kib("VmRSS")
}

/// The most that it had since [`forget_peak`].
pub(super) fn peak_kib() -> Option<u64> {
    status_kib("VmHWM")
}

pub(super) fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
