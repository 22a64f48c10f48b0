//! Results of rounds and games in the document's form.

use parlor_core::Json;
use serde_json::{Map, json};

/// The document's word for a kind of meld (003/R15).
pub(super) fn meld_type(kind: &str) -> &str {
    match kind {
        "daiminkan" => "open_kan",
        "ankan" => "closed_kan",
        "kakan" => "added_kan",
        other => other,
    }
}

/// A meld on the table.
pub(super) fn meld(meld: &Json) -> Json {
    let kind = meld_type(meld["meld"][0].as_str().unwrap_or_default());
    let from = if kind == "closed_kan" { Json::Null } else { meld["from"].clone() };
    json!({"meld_type": kind, "tile_ids": meld["meld"][1], "from_seat": from, "called_tile_id": meld["called"]})
}

/// How a round ended; `scores` are those after it.
pub(super) fn round(result: &Json, scores: &Json) -> Json {
    let mut told =
        if let Some(wins) = result["wins"].as_array() { won(wins) } else { drawn(&result["draw"]) };
    told["scores"] = by_seat(scores);
    told
}

fn by_seat(values: &Json) -> Json {
    let all = values.as_array().map(Vec::as_slice).unwrap_or_default();
    Json::Object(
        all.iter().enumerate().map(|(n, value)| (n.to_string(), value.clone())).collect::<Map<_, _>>(),
    )
}

fn sum(wins: &[Json]) -> Json {
    let mut sums = [0i64; 4];
    for win in wins {
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum += win["deltas"][n].as_i64().unwrap_or_default();
        }
    }
    by_seat(&json!(sums))
}

fn won(wins: &[Json]) -> Json {
    let mut told = match wins {
        [win] if win["from"].is_null() => {
            let mut one = winner(win);
            one["type"] = json!("tsumo");
            one["win_tile"] = win["tile"].clone();
            one
        }
        [win] => {
            let mut one = winner(win);
            one["type"] = json!("ron");
            one["loser_seat"] = win["from"].clone();
            one["winning_tile"] = win["tile"].clone();
            one
        }
        _ => {
            let kind = if wins.len() > 2 { "triple_ron" } else { "double_ron" };
            let winners: Vec<Json> = wins.iter().map(winner).collect();
            json!({
                "type": kind, "loser_seat": wins[0]["from"], "winning_tile": wins[0]["tile"],
                "winners": winners,
            })
        }
    };
    told["score_changes"] = sum(wins);
    told
}

fn winner(win: &Json) -> Json {
    let yaku: Vec<Json> = win["yaku"].as_array().into_iter().flatten().map(|yaku| yaku[0].clone()).collect();
    let melds: Vec<Json> = win["melds"].as_array().into_iter().flatten().map(meld).collect();
    let mut told = json!({
        "winner_seat": win["who"],
        "hand_result": {
            "han": win["han"], "fu": win["fu"], "yaku": yaku,
            "cost_main": win["cost"][0], "cost_additional": win["cost"][1],
        },
        "riichi_sticks_collected": win["sticks"], "closed_tiles": win["hand"], "melds": melds,
    });
    if !win["liable"].is_null() {
        told["pao_seat"] = win["liable"].clone();
    }
    if win["ura_indicators"] != json!([]) {
        told["ura_dora_indicators"] = win["ura_indicators"].clone();
    }
    told
}

fn drawn(draw: &Json) -> Json {
    let shown = draw["shown"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tenpai: Vec<u64> = shown.iter().filter_map(|hand| hand[0].as_u64()).collect();
    let hands: Vec<Json> =
        shown.iter().map(|hand| json!({"seat": hand[0], "closed_tiles": hand[1]})).collect();
    let noten: Vec<u64> = (0..4).filter(|seat| !tenpai.contains(seat)).collect();
    let mut told = match draw["kind"].as_str().unwrap_or_default() {
        "exhaustive" => json!({
            "type": "exhaustive_draw", "tempai_seats": tenpai, "noten_seats": noten, "tenpai_hands": hands,
        }),
        "nagashi_mangan" => json!({
            "type": "nagashi_mangan", "qualifying_seats": draw["nagashi"], "tempai_seats": tenpai,
            "noten_seats": noten, "tenpai_hands": hands,
        }),
        other => {
            let reason = match other {
                "nine_kinds" => "nine_terminals",
                other => other,
            };
            let mut told = json!({"type": "abortive_draw", "reason": reason});
            if !draw["by"].is_null() {
                told["seat"] = draw["by"].clone();
            }
            told
        }
    };
    told["score_changes"] = by_seat(&draw["deltas"]);
    told
}

/// How the game ended.
pub(super) fn game(end: &Json, players: &[(String, bool)]) -> Json {
    let place = |n: usize| end["places"][n].as_u64().unwrap_or(u64::MAX);
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|n| place(*n));
    let standing = |n: &usize| {
        let (name, is_bot) = &players[*n];
        json!({
            "seat": n, "name": name, "score": end["scores"][*n], "final_score": tenths(&end["points"][*n]),
            "is_bot": is_bot,
        })
    };
    let standings: Vec<Json> = order.iter().map(standing).collect();
    json!({"winner_seat": order.first(), "standings": standings})
}

/// Points in tenths as a number, whole where it is.
fn tenths(points: &Json) -> Json {
    let points = points.as_i64().unwrap_or_default();
    // purity: a decimal for readers; no rule reads it.
    if points % 10 == 0 { json!(points / 10) } else { json!(points as f64 / 10.0) }
}
