//! A match: one game, run from its log.
//!
//! [`Match::apply`] is the only way to change it, in play and in replay alike. It refuses and changes nothing, or it
//! makes one [`Record`] and returns what followed from it. The host stores the record and sends the messages.

mod admission;
mod begin;
mod history;
mod packed_log;
mod requests;
mod rules;
mod undo;

pub use begin::ReplayError;
pub use requests::{AnswerTarget, OpenRequest};
pub use rules::BotTask;

use crate::Json;
use crate::ask::{Ask, AskId, AskKind, Asks};
use crate::bots::BotChoice;
use crate::code::HouseCode;
use crate::dyn_game::{Bonus, DynGame, OutputBuffer};
use crate::game::{Account, Posting, Undo, Visit};
use crate::game_def::GameDef;
use crate::outcome::Outcome;
use crate::reasons::PauseReason;
use crate::record::{Body, By, EncodedRecord, FORMAT, Footer, Header, JsonText, Record};
use crate::refusal::{Fault, Refusal};
use crate::rng::{Rng, Seed};
use crate::seat::{Seat, Seats, Viewer};
use crate::selector::Selector;
pub use admission::check_chat;
use admission::check_key;
use history::{History, Trace};
use packed_log::PackedLog;
use requests::{Cause, Requests};
use rules::{State, Unplayed};
use undo::Vote;

/// What followed from one record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Applied {
    /// The number of the record; 0 for the start of the match.
    pub seq: u32,
    /// Events with their audience, in order.
    pub events: Vec<(Seats, Json)>,
    /// Stored with the record.
    pub postings: Vec<Posting>,
    pub bonuses: Vec<Bonus>,
    /// For the operator's log: who sent what an honest client would not.
    pub warnings: Vec<(Seat, &'static str)>,
    /// Who sent what no honest client can have sent: they are expelled.
    pub blamed: Vec<(Seat, &'static str)>,
    /// Whom the rules have sent away.
    pub dismissed: Seats,
    /// The seats whose open requests changed.
    pub requests_changed: Seats,
    /// Whether the match was rewound: every viewer needs a fresh view.
    pub undone: bool,
    /// The result, if this record ended the match.
    pub outcome: Option<Outcome>,
}

/// A running or finished match.
pub struct Match {
    def: GameDef,
    header: Header,
    state: State,
    log: PackedLog,
    history: History,
    requests: Requests,
    /// An undo that is being voted on.
    vote: Option<Vote>,
    /// The result if the match was ended without the rules: by a forfeit, or by the operator.
    forfeit: Option<Outcome>,
    ended: Option<Outcome>,
    paused: Option<PauseReason>,
    /// Tokens in escrow, by the postings.
    posted_escrow: i64,
}

/// The header and the records of a match.
#[derive(Clone)]
pub struct MatchLog {
    header: Header,
    records: PackedLog,
}

impl MatchLog {
    /// What the match started from.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Every record. They are decoded one by one: not for code that runs with every move.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.records.all()
    }
}

impl Match {
    /// Applies one input, or refuses it and changes nothing.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn apply(&mut self, at: u64, by: By, key: Option<String>, body: Body) -> Result<Applied, Refusal> {
        self.apply_encoded(at, by, key, body).map(|(_, applied)| applied)
    }

    /// [`Match::apply`], for a caller that stores the record.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn apply_encoded(
        &mut self,
        at: u64,
        by: By,
        key: Option<String>,
        body: Body,
    ) -> Result<(EncodedRecord, Applied), Refusal> {
        check_key(key.as_deref())?;
        if self.last_at().is_some_and(|last| at < last) {
            return Err(Refusal::of(HouseCode::Time, "match time does not run backwards"));
        }
        self.may_take(&body)?;
        let seq = self.next_seq();
        let applied = match &body {
            Body::Answer { seat, ask, answer } if *ask == AskId::UNDO => self.vote(seq, *seat, answer)?,
            Body::Answer { seat, ask, answer } => {
                let found = self.may_answer(*seat, *ask, answer)?;
                self.run_rules(seq, by, &body, Some(&found))?
            }
            Body::Elapsed { ask, seat } => {
                self.may_elapse(*ask, *seat)?;
                self.run_rules(seq, by, &body, None)?
            }
            Body::Visit { visit } if !self.def.visits => self.forfeit(seq, *visit)?,
            Body::Visit { .. } | Body::Repair { .. } => self.run_rules(seq, by, &body, None)?,
            Body::Undo { seat, to } => self.ask_undo(seq, *seat, *to)?,
            Body::Chat { text, .. } => {
                check_chat(text)?;
                Applied { seq, ..Applied::default() }
            }
            Body::Note { .. } => Applied { seq, ..Applied::default() },
            Body::Pause { why } => {
                self.paused = Some(why.clone());
                Applied { seq, ..Applied::default() }
            }
            Body::Resume => {
                self.paused = None;
                Applied { seq, ..Applied::default() }
            }
            Body::Kill { why } => self.end(seq, Outcome::stopped(why.to_string())),
            Body::Migrate { .. } => {
                return Err(Refusal::of(HouseCode::Malformed, "a migration is not an input"));
            }
        };
        let record = EncodedRecord::from(Record { seq, at, by, key, body });
        self.log.push(&record);
        Ok((record, applied))
    }

    /// Applies one record through the rules and updates the open requests. An answer comes with the ask that it is for.
    fn run_rules(
        &mut self,
        seq: u32,
        by: By,
        body: &Body,
        answered: Option<&Ask>,
    ) -> Result<Applied, Refusal> {
        let cause = match (body, answered) {
            (Body::Answer { seat, .. }, Some(ask)) => {
                Cause::Answer { seat: *seat, ask: ask.id, kind: ask.kind }
            }
            _ => Cause::Elapsed,
        };
        let final_answer = answered.is_some_and(|ask| ask.final_answer);
        let draft = answered.is_some_and(|ask| ask.kind == AskKind::Draft);
        if self.header.undo != Undo::None {
            self.history.keep(&self.state);
        }
        let output = match self.state.run(body, draft) {
            Ok(output) => output,
            Err(Unplayed::Refused(refusal)) => return Err(refusal),
            Err(Unplayed::Broken(refusal)) => {
                // Rebuild the state from the log, which does not contain this input.
                self.state = self.rebuild(self.history.len());
                return Err(refusal);
            }
        };
        self.history.played(Trace::of(seq, by, &cause, &output, self.state.drew(), final_answer));
        self.vote = None;
        Ok(self.conclude(seq, output, cause, None))
    }

    /// Without rules for visits, a player who leaves loses to all others.
    fn forfeit(&mut self, seq: u32, visit: Visit) -> Result<Applied, Refusal> {
        let Visit::Leave { seat, .. } = visit else {
            return Err(Refusal::of(
                HouseCode::NoVisits,
                "nobody can come or go in the middle of this match",
            ));
        };
        if seat.index() >= self.header.seats as usize {
            return Err(Refusal::of(HouseCode::UnknownSeat, "there is no such seat"));
        }
        let outcome =
            Outcome::win(Seats::first(self.header.seats).without(seat), self.header.seats, "forfeit");
        Ok(self.end(seq, outcome))
    }

    /// Ends the match without the rules.
    fn end(&mut self, seq: u32, outcome: Outcome) -> Applied {
        // The rules did not end the match, so they pay nobody: every seat is refunded.
        let mut output = OutputBuffer::default();
        for seat in (0..self.header.seats).map(Seat::new) {
            let amount = if self.ended.is_some() { 0 } else { self.state.game().refund(seat) };
            if amount > 0 {
                output.postings.push(Posting { from: Account::Table, to: Account::Seat(seat), amount });
            }
        }
        self.forfeit = Some(outcome);
        self.vote = None;
        self.conclude(seq, output, Cause::Elapsed, Some(Seats::ALL))
    }

    /// Updates the open requests.
    fn update(&mut self, cause: Cause, audience: Seats) -> Seats {
        let asks = self.open_asks();
        self.requests.update(&asks, &cause, audience)
    }

    /// Updates heads, ids and the result after an input.
    fn conclude(&mut self, seq: u32, output: OutputBuffer, cause: Cause, shown_to: Option<Seats>) -> Applied {
        let before = self.ended.is_some();
        self.ended = self.forfeit.clone().or_else(|| self.state.game().outcome());
        let audience = output.events.iter().fold(shown_to.unwrap_or_default(), |all, (to, _)| all.and(*to));
        let requests_changed = self.update(cause, audience);
        for posting in &output.postings {
            self.posted_escrow += i64::from(posting.to == Account::Table) * posting.amount;
            self.posted_escrow -= i64::from(posting.from == Account::Table) * posting.amount;
        }
        Applied {
            seq,
            events: output.events,
            postings: output.postings,
            bonuses: output.bonuses,
            warnings: output.warnings,
            blamed: output.blamed,
            dismissed: output.dismissed,
            requests_changed,
            undone: false,
            outcome: if before { None } else { self.ended.clone() },
        }
    }

    /// What the match is from its log, without the rest.
    #[must_use]
    pub fn into_log(self) -> MatchLog {
        MatchLog { header: self.header, records: self.log }
    }

    // ---- looking at a match ----

    /// The game's definition.
    #[must_use]
    pub fn def(&self) -> &GameDef {
        &self.def
    }

    /// What the match started from.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Every record, including those that were undone. They are decoded one by one: not for code that runs with every
    /// move.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.log.all()
    }

    /// The number of records.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.log.len()
    }

    /// The match time of the last record.
    #[must_use]
    pub fn last_at(&self) -> Option<u64> {
        self.log.last_at()
    }

    /// The number of the next record.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.log.len() as u32 + 1
    }

    /// How often the match was rewound.
    #[must_use]
    pub fn rewinds(&self) -> u32 {
        self.history.rewinds()
    }

    /// The result, once there is one.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref()
    }

    /// Why the match is paused, if it is; a match that is over is never paused.
    #[must_use]
    pub fn paused(&self) -> Option<&PauseReason> {
        self.paused.as_ref().filter(|_| self.ended.is_none())
    }

    /// All open asks, including the engine's own.
    #[must_use]
    pub fn open_asks(&self) -> Asks {
        if self.ended.is_some() {
            return Asks::new();
        }
        let mut asks = self.state.game().open_asks();
        if let Some(vote) = &self.vote {
            let _ = asks.try_push(vote.ask());
        }
        asks
    }

    /// The open requests of one seat, with the ids that its clients know.
    #[must_use]
    pub fn open_requests(&self, seat: Seat) -> &[OpenRequest] {
        self.requests.of_seat(seat).open_requests()
    }

    /// The description of an ask, for the seat that is asked.
    #[must_use]
    pub fn request(&self, seat: Seat, ask: AskId) -> Selector {
        match &self.vote {
            _ if ask != AskId::UNDO => self.state.game().request(seat, ask),
            Some(vote) => vote.request(),
            None => Selector::default(),
        }
    }

    /// The head that this viewer's answers may name (`branchId`, 000/R4).
    #[must_use]
    pub fn head(&self, viewer: Viewer) -> u32 {
        self.requests.head(viewer)
    }

    /// Which ask an answer is for. Where a `branchId` leaves a choice, the title of the answer decides (000/R3).
    ///
    /// # Errors
    /// `stale` or `stale_head` if the request is no longer open.
    pub fn resolve(&self, seat: Seat, target: AnswerTarget, title: Option<&str>) -> Result<AskId, Refusal> {
        let has_title = |ask| title.is_some_and(|title| self.request(seat, ask).title == title);
        match self.requests.named(seat) {
            Some(requests) => requests.resolve(target, has_title).ok_or_else(|| match target {
                AnswerTarget::Head(head) => {
                    Fault::new(HouseCode::StaleHead, "branchId {got} is not current, {head} is")
                        .arg("got", head)
                        .arg("head", requests.head())
                        .into()
                }
                _ => self.not_asked(seat),
            }),
            None => Err(Fault::new(HouseCode::UnknownSeat, "there is no seat {seat}")
                .arg("seat", seat.index())
                .into()),
        }
    }

    /// The view of a viewer.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Json {
        self.state.game().view(viewer)
    }

    /// Whether an answer is acceptable.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        self.may_answer(seat, ask, answer)?;
        self.state.check(seat, ask, answer)
    }

    /// The answer of the bot in this seat: a function of its view and of a random stream that nothing else draws
    /// from.
    ///
    /// # Errors
    /// If the bot, or the rules it calls, panic.
    pub fn bot(&self, seat: Seat, ask: AskId, bot: &BotChoice) -> Result<Json, Refusal> {
        if ask == AskId::UNDO {
            return Ok(serde_json::to_value(self.request(seat, ask).to_answer(&[0]))
                .expect("a response is plain data"));
        }
        self.state.bot(seat, ask, bot, self.requests.of_seat(seat).answers())
    }

    /// The same as work for another thread.
    #[must_use]
    pub fn bot_task(&self, seat: Seat, ask: AskId, bot: BotChoice) -> BotTask {
        self.state.bot_task(seat, ask, bot, self.requests.of_seat(seat).answers())
    }

    /// What an answer takes from the account of the seat's player; 0 if it would be refused.
    #[must_use]
    pub fn cost(&self, seat: Seat, ask: AskId, answer: &Json) -> i64 {
        if ask == AskId::UNDO { 0 } else { self.state.cost(seat, ask, answer) }
    }

    /// A random legal answer.
    ///
    /// # Errors
    /// If the rules panic.
    pub fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng) -> Result<Json, Refusal> {
        self.state.sample(seat, ask, rng)
    }

    /// The game, loaded from the state that a migration would write; none if that cannot be read.
    #[must_use]
    pub fn reloaded(&self) -> Option<Box<dyn DynGame>> {
        self.def.factory.load(self.def.rules, &self.state.game().state())
    }

    /// The game itself, for tests and tools that need more than a client may know.
    #[must_use]
    pub fn game(&self) -> &dyn DynGame {
        self.state.game()
    }

    /// This match with a twin of its game; only for tests that compare twins.
    #[must_use]
    pub fn as_twin(&self, game: Box<dyn DynGame>) -> Self {
        let mut other = Self {
            def: self.def,
            header: self.header.clone(),
            state: self.state.as_twin(game),
            log: self.log.clone(),
            history: self.history.as_twin(),
            requests: self.requests.clone(),
            vote: self.vote.clone(),
            forfeit: self.forfeit.clone(),
            ended: self.ended.clone(),
            paused: self.paused.clone(),
            posted_escrow: self.posted_escrow,
        };
        let asks = other.open_asks();
        other.requests.update_as_twin(&asks);
        other
    }

    /// Tokens in escrow by the rules; none once the match was ended without them.
    #[must_use]
    pub fn escrow(&self) -> i64 {
        if self.forfeit.is_some() { 0 } else { self.state.game().escrow() }
    }

    /// Tokens in escrow by the postings so far; must equal [`Match::escrow`].
    #[must_use]
    pub fn posted_escrow(&self) -> i64 {
        self.posted_escrow
    }

    /// The digest of the state and its result, for comparing two runs. Never for a client of a running match.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.state.game().state());
        hasher.update(&self.history.rewinds().to_le_bytes());
        for head in self.requests.heads() {
            hasher.update(&head.to_le_bytes());
        }
        if let Some(outcome) = &self.ended {
            hasher.update(serde_json::to_string(outcome).expect("an outcome is plain data").as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// The digest and the hash chain, for the end of a file.
    #[must_use]
    pub fn footer(&self) -> Footer {
        Footer { digest: self.digest(), chain: self.log.chain().to_hex().to_string() }
    }

    /// The header of the next match at the same table, with its own seed, if the game allows a link here. Heads and
    /// ids belong to the table: the successor continues counting.
    #[must_use]
    pub fn successor(&self, seed: Seed) -> Option<Header> {
        let carry = Some(JsonText::of(&self.state.game().carry()?));
        let commitment = (!self.header.seeded).then(|| seed.commitment());
        Some(Header {
            format: FORMAT,
            rules: self.def.rules,
            match_no: self.header.match_no + 1,
            counts: self.requests.counts(),
            nonces: Vec::new(),
            seated: Vec::new(),
            house: JsonText::default(),
            seed,
            commitment,
            carry,
            ..self.header.clone()
        })
    }
}
