//! The table of all routes: each operation and its handler.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, delete, get, post};

use super::handlers::{
    actions, catalog, documents, fork, games, lists, logs, matches, owner, play, players, queue, rulesets,
    socket, system,
};
use crate::api::schemas as s;
use crate::api::{Auth, Operation, Param, Shape};
use crate::house::hub::Hub;

/// Builds the handler of a route.
type Answer = fn() -> MethodRouter<Arc<Hub>>;

/// An operation and its handler.
pub(crate) struct Route {
    pub(crate) operation: Operation,
    pub(super) answer: Answer,
}

/// The largest ruleset that is taken, in bytes.
const RULESET_BYTES_MAX: usize = 1 << 20;
const JSON: &str = "application/json";

/// A row of the table below, with the defaults that most rows share.
const fn row(
    method: &'static str,
    path: &'static str,
    name: &'static str,
    about: &'static str,
    answer: Answer,
) -> Route {
    let operation = Operation {
        method,
        path,
        name,
        about,
        auth: Auth::Nobody,
        query: &[],
        body: None,
        reply: (200, s::status_ok),
        media: JSON,
        or_else: None,
        errors: &[],
    };
    Route { operation, answer }
}

impl Route {
    const fn by(mut self, auth: Auth) -> Self {
        self.operation.auth = auth;
        self
    }

    const fn takes(mut self, body: Shape) -> Self {
        self.operation.body = Some(body);
        self
    }

    const fn asks(mut self, query: &'static [Param]) -> Self {
        self.operation.query = query;
        self
    }

    const fn gives(mut self, status: u16, reply: Shape) -> Self {
        self.operation.reply = (status, reply);
        self
    }

    const fn kind(mut self, media: &'static str) -> Self {
        self.operation.media = media;
        self
    }

    const fn or_else(mut self, media: &'static str, reply: Shape) -> Self {
        self.operation.or_else = Some((media, reply));
        self
    }

    const fn refuses(mut self, errors: &'static [u16]) -> Self {
        self.operation.errors = errors;
        self
    }
}

const INVITE: Param = Param { name: "invite", schema: s::text, about: "the code of a private table" };
const WAIT: Param = Param {
    name: "wait",
    schema: s::count,
    about: "wait so many milliseconds, at most a minute, for something newer than `v`",
};
const VERSION: Param = Param { name: "v", schema: s::count, about: "the last version you have" };
const CURRENCY: Param = Param { name: "currency", schema: s::text, about: "only this one: tokens or play" };
const AFTER: Param =
    Param { name: "after", schema: s::count, about: "the `no` of the last row you have; older ones follow" };
const LIMIT: Param = Param { name: "limit", schema: s::count, about: "how many rows at most" };
const MATCH: Param = Param {
    name: "match",
    schema: s::count,
    about: "which match of the table, from 1; the last unless said",
};
const AS: Param = Param {
    name: "as",
    schema: s::text,
    about: "records; events: what you were told so far, with its causes; or a notation of the game's own",
};
const SEAT: Param =
    Param { name: "seat", schema: s::count, about: "through whose eyes; the gallery's unless said" };
const PLAYER_ID: Param =
    Param { name: "player_id", schema: s::text, about: "your own seat, if you name one" };
const OF: Param = Param { name: "of", schema: s::text, about: "only what starts from this thing" };
const ACTION: Param = Param { name: "action", schema: s::text, about: "only this action" };
const TARGETS: Param = Param {
    name: "targets",
    schema: s::text,
    about: "what you have chosen for it so far: a JSON object of target and id",
};
const STATE: Param = Param { name: "state", schema: s::match_state, about: "only tables in this state" };
const GAME: Param = Param {
    name: "game",
    schema: s::text,
    about: "only tables of this game; without `state`, only those at which players come and go",
};
const ORDER: Param = Param {
    name: "order",
    schema: s::table_order,
    about: "by name unless said; newest: the last one opened first",
};
const MIN_BET: Param =
    Param { name: "minBet", schema: s::count, about: "only such tables with this smallest bet" };
const SEATS_FREE: Param =
    Param { name: "seatsFree", schema: s::count, about: "only such tables with so many free seats at least" };
const IDENTITY: Param = Param {
    name: "identity",
    schema: s::text,
    about: "which rules, where they are a ruleset's; the listed ones unless said",
};
const AFTER_NAME: Param =
    Param { name: "after", schema: s::text, about: "the `name` of the last row you have" };
const VERSION_NO: Param =
    Param { name: "version", schema: s::count, about: "which version, from 1; the newest unless said" };
const AFTER_GAME: Param =
    Param { name: "after", schema: s::text, about: "the `game_id` of the last row you have" };
const AFTER_ID: Param = Param { name: "after", schema: s::text, about: "the `id` of the last row you have" };

/// The table of routes.
pub(crate) const ROUTES: [Route; 61] = [
    row("get", "/health", "health", "Whether the server answers", || get(system::health)),
    row("get", "/healthz", "healthz", "The same", || get(system::health)),
    row("get", "/readyz", "ready", "Whether tables can be played and stored", || get(system::ready))
        .refuses(&[503]),
    row("get", "/status", "status", "How many tables there are", || get(system::status))
        .gives(200, s::status),
    row("get", "/metrics", "metrics", "What is counted, for Prometheus", || get(system::metrics))
        .gives(200, s::text)
        .kind("text/plain; version=0.0.4")
        .refuses(&[403]),
    row("get", "/openapi.json", "openapi", "This page", || get(catalog::openapi)).gives(200, s::anything),
    row("get", "/asyncapi.json", "asyncapi", "The same for the sockets", || get(catalog::asyncapi))
        .gives(200, s::anything),
    row("get", "/catalog", "catalog", "The games, and what can be set", || get(catalog::catalog))
        .gives(200, s::catalog),
    row("get", "/catalog/{game}", "game", "One game, with what a screen needs to draw it", || {
        get(catalog::game)
    })
    .asks(&[IDENTITY])
    .gives(200, s::game_sheet)
    .refuses(&[404]),
    row("get", "/games", "listGames", "Tables that wait or run", || get(games::list_games))
        .asks(&[AFTER_GAME, LIMIT])
        .gives(200, s::games)
        .refuses(&[400]),
    row("post", "/games", "createGame", "Make a table, in the words of the mahjong document", || {
        post(games::create_game)
    })
    .takes(s::game_order)
    .gives(201, s::game_made)
    .refuses(&[400, 409, 503]),
    row("get", "/matches", "listMatches", "Tables, in pages", || get(lists::list_matches))
        .asks(&[STATE, AFTER_ID, LIMIT, ORDER, GAME, MIN_BET, SEATS_FREE])
        .gives(200, s::matches)
        .refuses(&[400, 503]),
    row("post", "/matches", "createMatch", "Make a table that waits for its people", || {
        post(matches::create_match)
    })
    .by(Auth::Anybody)
    .takes(s::match_order)
    .gives(201, s::match_made)
    .refuses(&[400, 409, 503]),
    row("get", "/matches/{id}", "viewMatch", "What you may see of a table", || get(matches::view))
        .by(Auth::SeatOrNobody)
        .asks(&[INVITE, WAIT, VERSION])
        .gives(200, s::match_view)
        .refuses(&[400, 401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/join", "joinMatch", "Take a seat", || post(matches::join))
        .by(Auth::Anybody)
        .takes(s::join_order)
        .gives(200, s::joined)
        .refuses(&[400, 402, 403, 404, 409, 422, 503]),
    row(
        "post",
        "/matches/{id}/reserve",
        "reserveSeat",
        "Keep a free seat while you choose what to bring",
        || post(matches::reserve),
    )
    .by(Auth::Anybody)
    .asks(&[INVITE])
    .takes(s::reserve_order)
    .gives(200, s::seat_reserved)
    .refuses(&[400, 401, 404, 409, 503]),
    row("post", "/matches/{id}/pause", "pauseMatch", "Pause a table of yours", || post(owner::pause))
        .by(Auth::Owner)
        .gives(200, s::success)
        .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/resume", "resumeMatch", "Go on with a table that you paused", || {
        post(owner::resume)
    })
    .by(Auth::Owner)
    .gives(200, s::success)
    .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/remove", "removePlayer", "Remove a player when this match is over", || {
        post(owner::remove)
    })
    .by(Auth::Owner)
    .takes(s::remove_order)
    .gives(200, s::success)
    .refuses(&[400, 401, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/settings",
        "changeSettings",
        "Change the settings of a table of yours from the next match on",
        || post(owner::settings),
    )
    .by(Auth::Owner)
    .takes(s::settings_order)
    .gives(200, s::answered)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/leave", "leaveMatch", "Get up for good", || post(matches::leave))
        .by(Auth::Seat)
        .gives(200, s::success)
        .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/start", "startMatch", "Begin with whoever is there", || post(matches::start))
        .by(Auth::Owner)
        .gives(200, s::success)
        .refuses(&[400, 401, 402, 403, 404, 409, 503]),
    row("post", "/matches/{id}/kill", "killMatch", "End a table: every stake goes back", || {
        post(matches::kill)
    })
    .by(Auth::Owner)
    .gives(200, s::success)
    .refuses(&[401, 403, 404, 503]),
    row("post", "/matches/{id}/undo", "undo", "Ask to take back your last answer", || post(play::undo))
        .by(Auth::Seat)
        .takes(s::undo_order)
        .gives(200, s::answered)
        .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/responses", "respond", "Answer a request", || post(play::respond))
        .by(Auth::Seat)
        .takes(s::response)
        .gives(200, s::answered)
        .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/rematch", "rematch", "Once more with the same people", || post(play::rematch))
        .by(Auth::Seat)
        .takes(s::agree)
        .gives(200, s::agreed)
        .refuses(&[400, 401, 403, 404, 409, 503]),
    row("get", "/matches/{id}/actions", "actions", "What you can do now, in the game's own words", || {
        get(actions::list)
    })
    .by(Auth::Seat)
    .asks(&[PLAYER_ID, OF, ACTION, TARGETS])
    .gives(200, s::actions)
    .refuses(&[400, 401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/actions", "act", "Do it, or answer, in the game's own words", || {
        post(actions::act)
    })
    .by(Auth::Seat)
    .takes(s::action)
    .gives(200, s::answered)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row(
        "get",
        "/matches/{id}/{document}",
        "document",
        "The table in a form of its game's own, as you see it",
        || get(documents::show),
    )
    .by(Auth::SeatOrNobody)
    .asks(&[INVITE])
    .gives(200, s::anything)
    .or_else("text/plain", s::text)
    .refuses(&[401, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/{document}",
        "merge",
        "The same as you would have it; a guest asks for a seat so",
        || post(documents::merge),
    )
    .by(Auth::SeatOrNobody)
    .asks(&[INVITE])
    .takes(s::anything)
    .gives(200, s::anything)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("get", "/matches/{id}/log", "log", "The log of a match that is over", || get(logs::log))
        .by(Auth::SeatOrNobody)
        .asks(&[MATCH, AS, INVITE])
        .gives(200, s::text)
        .kind("application/x-ndjson")
        .or_else(JSON, s::told)
        .refuses(&[400, 403, 404, 409, 500, 503]),
    row("get", "/matches/{id}/replay", "replay", "A match that is over, step by step", || get(logs::replay))
        .asks(&[MATCH, SEAT, INVITE])
        .gives(200, s::replay)
        .refuses(&[400, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/fork",
        "fork",
        "Play on from a moment of a match that is over, against bots",
        || post(fork::fork),
    )
    .by(Auth::Anybody)
    .asks(&[MATCH, INVITE])
    .takes(s::fork_order)
    .gives(201, s::forked)
    .refuses(&[400, 403, 404, 409, 503]),
    row("post", "/players/guest", "guest", "Open an account; its token is told this once", || {
        post(players::guest)
    })
    .takes(s::guest_order)
    .gives(201, s::new_player)
    .refuses(&[400, 409, 503]),
    row("get", "/players/me", "me", "Your account", || get(players::me))
        .by(Auth::Player)
        .gives(200, s::me)
        .refuses(&[401, 503]),
    row("delete", "/players/me", "deleteMe", "Give your account up", || delete(players::delete))
        .by(Auth::Player)
        .gives(200, s::success)
        .refuses(&[401, 409, 503]),
    row("get", "/players/me/sessions", "sessions", "Where your account is signed in", || {
        get(players::sessions)
    })
    .by(Auth::Player)
    .gives(200, s::player_sessions)
    .refuses(&[401, 503]),
    row(
        "post",
        "/players/me/token",
        "changeToken",
        "Another token; the old one, and whoever signed in with it, are out",
        || post(players::change_token),
    )
    .by(Auth::Player)
    .gives(200, s::new_token)
    .refuses(&[401, 503]),
    row("post", "/players/me/nickname", "rename", "Change your nickname", || post(players::nickname))
        .by(Auth::Player)
        .takes(s::nickname_order)
        .gives(200, s::profile)
        .refuses(&[400, 401, 402, 409, 503]),
    row("post", "/players/me/profile", "setProfile", "Change your language or picture", || {
        post(players::profile)
    })
    .by(Auth::Player)
    .takes(s::profile_order)
    .gives(200, s::profile)
    .refuses(&[400, 401, 503]),
    row("get", "/players/me/balance", "balance", "What you own", || get(players::balance))
        .by(Auth::Player)
        .gives(200, s::balances)
        .refuses(&[401, 503]),
    row("get", "/players/me/matches", "myMatches", "What you have played", || get(players::matches))
        .by(Auth::Player)
        .asks(&[AFTER, LIMIT])
        .gives(200, s::history)
        .refuses(&[400, 401, 503]),
    row("get", "/me/ledger", "ledger", "Your statement: every token that came or went", || {
        get(players::ledger)
    })
    .by(Auth::Player)
    .asks(&[CURRENCY, AFTER, LIMIT])
    .gives(200, s::statement)
    .refuses(&[400, 401, 503]),
    row("get", "/players/me/ledger", "myLedger", "The same", || get(players::ledger))
        .by(Auth::Player)
        .asks(&[CURRENCY, AFTER, LIMIT])
        .gives(200, s::statement)
        .refuses(&[400, 401, 503]),
    row("get", "/players/{id}", "player", "What everybody may know of a player", || get(players::face))
        .by(Auth::Anybody)
        .gives(200, s::face)
        .refuses(&[404, 503]),
    row("get", "/players/{id}/matches", "playerMatches", "What a player has played at public tables", || {
        get(players::matches_of)
    })
    .asks(&[AFTER, LIMIT])
    .gives(200, s::history)
    .refuses(&[400, 404, 503]),
    row("get", "/leaders/{game}", "leaders", "The players with the highest ratings in a game", || {
        get(lists::leaders)
    })
    .asks(&[LIMIT])
    .gives(200, s::leaders)
    .refuses(&[400, 404, 503]),
    row("get", "/rulesets", "listRulesets", "Rulesets that were published, in pages", || get(rulesets::list))
        .asks(&[AFTER_NAME, LIMIT])
        .gives(200, s::rulesets)
        .refuses(&[400, 503]),
    row("post", "/rulesets", "publishRuleset", "Publish a game as a JSON ruleset: the body", || {
        post(rulesets::publish).layer(DefaultBodyLimit::max(RULESET_BYTES_MAX))
    })
    .by(Auth::Player)
    .takes(s::anything)
    .gives(201, s::ruleset_made)
    .refuses(&[400, 401, 403, 404, 409, 413, 422, 429, 503]),
    row(
        "post",
        "/rulesets/check",
        "checkRuleset",
        "Say what is wrong with a ruleset, and publish nothing",
        || post(rulesets::check).layer(DefaultBodyLimit::max(RULESET_BYTES_MAX)),
    )
    .by(Auth::Player)
    .takes(s::anything)
    .gives(200, s::ruleset_checked)
    .refuses(&[400, 401, 403, 404, 413, 422, 503]),
    row("get", "/rulesets/{name}", "ruleset", "One version of a ruleset, with its text", || {
        get(rulesets::show)
    })
    .asks(&[VERSION_NO])
    .gives(200, s::ruleset)
    .refuses(&[400, 403, 404, 503]),
    row(
        "delete",
        "/rulesets/{name}",
        "withdrawRuleset",
        "Withdraw a ruleset of yours; its tables go on",
        || delete(rulesets::withdraw),
    )
    .by(Auth::Player)
    .gives(200, s::success)
    .refuses(&[401, 403, 404, 503]),
    row(
        "post",
        "/rulesets/{name}/report",
        "reportRuleset",
        "Tell the operator what is wrong with it",
        || post(rulesets::report),
    )
    .by(Auth::Player)
    .takes(s::report_order)
    .gives(200, s::success)
    .refuses(&[400, 401, 404, 503]),
    row("get", "/rulesets/{name}/status", "rulesetStatus", "How the file of a ruleset stands", || {
        get(rulesets::status)
    })
    .asks(&[WAIT, VERSION])
    .gives(200, s::ruleset_status)
    .refuses(&[400, 404]),
    row(
        "post",
        "/auth/guest",
        "authGuest",
        "The same as /players/guest, as the battle's document has it",
        || post(players::guest),
    )
    .takes(s::guest_order)
    .gives(201, s::new_player)
    .refuses(&[400, 409, 503]),
    row("get", "/auth/me", "authMe", "The same as /players/me", || get(players::me))
        .by(Auth::Player)
        .gives(200, s::me)
        .refuses(&[401, 503]),
    row("post", "/account/nickname", "accountNickname", "The same as /players/me/nickname", || {
        post(players::nickname)
    })
    .by(Auth::Player)
    .takes(s::nickname_order)
    .gives(200, s::profile)
    .refuses(&[400, 401, 402, 409, 503]),
    row("post", "/account/profile", "accountProfile", "The same as /players/me/profile", || {
        post(players::profile)
    })
    .by(Auth::Player)
    .takes(s::profile_order)
    .gives(200, s::profile)
    .refuses(&[400, 401, 503]),
    row("get", "/queue/{game}", "queuePlace", "Where you stand, or the match that was found", || {
        get(queue::place)
    })
    .by(Auth::Player)
    .gives(200, s::queue_place)
    .refuses(&[401, 404, 503]),
    row("post", "/queue/{game}", "queueJoin", "Find people to play with", || post(queue::join))
        .by(Auth::Player)
        .takes(s::queue_order)
        .gives(200, s::queue_place)
        .refuses(&[400, 401, 402, 409, 503]),
    row("delete", "/queue/{game}", "queueLeave", "Stop looking", || delete(queue::leave))
        .by(Auth::Player)
        .gives(200, s::queue_left)
        .refuses(&[401, 503]),
];

/// The sockets, which the AsyncAPI page describes.
pub(super) const SOCKETS: [(&str, Answer); 2] =
    [("/ws", || get(socket::to_lobby)), ("/ws/{game_id}", || get(socket::to_table))];

/// The operations without their handlers.
pub(crate) fn operations() -> Vec<Operation> {
    ROUTES.iter().map(|route| route.operation).collect()
}
