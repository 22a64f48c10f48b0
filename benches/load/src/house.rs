//! The server under test: started on a database of its own, watched from outside, stopped when dropped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Outcome;

/// `sysconf(_SC_CLK_TCK)`, which is 100 on every Linux.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server process.
pub(crate) struct House {
    child: Child,
    pub(crate) addr: SocketAddr,
    folder: PathBuf,
}

impl House {
    /// Starts `parlor serve` with limits that a load client does not run into.
    pub(crate) fn parlor(binary: &Path) -> Outcome<Self> {
        Self::with(
            binary,
            &[
                "messages_per_second=1000000",
                "chat_per_second=1000000",
                "chat_burst=1000000",
                "tables_per_address_max=1000000",
                "messages_burst=1000000",
                "requests_per_second=1000000",
                "requests_burst=1000000",
                "connections_per_address_max=20000",
            ],
        )
    }

    /// Starts `parlor serve` with its default limits; tables that their players have left end after some seconds.
    pub(crate) fn guarded(binary: &Path) -> Outcome<Self> {
        Self::with(binary, &["away_grace_ms=5000", "last_human_grace_ms=20000", "sweep_ms=5000"])
    }

    fn with(binary: &Path, settings: &[&str]) -> Outcome<Self> {
        let folder = std::env::temp_dir().join(format!("parlor-load-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut command = Command::new(binary);
        command.args(["serve", "--listen", "127.0.0.1:0", "--set", "admin_listen=", "--database"]);
        command.arg(folder.join("load.sqlite"));
        for setting in settings {
            command.args(["--set", setting]);
        }
        command.env("RUST_LOG", "error");
        Self::start(command, folder)
    }

    /// Starts any server that prints a line with its address at the end.
    pub(crate) fn other(binary: &Path) -> Outcome<Self> {
        Self::start(Command::new(binary), PathBuf::new())
    }

    fn start(mut command: Command, folder: PathBuf) -> Outcome<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child =
            command.stdout(Stdio::piped()).spawn().map_err(|error| format!("{program}: {error}"))?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("the server has no output")?;
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        let addr = line.trim().rsplit('/').next().and_then(|addr| addr.parse().ok());
        let addr = addr.ok_or_else(|| format!("{program} did not say where it listens, but: {line}"))?;
        Ok(Self { child, addr, folder })
    }

    /// Seconds of processor time that the server has used.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        cpu_seconds(&self.child.id().to_string())
    }

    /// Bytes of memory that the server holds.
    pub(crate) fn rss_bytes(&self) -> u64 {
        self.status_bytes("VmRSS:")
    }

    /// Those of them that are its own: without the pages of its program, more of which are in memory the more it has done.
    pub(crate) fn own_bytes(&self) -> u64 {
        self.status_bytes("RssAnon:")
    }

    fn status_bytes(&self, of: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(of)).unwrap_or("");
        line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
    }

    /// The id of the process, for a profiler.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

/// Seconds of processor time that a process has used; `self` is this one.
pub(crate) fn cpu_seconds(process: &str) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program may hold spaces; it ends with the last parenthesis.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |n: usize| fields.get(n).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / TICKS_PER_SECOND
}

impl Drop for House {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !self.folder.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
