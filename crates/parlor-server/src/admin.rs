//! The admin API: on loopback only, with a token from a file that only the operator can read. It serves programs,
//! never web pages. Every change, and every look at a seat's view, is written to the audit log first.

mod people;
mod rulesets;
mod tables;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use parlor_core::{HouseCode, Json};
use parlor_store::{AuditLine, Write};
use tokio::net::TcpListener;

use crate::config::Config;
use crate::house::hub::Hub;
use crate::house::sessions::{fresh_token, hash};
use crate::rest::extract::bearer;
use crate::rest::problem::{Problem, in_our_words};

/// The largest request body, in bytes.
const BODY_BYTES_MAX: usize = 4 * 1024;

/// Builds the handler of a route.
type Answer = fn() -> MethodRouter<Desk>;

/// Every route of the admin API.
const ROUTES: [(&str, Answer); 18] = [
    ("/admin/tables", || get(tables::list)),
    ("/admin/tables/{id}", || get(tables::one)),
    ("/admin/tables/{id}/pause", || post(tables::pause)),
    ("/admin/tables/{id}/resume", || post(tables::resume)),
    ("/admin/tables/{id}/kill", || post(tables::kill)),
    ("/admin/tables/{id}/expire", || post(tables::expire)),
    ("/admin/tables/{id}/fail", || post(tables::fail)),
    ("/admin/tables/{id}/draw", || post(tables::draw)),
    ("/admin/tables/{id}/look", || post(tables::look)),
    ("/admin/drain", || post(tables::drain)),
    ("/admin/players/{id}", || get(people::one)),
    ("/admin/players/{id}/tokens", || post(people::tokens)),
    ("/admin/players/{id}/rights", || post(people::rights)),
    ("/admin/rulesets/{name}/takedown", || post(rulesets::take_down)),
    ("/admin/rulesets/{name}/restore", || post(rulesets::restore)),
    ("/admin/ledger", || get(people::ledger)),
    ("/admin/log", || get(people::log)),
    ("/admin/health", || get(people::health)),
];

/// The state that handlers share: the hub and the hash of the operator's token.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) hub: Arc<Hub>,
    token: Arc<str>,
}

/// The admin API's listener, bound but not serving yet.
pub(crate) struct Door {
    pub(crate) addr: SocketAddr,
    listener: TcpListener,
    token: Arc<str>,
}

/// Binds the admin API's listener, if `admin_listen` is set. Returns `None` if it is empty or the address is taken.
///
/// # Errors
/// Why the admin API cannot start: the address is not a loopback address, or the token file cannot be used.
pub(crate) async fn open(config: &Config) -> Result<Option<Door>, String> {
    if config.admin_listen.is_empty() {
        return Ok(None);
    }
    let wrong = |error: &dyn std::fmt::Display| format!("admin_listen {}: {error}", config.admin_listen);
    let addr: SocketAddr = config.admin_listen.parse().map_err(|error| wrong(&error))?;
    if !addr.ip().is_loopback() {
        return Err(wrong(&"the admin API listens on loopback only, such as 127.0.0.1:8002"));
    }
    let listener = match TcpListener::bind(addr).await {
        Ok(listener) => listener,
        Err(error) => {
            // Another server on this machine may use the address; players can play without the admin API.
            tracing::error!(admin_listen = %addr, %error, "the admin API is disabled: could not bind its address");
            return Ok(None);
        }
    };
    let addr = listener.local_addr().map_err(|error| wrong(&error))?;
    let file = token_file(config);
    let token = read_token(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Some(Door { addr, listener, token: hash(&token).into() }))
}

impl Door {
    /// Serves requests until the server stops.
    pub(crate) async fn serve(self, hub: Arc<Hub>, until: impl Future<Output = ()> + Send + 'static) {
        let desk = Desk { hub, token: self.token };
        let mut router = Router::new();
        for (path, answer) in ROUTES {
            router = router.route(path, answer());
        }
        let router = router
            .route_layer(middleware::map_response(in_our_words))
            .fallback(async || {
                Problem::new(StatusCode::NOT_FOUND, HouseCode::NoRoute, "there is nothing at this address")
            })
            .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
            .layer(middleware::from_fn_with_state(desk.clone(), admitted))
            .with_state(desk);
        let _ = axum::serve(self.listener, router).with_graceful_shutdown(until).await;
    }
}

/// The path of the operator's token: beside the store, unless the configuration names another; in the folder in which the
/// server was started, where the store is no file.
fn token_file(config: &Config) -> PathBuf {
    if config.admin_token_file.is_empty() && Config::is_address(&config.database) {
        PathBuf::from("parlor.admin-token")
    } else if config.admin_token_file.is_empty() {
        PathBuf::from(format!("{}.admin-token", config.database))
    } else {
        PathBuf::from(&config.admin_token_file)
    }
}

/// Reads the token. The first start generates it, in a file that only its owner can read.
fn read_token(file: &Path) -> Result<String, String> {
    use std::io::Write as _;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    match made {
        Ok(mut made) => {
            let token = fresh_token();
            made.write_all(token.as_bytes())
                .and_then(|()| made.sync_all())
                .map_err(|error| error.to_string())?;
            Ok(token)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let mode = std::fs::metadata(file).map_err(|error| error.to_string())?.permissions().mode();
            if mode & 0o077 != 0 {
                return Err("others can read it: chmod 600, and choose another token".to_owned());
            }
            let token = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            let token = token.trim().to_owned();
            if token.len() < 32 { Err("it holds no token of 128 bits".to_owned()) } else { Ok(token) }
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Admits a request that carries the token and names this machine as its host. A web page fails even if DNS rebinding
/// points its name to this machine.
async fn admitted(State(desk): State<Desk>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host
        .rsplit_once(':')
        .map_or(host, |(name, port)| if port.bytes().all(|b| b.is_ascii_digit()) { name } else { host });
    if !["127.0.0.1", "localhost", "[::1]"].contains(&name) || request.headers().contains_key(header::ORIGIN)
    {
        return Problem::new(
            StatusCode::FORBIDDEN,
            HouseCode::ForeignHost,
            "this is for programs on this machine",
        )
        .into_response();
    }
    match bearer(request.headers()) {
        None => Problem::unauthorized().into_response(),
        // Hashes are compared, so that the time it takes reveals nothing about the token.
        Some(token) if *hash(&token) != *desk.token => Problem::forbidden().into_response(),
        Some(_) => next.run(request).await,
    }
}

impl Desk {
    /// Writes an action to the audit log before it is done, and waits until the line is durable.
    pub(super) async fn note(&self, what: &str, about: Json) -> Result<(), Problem> {
        let line = AuditLine { at_ms: self.hub.wall_ms(), what: what.to_owned(), about };
        let store = self.hub.store.clone();
        let noted = tokio::task::spawn_blocking(move || store.write(Write::Audit(line))).await;
        match noted {
            Ok(Ok(_)) => Ok(()),
            _ => Err(crate::house::accounts::Trouble::Busy.into()),
        }
    }
}
