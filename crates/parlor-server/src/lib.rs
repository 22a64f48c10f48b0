//! Runs tables on the network.
//!
//! This is the only crate with sockets, a clock and randomness from outside. One task owns one table and drives it:
//! commands come in through a bounded mailbox, records go out to the store, and messages go out through bounded
//! outboxes once the store reports that their record is durable. Everything about the game itself is in `parlor-host`
//! and below.

mod admin;
mod api;
mod clock;
pub mod config;
mod house;
mod metrics;
mod net;
mod registration;
mod rest;
mod rulesets;
mod table;
pub mod test_tables;
mod web;

pub use clock::{Clock, DrivenClock};
pub use config::{BotProgram, Config};
pub use house::hub::Hub;
pub use net::open_files::open_files_report;
pub use net::tls::tls_report;
pub use registration::Registration;
pub use rulesets::{RulesetFile, RulesetFiles};
pub use web::web_missing;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use house::games::Games;
use house::ruleset_files;
use house::rulesets::Publishing;
use net::http;
use net::tls::Tls;
use parlor_store::{OpenError, Store};
use parlor_wire::ruleset::RulesetCompiler;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A running server.
pub struct Server {
    /// The address it listens on.
    pub addr: SocketAddr,
    /// The address of the admin API, if it is running.
    pub admin: Option<SocketAddr>,
    /// The address at which HTTP is answered by where the same is over HTTPS, if there is one.
    pub redirects: Option<SocketAddr>,
    hub: Arc<Hub>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Opens the store, and is called again while it cannot be opened for a reason that passes.
pub type OpenStore = Box<dyn FnMut() -> Result<Arc<dyn Store>, OpenError> + Send>;

/// How long to wait before a store that cannot be used is tried again.
const STORE_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Builds a server: `Server::builder(config, games, store)`, then its options, then `start` or `run`.
pub struct ServerBuilder {
    config: Config,
    games: Vec<Registration>,
    store: OpenStore,
    clock: Clock,
    compiler: Option<Arc<dyn RulesetCompiler>>,
    files: Option<Box<dyn RulesetFiles>>,
}

impl ServerBuilder {
    /// Uses another clock than the machine's: for tests.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Takes rulesets, which this compiler turns into games.
    #[must_use]
    pub fn rulesets(self, compiler: Arc<dyn RulesetCompiler>) -> Self {
        Self { compiler: Some(compiler), ..self }
    }

    /// Serves rulesets from files and follows their changes.
    #[must_use]
    pub fn ruleset_files(self, files: Box<dyn RulesetFiles>) -> Self {
        Self { files: Some(files), ..self }
    }

    /// Resumes every running table from the store and listens.
    ///
    /// # Errors
    /// Why it cannot listen, or the store's error.
    pub async fn start(self) -> Result<Server, String> {
        let Self { mut config, games, mut store, clock, compiler, files } = self;
        let proxies = net::proxies::Proxies::of(&config)?;
        let tls = Tls::of(&config)?.map(Arc::new);
        // The operator has named the server by its certificate, too.
        config.hosts.extend(tls.iter().flat_map(|tls| tls.names()).cloned());
        let (games, dialects) = registration::split(games);
        clock.start();
        let listener = bind(&config.listen).await?;
        let addr = listener.local_addr().map_err(|error| error.to_string())?;
        let redirect = match config.http_redirect.as_str() {
            "" => None,
            address => Some(bind(address).await?),
        };
        let store = usable_store(&mut store, &config.database_shown(), &listener, tls.as_ref()).await?;
        let door = admin::open(&config).await?;
        let (games, publishing) = (Games::new(games), Publishing::new(compiler));
        let hub = Hub::open(clock, config, games, publishing, dialects, store).await?;
        if let Some(files) = files {
            ruleset_files::follow(&hub, files).await;
        }
        tracing::info!("{}", open_files_report(hub.config.connections_max));
        let (stop, stopped) = watch::channel(false);
        let admin = door.as_ref().map(|door| door.addr);
        if let Some(door) = door {
            let mut stopped = stopped.clone();
            tokio::spawn(door.serve(hub.clone(), async move {
                let _ = stopped.wait_for(|stop| *stop).await;
            }));
        }
        if let Some(tls) = &tls {
            tokio::spawn(tls.clone().follow(hub.clone(), net::tls::hangups(), stopped.clone()));
        }
        let shared = http::Shared::new(hub.clone(), proxies);
        let redirects = redirect.as_ref().map(TcpListener::local_addr).transpose();
        let redirects = redirects.map_err(|error| error.to_string())?;
        if let Some(listener) = redirect {
            let app = rest::redirect::routes(hub.clone(), addr.port());
            let site = http::Site { listener, app, tls: None };
            tokio::spawn(http::serve(site, shared.clone(), stopped.clone()));
        }
        let site = http::Site { listener, app: rest::routes(hub.clone()), tls };
        let task = tokio::spawn(http::serve(site, shared, stopped));
        Ok(Server { addr, admin, redirects, hub, stop, task })
    }

    /// Runs a server on its own runtime until the process gets a stop signal, then stops it cleanly. `started` is
    /// called when it listens, `stopping` when the signal has arrived.
    ///
    /// # Errors
    /// Why it could not start.
    pub fn run(self, started: impl FnOnce(SocketAddr), stopping: impl FnOnce()) -> Result<(), String> {
        let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
        runtime.block_on(async {
            let server = tokio::select! {
                server = self.start() => server?,
                () = stop_signal() => return Ok(()),
            };
            started(server.addr);
            stop_signal().await;
            stopping();
            server.stop().await;
            Ok(())
        })
    }
}

impl Server {
    /// A builder for a server of these games on this store, with the machine's clock.
    #[must_use]
    pub fn builder(
        config: Config,
        games: impl IntoIterator<Item: Into<Registration>>,
        store: Arc<dyn Store>,
    ) -> ServerBuilder {
        Self::builder_opening(config, games, Box::new(move || Ok(store.clone())))
    }

    /// The same, where the store is opened by the server: until that can be done, it answers 503 and why.
    #[must_use]
    pub fn builder_opening(
        config: Config,
        games: impl IntoIterator<Item: Into<Registration>>,
        store: OpenStore,
    ) -> ServerBuilder {
        let games = games.into_iter().map(Into::into).collect();
        ServerBuilder { config, games, store, clock: Clock::real(), compiler: None, files: None }
    }

    /// The shared state.
    #[must_use]
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Stops the server: connections are closed, clocks stop, every record is stored.
    pub async fn stop(self) {
        self.hub.stop().await;
        let _ = self.stop.send(true);
        // Clients that do not close in time are cut off: their tables are stored already.
        let _ = tokio::time::timeout(Duration::from_secs(2), self.task).await;
    }
}

async fn bind(address: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| format!("{address}: {error}"))
}

/// Opens the store and waits until it takes writes: a disk that is full when the server starts may have room later.
async fn usable_store(
    open: &mut OpenStore,
    name: &str,
    listener: &TcpListener,
    tls: Option<&Arc<Tls>>,
) -> Result<Arc<dyn Store>, String> {
    loop {
        let why = match open() {
            Ok(store) => {
                let probed = store.clone();
                match tokio::task::spawn_blocking(move || probed.probe()).await {
                    Ok(Ok(())) => return Ok(store),
                    Ok(Err(error)) if error.passes() => error.to_string(),
                    Ok(Err(error)) => return Err(error.to_string()),
                    Err(error) => return Err(error.to_string()),
                }
            }
            Err(error) if error.passes() => error.to_string(),
            Err(error) => return Err(format!("{name}: {error}")),
        };
        tracing::error!(store = name, %why, "the store cannot be used; the server answers 503 until it can");
        net::not_ready::answer(listener, tls, &why, STORE_AGAIN_AFTER).await;
    }
}

/// Waits for SIGINT or SIGTERM.
async fn stop_signal() {
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}
