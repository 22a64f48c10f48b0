//! What the engine checks before the rules see a record: whether the match accepts this kind of record now, whether
//! it answers an open request, and whether it is within the limits.
//!
//! Apart from the match because nothing here changes anything: a refusal leaves no trace.

use crate::Json;
use crate::ask::{Ask, AskId, AskKind};
use crate::code::HouseCode;
use crate::limits::{ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX, CHAT_CHARS_MAX, KEY_CHARS_MAX, depth};
use crate::record::Body;
use crate::refusal::{Fault, Refusal};
use crate::seat::Seat;

use super::Match;

impl Match {
    /// Whether the match accepts this kind of record now.
    pub(super) fn may_take(&self, body: &Body) -> Result<(), Refusal> {
        let talk = matches!(body, Body::Chat { .. } | Body::Note { .. });
        if let Some(outcome) = &self.ended
            && !talk
        {
            let killed = outcome.places.is_empty();
            // Between two matches of a table players come and go: the next match starts from what they leave behind.
            if matches!(body, Body::Visit { .. }) && !killed && self.may_be_linked() {
                return Ok(());
            }
            let code = if killed { HouseCode::Killed } else { HouseCode::Ended };
            let fault = Fault::new(
                code,
                if killed { "This game was killed: {why}" } else { "This game is over: {why}" },
            );
            return Err(fault.arg("why", outcome.reason.as_ref()).into());
        }
        let orders = matches!(body, Body::Resume | Body::Kill { .. } | Body::Repair { .. });
        if self.paused.is_some() && !talk && !orders {
            return Err(Refusal::of(HouseCode::Paused, "This game is paused"));
        }
        if matches!(body, Body::Resume) && self.paused.is_none() {
            return Err(Refusal::of(HouseCode::NotPaused, "This game is not paused"));
        }
        Ok(())
    }

    /// Whether another match follows this one.
    fn may_be_linked(&self) -> bool {
        self.def.visits && self.forfeit.is_none() && self.state.game().carry().is_some()
    }

    /// The ask that this answer is for.
    pub(super) fn may_answer(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<Ask, Refusal> {
        if seat.index() >= self.header.seats as usize {
            let fault = Fault::new(HouseCode::UnknownSeat, "there is no seat {seat}, this table has {seats}");
            return Err(fault.arg("seat", seat.index()).arg("seats", self.header.seats).into());
        }
        let asks = self.state.game().open_asks();
        let Some(found) = asks.iter().find(|found| found.id == ask && found.seats.has(seat)) else {
            return Err(self.not_asked(seat));
        };
        check_size(answer)?;
        Ok(*found)
    }

    /// Why an answer that the game does not wait for is refused.
    pub(super) fn not_asked(&self, seat: Seat) -> Refusal {
        let open_asks =
            self.requests.of_seat(seat).open_requests().iter().any(|open| open.kind == AskKind::Request);
        let (code, text) = if open_asks {
            (HouseCode::Stale, "that request no longer stands")
        } else {
            (HouseCode::NotAsked, "seat {seat} is not asked anything now")
        };
        Fault::new(code, text).arg("seat", seat.index()).into()
    }

    /// Whether this ask can elapse, for all or for this seat.
    pub(super) fn may_elapse(&self, ask: AskId, seat: Option<Seat>) -> Result<(), Refusal> {
        let asks = self.state.game().open_asks();
        let open_requests =
            asks.iter().any(|a| a.id == ask && a.blocks() && seat.is_none_or(|seat| a.seats.has(seat)));
        if open_requests { Ok(()) } else { Err(Refusal::of(HouseCode::Stale, "that ask no longer stands")) }
    }
}

/// Checks the length of a retry key, if there is one.
pub(super) fn check_key(key: Option<&str>) -> Result<(), Refusal> {
    if key.is_some_and(|key| key.is_empty() || key.chars().count() > KEY_CHARS_MAX) {
        let fault = Fault::new(HouseCode::Limit, "a requestKey has 1 to {max} characters (key_chars_max)");
        return Err(fault.arg("max", KEY_CHARS_MAX).into());
    }
    Ok(())
}

/// Checks the nesting and the length of an answer.
pub(super) fn check_size(answer: &Json) -> Result<(), Refusal> {
    let deep = depth(answer, ANSWER_DEPTH_MAX);
    if deep > ANSWER_DEPTH_MAX {
        let fault = Fault::new(HouseCode::Limit, "an answer is nested deeper than answer_depth_max ({max})");
        return Err(fault.arg("max", ANSWER_DEPTH_MAX).into());
    }
    let bytes = json_bytes(answer);
    if bytes > ANSWER_BYTES_MAX {
        let fault =
            Fault::new(HouseCode::Limit, "an answer has {got} bytes, the limit answer_bytes_max is {max}");
        return Err(fault.arg("got", bytes).arg("max", ANSWER_BYTES_MAX).into());
    }
    Ok(())
}

/// The length of the JSON text, without building the text.
fn json_bytes(value: &Json) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).expect("a value is plain data");
    count.0
}

/// Checks the length of a chat message.
///
/// # Errors
/// It is empty or too long.
pub fn check_chat(text: &str) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if (1..=CHAT_CHARS_MAX).contains(&chars) {
        return Ok(());
    }
    let fault = Fault::new(
        HouseCode::Limit,
        "a chat line has 1 to {max} characters (chat_chars_max), this has {got}",
    );
    Err(fault.arg("max", CHAT_CHARS_MAX).arg("got", chars).into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_is_as_long_as_it_would_be_written() {
        for value in [json!(null), json!({"a": [1, "\u{1}é牌\"", -2.5], "b": {}}), json!("x".repeat(5000))]
        {
            assert_eq!(json_bytes(&value), value.to_string().len(), "{value}");
        }
    }

    #[test]
    fn limits_are_the_last_that_is_taken() {
        // A text has its two quotes.
        let text = |bytes: usize| json!("x".repeat(bytes - 2));
        assert!(check_size(&text(ANSWER_BYTES_MAX)).is_ok());
        assert!(check_size(&text(ANSWER_BYTES_MAX + 1)).is_err_and(|why| why.has(HouseCode::Limit)));
        let chars = |chars: usize| "é".repeat(chars);
        for (taken, chat) in [(false, 0), (true, 1), (true, CHAT_CHARS_MAX), (false, CHAT_CHARS_MAX + 1)] {
            assert_eq!(check_chat(&chars(chat)).is_ok(), taken, "{chat} characters");
        }
        for (taken, key) in [(false, 0), (true, 1), (true, KEY_CHARS_MAX), (false, KEY_CHARS_MAX + 1)] {
            assert_eq!(check_key(Some(&chars(key))).is_ok(), taken, "{key} characters");
        }
        assert!(check_key(None).is_ok());
    }
}
