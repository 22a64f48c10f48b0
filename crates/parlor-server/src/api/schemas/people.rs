//! Schemas of accounts and queues.

use parlor_core::Json;
use serde_json::json;

use super::{anything, at_most, by_name, count, flag, list, maybe, object, small, text, whole, words};
use crate::house::accounts::{AVATARS, LANGUAGES};

fn language() -> Json {
    words("Language", "A language that the house speaks.", &LANGUAGES)
}

pub(crate) fn guest_order() -> Json {
    let wishes = [("nickname", at_most(50), "as near to it as is free"), ("language", language(), "")];
    object("GuestOrder", "What a new player would like.", &[], &wishes)
}

fn rated() -> Json {
    object(
        "Rated",
        "How a player stands in one game.",
        &[
            ("game", text(), ""),
            ("rating", whole(), "his points"),
            ("leagueKey", text(), "the league they make"),
            ("won", count(), ""),
            ("lost", count(), ""),
            ("drawn", count(), ""),
        ],
        &[],
    )
}

fn sitting() -> Json {
    let required = [("game_id", text(), "the table"), ("game", text(), ""), ("seat", count(), "")];
    object("Sitting", "A match that a player sits at.", &required, &[])
}

/// The public properties of a player.
fn known() -> [(&'static str, Json, &'static str); 6] {
    [
        ("player_id", text(), "his name for programs"),
        ("nickname", text(), "his name for people"),
        ("avatar", text(), ""),
        ("rating", whole(), "his points in the first game that rates him; 0 where none does yet"),
        ("leagueKey", text(), "the league they make"),
        ("ratings", list(rated()), "how he stands in every game"),
    ]
}

fn player(name: &str, about: &str, more: &[(&str, Json, &str)]) -> Json {
    let own = [
        ("language", text(), ""),
        ("tokens", whole(), "what he owns"),
        ("free_rename", flag(), "whether the next change of name costs nothing"),
        ("rights", list(text()), "what he may do beyond playing"),
    ];
    object(name, about, &[&known()[..], &own, more].concat(), &[])
}

pub(crate) fn profile() -> Json {
    player("Profile", "A player as he sees himself.", &[])
}

pub(crate) fn new_player() -> Json {
    let token = ("token", text(), "the only key to the account: told this once");
    player("NewPlayer", "A player who was not there before.", &[token])
}

pub(crate) fn new_token() -> Json {
    let token = ("token", text(), "the only key to the account from now on: told this once");
    object("NewToken", "Another token for the same account.", &[token], &[])
}

pub(crate) fn player_sessions() -> Json {
    let session = object(
        "SignedIn",
        "A connection that is signed in as a player.",
        &[("address", text(), "from where"), ("since", count(), "when, in milliseconds since 1970")],
        &[],
    );
    let matches = ("matches", list(sitting()), "what the player sits at");
    object("PlayerSessions", "Where a player is.", &[("sessions", list(session), ""), matches], &[])
}

pub(crate) fn me() -> Json {
    let matches = ("matches", list(sitting()), "what he sits at");
    player("Me", "A player as he sees himself, with what he sits at.", &[matches])
}

pub(crate) fn face() -> Json {
    let game = object(
        "HeadToHead",
        "How your matches with another player went for you, in one game.",
        &[("game", text(), ""), ("won", count(), ""), ("lost", count(), ""), ("drawn", count(), "")],
        &[],
    );
    let both = (
        "headToHead",
        list(game),
        "the matches that you have both played; only for a player who asks of another",
    );
    object("Face", "What everybody may know of a player.", &known(), &[both])
}

pub(crate) fn leaders() -> Json {
    let row = object(
        "Leader",
        "A player in the list of those with the highest ratings.",
        &[
            ("player_id", text(), ""),
            ("nickname", text(), ""),
            ("avatar", text(), ""),
            ("game", text(), ""),
            ("rating", whole(), ""),
            ("leagueKey", text(), "the league that the rating makes"),
            ("won", count(), ""),
            ("lost", count(), ""),
            ("drawn", count(), ""),
        ],
        &[],
    );
    object("Leaders", "Who leads in a game, the highest rating first.", &[("leaders", list(row), "")], &[])
}

pub(crate) fn nickname_order() -> Json {
    object("RenameOrder", "Another nickname.", &[("nickname", at_most(50), "")], &[])
}

pub(crate) fn profile_order() -> Json {
    let changes = [("language", language(), ""), ("avatar", json!({"enum": AVATARS}), "")];
    object("ProfileOrder", "What is to be another.", &[], &changes)
}

pub(crate) fn balances() -> Json {
    object("Balances", "What a player owns.", &[("balances", by_name(whole()), "by currency")], &[])
}

pub(crate) fn statement() -> Json {
    let line = object(
        "StatementLine",
        "A line of a statement.",
        &[
            ("no", count(), "what `after` takes"),
            ("at", count(), "when, in milliseconds since 1970"),
            ("currency", text(), "tokens or play"),
            ("change", whole(), "what came, or went if it is below 0"),
            ("balance", whole(), "what was there after it"),
            ("reason", text(), "such as buy_in, top_up, cash_out, payout, refund, hold, release, refill"),
            ("with", text(), "the other side: table, hold, house, burn, mint or player"),
            ("game_id", maybe("string"), "the table that it was at"),
        ],
        &[],
    );
    object("Statement", "Everything that came to an account or went.", &[("lines", list(line), "")], &[])
}

pub(crate) fn history() -> Json {
    let row = object(
        "Played",
        "A match that somebody has played.",
        &[
            ("no", count(), "what `after` takes"),
            ("game_id", text(), "the table"),
            ("match", count(), ""),
            ("game", text(), ""),
            ("seat", count(), ""),
            ("went", words("Went", "How it went.", &["won", "lost", "drawn", "stopped"]), ""),
            ("reason", text(), ""),
            ("points", maybe("integer"), "by how much his rating changed; none where it was not rated"),
            ("at", count(), "when it ended, in milliseconds since 1970"),
        ],
        &[],
    );
    object("History", "What somebody has played, newest first.", &[("matches", list(row), "")], &[])
}

pub(crate) fn queue_order() -> Json {
    let fill = json!({"type": ["integer", "null"], "minimum": 0, "maximum": parlor_wire::lobby::FILL_MS_MAX});
    object(
        "QueueWish",
        "Which opponents one waits for.",
        &[],
        &[
            ("settings", anything(), ""),
            ("seats", small(), "as few as the game allows unless said"),
            (
                "anySeat",
                flag(),
                "where players come and go: a seat at a table with these settings, or at a new one",
            ),
            ("fillWithBotsAfterMs", fill, "after so long bots take the seats that are still empty"),
        ],
    )
}

pub(crate) fn queue_place() -> Json {
    object(
        "QueuePlace",
        "Where somebody stands in a queue, or the match that was found.",
        &[("status", words("QueueState", "How the waiting goes.", &["waiting", "matched"]), "")],
        &[
            ("position", count(), "from 1"),
            ("waiting", count(), "how many wait"),
            ("tokens", whole(), "what he still owns"),
            ("game_id", text(), "the table that was found"),
            ("game", text(), ""),
            ("seat", count(), ""),
            ("session_token", text(), "with `anySeat`: the token of that seat"),
        ],
    )
}

pub(crate) fn queue_left() -> Json {
    let left = ("left", flag(), "whether he was in it");
    object("QueueLeft", "He waits no longer.", &[("success", flag(), ""), left], &[])
}
