//! The document's actions, read into answers (003/R1, 003/R15). Unknown fields are ignored.

use parlor_core::{Fault, Json};
use serde_json::json;

/// What an action asks for.
#[derive(Debug)]
pub(super) struct Action {
    /// In the form of [`Answer`](crate::table::Answer).
    pub(super) answer: Json,
    /// The code if the seat is not asked this.
    pub(super) not_asked: &'static str,
    /// Whether it can be meant for the request that stands: a call names the tile that lies there, or none.
    pub(super) fits: bool,
}

/// Reads a `game_action`; `called` is the tile that can be called now.
///
/// # Errors
/// `unknown_action` for a name nobody knows, `validation_error` for data of another shape.
pub(super) fn read(frame: &Json, called: Option<u64>) -> Result<Action, Fault> {
    let Some(name) = frame["action"].as_str() else {
        return Err(Fault::new("validation_error", "a game_action has an action"));
    };
    let data = &frame["data"];
    if !(data.is_object() || data.is_null()) {
        return Err(Fault::new("validation_error", "data is an object"));
    }
    let plain = |answer: &str, not_asked| Ok(Action { answer: json!(answer), not_asked, fits: true });
    match name {
        "discard" => Ok(Action {
            answer: json!({"discard": needed_tile(data)?}),
            not_asked: "not_your_turn",
            fits: true,
        }),
        "riichi" | "declare_riichi" => Ok(Action {
            answer: json!({"riichi": needed_tile(data)?}),
            not_asked: "not_your_turn",
            fits: true,
        }),
        "tsumo" | "declare_tsumo" => plain("tsumo", "not_your_turn"),
        "kyuushu" | "call_kyuushu" => plain("nine", "not_your_turn"),
        "ron" | "call_ron" => plain("ron", "invalid_ron"),
        "pass" => plain("pass", "invalid_pass"),
        "confirm_round" => plain("confirm", "invalid_action"),
        "pon" | "call_pon" => call("pon", "invalid_pon", data, called),
        "chi" | "call_chi" => call("chi", "invalid_chi", data, called),
        "open_kan" => kan(Some("open"), data, called),
        "closed_kan" => kan(Some("closed"), data, called),
        "added_kan" => kan(Some("added"), data, called),
        "kan" | "call_kan" => match &data["kan_type"] {
            Json::Null => kan(None, data, called),
            Json::String(kind) if ["open", "closed", "added"].contains(&kind.as_str()) => {
                kan(Some(kind), data, called)
            }
            _ => Err(Fault::new("validation_error", "kan_type is open, closed or added")),
        },
        other => Err(Fault::new("unknown_action", "there is no action {action}").arg("action", other)),
    }
}

/// A chi or pon: two tiles of one's own, or all three with the called one, or none.
fn call(name: &str, code: &'static str, data: &Json, called: Option<u64>) -> Result<Action, Fault> {
    let list = ["sequence_tiles", "tile_ids"].iter().map(|field| &data[*field]).find(|list| !list.is_null());
    let own = match list {
        None => Json::Null,
        Some(Json::Array(tiles)) if tiles.iter().all(is_tile) => {
            let mut own = tiles.clone();
            if own.len() == 3 {
                own.retain(|tile| tile.as_u64() != called);
            }
            if own.len() != 2 {
                return Err(Fault::new("validation_error", "two tiles of your own are needed, or none"));
            }
            Json::Array(own)
        }
        Some(_) => return Err(Fault::new("validation_error", "tile_ids is a list of tiles")),
    };
    let mut answer = json!({});
    answer[name] = own;
    let named = data["tile_id"].as_u64();
    Ok(Action { answer, not_asked: code, fits: named.is_none() || named == called })
}

fn kan(kind: Option<&str>, data: &Json, called: Option<u64>) -> Result<Action, Fault> {
    let tile = tile(data)?;
    let open = kind == Some("open") || (kind.is_none() && called.is_some());
    // The tile of an open kan is the one that lies there.
    let fits = !open || tile.is_null() || tile.is_string() || tile.as_u64() == called;
    let tile = if open { Json::Null } else { tile };
    Ok(Action { answer: json!({"kan": [kind, tile]}), not_asked: "invalid_kan", fits })
}

fn needed_tile(data: &Json) -> Result<Json, Fault> {
    let tile = tile(data)?;
    if tile.is_null() {
        return Err(Fault::new("validation_error", "tile_id or tile is missing"));
    }
    Ok(tile)
}

/// The tile that the data names by number or by text.
fn tile(data: &Json) -> Result<Json, Fault> {
    let named = ["tile_id", "tile"].iter().map(|field| &data[*field]).find(|tile| !tile.is_null());
    match named {
        None => Ok(Json::Null),
        Some(tile) if is_tile(tile) => Ok(tile.clone()),
        Some(_) => {
            Err(Fault::new("validation_error", "a tile is a number from 0 to 135, or a text such as 1m"))
        }
    }
}

fn is_tile(value: &Json) -> bool {
    value.as_u64().is_some_and(|id| id < 136) || value.is_string()
}
