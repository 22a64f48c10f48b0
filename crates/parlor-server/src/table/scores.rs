//! What lists say of the score of a table that runs: never more than its spectators see, and never earlier.
//!
//! Apart from the table's task, which is asked only now and then: a lobby looks every few seconds, and so do all others.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::mail::{Mail, TableHandle};
use crate::house::sessions::public_scores;

/// For so long what a table has told is told again.
const KEPT: Duration = Duration::from_secs(2);

/// What each seat has; none where nothing may be told.
type Scores = Option<Vec<Option<i64>>>;

/// What lists were last told, and when.
#[derive(Default)]
pub(crate) struct ShownScores(Mutex<Option<(Instant, Scores)>>);

impl ShownScores {
    fn kept(&self) -> Option<Scores> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(at, _)| at.elapsed() < KEPT).map(|(_, scores)| scores.clone())
    }

    fn keep(&self, scores: &Scores) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), scores.clone()));
    }
}

impl TableHandle {
    /// What everybody may see of the score. Nothing where spectators are held back, or where the table is private.
    pub(crate) async fn shown_scores(&self) -> Scores {
        if self.public.private {
            return None;
        }
        if let Some(kept) = self.public.scores.kept() {
            return kept;
        }
        let (tx, rx) = oneshot::channel();
        let look = Mail::Look(Box::new(move |table, facts| {
            let at_once = facts.spectator_delay_ms == 0;
            let scores = Some(table.current_match()).filter(|_| at_once).and_then(public_scores);
            let _ = tx.send(scores);
        }));
        self.tx.send(look).await.ok()?;
        let scores = rx.await.ok()?;
        self.public.scores.keep(&scores);
        scores
    }
}
