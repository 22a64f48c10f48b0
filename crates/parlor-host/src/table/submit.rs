//! What clients send: answers, messages in the game's dialect, undos, chat. The table checks each, turns it into a
//! record or a refusal, and replies.

use std::borrow::Cow;

use parlor_core::dyn_game::DIALECT_ANSWERS_MAX;
use parlor_core::play::{OpenRequest, check_chat};
use parlor_core::{
    AnswerTarget, AskId, AskKind, Body, By, DialectAction, Fault, HouseCode, Ignored, Json, Refusal, Seat,
};
use parlor_wire::ServerMessage;

use super::Table;
use super::reservations::Waiting;
use crate::command::{ConnId, Effect, Submit};

/// What became of an answer that was not refused.
enum Taken {
    /// It is applied.
    Done,
    /// It waits until what it costs is set aside; the reply comes then.
    Waits,
}

impl Table {
    pub(super) fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.conns.get(conn)?.viewer.seat()
    }

    /// Asks the game what a message in its dialect means, and handles that like any other client's input.
    pub(super) fn words(&mut self, now: u64, conn: ConnId, seat: Seat, words: &Json, unnamed: AnswerTarget) {
        if !self.is_played_by_a_client(seat) {
            return self.reply(conn, refused(None, &not_seated(), 0));
        }
        if let Some((key, result)) = self.keys.heard(seat, words) {
            return self.reply_result(conn, seat, Some(key), &result);
        }
        let words = &*self.without_own_name(seat, words);
        let unknown = || Refusal::of(HouseCode::UnknownAction, "this game has no words of its own");
        match self.current.game().interpret(seat, words).unwrap_or_else(|| Err(unknown())) {
            Ok(DialectAction::Answer { input, head, answer, key, then }) => {
                let to = match (input, head) {
                    (Some(input), _) => AnswerTarget::Input(input),
                    (None, Some(head)) => AnswerTarget::Head(head),
                    (None, None) => unnamed,
                };
                let submit = Submit { to, answer, key: key.clone() };
                let result = match self.submit_once(now, conn, seat, submit, Some(words)) {
                    Ok(Taken::Waits) => return,
                    Ok(Taken::Done) => {
                        self.keys.note_words(seat, key.as_deref(), words);
                        then.map_or(Ok(()), |rest| self.answer_next(now, conn, seat, &rest))
                    }
                    Err(refusal) => Err(refusal),
                };
                self.reply_result(conn, seat, key, &result);
                if let Err(refusal) = result {
                    self.after_refusal(now, &refusal);
                }
            }
            Ok(DialectAction::Answers { answers, ignored, key }) => {
                self.answer_all(now, conn, seat, answers, ignored, key, words);
            }
            Ok(DialectAction::Concede) => {
                let branch_id = self.current.head(seat.into());
                self.give_up(now, seat);
                let ignored = Vec::new();
                self.reply(conn, ServerMessage::Accepted { request_key: None, branch_id, ignored });
            }
            Ok(DialectAction::Sit { .. }) => {
                let head = self.current.head(seat.into());
                self.reply(
                    conn,
                    refused(None, &Refusal::of(HouseCode::Seated, "you have a seat already"), head),
                );
            }
            Err(refusal) => {
                let head = self.current.head(seat.into());
                self.reply(conn, refused(None, &refusal, head));
                self.after_refusal(now, &refusal);
            }
        }
    }

    /// Takes several answers of one message, each by itself. The sender learns what was not followed, and why.
    #[expect(clippy::too_many_arguments, reason = "the parts of one message")]
    fn answer_all(
        &mut self,
        now: u64,
        conn: ConnId,
        seat: Seat,
        answers: Vec<(String, Json)>,
        mut ignored: Vec<Ignored>,
        key: Option<String>,
        words: &Json,
    ) {
        let mut own_key = key.clone();
        for (title, answer) in answers.into_iter().take(DIALECT_ANSWERS_MAX) {
            let titled = |open: &&OpenRequest| self.current.request(seat, open.ask).title == title;
            let open = self.current.open_requests(seat).iter().find(titled).copied();
            let stale = || Refusal::of(HouseCode::Stale, "that request no longer stands");
            let result = open.ok_or_else(stale).and_then(|open| {
                let submit = Submit { to: AnswerTarget::Input(open.input), answer, key: own_key.take() };
                self.submit_once(now, conn, seat, submit, None)
            });
            if let Err(refusal) = result {
                ignored.push(Ignored { path: format!("/{title}"), reason: refusal.to_string() });
                self.after_refusal(now, &refusal);
            }
        }
        self.keys.note_words(seat, key.as_deref(), words);
        let branch_id = self.current.head(seat.into());
        self.reply(conn, ServerMessage::Accepted { request_key: key, branch_id, ignored });
    }

    /// Asks the game what the words of a viewer without a seat mean: they may take one.
    pub(super) fn guest_words(&mut self, conn: ConnId, name: &str, words: &Json) {
        match self.current.game().interpret_guest(name, words) {
            Some(Ok(DialectAction::Sit { seat, stake })) => {
                self.out.push(Effect::WantsSeat { conn, seat, stake });
            }
            Some(Err(refusal)) => self.reply(conn, refused(None, &refusal, 0)),
            Some(Ok(_)) | None => self.reply(conn, refused(None, &not_seated(), 0)),
        }
    }

    /// What follows from a refusal beyond the refusal itself.
    pub(super) fn after_refusal(&mut self, now: u64, refusal: &Refusal) {
        if let Some(seat) = refusal.forged_by {
            self.expel(now, seat, &refusal.to_string());
        }
        self.pause_on_rules_panic(now, refusal);
    }

    pub(super) fn submit(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) {
        let key = submit.key.clone();
        if !self.is_played_by_a_client(seat) {
            return self.reply(conn, refused(key, &not_seated(), 0));
        }
        let result = match self.submit_once(now, conn, seat, submit, None) {
            Ok(Taken::Waits) => return,
            Ok(Taken::Done) => Ok(()),
            Err(refusal) => Err(refusal),
        };
        self.reply_result(conn, seat, key, &result);
        if let Err(refusal) = result {
            self.after_refusal(now, &refusal);
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

    fn is_played_by_a_client(&self, seat: Seat) -> bool {
        self.chairs.get(seat.index()).is_some_and(|chair| chair.is_client())
    }

    /// Takes an answer, unless it was taken before under the same retry key. One that costs something waits until that
    /// is set aside.
    fn submit_once(
        &mut self,
        now: u64,
        conn: ConnId,
        seat: Seat,
        submit: Submit,
        words: Option<&Json>,
    ) -> Result<Taken, Refusal> {
        if self.keys.answered(seat, submit.key.as_deref(), &submit.answer)? {
            return Ok(Taken::Done);
        }
        let ask = self.asked(now, conn, seat, &submit)?;
        let cost = if self.settings.funded { self.current.cost(seat, ask, &submit.answer) } else { 0 };
        if cost == 0 {
            let body = Body::Answer { seat, ask, answer: submit.answer };
            return self.record(now, self.author(seat), submit.key, body).map(|()| Taken::Done);
        }
        // It must be paid for as it stands now, whatever the connection is shown meanwhile.
        let input = self.current.open_requests(seat).iter().find(|open| open.ask == ask);
        let to = input.map_or(submit.to, |open| AnswerTarget::Input(open.input));
        let waiting = Waiting::Answer { submit: Submit { to, ..submit }, words: words.cloned() };
        self.reserve(conn, seat, cost, waiting).map(|()| Taken::Waits)
    }

    /// Takes an answer that a reservation pays for.
    pub(super) fn answer_paid(
        &mut self,
        now: u64,
        conn: ConnId,
        seat: Seat,
        submit: Submit,
        funds: (Seat, u64),
    ) -> Result<(), Refusal> {
        if !self.is_played_by_a_client(seat) {
            return Err(not_seated());
        }
        let ask = self.asked(now, conn, seat, &submit)?;
        let body = Body::Answer { seat, ask, answer: submit.answer };
        self.record_paid(now, self.author(seat), submit.key, body, Some(funds))
    }

    /// Who the answers of a seat are by.
    fn author(&self, seat: Seat) -> By {
        if self.chairs[seat.index()].is_human() { By::Human } else { By::Bot }
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
                self.submit_once(now, conn, seat, submit, None).map(|_| ())
            }
            Some(Err(refusal)) => Err(refusal),
            _ => Ok(()),
        }
    }

    /// The ask that an answer is for.
    fn asked(&self, now: u64, conn: ConnId, seat: Seat, submit: &Submit) -> Result<AskId, Refusal> {
        self.check_actor(seat, &submit.answer)?;
        let target = match submit.to {
            AnswerTarget::Latest => AnswerTarget::Input(self.latest_prompt(conn, now)?),
            named => named,
        };
        let title = submit.answer.get("title").and_then(Json::as_str);
        self.current.resolve(seat, target, title)
    }

    /// The request last sent to this connection, never one that it was not sent.
    fn latest_prompt(&self, conn: ConnId, now: u64) -> Result<u32, Refusal> {
        let sent = self.conns.get(conn).and_then(|conn| conn.shown_at(now));
        sent.ok_or_else(|| Refusal::of(HouseCode::NotAsked, "you were not asked anything"))
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
        let fault =
            Fault::new(HouseCode::Actor, text).arg("actor", actor).arg("expected", name).arg("n", n + 1);
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

    pub(super) fn reply_result(
        &mut self,
        conn: ConnId,
        seat: Seat,
        key: Option<String>,
        result: &Result<(), Refusal>,
    ) {
        let head = self.current.head(seat.into());
        let reply = match result {
            Ok(()) => ServerMessage::Accepted { request_key: key, branch_id: head, ignored: Vec::new() },
            Err(refusal) => refused(key, refusal, head),
        };
        self.reply(conn, reply);
    }

    /// Has everybody told what a viewer says, after everything that happened before it.
    pub(super) fn chat(&mut self, conn: ConnId, name: String, text: String) {
        let Some(viewer) = self.conns.get(conn).map(|conn| conn.viewer) else { return };
        if let Err(refusal) = check_chat(&text) {
            return self.reply(conn, refused(None, &refusal, self.current.head(viewer)));
        }
        let seat = viewer.seat();
        let name = seat.map_or(name, |seat| self.chairs[seat.index()].who.name().to_owned());
        let said = Effect::Said { seat, name, text };
        match self.pending.back_mut() {
            Some(pending) => pending.said.push(said),
            None => self.out.push(said),
        }
    }
}

pub(super) fn not_seated() -> Refusal {
    Refusal::of(HouseCode::NotSeated, "only a player at this table can do that")
}

pub(super) fn refused(request_key: Option<String>, refusal: &Refusal, branch_id: u32) -> ServerMessage {
    ServerMessage::Refused {
        request_key,
        code: refusal.code().clone(),
        message: refusal.to_string(),
        faults: refusal.faults.clone(),
        branch_id,
    }
}
