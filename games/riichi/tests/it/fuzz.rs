//! Records that nobody played: the reader of tenhou.net/6 takes any bytes, and what it reads plays or is refused.

use parlor_core::logfile::LogFile;
use parlor_core::{Body, BotChoice, By, Game, Header, Match, Seed};
use parlor_riichi::game::Riichi;
use parlor_riichi::game::log::write_notation;
use parlor_riichi::table::Settings;
use parlor_riichi::table::script::play;
use parlor_riichi::table::tenhou6::{Heading, export_round, import};
use parlor_testkit::fuzz::Fuzz;
use parlor_testkit::random::random_match;
use parlor_wire::Codec;
use serde_json::{Value, json};

/// Pieces of the format.
const WORDS: [&str; 26] = [
    "log",
    "name",
    "rule",
    "disp",
    "aka",
    "和了",
    "流局",
    "流し満貫",
    "九種九牌",
    "三家和了",
    "四風連打",
    "四家立直",
    "全員聴牌",
    "c111213",
    "p113434",
    "34p3434",
    "m11111111",
    "a15151515",
    "151515k51",
    "r60",
    "60",
    "r11",
    "[11,12,13]",
    "51",
    "52",
    "-1",
];

/// A game in which bots decide: they win, as random players never do.
fn played_by_bots(seed: &str) -> Match {
    let settings = json!({"game_type": "east"});
    let header = Header::seeded(&Riichi::def(), 4, settings, Seed::from_text(seed));
    let (mut game, _) = Match::start(Riichi::def(), header).expect("it starts");
    while let Some(ask) = {
        let asks = game.open_asks();
        let blocking = || asks.iter().filter(|ask| ask.blocks());
        blocking().find(|ask| !ask.seats.is_empty()).or_else(|| blocking().next()).copied()
    } {
        let body = match ask.seats.lowest() {
            None => Body::Elapsed { ask: ask.id, seat: None },
            Some(seat) => {
                let answer = game.bot(seat, ask.id, &BotChoice::default()).expect("a bot answers");
                Body::Answer { seat, ask: ask.id, answer }
            }
        };
        game.apply(0, By::Bot, None, body).expect("it may");
    }
    game
}

/// Rounds of whole games, one file each.
fn rounds() -> Vec<Vec<u8>> {
    let games =
        [played_by_bots("one"), played_by_bots("two"), random_match(Riichi::def(), &Value::Null, 4, 3)];
    let logs = games.map(|game| LogFile::of(&game).write());
    let written = logs.map(|log| write_notation("tenhou6", &log).expect("a notation").expect("it plays").1);
    let lines = written.iter().flat_map(|text| text.lines());
    lines.map(|line| line.as_bytes().to_vec()).collect()
}

/// What of a message does not come from the file.
fn words(message: &str) -> String {
    let plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b',');
    message.split(' ').filter(plain).take(6).collect::<Vec<_>>().join(" ")
}

fn read(bytes: &[u8]) -> String {
    let Ok(file) = serde_json::from_slice::<Value>(bytes) else { return "no JSON".to_owned() };
    let rounds = match import(&file) {
        Ok(rounds) => rounds,
        Err(why) => return format!("refused: {}", words(&why)),
    };
    let mut told = String::from("empty");
    for (standing, script) in rounds {
        told = match play(Settings::tenhou(), standing, &[script]) {
            Ok(run) => {
                for round in &run.rounds {
                    let _ = export_round(round, &Heading::of_settings(&Settings::tenhou()));
                }
                let first = run.rounds.first().and_then(|round| round.disagreements.first());
                format!("played: {}", first.map(|text| words(text)).unwrap_or_default())
            }
            Err(why) => format!("not played: {}", words(&why)),
        };
    }
    told
}

#[test]
fn tenhou6_takes_any_bytes() {
    let seeds = rounds();
    let wins = seeds.iter().filter(|round| String::from_utf8_lossy(round).contains("和了")).count();
    assert!(wins > 3 && seeds.len() - wins > 3, "{wins} of {} rounds were won", seeds.len());
    let codec = Some(Codec::Json);
    Fuzz { name: "tenhou6", seeds, words: &WORDS, codec, bytes_max: 16 * 1024 }.run(read);
}
