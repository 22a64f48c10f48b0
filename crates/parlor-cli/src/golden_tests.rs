//! `old_logs_still_play`: this build replays the logs of each release under `conformance/golden`.
//!
//! A log `<name>.jsonl` has `<name>.replay.json` beside it: what its replay must give. `PARLOR_BLESS=1` writes missing
//! logs into the folder of this version. It never overwrites a file: a release's files are frozen.

mod play;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use parlor_core::logfile::LogFile;
use parlor_core::{Applied, Body, GameDef, Json, Match, Seed, Viewer, view};
use parlor_host::Table;
use parlor_wire::Codec;
use serde_json::json;

use crate::registry;

const BLESS: &str = "PARLOR_BLESS=1 cargo test -p parlor-cli golden";
/// The table's secret, from which a linked match gets its seed.
const ROOT: &str = "golden";
/// How often a table is restored from a part of each log.
const CUTS: usize = 6;

/// A golden log.
struct Golden {
    path: PathBuf,
    text: String,
    log: LogFile,
}

/// Every game of this build, including those that only tests play.
fn games() -> Vec<GameDef> {
    let mut games = registry::registrations().into_iter().map(|each| each.def).collect::<Vec<_>>();
    games.extend(parlor_testkit::probes::all());
    games
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/golden")
}

/// All logs of all versions.
fn all() -> &'static [Golden] {
    static ALL: OnceLock<Vec<Golden>> = OnceLock::new();
    ALL.get_or_init(|| {
        if std::env::var_os("PARLOR_BLESS").is_some() {
            bless(&folder().join(env!("CARGO_PKG_VERSION")));
        }
        let mut logs: Vec<PathBuf> = files(&folder()).iter().flat_map(|version| files(version)).collect();
        logs.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
        logs.into_iter().map(read).collect()
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|def| def.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

fn read(path: PathBuf) -> Golden {
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let log = LogFile::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Golden { path, text, log }
}

/// Writes logs for games that have none under their present rules.
fn bless(folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let list = folder.join("games.txt");
    if !list.exists() {
        let names: String = games().iter().map(|def| format!("{}\n", def.name)).collect();
        std::fs::write(list, names).expect("the list can be written");
    }
    for def in games() {
        for (name, log) in play::logs(def) {
            let path = folder.join(format!("{name}.jsonl"));
            if path.exists() {
                continue;
            }
            let expected = serde_json::to_string_pretty(&replayed(def, &log).expect("it was just played"));
            std::fs::write(&path, log.write()).expect("the log can be written");
            let text = expected.expect("plain data") + "\n";
            std::fs::write(replay_path(&path), text).expect("the replay can be written");
        }
    }
}

/// The games of every release. A game that no release had yet needs no golden log.
fn released() -> BTreeSet<String> {
    let lists = files(&folder()).into_iter().filter(|version| version.is_dir()).map(|version| {
        let path = version.join("games.txt");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    });
    lists.flat_map(|list| list.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn replay_path(log: &Path) -> PathBuf {
    log.with_extension("replay.json")
}

/// The results of replaying this log, or why the rules of this build do not play it.
fn replayed(def: GameDef, log: &LogFile) -> Result<Json, String> {
    let LogFile { header, records, .. } = log;
    let played = Match::replay(def, header.clone(), records.clone()).map_err(|error| {
        let by_name = error.seq == 0 && error.why.has(parlor_core::HouseCode::NeedsRules);
        if by_name { format!("refused by name: {error}") } else { error.to_string() }
    })?;
    let footer = played.footer();
    let migrated = records.iter().any(|record| matches!(record.body, Body::Migrate { .. }));
    Ok(json!({
        "records": records.len(),
        "digest": footer.digest,
        "chain": footer.chain,
        "line": played.rewinds(),
        "outcome": played.outcome(),
        "told": told(def, log)?,
        // A table does not load a log with a migration.
        "shown": if migrated { Json::Null } else { shown(def, log)? },
    }))
}

/// For each viewer, a hash of all events, views and requests in order.
fn told(def: GameDef, log: &LogFile) -> Result<Json, String> {
    let migration = |body: &Body| matches!(body, Body::Migrate { rules, .. } if def.plays(*rules));
    let start = log.records.iter().rposition(|record| migration(&record.body)).map_or(0, |n| n + 1);
    let before = log.records[..start].to_vec();
    let mut played = Match::replay(def, log.header.clone(), before).map_err(|error| error.to_string())?;
    let mut hashes = vec![String::new(); usize::from(log.header.seats) + 1];
    add_step(&mut hashes, &played, &Applied::default());
    for record in log.records[start..].iter().cloned() {
        let applied = played.apply(record.at, record.by, record.key, record.body);
        add_step(&mut hashes, &played, &applied.map_err(|refusal| refusal.to_string())?);
    }
    Ok(by_viewer(log.header.seats, hashes))
}

fn add_step(hashes: &mut [String], played: &Match, applied: &Applied) {
    for (viewer, hash) in Viewer::all(played.header().seats).zip(hashes) {
        let events: Vec<&Json> =
            applied.events.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, event)| event).collect();
        let requests: Vec<Json> = viewer.seat().map_or_else(Vec::new, |seat| {
            let stands = played.open_requests(seat).iter();
            stands.map(|stand| json!([stand.input, played.request(seat, stand.ask)])).collect()
        });
        let step = json!([*hash, events, played.view(viewer), requests, played.head(viewer)]);
        *hash = view::hash(&step);
    }
}

/// For each viewer, a hash of the snapshots that a table sends after it was restored from parts of the log.
fn shown(def: GameDef, log: &LogFile) -> Result<Json, String> {
    let mut hashes = vec![String::new(); usize::from(log.header.seats) + 1];
    for cut in 0..=CUTS {
        let records = log.records[..log.records.len() * cut / CUTS].to_vec();
        let loaded =
            Table::load(def, Seed::from_text(ROOT), log.header.clone(), records, Json::Null, 1_000_000);
        let (table, _) = loaded.map_err(|error| error.to_string())?;
        for (viewer, hash) in Viewer::all(log.header.seats).zip(&mut hashes) {
            let snapshot = String::from_utf8(Codec::Json.encode(&table.snapshot(viewer))).expect("JSON");
            *hash = view::hash(&json!([*hash, snapshot]));
        }
    }
    Ok(by_viewer(log.header.seats, hashes))
}

fn by_viewer(seats: u8, hashes: Vec<String>) -> Json {
    let name = |viewer: Viewer| {
        viewer.seat().map_or_else(|| "gallery".to_owned(), |seat| format!("seat {}", seat.index()))
    };
    Viewer::all(seats).map(name).zip(hashes).collect()
}

#[test]
fn old_logs_still_play() {
    let mut wrong = Vec::new();
    for Golden { path, text, log } in all() {
        let name = path.display();
        let Some(def) = games().into_iter().find(|def| def.name == log.header.game) else {
            wrong.push(format!("{name}: this build has no game {}", log.header.game));
            continue;
        };
        if log.write() != *text {
            wrong.push(format!("{name}: what is read is written as other bytes"));
        }
        let kept = std::fs::read_to_string(replay_path(path)).expect("each log has its replay beside it");
        let kept: Json = serde_json::from_str(&kept).expect("it is JSON");
        // A later version may send more in its messages; what happened must not change.
        let mut parts = vec!["records", "digest", "chain", "line", "outcome"];
        if path.parent().is_some_and(|folder| folder.ends_with(env!("CARGO_PKG_VERSION"))) {
            parts.extend(["told", "shown"]);
        }
        match replayed(def, log) {
            // Newer rules may refuse it by name: then the game has a log under its present rules, see below.
            Err(why) if why.starts_with("refused by name") => println!("{name}: {why}"),
            Err(why) => wrong.push(format!("{name}: {why}")),
            Ok(now) => wrong.extend(difference(&kept, &now, &parts).map(|why| format!("{name}: {why}"))),
        }
    }
    assert!(wrong.is_empty(), "golden logs play otherwise now:\n{}", wrong.join("\n"));
}

fn difference(kept: &Json, now: &Json, parts: &[&str]) -> Option<String> {
    let part = parts.iter().find(|part| kept[**part] != now[**part])?;
    Some(format!("{part} was {}, is {}", kept[*part], now[*part]))
}

#[test]
fn every_released_game_has_a_golden_log_of_its_rules() {
    let released = released();
    for name in &released {
        assert!(
            all().iter().any(|golden| golden.log.header.game == *name),
            "{name}: its golden logs are gone"
        );
    }
    for def in games().into_iter().filter(|def| released.contains(def.name)) {
        let (name, rules, identity) = (def.name, def.rules, def.identity_hex());
        let has = |log: &LogFile| {
            let header = &log.header;
            header.game == name && header.rules == rules && header.identity == identity
        };
        assert!(
            all().iter().any(|golden| has(&golden.log)),
            "{name}: no golden log under its present rules. If the rules changed on purpose, raise `version` in \
             Cargo.toml (golden files of a version are never rewritten). Then: {BLESS}"
        );
    }
}

#[test]
fn the_golden_logs_hold_every_kind_of_record() {
    let mut kinds = BTreeSet::new();
    for Golden { log, .. } in all() {
        for record in &log.records {
            let json = serde_json::to_value(record).expect("plain data");
            kinds.insert(json["do"].as_str().expect("each record has a kind").to_owned());
            kinds.insert(json["by"].as_str().expect("each record has a cause").to_owned());
        }
        if log.header.carry.is_some() {
            kinds.insert("linked".to_owned());
        }
        let def = games().into_iter().find(|def| def.name == log.header.game);
        let played = def.map(|def| Match::replay(def, log.header.clone(), log.records.clone()));
        if let Some(Ok(played)) = played {
            kinds.insert(if played.outcome().is_some() { "over" } else { "running" }.to_owned());
            let undo = serde_json::to_value(log.header.undo).expect("plain data");
            kinds.extend(
                (played.rewinds() > 0).then(|| format!("undone by {}", undo.as_str().expect("a word"))),
            );
        }
    }
    for kind in [
        "answer",
        "elapsed",
        "visit",
        "undo",
        "chat",
        "note",
        "pause",
        "resume",
        "kill",
        "migrate",
        "linked",
        "human",
        "bot",
        "clock",
        "house",
        "over",
        "running",
        "undone by own",
        "undone by consent",
    ] {
        assert!(kinds.contains(kind), "no golden log has: {kind}");
    }
}
