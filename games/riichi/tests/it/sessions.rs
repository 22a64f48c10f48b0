//! Real games as one seat lived them: what the rules let it do, what wins are worth, where the game stands.

use std::collections::BTreeMap;

use parlor_riichi::table::{Settings, sessions};
use serde_json::{Value, json};

use crate::data::shared;

fn sorted(yaku: &Value) -> Vec<(u8, u8)> {
    let mut yaku: Vec<(u8, u8)> = serde_json::from_value(yaku.clone()).unwrap();
    yaku.sort_unstable();
    yaku
}

/// What the server offered, by event.
fn offered(round: &Value) -> BTreeMap<usize, Vec<String>> {
    let mut offers = BTreeMap::new();
    for (index, event) in round["events"].as_array().unwrap().iter().enumerate() {
        let last = event.as_array().unwrap().last().unwrap();
        if matches!(event[0].as_str(), Some("draw" | "discard")) && last.is_array() {
            let mut names: Vec<String> = serde_json::from_value(last.clone()).unwrap();
            names.sort_unstable();
            offers.insert(index, names);
        }
    }
    offers
}

/// What differs between a round of the record and what was made of it.
fn differences(round: &Value, next: Option<&Value>, played: &Value) -> Vec<String> {
    let mut faults: Vec<String> =
        played["disagrees"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let mut ours: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (event, names) in played["offers"].as_object().unwrap() {
        let mut names: Vec<String> = serde_json::from_value(names.clone()).unwrap();
        names.sort_unstable();
        ours.insert(event.parse().unwrap(), names);
    }
    let theirs = offered(round);
    let events: std::collections::BTreeSet<usize> = ours.keys().chain(theirs.keys()).copied().collect();
    for event in events {
        if ours.get(&event) != theirs.get(&event) {
            faults.push(format!(
                "event {event} {}: offered {:?}, ours {:?}",
                round["events"][event],
                theirs.get(&event),
                ours.get(&event)
            ));
        }
    }
    for (index, end) in round["ends"].as_array().unwrap().iter().enumerate() {
        if end.get("win").is_some() {
            let win = &played["wins"][index];
            let mut want = json!({ "who": end["win"], "from": end["from"] });
            for field in ["fu", "points", "limit", "yakuman", "deltas"] {
                want[field] = end[field].clone();
            }
            for field in ["who", "from", "fu", "points", "limit", "yakuman", "deltas"] {
                if want[field] != win[field] {
                    faults.push(format!("win {field}: {} ours {}", want[field], win[field]));
                }
            }
            if win.is_object() && sorted(&end["yaku"]) != sorted(&win["yaku"]) {
                faults.push(format!("yaku {} ours {}", end["yaku"], win["yaku"]));
            }
        } else if end["draw"] != played["draw"]["kind"] || end["deltas"] != played["draw"]["deltas"] {
            faults.push(format!("draw {end} ours {}", played["draw"]));
        }
    }
    if let Some(next) = next {
        for field in ["kyoku", "oya", "honba", "sticks", "scores"] {
            if next[field] != played["after"][field] {
                faults.push(format!("after: {field} {} ours {}", next[field], played["after"][field]));
            }
        }
    } else if !played["after"].is_null() && round["ends"].as_array().unwrap().last().unwrap()["last"] == true
    {
        faults.push(format!("the game is over, ours goes on: {}", played["after"]));
    }
    faults
}

/// Cites 003-11, 003-13, 003-14, 003-16.
#[test]
fn every_offer_and_every_silence_of_real_sessions_is_ours() {
    let Some(text) = shared("mahjong/corpus/sessions.jsonl.gz") else { return };
    let (mut rounds, mut offers, mut swaps, mut faults) = (0, 0, 0, Vec::new());
    for line in text.lines() {
        let session: Value = serde_json::from_str(line).unwrap();
        let played = sessions::play_line(line, Settings::tenhou())
            .unwrap_or_else(|error| panic!("{}: {error}", session["id"]));
        let rounds_played = sessions::play_value(&session, Settings::tenhou()).unwrap();
        swaps += rounds_played.iter().map(|round| round.swaps.len()).sum::<usize>();
        let recorded = session["rounds"].as_array().unwrap();
        if played.len() != recorded.len() {
            faults.push(format!("{}: {} rounds of {}", session["id"], played.len(), recorded.len()));
        }
        for (index, ours) in played.iter().enumerate() {
            rounds += 1;
            offers += offered(&recorded[index]).values().map(Vec::len).sum::<usize>();
            for fault in differences(&recorded[index], recorded.get(index + 1), ours) {
                faults.push(format!("{} round {index}: {fault}", session["id"]));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{rounds} rounds, {offers} offers, {} differences:\n{}",
        faults.len(),
        faults[..faults.len().min(40)].join("\n")
    );
    assert_eq!((rounds, offers), (3162, 11_426));
    // Of 6,684 calls four are followed by a swap, all by the recorder's own program: the server does not refuse it.
    assert_eq!(swaps, 4);
}
