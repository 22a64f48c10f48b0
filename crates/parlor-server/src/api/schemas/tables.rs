//! Schemas of tables and matches.

use parlor_core::Json;
use serde_json::json;

use super::house::published;
use super::{
    anything, as_on_the_wire, by_name, count, flag, list, maybe, object, small, text, text_of, whole, words,
};

/// A table's id.
pub(crate) fn table_id() -> Json {
    json!({"type": "string", "minLength": 1, "maxLength": 50, "pattern": "^[A-Za-z0-9_-]+$"})
}

pub(crate) fn games() -> Json {
    let game = object(
        "GameRow",
        "A table that waits or runs.",
        &[
            ("game_id", text(), "the table"),
            ("game", text(), ""),
            ("player_count", count(), "people who are there"),
            ("max_players", count(), ""),
            ("num_bots", count(), ""),
            ("started", flag(), ""),
        ],
        &[],
    );
    let next = ("next", text(), "there are more: what `after` takes for the next page");
    object("Games", "Tables, in the words of the mahjong document.", &[("games", list(game), "")], &[next])
}

pub(crate) fn game_order() -> Json {
    let bots = json!({"type": ["integer", "null"], "minimum": 0, "maximum": 3});
    object(
        "GameOrder",
        "A new table, in the words of the mahjong document.",
        &[],
        &[
            ("game_id", table_id(), ""),
            ("game", text(), ""),
            ("num_bots", bots, ""),
            ("bots", list(chosen_bot()), "which bots in which seats; `num_bots` counts the others"),
            ("settings", anything(), ""),
        ],
    )
}

pub(crate) fn game_made() -> Json {
    let required = [("game_id", text(), ""), ("num_bots", count(), ""), ("status", text(), "")];
    object("GameMade", "It waits for its people.", &required, &[])
}

/// A bot that the creator chooses.
fn chosen_bot() -> Json {
    object(
        "ChosenBot",
        "A bot that the creator chooses.",
        &[],
        &[
            ("seat", small(), "any unless said"),
            ("bot", text(), "its name in the catalog; the game's first unless said"),
            ("level", small(), "from 1; the bot's own choice unless said"),
            ("program", maybe("string"), "the operator's program that plays it"),
        ],
    )
}

pub(crate) fn reserve_order() -> Json {
    object("ReserveOrder", "A wish to keep a seat.", &[], &[("seat", small(), "any free one unless said")])
}

pub(crate) fn seat_reserved() -> Json {
    object(
        "SeatReserved",
        "A seat that is kept while its player chooses what to bring.",
        &[
            ("seat", count(), ""),
            ("forMs", count(), "for how long, in milliseconds"),
            ("buyInMin", count(), "the least that a player brings"),
            ("buyInMax", count(), "the most that a player brings"),
            ("currency", text(), "tokens or play"),
        ],
        &[],
    )
}

pub(crate) fn remove_order() -> Json {
    let seat = ("seat", count(), "whose");
    object(
        "RemoveOrder",
        "Who leaves when this match is over.",
        &[seat],
        &[("remove", flag(), "yes unless said")],
    )
}

pub(crate) fn settings_order() -> Json {
    let settings = ("settings", anything(), "in the game's own form");
    object("SettingsOrder", "The settings from the next match on.", &[settings], &[])
}

pub(crate) fn match_order() -> Json {
    let seed = json!({"type": ["string", "null"], "maxLength": 200});
    let delay = json!({"type": "integer", "minimum": 0, "maximum": 3_600_000});
    let grace = delay.clone();
    let bots = json!({"anyOf": [small(), list(chosen_bot())]});
    object(
        "MatchOrder",
        "A new table.",
        &[("game", text(), "")],
        &[
            ("id", table_id(), "made up unless said"),
            ("seats", small(), "as few as the game allows unless said"),
            ("bots", bots, "how many of the seats are bots', or which bots in which seats"),
            ("num_bots", small(), "how many more, where `bots` is a list"),
            ("settings", anything(), ""),
            ("awayGraceMs", grace.clone(), "how long a player who is lost has to come back"),
            ("lastHumanGraceMs", grace.clone(), "how long the table waits for its last player"),
            ("botMs", grace, "how long a bot takes for its turn"),
            ("standInBot", anything(), "the bot that plays for a lost player: its name, or `{bot, level}`"),
            ("seed", seed, "makes the match repeatable; it is marked `seeded` and never staked"),
            ("private", flag(), "only for those who have its invitation"),
            ("readyCheck", flag(), "it begins when everybody is ready"),
            ("spectatorDelayMs", delay, "how much later the gallery sees it"),
        ],
    )
}

pub(crate) fn match_made() -> Json {
    object(
        "MatchMade",
        "A table that waits for its people.",
        &[
            ("id", text(), ""),
            ("status", text(), ""),
            ("seats", count(), ""),
            ("bots", count(), ""),
            ("owner_token", text(), "needed to start or kill the table"),
            ("stake", count(), "what each will stake"),
            ("link", text(), "where the web client finds it"),
            ("invite", maybe("string"), "the code of a private table"),
        ],
        &[],
    )
}

pub(crate) fn match_state() -> Json {
    words("MatchState", "How far a table is.", &["waiting", "running", "paused", "finished"])
}

pub(crate) fn table_order() -> Json {
    words("TableOrder", "In which order tables are listed.", &["name", "newest"])
}

pub(crate) fn matches() -> Json {
    let result = object(
        "TableResult",
        "How a table ended.",
        &[("places", list(count()), "of each seat, from 1"), ("reason", text(), "a short code of the cause")],
        &[("scores", list(whole()), "what each seat had, where the game has such a number")],
    );
    let row = object(
        "MatchRow",
        "A table in a list.",
        &[("id", text(), ""), ("game", text(), ""), ("status", match_state(), ""), ("seats", count(), "")],
        &[
            ("people", count(), "while it waits: who is there"),
            ("bots", count(), "while it waits: how many bots will be"),
            ("match", count(), "once it runs: the number of the match"),
            ("updated", count(), "once it runs: when it last changed, in milliseconds since 1970"),
            (
                "players",
                list(maybe("string")),
                "once it runs: the people by their seats, and when it is over the bots too",
            ),
            ("result", result, "when it is over"),
            ("seatsFree", count(), "where it was asked for by its stakes"),
            ("minBet", count(), "the smallest bet, where it was asked for by its stakes"),
            ("buyInMin", count(), "where it was asked for by its stakes"),
            ("buyInMax", count(), "where it was asked for by its stakes"),
            ("currency", text(), "where it was asked for by its stakes"),
        ],
    );
    let next = ("next", text(), "there may be more: what `after` takes for the next page");
    object("Matches", "Tables.", &[("matches", list(row), "")], &[next])
}

pub(crate) fn match_view() -> Json {
    let continued = json!({"type": ["object", "null"], "properties": {"id": text(), "match": count(), "at": count()},
        "required": ["id", "match", "at"]});
    let seats = json!({"anyOf": [count(), list(as_on_the_wire(&["object"], "SeatInfo"))]});
    object(
        "MatchInfo",
        "What somebody may see of a table.",
        &[
            ("id", text(), ""),
            ("game", text(), ""),
            ("status", match_state(), ""),
            ("seats", seats, "while it waits, their number; then, who sits there"),
        ],
        &[
            ("players", list(text()), "while it waits: who is there"),
            ("bots", count(), "while it waits"),
            ("stake", count(), "while it waits: what each will stake"),
            ("settings", anything(), "while it waits"),
            ("private", flag(), "while it waits"),
            ("match", count(), "the number of the match"),
            ("paused", maybe("string"), "why it stands still"),
            ("over", flag(), ""),
            ("seeded", flag(), "somebody chose the seed, or may know it: never ranked, never staked"),
            ("continuedFrom", continued, "the moment of another match from which this one plays on"),
            ("snapshot", as_on_the_wire(&["object", "null"], "Snapshot"), "what he sees, once it has begun"),
            ("ruleset", published(), "the version of a published ruleset that it is played by"),
        ],
    )
}

pub(crate) fn join_order() -> Json {
    object(
        "JoinOrder",
        "A wish for a seat.",
        &[],
        &[
            ("player_name", text_of(1, 50), "needed without an account"),
            ("invite", maybe("string"), ""),
            ("seat", small(), "at a table that runs; any free one unless said"),
            ("buyIn", maybe("integer"), "what you bring, where players come and go; the most unless said"),
        ],
    )
}

pub(crate) fn joined() -> Json {
    object(
        "Joined",
        "A seat.",
        &[
            ("id", text(), "the table"),
            ("session_token", text(), "the key to the seat"),
            ("started", flag(), ""),
        ],
        &[("seat", count(), "at a table that runs")],
    )
}

pub(crate) fn undo_order() -> Json {
    let to = json!({"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX});
    let other =
        [("to", to, "back to this lock; the last answer unless said"), ("requestKey", maybe("string"), "")];
    object("UndoOrder", "A wish to take an answer back.", &[], &other)
}

pub(crate) fn response() -> Json {
    let number = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let mut body = object(
        "ResponseOrder",
        "An answer to a request.",
        &[],
        &[
            ("title", text(), "of the request"),
            ("selection", list(anything()), "what is chosen"),
            ("actor", text(), "of the request"),
            ("branchId", number.clone(), "the lock that the answer was given under"),
            ("inputId", number, "the request that it answers"),
            ("requestKey", maybe("string"), "said twice, it is taken once"),
        ],
    );
    body["anyOf"] = json!([{"required": ["branchId"]}, {"required": ["inputId"]}]);
    body
}

fn ignored() -> Json {
    let required = [("path", text(), "where in the message, as a JSON pointer"), ("reason", text(), "")];
    object("IgnoredPart", "A part of a message that was not followed.", &required, &[])
}

/// The reply to an answer, an undo and an action.
pub(crate) fn answered() -> Json {
    object(
        "Answered",
        "It was taken.",
        &[
            ("success", flag(), ""),
            ("branchId", whole(), "the lock after it"),
            ("requestKey", maybe("string"), "the key that was given with it"),
        ],
        &[("ignored", list(ignored()), "what of it was not followed, and why")],
    )
}

pub(crate) fn agree() -> Json {
    object(
        "RematchOrder",
        "Whether somebody wants another match.",
        &[],
        &[("agree", flag(), "yes unless said")],
    )
}

pub(crate) fn agreed() -> Json {
    let table = ("game_id", maybe("string"), "the table, once all want it");
    object("Agreed", "Who wants another match.", &[("agreed", list(text()), ""), table], &[])
}

pub(crate) fn replay() -> Json {
    let step = object(
        "ReplayStep",
        "A moment of a match.",
        &[("seq", count(), "the record that led to it"), ("view", anything(), "what was seen then")],
        &[
            ("at", count(), "when, in milliseconds since the match began"),
            ("events", list(anything()), "what was told"),
        ],
    );
    let outcome = as_on_the_wire(&["object", "null"], "Outcome");
    let required = [("id", text(), ""), ("steps", list(step), ""), ("outcome", outcome, "")];
    let ruleset = ("ruleset", published(), "the version of a published ruleset that it was played by");
    object("Replay", "A match that is over, step by step.", &required, &[ruleset])
}

/// An object with a type: the game itself reads the rest.
pub(crate) fn action() -> Json {
    object("ActionOrder", "What to do, in the game's own words.", &[("type", text(), "")], &[])
}

/// Why an action is not possible: a code for programs and a text.
fn why_not() -> Json {
    let required = [("code", text(), "for programs"), ("text", text(), "for people")];
    object("WhyNot", "Why something cannot be had.", &required, &[("args", anything(), "")])
}

/// A target of an action with its options; those with a `whyNot` cannot be chosen.
fn target() -> Json {
    let option = object(
        "ActionOption",
        "Something that a target can be, or why it cannot.",
        &[("id", text(), "")],
        &[("cost", text(), ""), ("whyNot", why_not(), "")],
    );
    object(
        "ActionTarget",
        "What an action is about.",
        &[("count", count(), ""), ("constraints", list(text()), ""), ("options", list(option), "")],
        &[
            ("selector", maybe("string"), ""),
            ("min", count(), "where fewer than `count` will do"),
            ("given", anything(), "what has been chosen so far"),
        ],
    )
}

pub(crate) fn actions() -> Json {
    let can = object(
        "ActionRow",
        "Something that can be done now.",
        &[
            ("id", text(), ""),
            ("name", text(), ""),
            ("targets", by_name(target()), ""),
            ("timing", text(), "`stack` waits for responses, `instant` does not"),
        ],
        &[
            ("description", text(), ""),
            ("cost", maybe("string"), "what it costs, or from where to where"),
            ("ui", anything(), ""),
        ],
    );
    let required = [("id", text(), ""), ("name", text(), ""), ("whyNot", why_not(), "")];
    let refused = object("RefusedAction", "Something that cannot be done now.", &required, &[]);
    object(
        "Actions",
        "What somebody can do now.",
        &[("actions", list(can), ""), ("refused", list(refused), "")],
        &[("whyNot", why_not(), "why nothing can be done at all")],
    )
}

/// The events a viewer was sent: the log `as=events`.
pub(crate) fn told() -> Json {
    let row = object(
        "ToldEvent",
        "Something that somebody was told.",
        &[
            ("n", count(), "counted for him alone"),
            ("at", count(), "when, in milliseconds since the match began"),
            ("event", anything(), "in the game's own words"),
        ],
        &[],
    );
    let place = maybe("integer");
    object(
        "Told",
        "What somebody was told of a match.",
        &[
            ("id", text(), "the table"),
            ("v", place, "where in his stream the last of it is; none where nobody is at the table"),
            ("events", list(row), ""),
        ],
        &[],
    )
}

pub(crate) fn fork_order() -> Json {
    object(
        "ForkOrder",
        "From where to play on.",
        &[
            ("at", count(), "the record up to which the log is taken"),
            ("seat", count(), "whose seat is yours"),
        ],
        &[("player_name", json!({"type": "string", "maxLength": 50}), "")],
    )
}

pub(crate) fn forked() -> Json {
    object(
        "Forked",
        "A table that plays on from a moment of another.",
        &[
            ("id", text(), ""),
            ("session_token", text(), "the key to the seat"),
            ("seat", count(), ""),
            ("link", text(), "where the web client finds it"),
        ],
        &[],
    )
}
