//! A WebSocket: one reader and one writer over a stream of bytes.
//!
//! Bytes that were read or could not be written yet are kept in the socket and not in its futures: dropping a future
//! loses nothing.

use std::future::poll_fn;
use std::io;
use std::mem::{self, MaybeUninit};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::buffer_pool;
use super::frame::{self, Opcode, ProtocolError};
use super::message::{Message, MessageAssembler};
use crate::net::transport::Transport;

/// Bytes per read: most messages of clients are smaller, larger ones come in parts.
const READ_BYTES: usize = 2048;
/// Messages are gathered up to this many bytes and written at once.
const WRITE_TOGETHER_BYTES: usize = 16 * 1024;
/// A socket with more unsent bytes than this takes no further message.
const WAITING_BYTES_MAX: usize = 128 * 1024;
/// How many of a client's bytes are read and discarded after the close frame. Closing a socket with unread bytes
/// would reset the connection and lose the close frame.
const FORGOTTEN_BYTES_MAX: usize = 256 * 1024;

/// Why nothing more can be received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecvError {
    /// The client is gone.
    Gone,
    /// The client violated the protocol.
    ProtocolError(ProtocolError),
}

impl From<io::Error> for RecvError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

impl From<ProtocolError> for RecvError {
    fn from(fault: ProtocolError) -> Self {
        Self::ProtocolError(fault)
    }
}

/// A client's socket.
pub(crate) struct WebSocket<S = Transport> {
    stream: S,
    /// Bytes of incomplete messages, from `read` on. Usually empty and without capacity.
    input: Vec<u8>,
    read: usize,
    joiner: MessageAssembler,
    /// Frames to send, from `written` on.
    out: Vec<u8>,
    written: usize,
    /// Whether `out` is the thread's buffer, which is returned before the task waits.
    lent: bool,
    /// Whether the stream was given bytes that it may keep back: TLS does, when the client does not take them.
    unflushed: bool,
    /// The payload of the client's last ping. One pong is enough for all pings since the last pong.
    pong: Option<Vec<u8>>,
    /// Whether the close frame was sent or queued: nothing may follow it.
    close_sent: bool,
}

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocket<S> {
    /// A socket on an upgraded stream; `input` was read along with the request.
    pub(super) fn new(stream: S, input: Vec<u8>) -> Self {
        Self {
            stream,
            input,
            read: 0,
            joiner: MessageAssembler::default(),
            out: Vec::new(),
            written: 0,
            lent: false,
            unflushed: false,
            pong: None,
            close_sent: false,
        }
    }

    // ---- in ----

    /// The client's next message. A ping is answered with the next write; a close frame is answered at once, and is
    /// the last message.
    pub(crate) async fn recv(&mut self) -> Result<Message, RecvError> {
        poll_fn(|context| self.poll_recv(context)).await
    }

    fn poll_recv(&mut self, context: &mut Context<'_>) -> Poll<Result<Message, RecvError>> {
        // Pongs are written as the client takes them; it may keep sending meanwhile.
        if let Poll::Ready(Err(error)) = self.poll_flush(context) {
            return Poll::Ready(Err(error.into()));
        }
        loop {
            let message = match self.waiting()? {
                Some(message) => Some(message),
                None => ready!(self.poll_read(context))?,
            };
            if let Some(message) = message {
                self.hear(&message);
                return Poll::Ready(Ok(message));
            }
        }
    }

    /// A message in the bytes that were read already.
    fn waiting(&mut self) -> Result<Option<Message>, ProtocolError> {
        if self.input.is_empty() {
            return Ok(None);
        }
        let (done, message) = self.joiner.read(&mut self.input[self.read..])?;
        self.read += done;
        if self.read == self.input.len() {
            (self.input, self.read) = (Vec::new(), 0);
        }
        Ok(message)
    }

    /// Reads once. A message that arrives whole, as most do, is taken from the stack buffer; anything else is kept.
    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<Message>, RecvError>> {
        let mut room = [MaybeUninit::uninit(); READ_BYTES];
        let mut buffer = ReadBuf::uninit(&mut room);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
        let came = buffer.filled_mut();
        if came.is_empty() {
            return Poll::Ready(Err(RecvError::Gone));
        }
        let (done, message) = if self.input.is_empty() { self.joiner.read(came)? } else { (0, None) };
        self.input.drain(..mem::take(&mut self.read));
        self.input.extend_from_slice(&came[done..]);
        Poll::Ready(Ok(message))
    }

    fn hear(&mut self, message: &Message) {
        match message {
            Message::Ping(payload) => self.pong = Some(payload.clone()),
            Message::Close(code) => {
                // The code is echoed, if there is one.
                let code = code.map(u16::to_be_bytes);
                self.write(Opcode::Close, code.as_ref().map_or(&[], |code| code.as_slice()));
                self.close_sent = true;
            }
            Message::Text(_) | Message::Binary(_) | Message::Pong => {}
        }
    }

    // ---- out ----

    /// Queues a frame. Refuses it if too much is queued already or the close frame was sent.
    pub(crate) fn put(&mut self, kind: Opcode, payload: &[u8]) -> Result<(), RecvError> {
        if self.close_sent || self.out.len() - self.written > WAITING_BYTES_MAX {
            return Err(RecvError::Gone);
        }
        self.write(kind, payload);
        Ok(())
    }

    /// Whether as much is queued as should be written at once.
    pub(crate) fn is_full(&self) -> bool {
        self.out.len() >= WRITE_TOGETHER_BYTES
    }

    /// Waits until everything is written.
    pub(crate) async fn flush(&mut self) -> Result<(), RecvError> {
        poll_fn(|context| self.poll_flush(context)).await.map_err(RecvError::from)
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        if self.out.is_empty() {
            (self.out, self.written, self.lent) = (buffer_pool::take(), 0, true);
        } else {
            self.out.drain(..mem::take(&mut self.written));
        }
        &mut self.out
    }

    fn write(&mut self, kind: Opcode, payload: &[u8]) {
        frame::write(kind, payload, self.buffer());
    }

    /// Writes as much as the client takes now.
    pub(crate) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.out.is_empty() && self.pong.is_none() {
            return self.poll_flush_stream(context);
        }
        if let Some(pong) = self.pong.take_if(|_| self.out.is_empty() && !self.close_sent) {
            self.write(Opcode::Pong, &pong);
        }
        while self.written < self.out.len() {
            match Pin::new(&mut self.stream).poll_write(context, &self.out[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(bytes)) => {
                    self.written += bytes;
                    self.unflushed = true;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => {
                    self.give_back();
                    return Poll::Pending;
                }
            }
        }
        if mem::take(&mut self.lent) {
            buffer_pool::give(mem::take(&mut self.out));
        } else {
            self.out = Vec::new();
        }
        self.written = 0;
        self.poll_flush_stream(context)
    }

    fn poll_flush_stream(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.unflushed {
            ready!(Pin::new(&mut self.stream).poll_flush(context))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    /// Copies unsent bytes into a buffer of their own size, and returns the thread's buffer.
    fn give_back(&mut self) {
        if mem::take(&mut self.lent) {
            let rest = self.out[self.written..].to_vec();
            buffer_pool::give(mem::replace(&mut self.out, rest));
            self.written = 0;
        }
    }

    // ---- the end ----

    /// Sends a close frame, unless one was sent, and waits until the client has closed its side. The caller sets the
    /// time limit.
    pub(crate) async fn close(&mut self, code: u16, reason: &str) {
        if !mem::replace(&mut self.close_sent, true) {
            frame::write_close(code, reason, self.buffer());
        }
        // The connection is over even if this fails.
        if self.flush().await.is_ok() {
            let _ = poll_fn(|context| Pin::new(&mut self.stream).poll_shutdown(context)).await;
            self.input = Vec::new();
            let mut left = FORGOTTEN_BYTES_MAX;
            let _ = poll_fn(|context| self.poll_forget(context, &mut left)).await;
        }
    }

    fn poll_forget(&mut self, context: &mut Context<'_>, left: &mut usize) -> Poll<io::Result<()>> {
        while *left > 0 {
            let mut room = [MaybeUninit::uninit(); READ_BYTES];
            let mut buffer = ReadBuf::uninit(&mut room);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                break;
            }
            *left = left.saturating_sub(buffer.filled().len());
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
impl<S> WebSocket<S> {
    /// Whether it holds no buffer.
    pub(super) fn keeps_nothing(&self) -> bool {
        let room = self.input.capacity() + self.out.capacity();
        room == 0 && self.pong.is_none() && self.joiner.is_empty()
    }

    /// Unsent bytes.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.out.len() - self.written + self.pong.as_ref().map_or(0, |pong| pong.len() + 2)
    }

    /// The capacity of the write buffer, in bytes.
    pub(super) fn room_bytes(&self) -> usize {
        self.out.capacity()
    }
}
