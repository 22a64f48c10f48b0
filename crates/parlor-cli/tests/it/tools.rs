//! How the tests run the binary and keep their files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// The result of a run of the binary.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one JSON value on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }

    /// The JSON value on each line of stdout.
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
    }
}

/// Runs `parlor` with these arguments and nothing on stdin.
pub(crate) fn parlor(args: &[&str]) -> Ran {
    parlor_told(args, "")
}

/// Runs `parlor` with these arguments and this on stdin.
pub(crate) fn parlor_told(args: &[&str], stdin: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A binary that does not read its stdin may have exited by now.
    let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
    let output = child.wait_with_output().expect("the binary ends");
    let text = |bytes| String::from_utf8(bytes).expect("the binary speaks UTF-8");
    Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// A directory for one test, removed when dropped.
pub(crate) struct Dir(PathBuf);

impl Dir {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("parlor-cli-it-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary directory is writable");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The full name of a file in it.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the name is UTF-8").to_owned()
    }

    /// The log of a match that bots played to its end.
    pub(crate) fn match_of_bots(&self, name: &str) -> String {
        let file = self.file(name);
        let ran = parlor(&["try", "oxo", "--seed", "spring", "--bots", "all", "--fast", "--record", &file]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        file
    }

    /// A copy of a file in which one text is replaced by another.
    pub(crate) fn tampered(&self, file: &str, name: &str, from: &str, to: &str) -> String {
        let text = std::fs::read_to_string(file).expect("the file is there");
        assert!(text.contains(from), "there is no {from} to replace");
        let copy = self.file(name);
        std::fs::write(&copy, text.replacen(from, to, 1)).expect("the copy can be written");
        copy
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // If removal fails, the files stay in the system's temporary directory; no test depends on them.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
