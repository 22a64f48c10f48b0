//! What a server answers whose store cannot be opened or written yet: 503 and why, to every request but that for its
//! health. It reads no more of a request than its first line.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use parlor_core::HouseCode;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::net::tls::Tls;
use crate::net::transport::Transport;
use crate::rest::problem::{Problem, plain};

/// Connections that are answered at once; any more are closed.
const CONNECTIONS_MAX: usize = 64;
/// How long a client has to send its request and to take the answer.
const CLIENT_WITHIN: Duration = Duration::from_secs(2);

/// Answers every client that connects during this time.
pub(crate) async fn answer(listener: &TcpListener, tls: Option<&Arc<Tls>>, why: &str, during: Duration) {
    let until = Instant::now() + during;
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let Problem(status, body) = Problem::new(StatusCode::SERVICE_UNAVAILABLE, HouseCode::ReadOnly, why);
    let refusal = Arc::new(response(status, "application/problem+json", &plain(&body).to_string()));
    let health = Arc::new(response(StatusCode::OK, "application/json", r#"{"status":"ok"}"#));
    while let Ok(accepted) = timeout_at(until, listener.accept()).await {
        let (Ok((socket, _)), Ok(place)) = (accepted, places.clone().try_acquire_owned()) else { continue };
        let (refusal, health, tls) = (refusal.clone(), health.clone(), tls.cloned());
        tokio::spawn(async move {
            let answered = async {
                let mut stream = match tls {
                    Some(tls) => tls.accept(socket).await.ok()?,
                    None => Transport::Plain(socket),
                };
                let answer = |head: &[u8]| match head.starts_with(b"GET /health ") {
                    true => health.as_str(),
                    false => refusal.as_str(),
                };
                respond(&mut stream, answer).await.ok()
            };
            let _ = timeout(CLIENT_WITHIN, answered).await;
            drop(place);
        });
    }
}

/// Tells a client that it must speak TLS here.
pub(crate) async fn needs_tls(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let text = "this port is for HTTPS; use https:// or wss://";
    let Problem(status, body) = Problem::new(StatusCode::BAD_REQUEST, HouseCode::HttpsOnly, text);
    let refusal = response(status, "application/problem+json", &plain(&body).to_string());
    let _ = timeout(CLIENT_WITHIN, respond(&mut stream, |_| &refusal)).await;
}

/// Reads a request's first line and answers it.
async fn respond<'a>(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    answer: impl FnOnce(&[u8]) -> &'a str,
) -> std::io::Result<()> {
    let mut head = [0; 1024];
    let mut read = 0;
    while read < head.len() && !head[..read].contains(&b'\n') {
        match stream.read(&mut head[read..]).await? {
            0 => return Ok(()),
            n => read += n,
        }
    }
    stream.write_all(answer(&head[..read]).as_bytes()).await?;
    stream.shutdown().await?;
    // What the client still sends is read, or the system would take the answer back.
    while stream.read(&mut head).await? > 0 {}
    Ok(())
}

fn response(status: StatusCode, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\
         retry-after: 1\r\n\r\n{body}"
    )
}
