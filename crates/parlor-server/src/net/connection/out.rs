//! Sends to a client: the whole outbox in one write, and direct replies.

use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Duration, Instant};

use parlor_core::Viewer;
use parlor_wire::{CloseReason, EncodedMessage, LobbyNews};

use super::{Connection, Ending, Location};
use crate::net::bounded_queue::Receiver;
use crate::net::outbox::{Out, Started};
use crate::net::websocket::{Opcode, WebSocket};
use crate::table::Mail;

/// How long a client has to take one message.
const SEND_MAX: Duration = Duration::from_secs(20);
const TOO_SLOW: Ending = Ending::House(CloseReason::TooSlow);

impl Connection {
    /// Writes everything in the outbox at once: most of a message's cost is the system call.
    pub(super) async fn put_all(
        &mut self,
        socket: &mut WebSocket,
        first: Out,
        rx: &mut Receiver<Out>,
    ) -> Result<(), Ending> {
        let mut next = Some(first);
        while let Some(out) = next {
            let (more, close) = self.put_many(socket, out, rx)?;
            flush(socket).await?;
            if let Some(close) = close {
                return Err(close);
            }
            next = more;
        }
        Ok(())
    }

    /// Moves messages from the outbox to the socket's buffer until that is full. Returns the message that did not
    /// fit, and the close frame if there was one.
    fn put_many(
        &mut self,
        socket: &mut WebSocket,
        first: Out,
        rx: &mut Receiver<Out>,
    ) -> Result<(Option<Out>, Option<Ending>), Ending> {
        let (mut next, mut close) = (Some(first), None);
        let mut frames = 0;
        while let Some(out) = next.take_if(|_| !socket.is_full()) {
            let said = match out {
                Out::Message { message, wall_at_zero } => {
                    match self.protocol.translate(&message, wall_at_zero) {
                        Some(said) => said,
                        None => {
                            frames += 1;
                            let (kind, bytes) = self.encode(&message, wall_at_zero);
                            socket.put(kind, &bytes).map_err(|_| TOO_SLOW)?;
                            Vec::new()
                        }
                    }
                }
                Out::Session(news) => self.protocol.encode_news(&news),
                Out::Started(started) => {
                    let Started { id, handle, seat } = *started;
                    self.game_id = id;
                    self.place = Location::Table(handle);
                    self.viewer = Some(Viewer::Seat(seat));
                    self.guest = None;
                    Vec::new()
                }
                Out::Unseated => {
                    self.place = self.home();
                    Vec::new()
                }
                Out::Close(reason) => {
                    close = Some(Ending::House(reason));
                    break;
                }
            };
            for value in &said {
                frames += 1;
                let (kind, bytes) = self.protocol.to_frame(value);
                socket.put(kind, &bytes).map_err(|_| TOO_SLOW)?;
            }
            close = self.protocol.ends().map(|(code, reason)| Ending::Dialect(code, reason));
            if close.is_some() {
                break;
            }
            next = rx.try_recv();
        }
        self.hub.metrics.frames_out.fetch_add(frames, Ordering::Relaxed);
        Ok((next, close))
    }

    /// Sends a message without the outbox.
    pub(super) async fn news(&mut self, socket: &mut WebSocket, news: &LobbyNews) {
        let said = self.protocol.encode_news(news);
        self.hub.metrics.frames_out.fetch_add(said.len() as u64, Ordering::Relaxed);
        for value in &said {
            let (kind, bytes) = self.protocol.to_frame(value);
            // The next read finds out that a client is gone.
            if socket.put(kind, &bytes).is_ok() {
                let _ = flush(socket).await;
            }
        }
    }

    fn encode<'a>(&self, message: &'a EncodedMessage, wall_at_zero: i64) -> (Opcode, Cow<'a, [u8]>) {
        if let Some(frame) = self.protocol.ready(message) {
            return frame;
        }
        let began = Instant::now();
        let frame = self.protocol.encode(message, wall_at_zero);
        self.hub.metrics.encode.add(began.elapsed().as_micros() as u64);
        frame
    }

    /// Asks the table for a snapshot once the outbox is empty, if messages were dropped.
    pub(super) fn resync_if_behind(&self, rx: &Receiver<Out>) {
        if let (true, true, Location::Table(handle)) =
            (rx.is_empty(), self.behind.load(Ordering::Acquire), &self.place)
        {
            let _ = handle.tx.try_send(Mail::Resync { conn: self.conn });
        }
    }
}

/// Waits until the client has taken everything that was written.
async fn flush(socket: &mut WebSocket) -> Result<(), Ending> {
    // Almost always there is room for it at once.
    let at_once = poll_fn(|context| Poll::Ready(socket.poll_flush(context))).await;
    match at_once {
        Poll::Ready(done) => done.map_err(|_| Ending::Gone),
        // Boxed: it is rare, and would take memory in every connection.
        Poll::Pending => {
            let waiting = Box::pin(tokio::time::timeout(SEND_MAX, socket.flush()));
            waiting.await.map_err(|_| TOO_SLOW)?.map_err(|_| Ending::Gone)
        }
    }
}
