//! Two clients of one path are one match: each move is checked, and both are told. Nothing is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Sender, channel};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

#[derive(Default)]
struct Grid {
    taken: u64,
    turn: u32,
    seats: Vec<Sender<[u8; 2]>>,
}

impl Grid {
    fn legal(&mut self, seat: u8, cell: u8) -> bool {
        if u32::from(seat) != self.turn % 2 || cell > 63 || self.taken >> cell & 1 == 1 {
            return false;
        }
        self.taken |= 1 << cell;
        if self.taken == u64::MAX {
            self.taken = 0;
        }
        self.turn += 1;
        true
    }
}

type Grids = Arc<Mutex<HashMap<String, Arc<Mutex<Grid>>>>>;

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("relay listens on http://{}", listener.local_addr().expect("an address"));
    let grids = Grids::default();
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, grids.clone()));
    }
}

async fn serve(stream: TcpStream, grids: Grids) {
    let _ = stream.set_nodelay(true);
    let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let (tx, mut rx) = channel(64);
    let mut place = None;
    // Seated before the handshake is answered: the order in which clients come is the order in which they sit.
    let shake = |request: &Request, response: Response| {
        let grid = grids.lock().expect("whole").entry(request.uri().path().to_owned()).or_default().clone();
        let mut seats = grid.lock().expect("whole");
        seats.seats.push(tx);
        place = Some((grid.clone(), seats.seats.len() as u8 - 1));
        drop(seats);
        Ok(response)
    };
    let accepted = tokio_tungstenite::accept_hdr_async_with_config(stream, shake, Some(small)).await;
    let (Ok(mut socket), Some((grid, seat))) = (accepted, place) else { return };
    loop {
        tokio::select! {
            told = rx.recv() => {
                let Some(told) = told else { return };
                if socket.send(Message::Binary(told.to_vec().into())).await.is_err() {
                    return;
                }
            }
            frame = socket.next() => {
                let Some(Ok(Message::Binary(frame))) = frame else { return };
                let Some(cell) = frame.first().copied() else { return };
                let mut grid = grid.lock().expect("whole");
                if grid.legal(seat, cell) {
                    for other in &grid.seats {
                        let _ = other.try_send([seat, cell]);
                    }
                }
            }
        }
    }
}
