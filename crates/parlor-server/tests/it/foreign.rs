//! A client in another language, written from the documentation alone, plays matches to their end.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use crate::client::{House, config};

/// A Python with the packages these programs need, installed once and kept beside the build.
fn python(name: &str, requirements: &str) -> PathBuf {
    // Tests that share a folder do not fill it at the same time.
    static FILLING: Mutex<()> = Mutex::new(());
    let _filling = FILLING.lock().unwrap_or_else(PoisonError::into_inner);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
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
        let requirements = root.join("conformance/python").join(requirements);
        run(&python, &["-m", "pip", "install", "--quiet", "-r", requirements.to_str().expect("a path")]);
        std::fs::write(ready, "").expect("noted");
    }
    python
}

#[tokio::test(flavor = "multi_thread")]
async fn a_python_client_without_token_or_versions_plays_to_the_end() {
    // cites 003-2, 003-3, 003-4, 003-22
    let python =
        tokio::task::spawn_blocking(|| python("python-client", "requirements.txt")).await.expect("python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/python/player.py");
    let house = House::with(parlor_server::Config { bot_ms: 0, ..config() }).await;
    // In hearts bots have the other two seats; oxo has none.
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

/// The text of the riichi document, where it lies beside the reference data; the client then checks its citations.
fn document() -> Option<PathBuf> {
    let data = std::env::var_os("PARLOR_DATA_DIR").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let seeds = std::fs::read_dir(data.join("../seeds")).ok()?;
    let mut files = seeds.filter_map(Result::ok).map(|entry| entry.path());
    files.find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("003_")))
}

/// A client in which every name cites a line of the document joins a riichi table and plays to its end. Cites
/// 003-1, 003-2, 003-3, 003-4, 003-5, 003-6, 003-29, 003/R15.
#[tokio::test(flavor = "multi_thread")]
async fn a_python_client_of_the_riichi_document_plays_a_whole_game() {
    let python =
        tokio::task::spawn_blocking(|| python("python-client", "requirements.txt")).await.expect("python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/python/riichi.py");
    // Bots that take no time let the client answer faster than people do.
    let quick =
        parlor_server::Config { bot_ms: 0, messages_per_second: 10_000, messages_burst: 10_000, ..config() };
    let house = House::with(quick).await;
    // The document's clocks are short for a machine that is busy with other tests.
    let patient = json!({"bankStartMs": 600_000, "callBaseMs": 600_000, "roundAdvanceMs": 600_000});
    let body = json!({"game_id": "r", "num_bots": 3, "settings": patient});
    let (code, made) = house.rest("POST", "/games", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    let mut command = tokio::process::Command::new(&python);
    let (host, port) = (house.server.addr.ip().to_string(), house.server.addr.port().to_string());
    command.arg(&script).args([&host, &port, "r", "Ann"]).args(document());
    let done = command.output().await.expect("runs");
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{out}{err}");
    let result: serde_json::Value = serde_json::from_str(&out).expect("one line of JSON");
    assert_eq!(result["heard"]["game_end"], 1, "{result}");
    assert!(
        result["rounds"].as_u64() >= Some(1) && result["answers"]["discard"].as_u64() > Some(0),
        "{result}"
    );
    house.server.stop().await;
}

/// Schemathesis generates valid and invalid requests from the OpenAPI description, and compares every response with
/// it.
#[tokio::test(flavor = "multi_thread")]
async fn schemathesis_finds_nothing_that_the_page_does_not_say() {
    let python =
        tokio::task::spawn_blocking(|| python("python-api", "requirements-api.txt")).await.expect("python");
    let config = parlor_server::Config {
        requests_per_second: 100_000,
        requests_burst: 1_000_000,
        guests_per_second: 100_000,
        guests_burst: 1_000_000,
        tables_per_player_max: 1_000_000,
        tables_per_address_max: 1_000_000,
        // The two players at the table say nothing for as long as it takes.
        heartbeat_ms: 3_600_000,
        ..config()
    };
    let house = House::with(config).await;
    let [_first, _second] = house.pair("t", "oxo").await;
    // First as a player with an account, then as a player at a table; the account is deleted last.
    let (_, account) = house.player("Account").await;
    let seat = "token-of-Alice-0123456789".to_owned();
    let runs = [
        (&account, "--exclude-operation-id"),
        (&seat, "--include-operation-id"),
        (&account, "--include-operation-id"),
    ];
    let operations = [&["deleteMe"][..], &["viewMatch", "undo", "respond", "rematch"], &["deleteMe"]];
    // The second run asks about the table at which its player sits, where a long wait is granted; the others about
    // generated ids.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let settings = ["", "[parameters]\n\"path.id\" = \"t\"\n\"query.wait\" = 1\n", ""];
    for (((token, choice), names), settings) in runs.into_iter().zip(operations).zip(settings) {
        let url = format!("http://{}", house.server.addr);
        let file = folder.join("schemathesis.toml");
        std::fs::write(&file, settings).expect("written");
        let mut command = tokio::process::Command::new(&python);
        command.args([
            "-m",
            "schemathesis.cli",
            "--config-file",
            file.to_str().expect("a path"),
            "run",
            &format!("{url}/openapi.json"),
            "--url",
            &url,
        ]);
        command.args(["--header", &format!("Authorization: Bearer {token}")]);
        // A request for an unknown game or a taken name is well formed and refused all the same.
        command.args(["--checks", "all", "--exclude-checks", "positive_data_acceptance"]);
        command.args(["--seed", "7", "--max-examples", "25", "--workers", "1", "--no-color"]);
        command.args(["--phases", "examples,coverage,fuzzing", "--generation-database", "none"]);
        for name in names {
            command.args([choice, name]);
        }
        command.current_dir(folder);
        let done = command.output().await.expect("it runs");
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{out}{err}");
        let tested = out.lines().find(|line| line.contains(" generated, ")).unwrap_or_default().trim();
        println!("{tested}");
        let number = tested.split(' ').next().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
        assert!(number >= 10 && !out.contains("FAILURES"), "{out}");
    }
    house.server.stop().await;
}
