//! TLS of the server's own: the handshake, and the certificate, which is read again when its files change.
//!
//! A certificate that cannot be used changes nothing: the one from before is served until there is a better one.

mod certificate;
mod der;

use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::config::Config;
use crate::house::hub::Hub;
use crate::metrics::Metrics;
use crate::net::transport::Transport;
use certificate::Certificate;

/// How often the files are looked at. They are read once two looks in a row have found the same: whoever replaces them
/// writes one after the other.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Bytes of a connection that are encrypted and not yet sent, at most.
const UNSENT_BYTES_MAX: usize = 32 * 1024;
/// The first byte of a TLS connection: the type of a record that belongs to a handshake.
const HANDSHAKE: u8 = 0x16;

/// Why a connection did not become one over TLS.
#[derive(Debug)]
pub(crate) enum NoTls {
    /// The client speaks HTTP without TLS; its stream, of which nothing was read.
    PlainHttp(TcpStream),
    Failed(std::io::Error),
}

/// The certificate that new connections get.
#[derive(Debug)]
struct Served(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Served {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// TLS with the certificate of the configuration.
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    served: Arc<Served>,
    files: Files,
    /// Looked at first when the certificate was read at the start.
    read_first: Option<[Stamp; 2]>,
    names: Vec<String>,
    until: AtomicI64,
}

/// The files of the certificate and of its key.
#[derive(Clone)]
struct Files {
    cert: String,
    key: String,
}

/// What is different when a file was replaced or written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    written: (i64, i64),
}

impl Files {
    /// The files that the configuration names; `None` if it names none.
    fn of(config: &Config) -> Result<Option<Self>, String> {
        let (cert, key) = (config.tls_cert.clone(), config.tls_key.clone());
        match (cert.is_empty(), key.is_empty()) {
            (true, true) if config.http_redirect.is_empty() => Ok(None),
            (true, true) => Err("http_redirect leads to HTTPS: it needs tls_cert and tls_key".to_owned()),
            (false, false) => Ok(Some(Self { cert, key })),
            (true, false) => Err("tls_key is set, and tls_cert is not: TLS needs both".to_owned()),
            (false, true) => Err("tls_cert is set, and tls_key is not: TLS needs both".to_owned()),
        }
    }

    /// `None` as long as one of them is missing.
    fn stamps(&self) -> Option<[Stamp; 2]> {
        let stamp = |path: &String| {
            let about = std::fs::metadata(path).ok()?;
            let written = (about.mtime(), about.mtime_nsec());
            Some(Stamp { file: (about.dev(), about.ino()), bytes: about.len(), written })
        };
        Some([stamp(&self.cert)?, stamp(&self.key)?])
    }

    fn read(&self) -> Result<Certificate, String> {
        Certificate::read(&self.cert, &self.key)
    }
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// What there is to say about the certificate of the configuration: whose it is and until when; `None` if there is none.
///
/// # Errors
/// Why the server would not start with it, or why clients would not take it.
#[must_use]
pub fn tls_report(config: &Config) -> Option<Result<String, String>> {
    let files = match Files::of(config) {
        Ok(files) => files?,
        Err(why) => return Some(Err(why)),
    };
    Some(files.read().and_then(|certificate| {
        let faults = certificate.faults(now());
        if faults.is_empty() { Ok(certificate.describe()) } else { Err(faults.join("; ")) }
    }))
}

impl Tls {
    /// TLS as it is configured; `None` without a certificate.
    ///
    /// # Errors
    /// What is wrong with the certificate, its key or their files.
    pub(crate) fn of(config: &Config) -> Result<Option<Self>, String> {
        let Some(files) = Files::of(config)? else { return Ok(None) };
        let read_first = files.stamps();
        let certificate = files.read()?;
        warn_of(&certificate);
        let (names, until) = (certificate.names().to_vec(), AtomicI64::new(certificate.until()));
        let served = Arc::new(Served(RwLock::new(certificate.into_key())));
        let acceptor = TlsAcceptor::from(Arc::new(server_config(served.clone())?));
        Ok(Some(Self { acceptor, served, files, read_first, names, until }))
    }

    /// The names in the certificate, but for those with a wildcard.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.names.iter().filter(|name| !name.contains('*'))
    }

    /// Shows operators when the certificate ends.
    fn show(&self, metrics: &Metrics) {
        metrics.certificate_until.store(self.until.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Shakes hands with a client. The caller sets the time limit.
    ///
    /// # Errors
    /// Why there is no TLS connection.
    pub(crate) async fn accept(&self, stream: TcpStream) -> Result<Transport, NoTls> {
        let mut first = [0];
        let read = stream.peek(&mut first).await.map_err(NoTls::Failed)?;
        if read == 1 && first[0] != HANDSHAKE {
            // A method, such as `GET`; anything else gets no answer.
            return Err(match first[0].is_ascii_uppercase() {
                true => NoTls::PlainHttp(stream),
                false => NoTls::Failed(std::io::Error::other("that is no TLS")),
            });
        }
        let accepted = self.acceptor.accept_with(stream, |tls| tls.set_buffer_limit(Some(UNSENT_BYTES_MAX)));
        Ok(Transport::Tls(Box::new(accepted.await.map_err(NoTls::Failed)?)))
    }

    /// Reads the certificate again whenever its files change or the process gets SIGHUP, until the server stops.
    pub(crate) async fn follow(
        self: Arc<Self>,
        hub: Arc<Hub>,
        mut hangup: Option<Signal>,
        mut stopped: watch::Receiver<bool>,
    ) {
        let (mut read, mut seen) = (self.read_first, self.read_first);
        self.show(&hub.metrics);
        loop {
            let asked = tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => false,
                () = next(hangup.as_mut()) => true,
                _ = stopped.wait_for(|stop| *stop) => return,
            };
            let this = self.clone();
            let Ok(stamps) = tokio::task::spawn_blocking(move || this.files.stamps()).await else { continue };
            let settled = std::mem::replace(&mut seen, stamps) == stamps;
            if asked || (settled && stamps != read) {
                read = stamps;
                let this = self.clone();
                let _ = tokio::task::spawn_blocking(move || this.read_again()).await;
                self.show(&hub.metrics);
            }
        }
    }

    fn read_again(&self) {
        match self.files.read() {
            Ok(certificate) => {
                warn_of(&certificate);
                tracing::info!(certificate = certificate.describe(), "the certificate was read again");
                self.until.store(certificate.until(), Ordering::Relaxed);
                *self.served.0.write().unwrap_or_else(PoisonError::into_inner) = certificate.into_key();
            }
            Err(why) => {
                tracing::error!(%why, "the new certificate cannot be used; the one from before is served on");
            }
        }
    }
}

/// What the process gets when its operator wants the certificate read again: SIGHUP.
pub(crate) fn hangups() -> Option<Signal> {
    let heard = signal(SignalKind::hangup());
    heard.inspect_err(|error| tracing::warn!(%error, "SIGHUP cannot be heard")).ok()
}

async fn next(signal: Option<&mut Signal>) {
    let heard = match signal {
        Some(signal) => signal.recv().await,
        None => None,
    };
    if heard.is_none() {
        std::future::pending::<()>().await;
    }
}

fn warn_of(certificate: &Certificate) {
    for fault in certificate.faults(now()) {
        tracing::warn!(%fault, "clients may not take the certificate");
    }
}

/// TLS 1.2 and 1.3 for HTTP/1.1.
fn server_config(served: Arc<Served>) -> Result<ServerConfig, String> {
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = builder.with_no_client_auth().with_cert_resolver(served);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    // A client that comes back is recognized by what it was given, and the server keeps nothing of it.
    config.ticketer = ring::Ticketer::new().map_err(|error| error.to_string())?;
    Ok(config)
}
