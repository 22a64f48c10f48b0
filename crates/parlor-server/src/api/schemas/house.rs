//! Schemas about the server itself.

use parlor_core::Json;
use serde_json::json;

use super::{anything, by_name, count, flag, list, object, text, whole, words};

/// The body of every refusal.
pub(crate) fn problem() -> Json {
    let status = json!({"type": ["integer", "string"]});
    object(
        "Problem",
        "Why something was refused.",
        &[
            ("type", text(), ""),
            ("title", text(), ""),
            ("status", status, "the status; or `error`, where the input-requests document asks for that"),
            ("code", text(), "for programs"),
            ("message", text(), "for people"),
        ],
        &[
            ("error", text(), ""),
            ("branchId", whole(), "the lock as it stands, where an answer came too late"),
            ("faults", list(anything()), "everything that is wrong with an answer"),
        ],
    )
}

pub(crate) fn status_ok() -> Json {
    object("Health", "The server answers.", &[("status", text(), "")], &[])
}

pub(crate) fn status() -> Json {
    let counts = [("active_games", count(), ""), ("max_games", count(), "")];
    let required = [&[("status", text(), "")], &counts[..]].concat();
    object("Status", "How many tables there are.", &required, &[])
}

pub(crate) fn success() -> Json {
    object("Done", "It is done.", &[("success", flag(), "")], &[])
}

const GAME: [(&str, &str); 2] = [
    ("CatalogGame", "A game that is served here."),
    ("GameInfo", "A game, with what a screen needs that knows nothing of it."),
];

fn game_row((name, about): (&str, &str), more: &[(&str, Json, &str)]) -> Json {
    let seats = object("SeatRange", "How many can play.", &[("min", count(), ""), ("max", count(), "")], &[]);
    let league = object(
        "League",
        "A league, and from how many points on.",
        &[("key", text(), ""), ("from", whole(), "")],
        &[],
    );
    let lobby = object(
        "CatalogLobby",
        "What a lobby knows of a game.",
        &[
            ("order", count(), "the place in the list, lower first"),
            ("seats", count(), "of a table that is opened without a number of seats"),
            ("settings", anything(), "of a table that is opened from the lobby; null for the defaults"),
            ("hidden", flag(), "served, but not listed"),
            ("tags", list(text()), "marks by which a lobby groups games"),
            ("default_for", list(text()), "requests that mean this game when they name none: games, queue"),
        ],
        &[],
    );
    let bot = object(
        "CatalogBot",
        "A bot that a game ships; the first plays where nobody chose one.",
        &[
            ("name", text(), "for programs"),
            ("title", text(), "for people"),
            ("levels", count(), "the highest level"),
        ],
        &[],
    );
    let seating = json!({"type": ["object", "null"], "properties": {
        "startWith": count(), "buyInMin": count(), "buyInMax": count(), "money": text()}});
    let undo = words("UndoPolicy", "Who may take an answer back.", &["none", "own", "consent"]);
    object(
        name,
        about,
        &[
            ("name", text(), "for programs"),
            ("title", text(), "for people"),
            ("titles", by_name(text()), "the title in other languages, where the rules have words for it"),
            ("rules", count(), "the number of its rules"),
            ("seats", seats, ""),
            ("settings", anything(), "what a table has unless it says otherwise"),
            ("schema", json!({"type": "object"}), "the JSON Schema of the settings"),
            ("rated", flag(), ""),
            ("staked", flag(), "whether tokens can be at stake"),
            ("visits", flag(), "whether people come and go while it runs"),
            ("leagues", list(league), ""),
            ("bots", list(bot), ""),
            ("openSeating", seating, "how players take seats while a table runs, under the usual settings"),
            ("lobby", lobby, ""),
            ("undo", undo, ""),
            ("ruleset", flag(), "whether its rules are data; then it has a sheet"),
        ],
        more,
    )
}

pub(crate) fn catalog() -> Json {
    object("Catalog", "The games.", &[("games", list(game_row(GAME[0], &[])), "")], &[])
}

pub(crate) fn game_sheet() -> Json {
    let sheet = ("sheet", anything(), "what never changes at its tables; none where its rules are code");
    game_row(GAME[1], &[sheet])
}
