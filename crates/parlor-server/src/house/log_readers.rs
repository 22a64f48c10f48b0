//! Who may read whole logs, and how many at a time: a long one takes a replay and many times its size in memory. A reader
//! has a place from its first look into the store until its last byte is on the way.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use parlor_core::{HouseCode, Refusal};

use crate::house::hub::{Hub, lock, network};
use crate::house::quiet_threads::QuietThreads;

/// Readers at a time from one address.
const PER_ADDRESS_MAX: usize = 4;
/// Readers at a time in all; most of them wait for a thread or for their client.
const ALL_MAX: usize = 64;
/// Bytes of an answer that are handed to the connection at a time.
const CHUNK_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub(crate) struct LogReaders {
    threads: QuietThreads,
    places: Arc<Places>,
}

#[derive(Default)]
struct Places(Mutex<HashMap<IpAddr, usize>>);

/// A reader's place. It is free again when this is dropped.
pub(crate) struct ReaderPlace {
    places: Arc<Places>,
    address: IpAddr,
}

impl Drop for ReaderPlace {
    fn drop(&mut self) {
        let mut places = lock(&self.places.0);
        if let Some(count) = places.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                places.remove(&self.address);
            }
        }
    }
}

impl LogReaders {
    fn enter(&self, address: IpAddr) -> Result<ReaderPlace, Refusal> {
        let address = network(address);
        let mut places = lock(&self.places.0);
        if places.values().sum::<usize>() >= ALL_MAX {
            return Err(Refusal::of(HouseCode::Busy, "too many logs are being read; try again"));
        }
        let own = places.entry(address).or_default();
        if *own >= PER_ADDRESS_MAX {
            return Err(Refusal::of(HouseCode::RateLimited, "you are reading too many logs at a time"));
        }
        *own += 1;
        Ok(ReaderPlace { places: self.places.clone(), address })
    }
}

impl Hub {
    /// A place for a caller who wants to read a whole log.
    pub(crate) fn log_reader(&self, address: IpAddr) -> Result<ReaderPlace, Refusal> {
        self.log_readers.enter(address)
    }

    /// Runs a function that reads a whole log, away from the threads that serve tables and connections.
    pub(crate) async fn read_log<T: Send + 'static>(
        &self,
        _place: &ReaderPlace,
        read: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let done = self.log_readers.threads.spawn_blocking(read).await;
        done.map_err(|_| Refusal::of(HouseCode::Busy, "the log cannot be read now; try again"))
    }
}

impl ReaderPlace {
    /// The answer, which keeps the place until the client has taken almost all of it.
    pub(crate) fn answer(self, media: &'static str, text: String) -> Response {
        let length = HeaderValue::from(text.len());
        let body = Body::new(Answer { rest: Bytes::from(text), _place: self });
        let kind = HeaderValue::from_static(media);
        ([(header::CONTENT_TYPE, kind), (header::CONTENT_LENGTH, length)], body).into_response()
    }
}

/// What the client has not taken yet.
struct Answer {
    rest: Bytes,
    _place: ReaderPlace,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.rest.len().min(CHUNK_BYTES);
        Poll::Ready((next > 0).then(|| Ok(Frame::data(self.rest.split_to(next)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_so_many_logs_at_a_time_and_so_do_all() {
        let readers = LogReaders::default();
        let address = |n: u32| IpAddr::from(n.to_be_bytes());
        let mut places: Vec<_> = (0..PER_ADDRESS_MAX).map(|_| readers.enter(address(1)).ok()).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(readers.enter(address(1)).is_err_and(|why| why.has(HouseCode::RateLimited)));
        places.pop();
        assert!(readers.enter(address(1)).is_ok(), "one has gone");
        let all: Vec<_> = (2..100).map_while(|n| readers.enter(address(n)).ok()).collect();
        assert_eq!(all.len() + places.len(), ALL_MAX);
        assert!(readers.enter(address(200)).is_err_and(|why| why.has(HouseCode::Busy)));
        drop(all);
        drop(places);
        assert!(lock(&readers.places.0).is_empty(), "nobody is kept");
    }

    #[tokio::test]
    async fn a_place_is_kept_until_its_answer_is_taken() {
        let readers = LogReaders::default();
        let address = IpAddr::from([127, 0, 0, 1]);
        let answer = |place: ReaderPlace| place.answer("text/plain", "x".repeat(3 * CHUNK_BYTES));
        let mut answers: Vec<Response> = (0..PER_ADDRESS_MAX)
            .map(|_| readers.enter(address).map(answer).unwrap_or_else(|why| panic!("{why}")))
            .collect();
        assert!(readers.enter(address).is_err(), "nobody has read anything yet");
        let body = answers.pop().expect("one").into_body();
        let text = axum::body::to_bytes(body, usize::MAX).await.expect("all of it");
        assert_eq!(text.len(), 3 * CHUNK_BYTES);
        assert!(readers.enter(address).is_ok());
    }
}
