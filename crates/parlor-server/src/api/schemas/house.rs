//! Schemas about the server itself.

use parlor_core::Json;
use serde_json::json;

use super::{anything, by_name, count, flag, list, maybe, object, text, text_of, whole, words};

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
            ("findings", list(finding()), "everything that is wrong with a ruleset"),
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
            ("published", published(), "null for rules that the server was built with"),
            ("undo", undo, ""),
            ("ruleset", flag(), "whether its rules are data; then it has a sheet"),
        ],
        more,
    )
}

/// Who published a ruleset, and which version it is.
pub(super) fn published() -> Json {
    let author = json!({"type": ["object", "null"], "properties": {
        "player_id": text(), "name": {"type": ["string", "null"]}}});
    json!({"type": ["object", "null"], "properties": {
        "version": count(), "author": author, "at": count(), "identity": text()}})
}

fn finding() -> Json {
    object(
        "RulesetFinding",
        "Something that was found in a ruleset.",
        &[
            ("level", words("FindingLevel", "How bad it is.", &["error", "warning"]), ""),
            ("code", text(), "for programs"),
            ("line", count(), "from 1"),
            ("column", count(), "in characters, from 1"),
            ("pointer", text(), "where in the value: a JSON pointer"),
            ("message", text(), "for people"),
        ],
        &[("file", text(), "the file it lies in, where that is another one"), ("help", text(), "what to do")],
    )
}

fn ruleset_row(name: &str, about: &str, more: &[(&str, Json, &str)]) -> Json {
    let state =
        words("RulesetState", "Whether new tables may be opened.", &["listed", "withdrawn", "taken_down"]);
    object(
        name,
        about,
        &[
            ("name", text(), "the name of its game"),
            ("title", text(), "for people"),
            ("version", count(), "the newest one, from 1"),
            ("state", state, ""),
            ("identity", text(), "the hash that names these rules in every log"),
            ("author", maybe("string"), "the player who published it; null for the house"),
            ("at", count(), "when that version was published, in milliseconds since 1970"),
        ],
        more,
    )
}

pub(crate) fn rulesets() -> Json {
    let rows = list(ruleset_row("RulesetRow", "A ruleset that was published.", &[]));
    object("Rulesets", "Rulesets, by name.", &[("rulesets", rows, "")], &[])
}

pub(crate) fn ruleset() -> Json {
    let text = ("text", text(), "the whole ruleset");
    ruleset_row("RulesetText", "One version of a ruleset.", &[text])
}

pub(crate) fn ruleset_made() -> Json {
    let warnings = ("warnings", list(finding()), "what was found beside errors");
    ruleset_row("RulesetMade", "The version that was published, or that is there already.", &[warnings])
}

pub(crate) fn ruleset_checked() -> Json {
    let required = [("name", text(), "the name of its game"), ("title", text(), "for people")];
    let warnings = ("warnings", list(finding()), "what was found beside errors");
    object("RulesetChecked", "A ruleset without mistakes.", &[&required[..], &[warnings]].concat(), &[])
}

pub(crate) fn ruleset_status() -> Json {
    object(
        "RulesetStatus",
        "How the file of a ruleset stands.",
        &[
            ("v", count(), "counts its changes"),
            ("version", count(), "the version that is served"),
            ("findings", list(finding()), "with an error among them the version before is still served"),
        ],
        &[],
    )
}

pub(crate) fn report_order() -> Json {
    object("RulesetReport", "What is wrong with it.", &[("text", text_of(1, 1000), "")], &[])
}

pub(crate) fn catalog() -> Json {
    object("Catalog", "The games.", &[("games", list(game_row(GAME[0], &[])), "")], &[])
}

pub(crate) fn game_sheet() -> Json {
    let sheet = ("sheet", anything(), "what never changes at its tables; none where its rules are code");
    game_row(GAME[1], &[sheet])
}
