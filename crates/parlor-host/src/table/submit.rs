//! What clients send: answers, messages in the game's dialect, undos, chat. The table checks each, turns it into a
//! record or a refusal, and replies.

use std::borrow::Cow;

use parlor_core::play::OpenRequest;
use parlor_core::{AnswerTarget, AskKind, Body, By, DialectAction, Fault, Json, Refusal, Seat};
use parlor_wire::ServerMessage;

use super::Table;
use crate::command::{ConnId, Submit};

impl Table {
    pub(super) fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.conns.get(conn)?.viewer.seat()
    }

    /// Asks the game what a message in its dialect means, and handles that like any other client's input.
    pub(super) fn words(&mut self, now: u64, conn: ConnId, seat: Seat, words: &Json, unnamed: AnswerTarget) {
        if !self.is_played_by_a_human(seat) {
            return self.reply(conn, refused(None, &not_seated(), 0));
        }
        if let Some((key, result)) = self.keys.heard(seat, words) {
            return self.reply_result(conn, seat, Some(key), &result);
        }
        let words = &*self.without_own_name(seat, words);
        let unknown = || Refusal::of("unknown_action", "this game has no words of its own");
        match self.current.game().interpret(seat, words).unwrap_or_else(|| Err(unknown())) {
            Ok(DialectAction::Answer { input, head, answer, key, then }) => {
                let to = match (input, head) {
                    (Some(input), _) => AnswerTarget::Input(input),
                    (None, Some(head)) => AnswerTarget::Head(head),
                    (None, None) => unnamed,
                };
                let result = self.submit_once(now, conn, seat, Submit { to, answer, key: key.clone() });
                if result.is_ok() {
                    self.keys.note_words(seat, key.as_deref(), words);
                }
                let result = result
                    .and_then(|()| then.map_or(Ok(()), |rest| self.answer_next(now, conn, seat, &rest)));
                self.reply_result(conn, seat, key, &result);
                if let Err(refusal) = result {
                    self.pause_on_rules_panic(now, &refusal);
                }
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
        if !self.is_played_by_a_human(seat) {
            return self.reply(conn, refused(key, &not_seated(), 0));
        }
        let result = self.submit_once(now, conn, seat, submit);
        self.reply_result(conn, seat, key, &result);
        if let Err(refusal) = result {
            self.pause_on_rules_panic(now, &refusal);
        }
    }

    /// A message without the fields in which the sender says their own name: the rules know seats only.
    fn without_own_name<'a>(&self, seat: Seat, words: &'a Json) -> Cow<'a, Json> {
        let name = self.chairs[seat.index()].who.name();
        let is_own = |field: &&str| words.get(*field).and_then(Json::as_str) == Some(name);
        let mut own = ["playerId", "player_id"].into_iter().filter(is_own).peekable();
        if own.peek().is_none() {
            return Cow::Borrowed(words);
        }
        let mut words = words.clone();
        for field in own {
            words.as_object_mut().map(|words| words.remove(field));
        }
        Cow::Owned(words)
    }

    fn is_played_by_a_human(&self, seat: Seat) -> bool {
        self.chairs.get(seat.index()).is_some_and(|chair| chair.is_human())
    }

    /// Takes an answer, unless it was taken before under the same retry key.
    fn submit_once(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) -> Result<(), Refusal> {
        if self.keys.answered(seat, submit.key.as_deref(), &submit.answer)? {
            return Ok(());
        }
        self.answer(now, conn, seat, submit)
    }

    /// Takes the rest of a message, if the answer before it led to another request for the same seat.
    fn answer_next(&mut self, now: u64, conn: ConnId, seat: Seat, words: &Json) -> Result<(), Refusal> {
        let is_request = |open: &&OpenRequest| open.kind == AskKind::Request;
        let Some(open) = self.current.open_requests(seat).iter().find(is_request).copied() else {
            return Ok(());
        };
        match self.current.game().interpret(seat, words) {
            Some(Ok(DialectAction::Answer { answer, .. })) => {
                let submit = Submit { to: AnswerTarget::Input(open.input), answer, key: None };
                self.submit_once(now, conn, seat, submit)
            }
            Some(Err(refusal)) => Err(refusal),
            _ => Ok(()),
        }
    }

    fn answer(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) -> Result<(), Refusal> {
        self.check_actor(seat, &submit.answer)?;
        let target = match submit.to {
            AnswerTarget::Latest => AnswerTarget::Input(self.latest_prompt(conn, now)?),
            named => named,
        };
        let title = submit.answer.get("title").and_then(Json::as_str);
        let ask = self.current.resolve(seat, target, title)?;
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
