//! Builds the document's messages from events and requests.

use parlor_core::{Choice, Json, Outcome};
use parlor_wire::Prompt;
use serde::Deserialize as _;
use serde_json::{Map, json};

use super::board::{Asked, Board, Open};
use super::results;
use crate::table::Discarded;

const WINDS: [&str; 4] = ["East", "South", "West", "North"];

impl Board {
    /// The whole state, for a client that has just come: the round, then what stands for it (003/R3).
    pub(super) fn snapshot(&mut self, view: &Json, _: &[Prompt], outcome: Option<&Outcome>) -> Vec<Json> {
        let mut shown = self.round_view(&view["standing"], &view["dora"], &view["own"]["tiles"]);
        let seats = view["players"].as_array().map(Vec::as_slice).unwrap_or_default();
        let begun = seats.iter().any(|seat| seat["river"] != json!([]) || seat["melds"] != json!([]));
        if begun {
            shown["tiles_remaining"] = view["left"].clone();
            shown["is_furiten"] = json!(is_furiten(&view["own"]["furiten"]));
            for (n, seat) in seats.iter().enumerate() {
                let player = &mut shown["players"][n];
                player["discards"] = seat["river"]
                    .as_array()
                    .map(|river| river.iter().map(thrown).collect())
                    .unwrap_or_default();
                player["melds"] = seat["melds"]
                    .as_array()
                    .map(|melds| melds.iter().map(results::meld).collect())
                    .unwrap_or_default();
                player["is_riichi"] = json!(seat["riichi"] != "no");
            }
        }
        if let Some(seat) = view["phase"]["turn"]["seat"].as_u64() {
            shown["current_player_seat"] = json!(seat);
        }
        let mut told = vec![json!({"type": "round_started", "view": shown})];
        let phase = &view["phase"];
        for name in ["round_end", "over"] {
            if let Some(ended) = phase.get(name) {
                let scores = &view["standing"]["scores"];
                told.push(json!({"type": "round_end", "result": results::round(&ended["result"], scores)}));
            }
        }
        if let Some(end) = phase["over"].get("end") {
            told.push(self.game_end(end));
        } else if let Some(outcome) = outcome {
            told.extend(self.stopped(outcome));
        }
        if let Some(open) = self.open.clone() {
            told.extend(self.prompt(&open, view["own"]["drawn"].as_u64()));
        }
        told
    }

    /// What happened, and what is asked now.
    pub(super) fn update(
        &mut self,
        events: &[Json],
        fresh: &Option<Open>,
        outcome: Option<&Outcome>,
    ) -> Vec<Json> {
        let mut told = Vec::new();
        let mut drawn = None;
        for event in events {
            let own = event["seat"].as_u64().is_some_and(|seat| self.seat == Some(seat));
            if event["type"] == "draw" && own {
                drawn = event["tile"].as_u64();
                // It is told with what may be done, unless nothing is asked: then the tile alone.
                if !matches!(fresh, Some(open) if open.asked == Asked::Turn) {
                    told.push(json!({
                        "type": "draw", "seat": self.seat, "tile_id": drawn, "available_actions": [],
                    }));
                }
                continue;
            }
            told.extend(self.event(event));
        }
        if let Some(open) = fresh {
            told.extend(self.prompt(open, drawn));
        }
        if let Some(outcome) = outcome {
            told.extend(self.stopped(outcome));
        }
        told
    }

    pub(super) fn event(&mut self, event: &Json) -> Option<Json> {
        let seat = &event["seat"];
        Some(match event["type"].as_str().unwrap_or_default() {
            "round_started" => {
                let own = self.seat.map(|seat| event["hands"][seat as usize].clone());
                let view = self.round_view(&event["standing"], &json!([event["dora"]]), &json!(own));
                json!({"type": "round_started", "view": view})
            }
            "draw" if self.announce_draws => json!({"type": "draw", "seat": seat, "tile_id": null}),
            "discard" => json!({
                "type": "discard", "seat": seat, "tile_id": event["tile"],
                "is_tsumogiri": event["tsumogiri"], "is_riichi": event["riichi"],
            }),
            "meld" => {
                let kind = results::meld_type(event["kind"].as_str().unwrap_or_default());
                let from = if kind == "closed_kan" { Json::Null } else { event["from"].clone() };
                json!({
                    "type": "meld", "meld_type": kind, "caller_seat": seat, "tile_ids": event["tiles"],
                    "from_seat": from, "called_tile_id": event["tile"],
                })
            }
            "dora" => json!({"type": "dora_revealed", "tile_id": event["tile"]}),
            "riichi_accepted" => json!({"type": "riichi_declared", "seat": seat}),
            "furiten" => json!({"type": "furiten", "is_furiten": event["is_furiten"]}),
            "round_end" => {
                json!({"type": "round_end", "result": results::round(&event["result"], &event["scores"])})
            }
            "game_end" => self.game_end(&event["end"]),
            _ => return None,
        })
    }

    /// What stands for the client: its turn as a draw, a tile to call as a prompt; a confirmation follows from the end
    /// of the round.
    fn prompt(&self, open: &Open, drawn: Option<u64>) -> Option<Json> {
        match open.asked {
            Asked::Confirm => None,
            Asked::Turn => Some(json!({
                "type": "draw", "seat": self.seat, "tile_id": drawn,
                "available_actions": available_actions(&open.selector.choices),
            })),
            Asked::Call { tile, from, robbing } => {
                let choices = &open.selector.choices;
                let ron = choices.iter().any(|choice| choice.kind.as_deref() == Some("ron"));
                let calls = available_calls(choices);
                let kind = match (ron, robbing) {
                    (_, true) => "chankan",
                    (true, false) => "ron",
                    (false, false) => "meld",
                };
                let mut prompt = json!({
                    "type": "call_prompt", "call_type": kind, "tile_id": tile, "from_seat": from,
                    "caller_seat": self.seat,
                });
                if !calls.is_empty() {
                    prompt["available_calls"] = json!(calls);
                }
                Some(prompt)
            }
        }
    }

    fn round_view(&self, standing: &Json, dora: &Json, own: &Json) -> Json {
        let whole = |name: &str| standing[name].as_u64().unwrap_or_default();
        let (kyoku, seats) = (whole("kyoku"), 4);
        let dealer = (whole("first_dealer") + kyoku) % seats;
        let player = |(n, (name, is_bot)): (usize, &(String, bool))| json!({"seat": n, "name": name, "is_bot": is_bot, "score": standing["scores"][n]});
        let players: Vec<Json> = self.players.iter().enumerate().map(player).collect();
        json!({
            "seat": self.seat, "round_wind": WINDS[(kyoku / seats) as usize % 4], "round_number": kyoku % seats + 1,
            "dealer_seat": dealer, "current_player_seat": dealer, "dora_indicators": dora,
            "honba_sticks": standing["honba"], "riichi_sticks": standing["sticks"], "my_tiles": own,
            "players": players,
        })
    }

    fn game_end(&mut self, end: &Json) -> Json {
        self.ended = true;
        json!({"type": "game_end", "result": results::game(end, &self.players)})
    }

    /// The house has ended the game, not the rules: nobody has won.
    fn stopped(&mut self, outcome: &Outcome) -> Option<Json> {
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        let result = json!({"winner_seat": null, "standings": [], "reason": outcome.reason});
        Some(json!({"type": "game_end", "result": result}))
    }
}

fn is_furiten(furiten: &Json) -> bool {
    let any = |name: &str| !matches!(&furiten[name], Json::Null) && furiten[name] != json!([]);
    any("discards") || any("missed") || any("missed_in_riichi")
}

fn thrown(discard: &Json) -> Json {
    let Ok(Discarded { tile, tsumogiri, riichi, .. }) = Discarded::deserialize(discard) else {
        return Json::Null;
    };
    json!({"tile_id": tile, "is_tsumogiri": tsumogiri, "is_riichi": riichi})
}

/// The numbers in a choice's id: `chi:40:44`.
fn numbers(choice: &Choice) -> Vec<u64> {
    let id = choice.id.as_deref().unwrap_or_default();
    id.split(':').skip(1).filter_map(|number| number.parse().ok()).collect()
}

fn offered<'a>(choices: &'a [Choice], kind: &'a str) -> impl Iterator<Item = &'a Choice> {
    let open = |choice: &&Choice| choice.why_not.is_none();
    choices.iter().filter(open).filter(move |choice| choice.kind.as_deref() == Some(kind))
}

/// `[{action, tiles?}]` (003/R15).
fn available_actions(choices: &[Choice]) -> Vec<Json> {
    let names = [
        ("discard", "discard"),
        ("riichi", "riichi"),
        ("tsumo", "tsumo"),
        ("closed_kan", "kan"),
        ("added_kan", "added_kan"),
        ("kyuushu", "kyuushu"),
    ];
    let mut actions = Vec::new();
    for (kind, name) in names {
        let found: Vec<&Choice> = offered(choices, kind).collect();
        if found.is_empty() {
            continue;
        }
        // A closed kan names a kind: its lowest tile stands for it.
        let scale = if kind == "closed_kan" { 4 } else { 1 };
        let tiles: Vec<u64> = found.iter().flat_map(|choice| numbers(choice)).map(|n| n * scale).collect();
        let mut action = json!({"action": name});
        if !tiles.is_empty() {
            action["tiles"] = json!(tiles);
        }
        actions.push(action);
    }
    actions
}

/// `[{call_type, options?}]`; a pon has options only where red and plain tiles differ (003/R15).
fn available_calls(choices: &[Choice]) -> Vec<Json> {
    let mut calls = Vec::new();
    for kind in ["pon", "chi", "open_kan"] {
        let options: Vec<Vec<u64>> = offered(choices, kind).map(numbers).collect();
        if options.is_empty() {
            continue;
        }
        let mut call = Map::from_iter([("call_type".to_owned(), json!(kind))]);
        if kind == "chi" || (kind == "pon" && options.len() > 1) {
            call.insert("options".to_owned(), json!(options));
        }
        calls.push(Json::Object(call));
    }
    calls
}
