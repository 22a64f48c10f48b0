//! A log in which rules 2 took over a match of rules 1, as 0.1.0 wrote it: the only game here with two versions.

use std::path::{Path, PathBuf};

use parlor_core::logfile::LogFile;
use parlor_core::{Body, By, GameDef, Header, Json, Match, Seat, Seed, Viewer};
use serde_json::json;

use crate::rules::Counter;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/golden/0.1.0/versions/counter.jsonl")
}

fn count(play: &mut Match, at: u64) {
    let answer = json!({"title": "Count", "selection": ["on"]});
    let ask = play.open_requests(Seat::new(0))[0].ask;
    let body = Body::Answer { seat: Seat::new(0), ask, answer };
    play.apply(at, By::Human, None, body).expect("taken");
}

/// Two answers under the old rules, two under the new.
fn played() -> LogFile {
    let (old, new) = (GameDef::for_game::<Counter<1>>(), GameDef::for_game::<Counter<2>>());
    let header = Header::seeded(&old, 1, Json::Null, Seed::from_text("golden"));
    let (mut play, _) = Match::start(old, header).expect("starts");
    count(&mut play, 100);
    count(&mut play, 200);
    let state = play.game().state();
    let mut play = Match::take_over(new, play.header().clone(), play.records(), &state).expect("migrates");
    count(&mut play, 300);
    count(&mut play, 400);
    LogFile::of(&play)
}

#[test]
fn a_migrated_log_of_0_1_0_still_plays() {
    // cites 000/R7
    if std::env::var_os("PARLOR_BLESS").is_some() && !file().exists() {
        std::fs::create_dir_all(file().parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(file(), played().write()).expect("the log can be written");
    }
    let text = std::fs::read_to_string(file()).expect("it is in the repository");
    let log = LogFile::parse(&text).expect("it is a log");
    assert_eq!(log.write(), text, "what is read is written as the same bytes");
    let replay = |entry| Match::replay(entry, log.header.clone(), log.records.clone());
    let play = replay(GameDef::for_game::<Counter<2>>()).expect("rules 2 took it over");
    assert_eq!(Some(play.footer()), log.footer);
    assert_eq!(play.view(Viewer::Gallery), json!(40));
    let old = replay(GameDef::for_game::<Counter<1>>()).err().expect("rules 1 do not know what follows");
    assert_eq!((old.seq, old.why.code().text()), (3, "malformed"));
    let newer = replay(GameDef::for_game::<Counter<3>>()).err().expect("rules 3 have no way from there");
    assert_eq!(newer.why.code().text(), "needs_rules");
}
