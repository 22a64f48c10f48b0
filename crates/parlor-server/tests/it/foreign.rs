//! A client in another language, written from the pages alone, plays matches to their end.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::client::{House, config};

/// A Python with what the client needs, made once and kept beside the build.
fn python() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-client");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if !ready.exists() {
        let run = |program: &Path, args: &[&str]| {
            let done = std::process::Command::new(program).args(args).stdout(Stdio::null()).status();
            assert!(
                done.is_ok_and(|status| status.success()),
                "{} {args:?} failed: install python3 with venv and pip",
                program.display()
            );
        };
        run(Path::new("python3"), &["-m", "venv", folder.to_str().expect("a path")]);
        let requirements = root.join("conformance/python/requirements.txt");
        run(&python, &["-m", "pip", "install", "--quiet", "-r", requirements.to_str().expect("a path")]);
        std::fs::write(ready, "").expect("noted");
    }
    python
}

#[tokio::test(flavor = "multi_thread")]
async fn a_python_client_without_token_or_versions_plays_to_the_end() {
    // cites 003-2, 003-3, 003-4, 003-22
    let python = tokio::task::spawn_blocking(python).await.expect("python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/python/player.py");
    let house = House::with(parlor_server::Config { bot_ms: 0, ..config() }).await;
    // At hearts bots sit in the other two seats; oxo has none.
    for (game, bots) in [("oxo", 0), ("hearts", 2)] {
        house.create(game, game, bots).await;
        let (host, port) = (house.server.addr.ip().to_string(), house.server.addr.port().to_string());
        let player = |name: &'static str| {
            tokio::process::Command::new(&python).arg(&script).args([&host, &port, game, name]).output()
        };
        let (first, second) = tokio::join!(player("Ann"), player("Ben"));
        for done in [first.expect("runs"), second.expect("runs")] {
            let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
            assert!(done.status.success(), "{out}{err}");
            let result: serde_json::Value = serde_json::from_str(&out).expect("one line of JSON");
            assert!(result["answers"].as_u64() > Some(2), "{result}");
        }
    }
    house.server.stop().await;
}
