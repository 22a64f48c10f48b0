//! Recorded games as JSON lines, in and out: what `parlor riichi games` reads and prints.
//!
//! Of a round it reads the wall, the actions and, of the result, its type, its kind where it is `yao9` or `ron3`, and
//! `wins[].who` and `from`; of the first round also kyoku, dealer, honba, sticks and scores. Everything else may be
//! absent. What follows is the table's own work.

use serde_json::{Map, Value, json};

use super::SEATS_MAX;
use super::player::TableMeld;
use super::result::{DrawKind, GameEnd, RoundResult, WinResult};
use super::script::{Closing, Deed, GameRun, Mark, RoundScript, play};
use super::settings::Settings;
use super::state::Standing;
use super::wall::Wall;
use crate::limit::Limit;
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::tile::Tile;
use crate::yaku::Yaku;

/// Plays the game of one line; gives the lines to print.
///
/// # Errors
/// If the line is no recorded game.
pub fn play_line(line: &str, settings: Settings) -> Result<(Vec<Value>, GameRun), String> {
    let game: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let run = play_value(&game, settings)?;
    Ok((lines(&game["id"], &run), run))
}

/// Plays a recorded game.
///
/// # Errors
/// If the value is no recorded game.
pub fn play_value(game: &Value, settings: Settings) -> Result<GameRun, String> {
    let rounds = game["rounds"].as_array().ok_or("rounds: a list is missing")?;
    let first = standing(rounds.first().ok_or("rounds: the list is empty")?)?;
    let scripts: Result<Vec<RoundScript>, String> = rounds
        .iter()
        .enumerate()
        .map(|(index, round)| script(round).map_err(|fault| format!("round {index}: {fault}")))
        .collect();
    play(settings, first, &scripts?)
}

/// What is printed of a game.
#[must_use]
pub fn lines(id: &Value, run: &GameRun) -> Vec<Value> {
    let mut lines = Vec::new();
    for (index, round) in run.rounds.iter().enumerate() {
        for fault in &round.disagreements {
            lines.push(json!({ "id": id, "round": index, "disagrees": fault }));
        }
        if let Some(result) = &round.result {
            let result = result_json(result, round.standing.honba, round_sticks(round));
            lines.push(json!({ "id": id, "round": index, "result": result, "end_scores": round.end_scores }));
        }
    }
    lines.push(json!({ "id": id, "final": run.end.map(|end| end_json(&end)) }));
    lines
}

/// The sticks that lay on the table when the round ended.
pub(super) fn round_sticks(round: &super::script::RoundRun) -> u16 {
    let paid = round.events.iter().filter(|event| matches!(event, super::Event::RiichiAccepted { .. }));
    round.standing.sticks + paid.count() as u16
}

/// Points in tenths as a number with at most one decimal.
fn end_json(end: &GameEnd) -> Value {
    // purity: a decimal for readers; no rule reads it.
    let points: Vec<f64> = end.points.iter().map(|tenths| f64::from(*tenths) / 10.0).collect();
    json!({ "scores": end.scores, "points": points })
}

fn standing(round: &Value) -> Result<Standing, String> {
    let kyoku = kyoku(number(&round["kyoku"], "kyoku")?)?;
    let dealer = seat(&round["dealer"], "dealer")?;
    let seats = SEATS_MAX as u8;
    Ok(Standing {
        kyoku,
        honba: counter(number(&round["honba"], "honba")?, "honba")?,
        sticks: counter(number(&round["sticks"], "sticks")?, "sticks")?,
        scores: scores(&round["scores"])?,
        first_dealer: dealer.after(seats - kyoku % seats, seats),
        dealer_wins: 0,
    })
}

fn script(round: &Value) -> Result<RoundScript, String> {
    let mut order = Vec::new();
    for part in ["live", "rinshan", "dora", "ura"] {
        order.extend(tiles(&round["wall"][part], part)?);
    }
    let wall = Wall::new(&order).map_err(|error| format!("wall: {error}"))?;
    let (mut deeds, mut marks) = (Vec::new(), Vec::new());
    let mut riichi = false;
    for action in list(&round["actions"], "actions")? {
        take(action, &mut deeds, &mut marks, &mut riichi).map_err(|fault| format!("{action}: {fault}"))?;
    }
    // Without a draw in it, the record has nothing to compare with.
    if !marks.iter().any(|mark| matches!(mark, Mark::Draw { .. })) {
        marks.clear();
    }
    Ok(RoundScript { wall, deeds, closing: closing(&round["result"])?, marks })
}

fn take(
    action: &Value,
    deeds: &mut Vec<Deed>,
    marks: &mut Vec<Mark>,
    riichi: &mut bool,
) -> Result<(), String> {
    let name = action[0].as_str().ok_or("an action begins with its name")?;
    if name == "dora" {
        marks.push(Mark::Dora { tile: tile(&action[1])? });
        return Ok(());
    }
    let seat = seat(&action[1], "seat")?;
    match name {
        "draw" => {
            marks.push(Mark::Draw { seat, tile: tile(&action[2])?, rinshan: action[3] == "rinshan" });
        }
        "riichi" => *riichi = true,
        "riichi_accepted" => marks.push(Mark::RiichiAccepted { seat }),
        "discard" => {
            let tile = tile(&action[2])?;
            deeds.push(Deed::Discard { seat, tile, riichi: std::mem::take(riichi) });
            marks.push(Mark::Discard { seat, tile });
        }
        _ => {
            let kind = MeldKind::from_name(name).ok_or("this action is not known")?;
            deeds.push(meld_deed(kind, seat, action)?);
            marks.push(Mark::Meld { seat, kind });
        }
    }
    Ok(())
}

fn meld_deed(kind: MeldKind, seat: Seat, action: &Value) -> Result<Deed, String> {
    let named = tile(&action[4])?;
    let own = || -> Result<[Tile; 2], String> {
        let own: Vec<Tile> = tiles(&action[3], "tiles")?.into_iter().filter(|tile| *tile != named).collect();
        own.try_into().map_err(|_| "a call takes two tiles of one's own".into())
    };
    Ok(match kind {
        MeldKind::Chi => Deed::Chi { seat, own: own()? },
        MeldKind::Pon => Deed::Pon { seat, own: own()? },
        MeldKind::Daiminkan => Deed::Daiminkan { seat },
        MeldKind::Ankan => Deed::Ankan { seat, tile: named },
        MeldKind::Kakan => Deed::Kakan { seat, tile: named },
    })
}

fn closing(result: &Value) -> Result<Closing, String> {
    match (result["type"].as_str(), result["kind"].as_str()) {
        (Some("agari"), _) => {
            let wins = list(&result["wins"], "wins")?;
            let by: Result<Vec<Seat>, String> = wins.iter().map(|win| seat(&win["who"], "who")).collect();
            let by = by?;
            let from = seat(&wins.first().ok_or("wins: the list is empty")?["from"], "from")?;
            Ok(Closing::Won { from: (by[..] != [from]).then_some(from), by })
        }
        (Some("draw"), Some("yao9")) => Ok(Closing::Nine),
        (Some("draw"), Some("ron3")) => Ok(Closing::TripleRon),
        (Some("draw"), _) => Ok(Closing::Nothing),
        _ => Err("result: type must be agari or draw".into()),
    }
}

/// A result in the shape of the records.
pub(super) fn result_json(result: &RoundResult, honba: u16, sticks: u16) -> Value {
    match result {
        RoundResult::Wins(wins) => {
            let wins: Vec<Value> = wins.iter().map(|win| win_json(win, honba)).collect();
            json!({ "type": "agari", "wins": wins })
        }
        RoundResult::Draw { kind, shown, deltas, .. } => {
            let tenpai: Vec<Seat> = shown.iter().map(|(seat, _)| *seat).collect();
            let hands: Map<String, Value> =
                shown.iter().map(|(seat, tiles)| (seat.index().to_string(), json!(tiles))).collect();
            json!({
                "type": "draw", "kind": draw_name(*kind), "honba_sticks": [honba, sticks], "deltas": deltas,
                "tenpai": tenpai, "shown": hands,
            })
        }
    }
}

/// The name of a draw in the records.
pub(super) const fn draw_name(kind: DrawKind) -> &'static str {
    match kind {
        DrawKind::Exhaustive => "exhaustive",
        DrawKind::NagashiMangan => "nm",
        DrawKind::NineKinds => "yao9",
        DrawKind::FourWinds => "kaze4",
        DrawKind::FourRiichi => "reach4",
        DrawKind::FourKans => "kan4",
        DrawKind::TripleRon => "ron3",
    }
}

fn win_json(win: &WinResult, honba: u16) -> Value {
    let (yaku, yakuman) = yaku_ids(win);
    // The records have the newest meld first.
    let melds: Vec<Value> = win.melds.iter().rev().map(meld_json).collect();
    let mut json = json!({
        "who": win.who, "from": win.from.unwrap_or(win.who), "tile": win.tile, "hand": win.hand, "melds": melds,
        "fu": win.fu, "points": win.points, "limit": limit_number(win.limit), "yaku": yaku, "yakuman": yakuman,
        "dora": win.dora_indicators, "ura": win.ura_indicators, "honba_sticks": [honba, win.sticks],
        "deltas": win.deltas,
    });
    if let Some(liable) = win.liable {
        json["pao"] = json!(liable);
    }
    json
}

/// A meld as the records have it: kind, feeder, tiles, the tile called or added.
fn meld_json(meld: &TableMeld) -> Value {
    let mut tiles: Vec<Tile> = meld.meld.tiles().to_vec();
    tiles.retain(|tile| Some(*tile) != meld.added);
    let named = meld.added.or(meld.called).unwrap_or(tiles[0]);
    json!([meld.meld.kind().name(), meld.from, tiles, named])
}

/// The yaku with their han, dora after them; and the yakuman. Numbers as Tenhou has them.
pub(super) fn yaku_ids(win: &WinResult) -> (Vec<(u8, u8)>, Vec<u8>) {
    let id = |yaku: Yaku| yaku.tenhou_id().unwrap_or(u8::MAX);
    let yakuman: Vec<u8> =
        win.yaku.iter().filter(|(yaku, _)| yaku.is_yakuman()).map(|(yaku, _)| id(*yaku)).collect();
    if !yakuman.is_empty() {
        return (Vec::new(), yakuman);
    }
    let mut yaku: Vec<(u8, u8)> = win.yaku.iter().map(|(yaku, han)| (id(*yaku), *han)).collect();
    yaku.sort_unstable();
    let riichi = !win.ura_indicators.is_empty();
    for (id, han, always) in [(52, win.dora, false), (54, win.reds, false), (53, win.ura, riichi)] {
        if han > 0 || always {
            yaku.push((id, han));
        }
    }
    (yaku, yakuman)
}

/// 0 none, 1 mangan, up to 5 yakuman.
pub(super) const fn limit_number(limit: Limit) -> u8 {
    match limit {
        Limit::None => 0,
        Limit::Mangan => 1,
        Limit::Haneman => 2,
        Limit::Baiman => 3,
        Limit::Sanbaiman => 4,
        Limit::Kazoe(_) | Limit::Yakuman(_) => 5,
    }
}

pub(super) fn number(value: &Value, name: &str) -> Result<i64, String> {
    value.as_i64().ok_or_else(|| format!("{name}: {value} is no number"))
}

/// The last hand of the north round, counted from 0.
const KYOKU_MAX: i64 = 15;
/// The most honba, and the most sticks on the table, of a record.
const COUNTER_MAX: i64 = 1000;
/// The largest score of a record, and the largest debt.
const SCORE_MAX: i64 = 10_000_000;

/// A number between two others.
pub(super) fn between(number: i64, least: i64, most: i64, name: &str) -> Result<i64, String> {
    if (least..=most).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{name}: {number} is out of range"))
    }
}

/// Which hand of the game it is.
pub(super) fn kyoku(number: i64) -> Result<u8, String> {
    between(number, 0, KYOKU_MAX, "kyoku").map(|number| number as u8)
}

/// A number of honba or of sticks.
pub(super) fn counter(number: i64, name: &str) -> Result<u16, String> {
    between(number, 0, COUNTER_MAX, name).map(|number| number as u16)
}

pub(super) fn score(number: i64) -> Result<i32, String> {
    between(number, -SCORE_MAX, SCORE_MAX, "scores").map(|number| number as i32)
}

/// Everybody's score.
pub(super) fn scores(value: &Value) -> Result<[i32; SEATS_MAX], String> {
    let read: Result<Vec<i32>, String> =
        list(value, "scores")?.iter().map(|each| number(each, "scores").and_then(score)).collect();
    read?.try_into().map_err(|_| "scores: four are needed".to_owned())
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{name}: a list is missing"))
}

pub(super) fn seat(value: &Value, name: &str) -> Result<Seat, String> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    number.and_then(Seat::new).ok_or_else(|| format!("{name}: {value} is no seat"))
}

pub(super) fn tile(value: &Value) -> Result<Tile, String> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    number.and_then(Tile::new).ok_or_else(|| format!("{value} is no tile"))
}

pub(super) fn tiles(value: &Value, name: &str) -> Result<Vec<Tile>, String> {
    list(value, name)?.iter().map(tile).collect()
}
