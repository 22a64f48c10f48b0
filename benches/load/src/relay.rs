//! The same matches through a bare relay: two clients, one byte for a move, two for what both are told.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::house::House;
use crate::stats::percentile_ms;
use crate::{Outcome, PlayArgs};

const CELLS: u32 = 64;
/// How long a move may take before something is wrong.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// Plays, and reports.
pub(crate) async fn run(args: &PlayArgs) -> Outcome<Value> {
    let house = House::other(&args.server)?;
    let mut pairs = Vec::new();
    for n in 0..args.matches {
        pairs.push([connect(house.addr, n).await?, connect(house.addr, n).await?]);
    }
    let (began, cpu_began) = (Instant::now(), house.cpu_seconds());
    let mut playing = JoinSet::new();
    for pair in pairs {
        playing.spawn(play(pair, args.moves));
    }
    let mut latencies = Vec::new();
    while let Some(played) = playing.join_next().await {
        latencies.extend(played.map_err(|error| error.to_string())??);
    }
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), house.cpu_seconds() - cpu_began);
    latencies.sort_unstable();
    Ok(json!({
        "matches": args.matches,
        "moves": latencies.len(),
        "seconds": seconds,
        "server_cpu_seconds": cpu,
        "moves_per_cpu_second": (latencies.len() as f64 / cpu).round(),
        "p50_ms": percentile_ms(&latencies, 0.5),
        "p99_ms": percentile_ms(&latencies, 0.99),
    }))
}

async fn connect(addr: SocketAddr, n: u32) -> Outcome<WebSocketStream<TcpStream>> {
    let stream = TcpStream::connect(addr).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let (socket, _) = tokio_tungstenite::client_async(format!("ws://{addr}/{n}"), stream)
        .await
        .map_err(|error| error.to_string())?;
    Ok(socket)
}

async fn play(mut pair: [WebSocketStream<TcpStream>; 2], moves: u32) -> Outcome<Vec<u32>> {
    let mut latencies = Vec::new();
    for turn in 0..moves {
        let (seat, cell) = ((turn % 2) as usize, (turn % CELLS) as u8);
        let sent = Instant::now();
        let frame = Message::Binary(vec![cell].into());
        pair[seat].send(frame).await.map_err(|error| error.to_string())?;
        // The opponent has its own last move to read before this one.
        loop {
            let next = tokio::time::timeout(SILENCE_MAX, pair[1 - seat].next()).await;
            match next.map_err(|_| format!("the relay has not told move {turn}"))? {
                Some(Ok(Message::Binary(told))) if told[..] == [seat as u8, cell] => break,
                Some(Ok(Message::Binary(told))) if told.len() == 2 => {}
                other => return Err(format!("the relay said {other:?}")),
            }
        }
        latencies.push(sent.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
    }
    Ok(latencies)
}
