//! Accepts connections and serves HTTP on them. Every connection is counted by its address until it closes or becomes
//! a WebSocket, and none may be silent for ever.
//!
//! When too many are open, the one that has been idle longest is cut for the next: silent connections keep nobody out.

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, header};
use axum::{BoxError, Router};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use crate::house::hub::{Hub, lock, network};
use crate::net::not_ready;
use crate::net::proxies::Proxies;
use crate::net::refusal_log::RefusalLog;
use crate::net::tls::{NoTls, Tls};
use crate::net::transport::Transport;

/// How long to wait when the system has no file for another connection.
const NO_FILE_WAIT: Duration = Duration::from_millis(50);
/// The most bytes of a request's head.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// Every HTTP connection that is open.
#[derive(Default)]
pub(crate) struct HttpConnections(Mutex<Open>);

#[derive(Default)]
struct Open {
    last: u64,
    all: HashMap<u64, (IpAddr, Arc<Notify>)>,
    /// Connections on which no request runs, the one that has been idle longest first.
    idle: BTreeSet<(Instant, u64)>,
    by_address: HashMap<IpAddr, ByAddress>,
}

#[derive(Default)]
struct ByAddress {
    open: usize,
    idle: BTreeSet<(Instant, u64)>,
}

impl Open {
    fn set_idle(&mut self, id: u64, address: IpAddr, since: Option<Instant>, before: Option<Instant>) {
        let own = self.by_address.entry(address).or_default();
        if let Some(at) = before {
            self.idle.remove(&(at, id));
            own.idle.remove(&(at, id));
        }
        if let Some(at) = since {
            self.idle.insert((at, id));
            own.idle.insert((at, id));
        }
    }

    /// Cuts the connection that has been idle longest: of this address, or of all. False if none is idle.
    fn cut_idlest(&mut self, of: Option<IpAddr>) -> bool {
        let idle = match of {
            Some(address) => self.by_address.get(&address).and_then(|own| own.idle.first()),
            None => self.idle.first(),
        };
        let Some(&(since, id)) = idle else { return false };
        let Some((address, cut)) = self.all.get(&id).cloned() else { return false };
        self.set_idle(id, address, None, Some(since));
        self.forget(id);
        cut.notify_one();
        true
    }

    /// No longer counts a connection.
    fn forget(&mut self, id: u64) {
        let Some((address, _)) = self.all.remove(&id) else { return };
        if let Some(own) = self.by_address.get_mut(&address) {
            own.open -= 1;
            if own.open == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

/// How many connections may be open.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) all: usize,
    pub(crate) per_address: usize,
}

impl HttpConnections {
    /// Counts one more connection; `None` if there are too many and on every one of them a request runs.
    fn open(self: &Arc<Self>, address: IpAddr, limits: Limits) -> Option<Counted> {
        let mut open = lock(&self.0);
        let own = open.by_address.get(&address).map_or(0, |own| own.open);
        if own >= limits.per_address && !open.cut_idlest(Some(address)) {
            return None;
        }
        if open.all.len() >= limits.all && !open.cut_idlest(None) {
            return None;
        }
        open.last += 1;
        let (id, cut, now) = (open.last, Arc::new(Notify::new()), Instant::now());
        open.all.insert(id, (address, cut.clone()));
        open.by_address.entry(address).or_default().open += 1;
        open.set_idle(id, address, Some(now), None);
        drop(open);
        Some(Counted { id, address, cut, all: self.clone(), idle_since: Mutex::new(Some(now)) })
    }

    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        lock(&self.0).all.len()
    }
}

/// A connection that is counted until it is dropped.
struct Counted {
    id: u64,
    address: IpAddr,
    cut: Arc<Notify>,
    all: Arc<HttpConnections>,
    idle_since: Mutex<Option<Instant>>,
}

impl Counted {
    fn set_idle(&self, since: Option<Instant>) {
        let mut open = lock(&self.all.0);
        let before = std::mem::replace(&mut *lock(&self.idle_since), since);
        // A connection that was cut is no longer counted.
        if open.all.contains_key(&self.id) {
            open.set_idle(self.id, self.address, since, before);
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.set_idle(None);
        lock(&self.all.0).forget(self.id);
    }
}

/// A request that runs on a connection.
struct Busy(Arc<Counted>);

impl Busy {
    fn new(counted: &Arc<Counted>) -> Self {
        counted.set_idle(None);
        Self(counted.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.set_idle(Some(Instant::now()));
    }
}

/// What all listeners of a server share.
pub(crate) struct Shared {
    hub: Arc<Hub>,
    proxies: Proxies,
    connections: Arc<HttpConnections>,
    /// What an answer over HTTPS tells browsers about the next time.
    hsts: Option<HeaderValue>,
    refused: RefusalLog,
    failed_handshakes: RefusalLog,
}

impl Shared {
    pub(crate) fn new(hub: Arc<Hub>, proxies: Proxies) -> Arc<Self> {
        let hsts = (hub.config.hsts_seconds > 0).then(|| format!("max-age={}", hub.config.hsts_seconds));
        Arc::new(Self {
            hub,
            proxies,
            connections: Arc::default(),
            hsts: hsts.and_then(|text| HeaderValue::try_from(text).ok()),
            refused: RefusalLog::new("connections were refused"),
            failed_handshakes: RefusalLog::new("TLS handshakes failed"),
        })
    }
}

/// What is served on one address.
pub(crate) struct Site {
    pub(crate) listener: TcpListener,
    pub(crate) app: Router,
    /// Every connection here is one over TLS.
    pub(crate) tls: Option<Arc<Tls>>,
}

/// Serves until the server stops; then connections end with the request that runs on them.
pub(crate) async fn serve(site: Site, shared: Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    let Site { listener, app, tls } = site;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        match accepted {
            Ok((stream, from)) => {
                // Every write is a whole batch: without this option Nagle's algorithm could delay it by 40 ms.
                let _ = stream.set_nodelay(true);
                match admit(&shared, from, tls.is_some()) {
                    Ok(counted) => {
                        let client =
                            Client { stream, from, counted: Arc::new(counted), shared: shared.clone() };
                        tokio::spawn(client.serve(app.clone(), tls.clone(), stopped.clone()));
                    }
                    Err(why) => shared.refused.note(from, why),
                }
            }
            Err(error) => {
                shared.refused.note("an unknown address", error);
                let cut = lock(&shared.connections.0).cut_idlest(None);
                if !cut {
                    tokio::time::sleep(NO_FILE_WAIT).await;
                }
            }
        }
    }
    while shared.connections.count() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Counts a new connection, or says why it may not be.
fn admit(shared: &Shared, from: SocketAddr, tls: bool) -> Result<Counted, &'static str> {
    let mut limits = shared.hub.http_limits();
    if shared.proxies.trusts(from.ip()) {
        // It stands for everybody behind it.
        limits.per_address = limits.all;
    } else if tls && !shared.hub.request_from(from.ip()) {
        // A handshake is more work than a request: it counts as one.
        return Err("too many handshakes");
    }
    shared.connections.open(network(from.ip()), limits).ok_or("too many connections are open")
}

/// A client's connection.
struct Client {
    stream: TcpStream,
    from: SocketAddr,
    counted: Arc<Counted>,
    shared: Arc<Shared>,
}

impl Client {
    async fn serve(self, app: Router, tls: Option<Arc<Tls>>, mut stopped: watch::Receiver<bool>) {
        let Self { stream, from, counted, shared } = self;
        let patience = Duration::from_millis(shared.hub.config.request_ms);
        let stream = match &tls {
            None => Transport::Plain(stream),
            Some(tls) => {
                let accepted = tokio::select! {
                    accepted = tokio::time::timeout(patience, tls.accept(stream)) => accepted,
                    () = counted.cut.notified() => return,
                    _ = stopped.wait_for(|stop| *stop) => return,
                };
                match accepted {
                    Ok(Ok(stream)) => stream,
                    Ok(Err(NoTls::PlainHttp(stream))) => return not_ready::needs_tls(stream).await,
                    Ok(Err(NoTls::Failed(why))) => return shared.failed_handshakes.note(from, why),
                    Err(_) => return shared.failed_handshakes.note(from, "it took too long"),
                }
            }
        };
        let (cut, service) = (counted.cut.clone(), {
            let (app, secure) = (TowerToHyperService::new(app), tls.is_some());
            service_fn(move |request: Request<Incoming>| {
                let busy = Busy::new(&counted);
                let mut request = request.map(|body| Body::new(TimedBody::new(body, patience)));
                let secure = secure || shared.proxies.had_it_by_https(from, request.headers());
                let hsts = shared.hsts.clone().filter(|_| secure);
                let client = shared.proxies.client(from, request.headers());
                request.extensions_mut().insert(ConnectInfo(client));
                let answer = app.call(request);
                async move {
                    let mut answer = answer.await;
                    if let (Ok(answer), Some(hsts)) = (&mut answer, hsts) {
                        answer.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, hsts);
                    }
                    drop(busy);
                    answer
                }
            })
        });
        let mut builder = http1::Builder::new();
        // It runs while a connection waits for its next request, too.
        builder.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(HEAD_BYTES_MAX);
        let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            () = cut.notified() => return,
            _ = stopped.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}

/// A request's body that must arrive in time.
struct TimedBody {
    body: Incoming,
    late: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl TimedBody {
    fn new(body: Incoming, patience: Duration) -> Self {
        let late = (!body.is_end_stream()).then(|| Box::pin(tokio::time::sleep(patience)));
        Self { body, late }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => Poll::Ready(frame.map(|frame| frame.map_err(Into::into))),
            Poll::Pending => match self.late.as_mut().map(|late| late.as_mut().poll(context)) {
                Some(Poll::Ready(())) => Poll::Ready(Some(Err("the body did not arrive in time".into()))),
                _ => Poll::Pending,
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(n: u8) -> IpAddr {
        IpAddr::from([127, 0, 0, n])
    }

    const LIMITS: Limits = Limits { all: 4, per_address: 3 };

    #[tokio::test]
    async fn the_connection_that_was_idle_longest_gives_way_to_the_next() {
        let all = Arc::new(HttpConnections::default());
        let mut open: Vec<Counted> = (0..3).filter_map(|_| all.open(address(1), LIMITS)).collect();
        let fourth = all.open(address(1), LIMITS).expect("the first gives way");
        open[0].cut.notified().await;
        assert_eq!(all.count(), 3, "the one that was cut is not counted");
        let _others: Vec<Counted> = (0..2).filter_map(|_| all.open(address(2), LIMITS)).collect();
        open[1].cut.notified().await;
        assert_eq!(all.count(), 4);
        drop((open.remove(0), fourth));
        assert_eq!(all.count(), 3, "each is counted out once");
        drop(open);
        drop(_others);
        assert_eq!(all.count(), 0);
        assert!(lock(&all.0).by_address.is_empty() && lock(&all.0).idle.is_empty());
    }

    #[test]
    fn a_connection_on_which_a_request_runs_is_not_cut() {
        let all = Arc::new(HttpConnections::default());
        let open: Vec<Arc<Counted>> =
            (0..3).filter_map(|_| all.open(address(1), LIMITS)).map(Arc::new).collect();
        let busy: Vec<Busy> = open.iter().map(Busy::new).collect();
        assert!(all.open(address(1), LIMITS).is_none(), "all of them are at work");
        assert!(all.open(address(2), LIMITS).is_some(), "another address is not concerned");
        drop(busy);
        assert!(all.open(address(1), LIMITS).is_some());
    }
}
