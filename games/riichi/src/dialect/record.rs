//! The whole record of a game in the document's words (003-10): what was told to all, the draws of each seat, and the deals
//! put together with all hands.

use parlor_core::Json;
use serde_json::json;

use super::board::Board;
use crate::table::script::GameRun;
use crate::table::{Event, Viewer};

/// Everything that happened in a game, in order.
#[must_use]
pub fn record(run: &GameRun, names: &[String; 4]) -> Vec<Json> {
    let players = names.iter().map(|name| (name.clone(), false)).collect();
    let mut board = Board { players, ..Board::default() };
    let people: Vec<Json> =
        names.iter().enumerate().map(|(seat, name)| json!({"seat": seat, "name": name})).collect();
    let mut told = vec![json!({"type": "game_started", "players": people})];
    for event in run.rounds.iter().flat_map(|round| &round.events) {
        told.extend(whole(event, &mut board));
    }
    told
}

fn whole(event: &Event, board: &mut Board) -> Option<Json> {
    match event {
        Event::Draw { seat, tile, .. } => Some(json!({"type": "draw", "seat": seat, "tile_id": (*tile)?})),
        Event::Furiten { .. } => None,
        Event::RoundStarted { hands, .. } => {
            let mut told = board.event(&json!(event.seen_by(Viewer::Gallery)))?;
            let view = told["view"].as_object_mut()?;
            view.remove("seat");
            view.remove("my_tiles");
            for (seat, hand) in hands.iter().enumerate() {
                view["players"][seat]["tiles"] = json!(hand);
            }
            Some(told)
        }
        _ => board.event(&json!(event)),
    }
}
