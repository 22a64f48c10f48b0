//! Real games from their walls and actions: every draw, indicator, payment, yaku, transition and final score.

use parlor_riichi::table::{Settings, games};
use serde_json::{Value, json};

use crate::data::shared;

/// What the record says of a result, as far as it is compared: everything.
fn recorded(result: &Value) -> Value {
    let mut result = result.clone();
    for win in result["wins"].as_array_mut().into_iter().flatten() {
        sort_yaku(win);
    }
    result
}

/// Yaku are compared as a set.
fn sort_yaku(win: &mut Value) {
    let mut yaku: Vec<(u8, u8)> = serde_json::from_value(win["yaku"].clone()).unwrap();
    yaku.sort_unstable();
    win["yaku"] = json!(yaku);
}

/// Cites 003-12, 003-14, 003-15, 003-16.
#[test]
fn real_games_play_as_recorded() {
    let Some(text) = shared("mahjong/corpus/games.jsonl.gz") else { return };
    let (mut rounds, mut finals, mut faults) = (0, 0, Vec::new());
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let (lines, run) = games::play_line(line, Settings::tenhou()).unwrap();
        assert_eq!(
            run.rounds.len(),
            game["rounds"].as_array().unwrap().len(),
            "{}: {:?}",
            game["id"],
            run.rounds.last().unwrap().disagreements
        );
        for line in &lines {
            if line.get("disagrees").is_some() {
                faults.push(line.to_string());
            } else if let Some(number) = line["round"].as_u64() {
                let round = &game["rounds"][number as usize];
                let (found, expected) = (recorded(&line["result"]), recorded(&round["result"]));
                if found != expected || line["end_scores"] != round["end_scores"] {
                    faults.push(format!(
                        "{} round {number}:\n  {found}\n  {expected}\n {} {}",
                        game["id"], line["end_scores"], round["end_scores"]
                    ));
                }
                rounds += 1;
            } else {
                if line["final"] != game["final"] {
                    faults.push(format!("{line} {}", game["final"]));
                }
                finals += 1;
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!((rounds, finals), (182, 18));
}
