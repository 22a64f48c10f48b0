//! What a server answers whose store cannot be opened or written yet: 503 and why, to every request but that for its
//! health. It reads no more of a request than its first line.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::rest::problem::{Problem, plain};

/// Connections that are answered at once; any more are closed.
const CONNECTIONS_MAX: usize = 64;
/// How long a client has to send its request and to take the answer.
const CLIENT_WITHIN: Duration = Duration::from_secs(2);

/// Answers every client that connects during this time.
pub(crate) async fn answer(listener: &TcpListener, why: &str, during: Duration) {
    let until = Instant::now() + during;
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let Problem(status, body) = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "read_only", why);
    let refusal = Arc::new(response(status, "application/problem+json", &plain(&body).to_string()));
    while let Ok(accepted) = timeout_at(until, listener.accept()).await {
        let (Ok((socket, _)), Ok(place)) = (accepted, places.clone().try_acquire_owned()) else { continue };
        let refusal = refusal.clone();
        tokio::spawn(async move {
            let _ = timeout(CLIENT_WITHIN, respond(socket, &refusal)).await;
            drop(place);
        });
    }
}

async fn respond(mut socket: TcpStream, refusal: &str) -> std::io::Result<()> {
    let mut head = [0; 1024];
    let mut read = 0;
    while read < head.len() && !head[..read].contains(&b'\n') {
        match socket.read(&mut head[read..]).await? {
            0 => return Ok(()),
            n => read += n,
        }
    }
    let health = head
        .starts_with(b"GET /health ")
        .then(|| response(StatusCode::OK, "application/json", r#"{"status":"ok"}"#));
    socket.write_all(health.as_deref().unwrap_or(refusal).as_bytes()).await?;
    socket.shutdown().await?;
    // What the client still sends is read, or the system would take the answer back.
    while socket.read(&mut head).await? > 0 {}
    Ok(())
}

fn response(status: StatusCode, kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\
         retry-after: 1\r\n\r\n{body}"
    )
}
