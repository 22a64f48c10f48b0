//! What clients send: answers, messages in the game's dialect, undos, chat. The table checks each, turns it into a
//! record or a refusal, and replies.

use parlor_core::{AnswerTarget, Body, By, DialectAction, Fault, Json, Refusal, Seat};
use parlor_wire::ServerMessage;

use super::Table;
use crate::command::{ConnId, Submit};

impl Table {
    pub(super) fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.conns.get(conn)?.viewer.seat()
    }

    /// Asks the game what a message in its dialect means, and handles that like any other client's input.
    pub(super) fn words(&mut self, now: u64, conn: ConnId, seat: Seat, words: &Json, unnamed: AnswerTarget) {
        let unknown = || Refusal::of("unknown_action", "this game has no words of its own");
        match self.current.game().interpret(seat, words).unwrap_or_else(|| Err(unknown())) {
            Ok(DialectAction::Answer { input, head, answer, key }) => {
                let to = match (input, head) {
                    (Some(input), _) => AnswerTarget::Input(input),
                    (None, Some(head)) => AnswerTarget::Head(head),
                    (None, None) => unnamed,
                };
                self.submit(now, conn, seat, Submit { to, answer, key });
            }
            Ok(DialectAction::Concede) => {
                let head = self.current.head(seat.into());
                self.give_up(now, seat);
                self.reply(conn, ServerMessage::Accepted { request_key: None, branch_id: head });
            }
            Err(refusal) => {
                let head = self.current.head(seat.into());
                self.reply(conn, refused(None, &refusal, head));
            }
        }
    }

    pub(super) fn submit(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) {
        let key = submit.key.clone();
        if self.chairs.get(seat.index()).is_none_or(|chair| !chair.is_human()) {
            return self.reply(conn, refused(key, &not_seated(), 0));
        }
        let result = match self.keys.answered(seat, submit.key.as_deref(), &submit.answer) {
            Ok(true) => Ok(()),
            Ok(false) => self.answer(now, conn, seat, submit),
            Err(refusal) => Err(refusal),
        };
        self.reply_result(conn, seat, key, &result);
        if let Err(refusal) = result {
            self.pause_on_rules_panic(now, &refusal);
        }
    }

    fn answer(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) -> Result<(), Refusal> {
        self.check_actor(seat, &submit.answer)?;
        let target = match submit.to {
            AnswerTarget::Latest => AnswerTarget::Input(self.latest_prompt(conn, now)?),
            named => named,
        };
        let ask = self.current.resolve(seat, target)?;
        self.record(now, By::Human, submit.key, Body::Answer { seat, ask, answer: submit.answer })
    }

    /// The request last sent to this connection, never one that it was not sent.
    fn latest_prompt(&self, conn: ConnId, now: u64) -> Result<u32, Refusal> {
        let sent = self.conns.get(conn).and_then(|conn| conn.shown_at(now));
        sent.ok_or_else(|| Refusal::of("not_asked", "you were not asked anything"))
    }

    fn check_actor(&self, seat: Seat, answer: &Json) -> Result<(), Refusal> {
        let Some(actor) = answer.get("actor").and_then(Json::as_str) else { return Ok(()) };
        let name = self.chairs[seat.index()].who.name();
        if actor == name {
            return Ok(());
        }
        let text = "Response actor \"{actor}\" does not match expected actor(s): {expected}. Response #{n}, title: \"{title}\"";
        let title = answer.get("title").cloned().unwrap_or(Json::Null);
        let n = self
            .current
            .records()
            .iter()
            .filter(|r| matches!(r.body, Body::Answer { seat: s, .. } if s == seat))
            .count();
        let fault = Fault::new("actor", text).arg("actor", actor).arg("expected", name).arg("n", n + 1);
        Err(fault.arg("title", title).into())
    }

    pub(super) fn undo(&mut self, now: u64, conn: ConnId, seat: Seat, to: Option<u32>, key: Option<String>) {
        let result = match self.keys.undone(seat, key.as_deref()) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let target = to.map_or_else(|| self.current.last_answer(seat), Ok);
                target.and_then(|to| self.record(now, By::Human, key.clone(), Body::Undo { seat, to }))
            }
            Err(refusal) => Err(refusal),
        };
        self.reply_result(conn, seat, key, &result);
    }

    fn reply_result(&mut self, conn: ConnId, seat: Seat, key: Option<String>, result: &Result<(), Refusal>) {
        let head = self.current.head(seat.into());
        let reply = match result {
            Ok(()) => ServerMessage::Accepted { request_key: key, branch_id: head },
            Err(refusal) => refused(key, refusal, head),
        };
        self.reply(conn, reply);
    }

    pub(super) fn chat(&mut self, now: u64, conn: ConnId, name: String, text: String) {
        let Some(viewer) = self.conns.get(conn).map(|conn| conn.viewer) else { return };
        let seat = viewer.seat();
        let name = seat.map_or(name, |seat| self.chairs[seat.index()].who.name().to_owned());
        if let Err(refusal) = self.record(now, By::Human, None, Body::Chat { seat, name, text }) {
            self.reply(conn, refused(None, &refusal, self.current.head(viewer)));
        }
    }
}

pub(super) fn not_seated() -> Refusal {
    Refusal::of("not_seated", "only a player at this table can do that")
}

pub(super) fn refused(request_key: Option<String>, refusal: &Refusal, branch_id: u32) -> ServerMessage {
    ServerMessage::Refused {
        request_key,
        code: refusal.code().to_owned(),
        message: refusal.to_string(),
        faults: refusal.faults.clone(),
        branch_id,
    }
}
