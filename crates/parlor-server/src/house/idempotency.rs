//! Requests that a client may send twice because it has not heard the answer: under the same `Idempotency-Key` the first
//! answer is given again. For requests about no table yet; at a table the retry keys are in its log.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use parlor_core::{HouseCode, Json, Refusal};

use crate::house::hub::{lock, network};
use crate::house::sessions::hash;

/// How long an answer is kept. Not over a restart.
const KEPT_FOR: Duration = Duration::from_secs(600);
/// How many are kept.
const KEPT_MAX: usize = 10_000;
/// The longest key, in bytes.
const KEY_BYTES_MAX: usize = 100;

/// The answer to the first request under a key, and what was asked. Locked while it is being made.
type Slot = Arc<tokio::sync::Mutex<Option<(String, StatusCode, Json)>>>;

#[derive(Default)]
pub(crate) struct Idempotency(Mutex<HashMap<String, (Instant, Slot)>>);

impl Idempotency {
    /// Makes an answer, or gives the one again that this caller got for this key. Refusals are not kept: what was refused
    /// has changed nothing.
    pub(crate) async fn once<E: From<Refusal>>(
        &self,
        key: Option<&str>,
        caller: (IpAddr, Option<&str>),
        asked: &[u8],
        make: impl Future<Output = Result<(StatusCode, Json), E>>,
    ) -> Result<(StatusCode, Json), E> {
        let Some(key) = key else { return make.await };
        if key.is_empty() || key.len() > KEY_BYTES_MAX {
            return Err(
                Refusal::of(HouseCode::Malformed, "an Idempotency-Key has 1 to 100 characters").into()
            );
        }
        let who = caller.1.map_or_else(|| network(caller.0).to_string(), hash);
        let slot = self.slot(format!("{who} {key}"))?;
        let mut kept = slot.lock().await;
        let asked = blake3::hash(asked).to_hex().to_string();
        if let Some((before, status, answer)) = &*kept {
            if *before != asked {
                let text = "this Idempotency-Key was used for another request";
                return Err(Refusal::of(HouseCode::IdempotencyKeyReused, text).into());
            }
            return Ok((*status, answer.clone()));
        }
        let (status, answer) = make.await?;
        *kept = Some((asked, status, answer.clone()));
        Ok((status, answer))
    }

    fn slot(&self, key: String) -> Result<Slot, Refusal> {
        let mut all = lock(&self.0);
        let now = Instant::now();
        if all.len() >= KEPT_MAX {
            all.retain(|_, (since, _)| now.duration_since(*since) < KEPT_FOR);
        }
        if all.len() >= KEPT_MAX && !all.contains_key(&key) {
            return Err(Refusal::of(HouseCode::Busy, "too many requests with keys; try again later"));
        }
        let entry = all.entry(key).or_insert_with(|| (now, Slot::default()));
        if now.duration_since(entry.0) >= KEPT_FOR {
            *entry = (now, Slot::default());
        }
        Ok(entry.1.clone())
    }
}
