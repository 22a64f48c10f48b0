//! Builds the document's messages from a client's screen.

use parlor_core::{Fault, Json, Outcome, Seat};
use serde_json::json;

use super::screen::Screen;
use super::{Me, error};

/// A fault of the rules in the document's form.
fn error_of(fault: &Json) -> Json {
    match serde_json::from_value::<Fault>(fault.clone()) {
        Ok(fault) => error(fault.code.text(), &fault.to_string()),
        Err(_) => error("layout", "Invalid layout"),
    }
}

/// Adds fields to a message.
fn with(mut message: Json, more: Json) -> Json {
    if let (Json::Object(message), Json::Object(more)) = (&mut message, more) {
        message.extend(more);
    }
    message
}

impl Screen {
    /// The fields that every message of a match has.
    fn head(&self, kind: &str) -> Json {
        let [your_hp, opp_hp] = self.mine_first(&self.hp);
        let [your_nickname, opp_nickname] = self.mine_first(&self.names);
        json!({
            "type": kind, "matchId": self.match_id, "yourHp": your_hp, "oppHp": opp_hp,
            "yourNickname": your_nickname, "oppNickname": opp_nickname,
        })
    }

    fn round_of(&self, kind: &str) -> Json {
        let round = json!({"roundIndex": self.round, "suddenDeath": self.sudden_death});
        with(self.head(kind), round)
    }

    /// The wall clock time at which PREP ends; `None` while the match is paused.
    fn deadline(&self, wall_at_zero: i64) -> Option<i64> {
        let until = self.until.filter(|_| self.paused.is_none())?;
        Some(wall_at_zero + i64::try_from(until).unwrap_or(i64::MAX / 2))
    }

    pub(super) fn match_found(&self, me: &Me) -> Json {
        let more = json!({"yourTokens": me.tokens, "pot": self.pot, "yourHand": self.hand});
        with(self.head("match_found"), more)
    }

    pub(super) fn prep_start(&self, me: &Me, wall_at_zero: i64) -> Json {
        let more = json!({
            "deadlineTs": self.deadline(wall_at_zero), "pot": self.pot, "yourTokens": me.tokens,
            "yourHand": self.hand, "cards": self.hand,
        });
        with(self.round_of("prep_start"), more)
    }

    pub(super) fn step_reveal(&self, step: &Json) -> Json {
        let pair = self.shown.last().unwrap_or(&Json::Null);
        let [your_card, opp_card] = self.mine_first(&[pair[0].clone(), pair[1].clone()]);
        let more = json!({"stepIndex": step, "yourCard": your_card, "oppCard": opp_card});
        with(self.round_of("step_reveal"), more)
    }

    pub(super) fn round_end(&self) -> Json {
        self.round_of("round_end")
    }

    /// The end of the match. `winner` is a seat; with `draw`, nobody lost; with neither, both lost.
    pub(super) fn match_end(&self, winner: Option<usize>, draw: bool, reason: &str, me: &Me) -> Json {
        let told = match winner {
            Some(seat) if seat == self.seat => "YOU",
            Some(_) => "OPPONENT",
            None if draw => "DRAW",
            None => "OPPONENT",
        };
        let account = |seat: Option<usize>| seat.and_then(|seat| self.accounts[seat].clone());
        let more = json!({
            "winner": told, "winnerId": account(winner), "loserId": account(winner.map(|seat| 1 - seat)),
            "yourTokens": me.tokens, "rating": me.rating, "leagueKey": me.league, "reason": reason,
        });
        with(self.head("match_end"), more)
    }

    /// The end of a match that the host ended, or that the rules ended while the client was away.
    pub(super) fn ended_by(&self, outcome: &Outcome, me: &Me) -> Json {
        let winner = outcome.winners.iter().next().map(Seat::index);
        // Both have lost if no seat has the first place; a match that was stopped has no places at all.
        let draw = winner.is_none() && (outcome.places.is_empty() || outcome.places.contains(&1));
        let reason = match outcome.reason.as_ref() {
            reason @ ("normal" | "timeout") => reason,
            _ => "disconnect",
        };
        self.match_end(winner, draw, reason, me)
    }

    /// The message for an event that the screen has just applied.
    pub(super) fn tell(&self, event: &Json, me: &Me, wall_at_zero: i64) -> Option<Json> {
        match event["type"].as_str()? {
            "prep_start" => Some(self.prep_start(me, wall_at_zero)),
            "confirmed" => Some(json!({"type": "confirm_ok", "matchId": self.match_id})),
            "present" => Some(error_of(&event["error"])),
            "step_reveal" => Some(self.step_reveal(&event["step"])),
            "round_end" => Some(self.round_end()),
            "match_end" => {
                let winner = event["winner"].as_u64().map(|seat| seat as usize % 2);
                let draw = event["draw"].as_bool().unwrap_or(false);
                Some(self.match_end(winner, draw, event["reason"].as_str().unwrap_or("normal"), me))
            }
            _ => None,
        }
    }

    /// The whole state, for a client that reconnects or fell behind.
    pub(super) fn sync_state(&self, me: &Me, wall_at_zero: i64) -> Json {
        let shown: Vec<Json> = self
            .shown
            .iter()
            .map(|pair| {
                let [your_card, opp_card] = self.mine_first(&[pair[0].clone(), pair[1].clone()]);
                json!({"yourCard": your_card, "oppCard": opp_card})
            })
            .collect();
        let more = json!({
            "inMatch": !self.ended, "phase": self.phase, "deadlineTs": self.deadline(wall_at_zero), "pot": self.pot,
            "yourTokens": me.tokens, "yourHand": self.hand, "cards": self.hand, "layout": self.layout,
            "confirmed": self.confirmed, "revealed": shown, "paused": self.paused,
        });
        with(self.round_of("sync_state"), more)
    }
}
