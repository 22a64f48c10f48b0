//! The table of all routes: each operation and its handler.

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, delete, get, post};
use parlor_core::Json;
use parlor_wire::actions::Actions;
use parlor_wire::lobby::Profile;

use super::handlers::{
    actions, catalog, documents, fork, games, lists, logs, matches, owner, play, players, queue, rulesets,
    socket, system,
};
use super::types as t;
use crate::api::{Auth, Described, Operation, Shape};
use crate::house::accounts::Mutes;
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
        query: None,
        body: None,
        reply: (200, Shape::of::<t::Health>()),
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

    const fn takes<T: Described>(mut self) -> Self {
        self.operation.body = Some(Shape::of::<T>());
        self
    }

    const fn asks<T: Described>(mut self) -> Self {
        self.operation.query = Some(Shape::of_fields::<T>());
        self
    }

    const fn gives<T: Described>(mut self, status: u16) -> Self {
        self.operation.reply = (status, Shape::of::<T>());
        self
    }

    const fn kind(mut self, media: &'static str) -> Self {
        self.operation.media = media;
        self
    }

    const fn or_else<T: Described>(mut self, media: &'static str) -> Self {
        self.operation.or_else = Some((media, Shape::of::<T>()));
        self
    }

    const fn refuses(mut self, errors: &'static [u16]) -> Self {
        self.operation.errors = errors;
        self
    }
}

/// The table of routes.
pub(crate) const ROUTES: [Route; 63] = [
    row("get", "/health", "health", "Whether the server answers", || get(system::health)),
    row("get", "/healthz", "healthz", "The same", || get(system::health)),
    row("get", "/readyz", "ready", "Whether tables can be played and stored", || get(system::ready))
        .refuses(&[503]),
    row("get", "/status", "status", "How many tables there are", || get(system::status))
        .gives::<t::Status>(200),
    row("get", "/metrics", "metrics", "What is counted, for Prometheus", || get(system::metrics))
        .gives::<String>(200)
        .kind("text/plain; version=0.0.4")
        .refuses(&[403]),
    row("get", "/openapi.json", "openapi", "This page", || get(catalog::openapi)).gives::<Json>(200),
    row("get", "/asyncapi.json", "asyncapi", "The same for the sockets", || get(catalog::asyncapi))
        .gives::<Json>(200),
    row("get", "/catalog", "catalog", "The games, and what can be set", || get(catalog::catalog))
        .gives::<t::Catalog>(200),
    row("get", "/catalog/{game}", "game", "One game, with what a screen needs to draw it", || {
        get(catalog::game)
    })
    .asks::<t::GameQuery>()
    .gives::<t::GameInfo>(200)
    .refuses(&[404]),
    row("get", "/games", "listGames", "Tables that wait or run", || get(games::list_games))
        .asks::<t::GamesQuery>()
        .gives::<t::Games>(200)
        .refuses(&[400]),
    row("post", "/games", "createGame", "Make a table, in the words of the mahjong document", || {
        post(games::create_game)
    })
    .takes::<t::GameOrder>()
    .gives::<t::GameMade>(201)
    .refuses(&[400, 409, 503]),
    row("get", "/matches", "listMatches", "Tables, in pages", || get(lists::list_matches))
        .asks::<t::MatchesQuery>()
        .gives::<t::Matches>(200)
        .refuses(&[400, 503]),
    row("post", "/matches", "createMatch", "Make a table that waits for its people", || {
        post(matches::create_match)
    })
    .by(Auth::Anybody)
    .takes::<t::MatchOrder>()
    .gives::<t::MatchMade>(201)
    .refuses(&[400, 409, 503]),
    row("get", "/matches/{id}", "viewMatch", "What you may see of a table", || get(matches::view))
        .by(Auth::SeatOrNobody)
        .asks::<t::ViewQuery>()
        .gives::<t::MatchInfo>(200)
        .refuses(&[400, 401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/join", "joinMatch", "Take a seat", || post(matches::join))
        .by(Auth::Anybody)
        .takes::<t::JoinOrder>()
        .gives::<t::Joined>(200)
        .refuses(&[400, 402, 403, 404, 409, 422, 503]),
    row(
        "post",
        "/matches/{id}/reserve",
        "reserveSeat",
        "Keep a free seat while you choose what to bring",
        || post(matches::reserve),
    )
    .by(Auth::Anybody)
    .asks::<t::InviteQuery>()
    .takes::<t::ReserveOrder>()
    .gives::<t::SeatReserved>(200)
    .refuses(&[400, 401, 404, 409, 503]),
    row("post", "/matches/{id}/pause", "pauseMatch", "Pause a table of yours", || post(owner::pause))
        .by(Auth::Owner)
        .gives::<t::Done>(200)
        .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/resume", "resumeMatch", "Go on with a table that you paused", || {
        post(owner::resume)
    })
    .by(Auth::Owner)
    .gives::<t::Done>(200)
    .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/remove", "removePlayer", "Remove a player when this match is over", || {
        post(owner::remove)
    })
    .by(Auth::Owner)
    .takes::<t::RemoveOrder>()
    .gives::<t::Done>(200)
    .refuses(&[400, 401, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/settings",
        "changeSettings",
        "Change the settings of a table of yours from the next match on",
        || post(owner::settings),
    )
    .by(Auth::Owner)
    .takes::<t::SettingsOrder>()
    .gives::<t::Answered>(200)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/leave", "leaveMatch", "Get up for good", || post(matches::leave))
        .by(Auth::Seat)
        .gives::<t::Done>(200)
        .refuses(&[401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/start", "startMatch", "Begin with whoever is there", || post(matches::start))
        .by(Auth::Owner)
        .gives::<t::Done>(200)
        .refuses(&[400, 401, 402, 403, 404, 409, 503]),
    row("post", "/matches/{id}/kill", "killMatch", "End a table: every stake goes back", || {
        post(matches::kill)
    })
    .by(Auth::Owner)
    .gives::<t::Done>(200)
    .refuses(&[401, 403, 404, 503]),
    row("post", "/matches/{id}/undo", "undo", "Ask to take back your last answer", || post(play::undo))
        .by(Auth::Seat)
        .takes::<t::UndoOrder>()
        .gives::<t::Answered>(200)
        .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/responses", "respond", "Answer a request", || post(play::respond))
        .by(Auth::Seat)
        .takes::<t::ResponseOrder>()
        .gives::<t::Answered>(200)
        .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("post", "/matches/{id}/rematch", "rematch", "Once more with the same people", || post(play::rematch))
        .by(Auth::Seat)
        .takes::<t::RematchOrder>()
        .gives::<t::Agreed>(200)
        .refuses(&[400, 401, 403, 404, 409, 503]),
    row("get", "/matches/{id}/actions", "actions", "What you can do now, in the game's own words", || {
        get(actions::list)
    })
    .by(Auth::Seat)
    .asks::<t::ActionsQuery>()
    .gives::<Actions>(200)
    .refuses(&[400, 401, 403, 404, 409, 503]),
    row("post", "/matches/{id}/actions", "act", "Do it, or answer, in the game's own words", || {
        post(actions::act)
    })
    .by(Auth::Seat)
    .takes::<t::ActionOrder>()
    .gives::<t::Answered>(200)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row(
        "get",
        "/matches/{id}/{document}",
        "document",
        "The table in a form of its game's own, as you see it",
        || get(documents::show),
    )
    .by(Auth::SeatOrNobody)
    .asks::<t::InviteQuery>()
    .gives::<Json>(200)
    .or_else::<String>("text/plain")
    .refuses(&[401, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/{document}",
        "merge",
        "The same as you would have it; a guest asks for a seat so",
        || post(documents::merge),
    )
    .by(Auth::SeatOrNobody)
    .asks::<t::InviteQuery>()
    .takes::<Json>()
    .gives::<Json>(200)
    .refuses(&[400, 401, 403, 404, 409, 422, 503]),
    row("get", "/matches/{id}/log", "log", "The log of a match that is over", || get(logs::log))
        .by(Auth::SeatOrNobody)
        .asks::<t::LogQuery>()
        .gives::<String>(200)
        .kind("application/x-ndjson")
        .or_else::<t::Told>(JSON)
        .refuses(&[400, 403, 404, 409, 500, 503]),
    row("get", "/matches/{id}/replay", "replay", "A match that is over, step by step", || get(logs::replay))
        .asks::<t::ReplayQuery>()
        .gives::<t::Replay>(200)
        .refuses(&[400, 403, 404, 409, 503]),
    row(
        "post",
        "/matches/{id}/fork",
        "fork",
        "Play on from a moment of a match that is over, against bots",
        || post(fork::fork),
    )
    .by(Auth::Anybody)
    .asks::<t::ForkQuery>()
    .takes::<t::ForkOrder>()
    .gives::<t::Forked>(201)
    .refuses(&[400, 403, 404, 409, 503]),
    row("post", "/players/guest", "guest", "Open an account; its token is told this once", || {
        post(players::guest)
    })
    .takes::<t::GuestOrder>()
    .gives::<t::NewPlayer>(201)
    .refuses(&[400, 409, 503]),
    row("get", "/players/me", "me", "Your account", || get(players::me))
        .by(Auth::Player)
        .gives::<t::Me>(200)
        .refuses(&[401, 503]),
    row("delete", "/players/me", "deleteMe", "Give your account up", || delete(players::delete))
        .by(Auth::Player)
        .gives::<t::Done>(200)
        .refuses(&[401, 409, 503]),
    row("get", "/players/me/sessions", "sessions", "Where your account is signed in", || {
        get(players::sessions)
    })
    .by(Auth::Player)
    .gives::<t::PlayerSessions>(200)
    .refuses(&[401, 503]),
    row(
        "post",
        "/players/me/token",
        "changeToken",
        "Another token; the old one, and whoever signed in with it, are out",
        || post(players::change_token),
    )
    .by(Auth::Player)
    .gives::<t::NewToken>(200)
    .refuses(&[401, 503]),
    row("post", "/players/me/nickname", "rename", "Change your nickname", || post(players::nickname))
        .by(Auth::Player)
        .takes::<t::RenameOrder>()
        .gives::<Profile>(200)
        .refuses(&[400, 401, 402, 409, 503]),
    row("post", "/players/me/profile", "setProfile", "Change your language or picture", || {
        post(players::profile)
    })
    .by(Auth::Player)
    .takes::<t::ProfileOrder>()
    .gives::<Profile>(200)
    .refuses(&[400, 401, 503]),
    row("get", "/players/me/mutes", "mutes", "Whom you do not want to hear at tables", || {
        get(players::mutes)
    })
    .by(Auth::Player)
    .gives::<Mutes>(200)
    .refuses(&[401, 503]),
    row("post", "/players/me/mutes", "setMutes", "Change whom you do not want to hear", || {
        post(players::set_mutes)
    })
    .by(Auth::Player)
    .takes::<t::MutesOrder>()
    .gives::<Mutes>(200)
    .refuses(&[400, 401, 503]),
    row("get", "/players/me/balance", "balance", "What you own", || get(players::balance))
        .by(Auth::Player)
        .gives::<t::Balances>(200)
        .refuses(&[401, 503]),
    row("get", "/players/me/matches", "myMatches", "What you have played", || get(players::matches))
        .by(Auth::Player)
        .asks::<t::HistoryQuery>()
        .gives::<t::History>(200)
        .refuses(&[400, 401, 503]),
    row("get", "/me/ledger", "ledger", "Your statement: every token that came or went", || {
        get(players::ledger)
    })
    .by(Auth::Player)
    .asks::<t::StatementQuery>()
    .gives::<t::Statement>(200)
    .refuses(&[400, 401, 503]),
    row("get", "/players/me/ledger", "myLedger", "The same", || get(players::ledger))
        .by(Auth::Player)
        .asks::<t::StatementQuery>()
        .gives::<t::Statement>(200)
        .refuses(&[400, 401, 503]),
    row("get", "/players/{id}", "player", "What everybody may know of a player", || get(players::face))
        .by(Auth::Anybody)
        .gives::<t::Face>(200)
        .refuses(&[404, 503]),
    row("get", "/players/{id}/matches", "playerMatches", "What a player has played at public tables", || {
        get(players::matches_of)
    })
    .asks::<t::HistoryQuery>()
    .gives::<t::History>(200)
    .refuses(&[400, 404, 503]),
    row("get", "/leaders/{game}", "leaders", "The players with the highest ratings in a game", || {
        get(lists::leaders)
    })
    .asks::<t::LeadersQuery>()
    .gives::<t::Leaders>(200)
    .refuses(&[400, 404, 503]),
    row("get", "/rulesets", "listRulesets", "Rulesets that were published, in pages", || get(rulesets::list))
        .asks::<t::RulesetsQuery>()
        .gives::<t::Rulesets>(200)
        .refuses(&[400, 503]),
    row("post", "/rulesets", "publishRuleset", "Publish a game as a JSON ruleset: the body", || {
        post(rulesets::publish).layer(DefaultBodyLimit::max(RULESET_BYTES_MAX))
    })
    .by(Auth::Player)
    .takes::<Json>()
    .gives::<t::RulesetMade>(201)
    .refuses(&[400, 401, 403, 404, 409, 413, 422, 429, 503]),
    row(
        "post",
        "/rulesets/check",
        "checkRuleset",
        "Say what is wrong with a ruleset, and publish nothing",
        || post(rulesets::check).layer(DefaultBodyLimit::max(RULESET_BYTES_MAX)),
    )
    .by(Auth::Player)
    .takes::<Json>()
    .gives::<t::RulesetChecked>(200)
    .refuses(&[400, 401, 403, 404, 413, 422, 503]),
    row("get", "/rulesets/{name}", "ruleset", "One version of a ruleset, with its text", || {
        get(rulesets::show)
    })
    .asks::<t::RulesetQuery>()
    .gives::<t::RulesetText>(200)
    .refuses(&[400, 403, 404, 503]),
    row(
        "delete",
        "/rulesets/{name}",
        "withdrawRuleset",
        "Withdraw a ruleset of yours; its tables go on",
        || delete(rulesets::withdraw),
    )
    .by(Auth::Player)
    .gives::<t::Done>(200)
    .refuses(&[401, 403, 404, 503]),
    row(
        "post",
        "/rulesets/{name}/report",
        "reportRuleset",
        "Tell the operator what is wrong with it",
        || post(rulesets::report),
    )
    .by(Auth::Player)
    .takes::<t::RulesetReport>()
    .gives::<t::Done>(200)
    .refuses(&[400, 401, 404, 503]),
    row("get", "/rulesets/{name}/status", "rulesetStatus", "How the file of a ruleset stands", || {
        get(rulesets::status)
    })
    .asks::<t::RulesetStatusQuery>()
    .gives::<t::RulesetStatus>(200)
    .refuses(&[400, 404]),
    row(
        "post",
        "/auth/guest",
        "authGuest",
        "The same as /players/guest, as the battle's document has it",
        || post(players::guest),
    )
    .takes::<t::GuestOrder>()
    .gives::<t::NewPlayer>(201)
    .refuses(&[400, 409, 503]),
    row("get", "/auth/me", "authMe", "The same as /players/me", || get(players::me))
        .by(Auth::Player)
        .gives::<t::Me>(200)
        .refuses(&[401, 503]),
    row("post", "/account/nickname", "accountNickname", "The same as /players/me/nickname", || {
        post(players::nickname)
    })
    .by(Auth::Player)
    .takes::<t::RenameOrder>()
    .gives::<Profile>(200)
    .refuses(&[400, 401, 402, 409, 503]),
    row("post", "/account/profile", "accountProfile", "The same as /players/me/profile", || {
        post(players::profile)
    })
    .by(Auth::Player)
    .takes::<t::ProfileOrder>()
    .gives::<Profile>(200)
    .refuses(&[400, 401, 503]),
    row("get", "/queue/{game}", "queuePlace", "Where you stand, or the match that was found", || {
        get(queue::place)
    })
    .by(Auth::Player)
    .gives::<t::QueuePlace>(200)
    .refuses(&[401, 404, 503]),
    row("post", "/queue/{game}", "queueJoin", "Find people to play with", || post(queue::join))
        .by(Auth::Player)
        .takes::<t::QueueWish>()
        .gives::<t::QueuePlace>(200)
        .refuses(&[400, 401, 402, 409, 503]),
    row("delete", "/queue/{game}", "queueLeave", "Stop looking", || delete(queue::leave))
        .by(Auth::Player)
        .gives::<t::QueueLeft>(200)
        .refuses(&[401, 503]),
];

/// The sockets, which the AsyncAPI page describes.
pub(super) const SOCKETS: [(&str, Answer); 2] =
    [("/ws", || get(socket::to_lobby)), ("/ws/{game_id}", || get(socket::to_table))];

/// The operations without their handlers.
#[cfg(test)]
pub(crate) fn operations() -> Vec<Operation> {
    ROUTES.iter().map(|route| route.operation).collect()
}
