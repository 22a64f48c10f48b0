//! The shapes of bodies and replies, as JSON Schema.

use parlor_core::Json;
use serde_json::json;

use crate::players::{AVATARS, LANGUAGES, RIGHTS};

/// An object with these members; those that are required first.
fn object(required: &[(&str, Json)], other: &[(&str, Json)]) -> Json {
    let names: Vec<&str> = required.iter().map(|(name, _)| *name).collect();
    let all = required.iter().chain(other);
    let properties: serde_json::Map<String, Json> =
        all.map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let mut object = json!({"type": "object", "properties": properties});
    if !names.is_empty() {
        object["required"] = json!(names);
    }
    object
}

fn list(of: Json) -> Json {
    json!({"type": "array", "items": of})
}

fn maybe(kind: &str) -> Json {
    json!({"type": [kind, "null"]})
}

pub(crate) fn text() -> Json {
    json!({"type": "string"})
}

pub(crate) fn whole() -> Json {
    json!({"type": "integer"})
}

pub(crate) fn count() -> Json {
    json!({"type": "integer", "minimum": 0})
}

fn flag() -> Json {
    json!({"type": "boolean"})
}

/// Anything.
pub(crate) fn anything() -> Json {
    json!({})
}

/// A table's name.
pub(crate) fn table_id() -> Json {
    json!({"type": "string", "minLength": 1, "maxLength": 50, "pattern": "^[A-Za-z0-9_-]+$"})
}

fn named(max: u64) -> Json {
    json!({"type": "string", "minLength": 1, "maxLength": max})
}

fn small() -> Json {
    json!({"type": ["integer", "null"], "minimum": 0, "maximum": 255})
}

/// What every refusal looks like.
pub(crate) fn problem() -> Json {
    let required = [
        ("type", text()),
        ("title", text()),
        // A number; or `error`, where the input-requests document asks for that.
        ("status", json!({"type": ["integer", "string"]})),
        ("code", text()),
        ("message", text()),
    ];
    object(&required, &[("error", text()), ("branchId", whole()), ("faults", list(anything()))])
}

pub(crate) fn status_ok() -> Json {
    object(&[("status", text())], &[])
}

pub(crate) fn status() -> Json {
    object(&[("status", text()), ("active_games", count()), ("max_games", count())], &[])
}

pub(crate) fn success() -> Json {
    object(
        &[("success", flag())],
        &[("branchId", whole()), ("requestKey", maybe("string")), ("left", flag())],
    )
}

pub(crate) fn games() -> Json {
    let game = object(
        &[
            ("game_id", text()),
            ("game", text()),
            ("player_count", count()),
            ("max_players", count()),
            ("num_bots", count()),
            ("started", flag()),
        ],
        &[],
    );
    object(&[("games", list(game))], &[])
}

pub(crate) fn game_order() -> Json {
    let bots = json!({"type": ["integer", "null"], "minimum": 0, "maximum": 3});
    object(&[], &[("game_id", table_id()), ("game", text()), ("num_bots", bots), ("settings", anything())])
}

pub(crate) fn game_made() -> Json {
    object(&[("game_id", text()), ("num_bots", count()), ("status", text())], &[])
}

pub(crate) fn match_order() -> Json {
    object(
        &[("game", text())],
        &[
            ("id", table_id()),
            ("seats", small()),
            ("bots", small()),
            ("settings", anything()),
            ("seed", json!({"type": ["string", "null"], "maxLength": 200})),
            ("private", flag()),
            ("readyCheck", flag()),
            ("spectatorDelayMs", json!({"type": "integer", "minimum": 0, "maximum": 3_600_000})),
        ],
    )
}

pub(crate) fn match_made() -> Json {
    object(
        &[
            ("id", text()),
            ("status", text()),
            ("seats", count()),
            ("bots", count()),
            ("owner_token", text()),
            ("stake", count()),
            ("link", text()),
            ("invite", maybe("string")),
        ],
        &[],
    )
}

pub(crate) fn matches() -> Json {
    let row = object(&[("id", text()), ("game", text()), ("status", text()), ("seats", count())], &[]);
    object(&[("matches", list(row))], &[])
}

pub(crate) fn match_state() -> Json {
    json!({"enum": ["waiting", "running", "paused", "finished"]})
}

pub(crate) fn match_view() -> Json {
    let more = [("snapshot", maybe("object")), ("continuedFrom", maybe("object"))];
    object(&[("id", text()), ("game", text()), ("status", text())], &more)
}

pub(crate) fn join_order() -> Json {
    object(&[], &[("player_name", named(50)), ("invite", maybe("string"))])
}

pub(crate) fn joined() -> Json {
    object(&[("id", text()), ("session_token", text()), ("started", flag())], &[])
}

pub(crate) fn undo_order() -> Json {
    let to = json!({"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX});
    object(&[], &[("to", to), ("requestKey", maybe("string"))])
}

pub(crate) fn response() -> Json {
    let number = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let mut body = object(
        &[],
        &[
            ("title", text()),
            ("selection", list(anything())),
            ("actor", text()),
            ("branchId", number.clone()),
            ("inputId", number),
            ("requestKey", maybe("string")),
        ],
    );
    body["anyOf"] = json!([{"required": ["branchId"]}, {"required": ["inputId"]}]);
    body
}

pub(crate) fn agree() -> Json {
    object(&[], &[("agree", flag())])
}

pub(crate) fn agreed() -> Json {
    object(&[("agreed", list(text())), ("game_id", maybe("string"))], &[])
}

pub(crate) fn replay() -> Json {
    object(&[("id", text()), ("steps", list(anything()))], &[("outcome", anything())])
}

/// Anything with a type: the game itself reads the rest.
pub(crate) fn action() -> Json {
    json!({"type": "object", "properties": {"type": text()}, "required": ["type"]})
}

/// Why something cannot be done: for programs, and in words.
fn why_not() -> Json {
    object(&[("code", text()), ("text", text())], &[("args", anything())])
}

/// A target of an action with its options; those with a `whyNot` cannot be had.
fn target() -> Json {
    let option = object(&[("id", text())], &[("cost", text()), ("whyNot", why_not())]);
    object(
        &[("count", count()), ("constraints", list(text())), ("options", list(option))],
        &[("selector", maybe("string")), ("min", count()), ("given", anything())],
    )
}

pub(crate) fn actions() -> Json {
    let targets = json!({"type": "object", "additionalProperties": target()});
    let can = object(
        &[("id", text()), ("name", text()), ("targets", targets), ("timing", text())],
        &[("description", text()), ("cost", maybe("string")), ("ui", anything())],
    );
    let refused = object(&[("id", text()), ("name", text()), ("whyNot", why_not())], &[]);
    object(&[("actions", list(can)), ("refused", list(refused))], &[("whyNot", why_not())])
}

pub(crate) fn log_form() -> Json {
    json!({"type": "string", "enum": ["records", "events"]})
}

fn game_row(more: &[(&str, Json)]) -> Json {
    object(
        &[
            ("name", text()),
            ("title", text()),
            ("titles", json!({"type": "object", "additionalProperties": text()})),
            ("rules", count()),
            ("seats", object(&[("min", count()), ("max", count())], &[])),
            ("settings", anything()),
            ("schema", json!({"type": "object"})),
            ("rated", flag()),
            ("staked", flag()),
            ("visits", flag()),
            ("leagues", list(anything())),
            ("undo", json!({"enum": ["none", "own", "consent"]})),
            ("ruleset", flag()),
        ],
        more,
    )
}

pub(crate) fn catalog() -> Json {
    object(&[("games", list(game_row(&[])))], &[])
}

pub(crate) fn game_sheet() -> Json {
    game_row(&[("sheet", anything())])
}

pub(crate) fn fork_order() -> Json {
    object(
        &[("at", count()), ("seat", count())],
        &[("player_name", json!({"type": "string", "maxLength": 50}))],
    )
}

pub(crate) fn forked() -> Json {
    object(&[("id", text()), ("session_token", text()), ("seat", count()), ("link", text())], &[])
}

pub(crate) fn guest_order() -> Json {
    let language = json!({"enum": LANGUAGES});
    object(&[], &[("nickname", json!({"type": "string", "maxLength": 50})), ("language", language)])
}

fn rated() -> Json {
    object(
        &[("game", text()), ("rating", whole()), ("leagueKey", text())],
        &[("won", count()), ("lost", count()), ("drawn", count())],
    )
}

fn sitting() -> Json {
    object(&[("game_id", text()), ("game", text()), ("seat", count())], &[])
}

pub(crate) fn profile() -> Json {
    object(
        &[
            ("player_id", text()),
            ("nickname", text()),
            ("language", text()),
            ("avatar", text()),
            ("tokens", whole()),
            ("rating", whole()),
            ("leagueKey", text()),
            ("ratings", list(rated())),
            ("free_rename", flag()),
            ("rights", list(text())),
        ],
        &[("token", text()), ("matches", list(sitting()))],
    )
}

pub(crate) fn nickname_order() -> Json {
    object(&[("nickname", json!({"type": "string", "maxLength": 50}))], &[])
}

pub(crate) fn profile_order() -> Json {
    object(&[], &[("language", json!({"enum": LANGUAGES})), ("avatar", json!({"enum": AVATARS}))])
}

pub(crate) fn balances() -> Json {
    object(&[("balances", json!({"type": "object", "additionalProperties": {"type": "integer"}}))], &[])
}

pub(crate) fn history() -> Json {
    let row = object(
        &[
            ("no", count()),
            ("game_id", text()),
            ("match", count()),
            ("game", text()),
            ("seat", count()),
            ("went", json!({"enum": ["won", "lost", "drawn", "stopped"]})),
            ("reason", text()),
            ("points", maybe("integer")),
            ("at", count()),
        ],
        &[],
    );
    object(&[("matches", list(row))], &[])
}

pub(crate) fn face() -> Json {
    object(
        &[
            ("player_id", text()),
            ("nickname", text()),
            ("avatar", text()),
            ("rating", whole()),
            ("leagueKey", text()),
            ("ratings", list(rated())),
        ],
        &[],
    )
}

pub(crate) fn queue_order() -> Json {
    let fill = json!({"type": ["integer", "null"], "minimum": 0, "maximum": parlor_wire::lobby::FILL_MS_MAX});
    object(&[], &[("settings", anything()), ("seats", small()), ("fillWithBotsAfterMs", fill)])
}

pub(crate) fn queue_place() -> Json {
    object(
        &[("status", json!({"enum": ["waiting", "matched"]}))],
        &[
            ("position", count()),
            ("waiting", count()),
            ("tokens", whole()),
            ("game_id", text()),
            ("game", text()),
            ("seat", count()),
        ],
    )
}

// ---- the operator's ----

pub(crate) fn reason() -> Json {
    object(&[("why", named(200))], &[])
}

pub(crate) fn look_order() -> Json {
    object(&[("seat", json!({"type": "integer", "minimum": 0, "maximum": 255})), ("why", named(200))], &[])
}

pub(crate) fn drain_order() -> Json {
    object(&[("on", flag())], &[])
}

pub(crate) fn grant_order() -> Json {
    let most = parlor_store::AMOUNT_MAX;
    object(
        &[
            ("amount", json!({"type": "integer", "minimum": -most, "maximum": most})),
            ("key", named(100)),
            ("why", named(200)),
        ],
        &[],
    )
}

pub(crate) fn rights_order() -> Json {
    let names: Vec<&str> = RIGHTS.iter().map(|(name, _)| *name).collect();
    object(&[("rights", list(json!({"enum": names})))], &[])
}
