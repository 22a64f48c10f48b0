//! A match at work: one game, run from its log.
//!
//! [`Match::apply`] is the only way anything changes, in play and in replay alike. It refuses without a trace, or it
//! makes one [`Record`] and says what followed. Storing the record and telling people is the host's business.

mod book;
mod tape;
mod undo;

pub use book::{Stand, Target};

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::Json;
use crate::ask::{Ask, AskId, Asks, Kind};
use crate::entry::Entry;
use crate::erased::{Bonus, Hosted, Told};
use crate::game::{Account, Posting, Visit};
use crate::limits::{
    ANSWER_BYTES_MAX, ANSWER_DEPTH_MAX, AUTO_ANSWERS_MAX, CHAT_CHARS_MAX, FUEL_PER_INPUT_MAX, KEY_CHARS_MAX,
    depth,
};
use crate::luck::{Luck, OutOfFuel, Purpose, Seed};
use crate::outcome::Outcome;
use crate::record::{Aside, Body, By, FORMAT, Footer, Header, Record, Written};
use crate::refusal::{Fault, Refusal};
use crate::seat::{Seat, Seats, Viewer};
use crate::select::Selector;
use book::{Book, Cause};
use tape::Tape;
use undo::{Checkpoint, Step, Trace, Vote};

/// What followed from one record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Applied {
    /// The number of the record; 0 for the start of the match.
    pub seq: u32,
    /// Events with their audience, in order.
    pub events: Vec<(Seats, Json)>,
    /// Tokens that moved; stored with the record.
    pub postings: Vec<Posting>,
    /// Time given to banks.
    pub bonuses: Vec<Bonus>,
    /// Whose standing requests changed.
    pub stood: Seats,
    /// Whether the match went back: everybody needs a fresh view.
    pub undone: bool,
    /// The result, if this record ended the match.
    pub outcome: Option<Outcome>,
}

/// Why a log cannot be played.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayError {
    /// The record that does not fit; 0 for the header.
    pub seq: u32,
    /// What is wrong with it.
    pub why: Refusal,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "record {}: {}", self.seq, self.why)
    }
}

impl std::error::Error for ReplayError {}

/// A running or finished match.
pub struct Match {
    entry: Entry,
    header: Header,
    game: Box<dyn Hosted>,
    luck: Luck,
    tape: Tape,
    live: Vec<Step>,
    line: u32,
    books: Vec<Book>,
    vote: Option<Vote>,
    forfeit: Option<Outcome>,
    ended: Option<Outcome>,
    paused: Option<String>,
    checkpoints: Vec<Checkpoint>,
    chain: blake3::Hash,
    tabled: i64,
}

impl Match {
    /// Starts a match.
    ///
    /// # Errors
    /// Why it cannot be played: another game, other rules, settings that are wrong.
    pub fn start(entry: Entry, header: Header) -> Result<(Self, Applied), Refusal> {
        check_header(&entry, &header)?;
        if header.rules != entry.rules {
            return Err(needs_rules(&entry, header.rules));
        }
        let mut luck = Luck::new(header.seed.with_nonces(&header.nonces), header.match_no);
        luck.lend(FUEL_PER_INPUT_MAX);
        let mut told = Told::with_fuel(FUEL_PER_INPUT_MAX);
        let carry = header.carry.as_ref();
        let settings = header.settings.json();
        let game = guarded(|| entry.maker.start(&settings, header.seats, carry, &mut luck, &mut told))??;
        let mut started = Self::assemble(entry, header, game, luck);
        let applied = started.conclude(0, told, Cause::Start, None);
        Ok((started, applied))
    }

    /// Plays a whole log. Only rules of the version that wrote it can (000/R7), or that took it over on the way.
    ///
    /// # Errors
    /// The first record that does not fit, and why.
    pub fn replay(entry: Entry, header: Header, records: Vec<Record>) -> Result<Self, ReplayError> {
        let at = |seq| move |why| ReplayError { seq, why };
        let taken = records
            .iter()
            .rposition(|r| matches!(r.body, Body::Migrate { rules, .. } if rules == entry.rules));
        let (mut replayed, rest) = match taken {
            None => (Self::start(entry, header).map_err(at(0))?.0, records),
            Some(index) => {
                let mut before = records;
                let rest = before.split_off(index + 1);
                (Self::resume_migrated(entry, header, before)?, rest)
            }
        };
        for record in rest {
            let seq = record.seq;
            if seq != replayed.next_seq() {
                let fault = Fault::new("sequence", "expected record {expected}, found {got}");
                return Err(at(seq)(fault.arg("expected", replayed.next_seq()).arg("got", seq).into()));
            }
            replayed.apply(record.at, record.by, record.key, record.body).map_err(at(seq))?;
        }
        Ok(replayed)
    }

    /// Takes over a match whose last state these older rules saved, and logs that it did.
    ///
    /// # Errors
    /// Why the rules of this build cannot go on from there.
    pub fn take_over(
        entry: Entry,
        header: Header,
        mut records: Vec<Record>,
        state: &[u8],
    ) -> Result<Self, ReplayError> {
        let seq = records.len() as u32 + 1;
        let moved = entry
            .maker
            .load(header.rules, state)
            .ok_or_else(|| ReplayError { seq, why: needs_rules(&entry, header.rules) })?;
        let state = moved.state().iter().map(|byte| format!("{byte:02x}")).collect();
        let at = records.last().map_or(0, |record| record.at);
        records.push(Record {
            seq,
            at,
            by: By::House,
            key: None,
            body: Body::Migrate { rules: entry.rules, state },
        });
        Self::resume_migrated(entry, header, records)
    }

    /// Stands where the last record, a migration, says.
    fn resume_migrated(entry: Entry, header: Header, records: Vec<Record>) -> Result<Self, ReplayError> {
        let seq = records.len() as u32;
        let error = |why| ReplayError { seq, why };
        check_header(&entry, &header).map_err(error)?;
        let Some(Record { body: Body::Migrate { rules, state }, .. }) = records.last() else {
            return Err(error(Refusal::of("malformed", "the last record is not a migration")));
        };
        let bytes: Option<Vec<u8>> =
            (0..state.len() / 2).map(|n| u8::from_str_radix(state.get(2 * n..2 * n + 2)?, 16).ok()).collect();
        let game = bytes
            .and_then(|bytes| entry.maker.load(*rules, &bytes))
            .ok_or_else(|| error(Refusal::of("malformed", "the migrated state does not decode")))?;
        let luck = Luck::new(header.seed.with_nonces(&header.nonces), header.match_no);
        let mut resumed = Self::assemble(entry, header, game, luck);
        // Lines, heads and ids of the old rules are not known here; these numbers are past all of them.
        resumed.line = seq;
        resumed.luck.set_line(seq);
        for book in &mut resumed.books {
            book.skip(seq);
        }
        for record in records {
            resumed.write(&record.into());
        }
        resumed.checkpoints.push(Checkpoint::here(&resumed));
        resumed.tabled = resumed.holds();
        resumed.ended = resumed.game.outcome();
        resumed.restand(Cause::Start, Seats::ALL);
        Ok(resumed)
    }

    fn assemble(entry: Entry, header: Header, game: Box<dyn Hosted>, luck: Luck) -> Self {
        let chain = blake3::hash(serde_json::to_string(&header).expect("a header is plain data").as_bytes());
        let counts = |n: usize| header.counts.get(n).copied().unwrap_or_default();
        let books =
            Viewer::all(header.seats).map(|viewer| Book::new(counts(viewer.index(header.seats)))).collect();
        Self {
            entry,
            header,
            game,
            luck,
            tape: Tape::default(),
            live: Vec::new(),
            line: 0,
            books,
            vote: None,
            forfeit: None,
            ended: None,
            paused: None,
            checkpoints: Vec::new(),
            chain,
            tabled: 0,
        }
    }

    /// Lets one thing happen, or refuses it and changes nothing.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn apply(&mut self, at: u64, by: By, key: Option<String>, body: Body) -> Result<Applied, Refusal> {
        self.enter(at, by, key, body).map(|(_, applied)| applied)
    }

    /// [`Match::apply`], for whoever stores the record that it made.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn enter(
        &mut self,
        at: u64,
        by: By,
        key: Option<String>,
        body: Body,
    ) -> Result<(Written, Applied), Refusal> {
        if key.as_ref().is_some_and(|key| key.is_empty() || key.chars().count() > KEY_CHARS_MAX) {
            let fault = Fault::new("limit", "a requestKey has 1 to {max} characters (key_chars_max)");
            return Err(fault.arg("max", KEY_CHARS_MAX).into());
        }
        if self.last_at().is_some_and(|last| at < last) {
            return Err(Refusal::of("time", "match time does not run backwards"));
        }
        self.open_to(&body)?;
        let seq = self.next_seq();
        let applied = match &body {
            Body::Answer { seat, ask, answer } if *ask == AskId::UNDO => self.vote(seq, *seat, answer)?,
            Body::Answer { seat, ask, answer } => {
                let kind = self.may_answer(*seat, *ask, answer)?.kind;
                let cause = Cause::Answer { seat: *seat, ask: *ask, kind };
                self.play(seq, by, &body, cause)?
            }
            Body::Elapsed { ask, seat } => {
                self.may_elapse(*ask, *seat)?;
                self.play(seq, by, &body, Cause::Elapsed)?
            }
            Body::Visit { visit } if !self.entry.visits => self.forfeit(seq, *visit)?,
            Body::Visit { .. } | Body::Settle { .. } => self.play(seq, by, &body, Cause::Elapsed)?,
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
            Body::Kill { why } => self.end(seq, Outcome::stopped(why.clone())),
            Body::Migrate { .. } => return Err(Refusal::of("malformed", "a migration is not an input")),
        };
        let record = Written::from(Record { seq, at, by, key, body });
        self.write(&record);
        Ok((record, applied))
    }

    fn write(&mut self, record: &Written) {
        self.tape.push(record);
        self.chain = chain(&self.chain, record.json());
    }

    /// Whether this kind of record is taken at all now.
    fn open_to(&self, body: &Body) -> Result<(), Refusal> {
        let talk = matches!(body, Body::Chat { .. } | Body::Note { .. });
        if let Some(outcome) = &self.ended
            && !talk
        {
            let killed = outcome.places.is_empty();
            let code = if killed { "killed" } else { "ended" };
            let fault = Fault::new(
                code,
                if killed { "This game was killed: {why}" } else { "This game is over: {why}" },
            );
            return Err(fault.arg("why", outcome.reason.as_ref()).into());
        }
        let orders = matches!(body, Body::Resume | Body::Kill { .. } | Body::Settle { .. });
        if self.paused.is_some() && !talk && !orders {
            return Err(Refusal::of("paused", "This game is paused"));
        }
        if matches!(body, Body::Resume) && self.paused.is_none() {
            return Err(Refusal::of("not_paused", "This game is not paused"));
        }
        Ok(())
    }

    fn may_answer(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<Ask, Refusal> {
        if seat.index() >= self.header.seats as usize {
            let fault = Fault::new("unknown_seat", "there is no seat {seat}, this table has {seats}");
            return Err(fault.arg("seat", seat.index()).arg("seats", self.header.seats).into());
        }
        let asks = self.game.standing();
        let Some(found) = asks.iter().find(|found| found.id == ask && found.seats.has(seat)) else {
            return Err(self.not_asked(seat));
        };
        check_size(answer)?;
        Ok(*found)
    }

    fn not_asked(&self, seat: Seat) -> Refusal {
        let standing = self.books[seat.index()].stands().iter().any(|stand| stand.kind == Kind::Request);
        let (code, text) = if standing {
            ("stale", "that request no longer stands")
        } else {
            ("not_asked", "seat {seat} is not asked anything now")
        };
        Fault::new(code, text).arg("seat", seat.index()).into()
    }

    fn may_elapse(&self, ask: AskId, seat: Option<Seat>) -> Result<(), Refusal> {
        let asks = self.game.standing();
        let stands =
            asks.iter().any(|a| a.id == ask && a.blocks() && seat.is_none_or(|seat| a.seats.has(seat)));
        if stands { Ok(()) } else { Err(Refusal::of("stale", "that ask no longer stands")) }
    }

    /// Gives one record to the rules and keeps the books.
    fn play(&mut self, seq: u32, by: By, body: &Body, cause: Cause) -> Result<Applied, Refusal> {
        let no_undo = match &cause {
            Cause::Answer { ask, .. } => self.game.standing().iter().any(|a| a.id == *ask && a.no_undo),
            _ => false,
        };
        self.checkpoint();
        let told = match guarded(|| perform(self.game.as_mut(), &mut self.luck, body)) {
            Ok(Ok(told)) => told,
            Ok(Err(refusal)) => return Err(refusal),
            Err(broken) => {
                // The state may be half changed: it is made again from the log, which knows nothing of this input.
                (self.game, self.luck) = self.rebuild(self.live.len());
                return Err(broken);
            }
        };
        let trace = Trace::of(seq, by, &cause, &told, self.luck.drew(), no_undo);
        self.live.push(Step::Played(trace));
        self.vote = None;
        Ok(self.conclude(seq, told, cause, None))
    }

    /// Without rules for it, whoever leaves loses to all others.
    fn forfeit(&mut self, seq: u32, visit: Visit) -> Result<Applied, Refusal> {
        let Visit::Leave { seat } = visit else {
            return Err(Refusal::of("no_visits", "nobody can come or go in the middle of this match"));
        };
        if seat.index() >= self.header.seats as usize {
            return Err(Refusal::of("unknown_seat", "there is no such seat"));
        }
        let outcome =
            Outcome::win(Seats::first(self.header.seats).without(seat), self.header.seats, "forfeit");
        Ok(self.end(seq, outcome))
    }

    /// Ends the match over the heads of the rules.
    fn end(&mut self, seq: u32, outcome: Outcome) -> Applied {
        // The rules did not bring this end about, so they pay nobody: everybody has back what is his.
        let mut told = Told::default();
        for seat in (0..self.header.seats).map(Seat::new) {
            let amount = if self.ended.is_some() { 0 } else { self.game.returns(seat) };
            if amount > 0 {
                told.postings.push(Posting { from: Account::Table, to: Account::Seat(seat), amount });
            }
        }
        self.forfeit = Some(outcome);
        self.vote = None;
        self.conclude(seq, told, Cause::Elapsed, Some(Seats::ALL))
    }

    /// Keeps heads, ids and the result in step with what just happened.
    fn conclude(&mut self, seq: u32, told: Told, cause: Cause, shown_to: Option<Seats>) -> Applied {
        let before = self.ended.is_some();
        self.ended = self.forfeit.clone().or_else(|| self.game.outcome());
        let audience = told.events.iter().fold(shown_to.unwrap_or_default(), |all, (to, _)| all.and(*to));
        let stood = self.restand(cause, audience);
        for posting in &told.postings {
            self.tabled += i64::from(posting.to == Account::Table) * posting.amount;
            self.tabled -= i64::from(posting.from == Account::Table) * posting.amount;
        }
        Applied {
            seq,
            events: told.events,
            postings: told.postings,
            bonuses: told.bonuses,
            stood,
            undone: false,
            outcome: if before { None } else { self.ended.clone() },
        }
    }

    // ---- looking at a match ----

    /// The game's entry in the registry.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// What the match started from.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Every record, those on abandoned lines too. They are read back one by one: not for what runs with every move.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.tape.all()
    }

    /// How many records there are.
    #[must_use]
    pub fn record_count(&self) -> usize {
        self.tape.len()
    }

    /// The match time of the last record.
    #[must_use]
    pub fn last_at(&self) -> Option<u64> {
        self.tape.last_at()
    }

    /// The number the next record will have.
    #[must_use]
    pub fn next_seq(&self) -> u32 {
        self.tape.len() as u32 + 1
    }

    /// How often the match went back.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.ended.as_ref()
    }

    /// Why the table stands still, if it does; a match that is over waits for nothing.
    #[must_use]
    pub fn paused(&self) -> Option<&str> {
        self.paused.as_deref().filter(|_| self.ended.is_none())
    }

    /// Everything that stands, the house's own question too.
    #[must_use]
    pub fn standing(&self) -> Asks {
        if self.ended.is_some() {
            return Asks::new();
        }
        let mut asks = self.game.standing();
        if let Some(vote) = &self.vote {
            let _ = asks.try_push(vote.ask());
        }
        asks
    }

    /// What stands for one seat, with the ids its clients know.
    #[must_use]
    pub fn stands(&self, seat: Seat) -> &[Stand] {
        self.books[seat.index()].stands()
    }

    /// The description of an ask, for the seat that is asked.
    #[must_use]
    pub fn request(&self, seat: Seat, ask: AskId) -> Selector {
        match &self.vote {
            _ if ask != AskId::UNDO => self.game.request(seat, ask),
            Some(vote) => vote.request(),
            None => Selector::default(),
        }
    }

    /// The lock that this viewer's answers may carry (`branchId`, 000/R4).
    #[must_use]
    pub fn head(&self, viewer: Viewer) -> u32 {
        self.books[viewer.index(self.header.seats)].head()
    }

    /// Which ask a submission is for.
    ///
    /// # Errors
    /// `stale` or `stale_head` when what it answers no longer stands.
    pub fn resolve(&self, seat: Seat, target: Target) -> Result<AskId, Refusal> {
        match self.books.get(seat.index()).filter(|_| seat.index() < self.header.seats as usize) {
            Some(book) => book.resolve(target).ok_or_else(|| match target {
                Target::Head(head) => Fault::new("stale_head", "branchId {got} is not current, {head} is")
                    .arg("got", head)
                    .arg("head", book.head())
                    .into(),
                _ => self.not_asked(seat),
            }),
            None => {
                Err(Fault::new("unknown_seat", "there is no seat {seat}").arg("seat", seat.index()).into())
            }
        }
    }

    /// What a viewer sees.
    #[must_use]
    pub fn seen(&self, viewer: Viewer) -> Json {
        self.game.seen(viewer)
    }

    /// Whether an answer would be taken.
    ///
    /// # Errors
    /// Every fault that was found.
    pub fn check(&self, seat: Seat, ask: AskId, answer: &Json) -> Result<(), Refusal> {
        self.may_answer(seat, ask, answer)?;
        guarded(|| self.game.check(seat, ask, answer))?
    }

    /// The answer of the bot in this seat: a function of what it sees and of luck that nothing else draws from.
    ///
    /// # Errors
    /// When the bot, or the rules under it, break down.
    pub fn bot(&self, seat: Seat, ask: AskId) -> Result<Json, Refusal> {
        if ask == AskId::UNDO {
            return Ok(
                serde_json::to_value(self.request(seat, ask).say(&[0])).expect("a response is plain data")
            );
        }
        let mut luck = self.bot_luck(seat);
        guarded(|| self.game.bot(seat, ask, &mut luck))
    }

    /// A random legal answer.
    ///
    /// # Errors
    /// When the rules break down.
    pub fn sample(&self, seat: Seat, ask: AskId, luck: &mut Luck) -> Result<Json, Refusal> {
        guarded(|| self.game.sample(seat, ask, luck))
    }

    fn bot_luck(&self, seat: Seat) -> Luck {
        self.luck.aside(Purpose::Bot(seat.index() as u8), self.books[seat.index()].answers())
    }

    /// The game as it comes back from the state that a migration writes down; none if that cannot be read.
    #[must_use]
    pub fn reloaded(&self) -> Option<Box<dyn Hosted>> {
        self.entry.maker.load(self.entry.rules, &self.game.state())
    }

    /// The game itself, for tests and tools that ask more than a client may.
    #[must_use]
    pub fn game(&self) -> &dyn Hosted {
        self.game.as_ref()
    }

    /// The same match in another world: only for tests that compare two worlds.
    #[must_use]
    pub fn in_world(&self, game: Box<dyn Hosted>) -> Self {
        Self {
            entry: self.entry,
            header: self.header.clone(),
            game,
            luck: self.luck.clone(),
            tape: self.tape.clone(),
            live: self.live.clone(),
            line: self.line,
            books: self.books.clone(),
            vote: self.vote.clone(),
            forfeit: self.forfeit.clone(),
            ended: self.ended.clone(),
            paused: self.paused.clone(),
            checkpoints: Vec::new(),
            chain: self.chain,
            tabled: self.tabled,
        }
        .restood()
    }

    /// The requests of the other world stand in place of this one's, under the same ids where a seat is asked in both.
    fn restood(mut self) -> Self {
        let asks = self.standing();
        for (n, book) in self.books.iter_mut().enumerate().take(self.header.seats as usize) {
            book.restand(Seat::new(n as u8), &asks, &Cause::World);
        }
        self
    }

    /// Tokens that lie on the table by the rules; none once the match was ended without them.
    #[must_use]
    pub fn holds(&self) -> i64 {
        if self.forfeit.is_some() { 0 } else { self.game.holds() }
    }

    /// Tokens that the postings so far say lie on the table; must equal [`Match::holds`].
    #[must_use]
    pub fn tabled(&self) -> i64 {
        self.tabled
    }

    /// The digest of the state and its result, for comparing two runs. Never for a client of a running match.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.game.state());
        hasher.update(&self.line.to_le_bytes());
        for book in &self.books {
            hasher.update(&book.head().to_le_bytes());
        }
        if let Some(outcome) = &self.ended {
            hasher.update(serde_json::to_string(outcome).expect("an outcome is plain data").as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// The digest and the hash chain, for the end of a file.
    #[must_use]
    pub fn footer(&self) -> Footer {
        Footer { digest: self.digest(), chain: self.chain.to_hex().to_string() }
    }

    /// The header of the match that follows at the same table, with its own seed, where the game allows a link here.
    /// Heads and ids belong to the table: the successor goes on counting.
    #[must_use]
    pub fn successor(&self, seed: Seed) -> Option<Header> {
        let carry = Some(self.game.carry()?);
        let commitment = (!self.header.seeded).then(|| seed.commitment());
        Some(Header {
            rules: self.entry.rules,
            match_no: self.header.match_no + 1,
            counts: self.books.iter().map(Book::counts).collect(),
            nonces: Vec::new(),
            house: Aside::default(),
            seed,
            commitment,
            carry,
            ..self.header.clone()
        })
    }

    fn restand(&mut self, cause: Cause, audience: Seats) -> Seats {
        let asks = self.standing();
        let mut stood = Seats::NONE;
        for viewer in Viewer::all(self.header.seats) {
            let book = &mut self.books[viewer.index(self.header.seats)];
            let changed = viewer.seat().is_some_and(|seat| book.restand(seat, &asks, &cause));
            if let (true, Some(seat)) = (changed, viewer.seat()) {
                stood = stood.with(seat);
            }
            if changed || (audience.sees(viewer) && book.head_moves(&cause)) {
                book.move_head();
            }
            if let (Cause::Answer { seat, kind: Kind::Request, .. }, Some(mine)) = (&cause, viewer.seat())
                && *seat == mine
            {
                book.count_answer();
            }
        }
        stood
    }
}

/// Runs the rules; a panic or an empty budget becomes a refusal that the host answers by pausing the table.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        if payload.is::<OutOfFuel>() {
            return Fault::new("broken", "the rules used up fuel_per_input_max ({max})")
                .arg("max", FUEL_PER_INPUT_MAX)
                .into();
        }
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
        Fault::new("broken", "the rules broke down: {panic}").arg("panic", text).into()
    })
}

/// One record through the rules, with the automatic answers that follow from it at once.
fn perform(game: &mut dyn Hosted, luck: &mut Luck, body: &Body) -> Result<Told, Refusal> {
    luck.lend(FUEL_PER_INPUT_MAX);
    let mut told = Told::with_fuel(FUEL_PER_INPUT_MAX);
    match body {
        Body::Answer { seat, ask, answer } => {
            let draft = game.standing().iter().any(|a| a.id == *ask && a.kind == Kind::Draft);
            game.answer(*seat, *ask, answer, luck, &mut told)?;
            assert!(!(draft && luck.drew()), "a draft must not draw luck: others would notice");
        }
        Body::Elapsed { ask, seat } => game.elapsed(*ask, *seat, luck, &mut told),
        Body::Visit { visit } => game.visit(*visit, luck, &mut told)?,
        Body::Settle { how, .. } => game.settle(*how, luck, &mut told)?,
        _ => {}
    }
    for _ in 0..AUTO_ANSWERS_MAX {
        let Some((seat, ask, answer)) = forced(game) else { break };
        game.answer(seat, ask, &answer, luck, &mut told)?;
    }
    Ok(told)
}

/// The first answer that needs no asking. In each ask the seats are tried in order, up to one that has a choice.
fn forced(game: &dyn Hosted) -> Option<(Seat, AskId, Json)> {
    for ask in game.standing().iter().filter(|ask| ask.auto && ask.blocks()) {
        if let Some(seat) = ask.seats.lowest()
            && let Some(response) = game.request(seat, ask.id).forced()
        {
            return Some((seat, ask.id, serde_json::to_value(response).expect("a response is plain data")));
        }
    }
    None
}

fn chain(before: &blake3::Hash, record: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(record.as_bytes());
    hasher.finalize()
}

fn check_header(entry: &Entry, header: &Header) -> Result<(), Refusal> {
    if header.format != FORMAT {
        let fault = Fault::new("format", "this log has format {got}, this build reads {format}");
        return Err(fault.arg("got", header.format).arg("format", FORMAT).into());
    }
    if header.game != entry.name {
        let fault = Fault::new("game", "this log is of {got}, not of {game}");
        return Err(fault.arg("got", header.game.as_str()).arg("game", entry.name).into());
    }
    // Rules that are data are pinned by their content: other content is another game, whatever its name.
    let mine = entry.identity_hex();
    if header.identity != mine {
        let fault =
            Fault::new("needs_rules", "this match of {game} needs the rules {needs}, these are {has}");
        let name = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "of a build".to_owned());
        return Err(fault
            .arg("game", entry.name)
            .arg("needs", name(&header.identity))
            .arg("has", name(&mine))
            .into());
    }
    Ok(())
}

fn needs_rules(entry: &Entry, rules: u32) -> Refusal {
    Fault::new("needs_rules", "this match of {game} needs rules {needs}, this build has rules {has}")
        .arg("game", entry.name)
        .arg("needs", rules)
        .arg("has", entry.rules)
        .into()
}

fn check_size(answer: &Json) -> Result<(), Refusal> {
    let deep = depth(answer, ANSWER_DEPTH_MAX);
    if deep > ANSWER_DEPTH_MAX {
        let fault = Fault::new("limit", "an answer is nested deeper than answer_depth_max ({max})");
        return Err(fault.arg("max", ANSWER_DEPTH_MAX).into());
    }
    let bytes = json_bytes(answer);
    if bytes > ANSWER_BYTES_MAX {
        let fault = Fault::new("limit", "an answer has {got} bytes, the limit answer_bytes_max is {max}");
        return Err(fault.arg("got", bytes).arg("max", ANSWER_BYTES_MAX).into());
    }
    Ok(())
}

/// The length of the text, without the text.
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

fn check_chat(text: &str) -> Result<(), Refusal> {
    let chars = text.chars().count();
    if (1..=CHAT_CHARS_MAX).contains(&chars) {
        return Ok(());
    }
    let fault = Fault::new("limit", "a chat line has 1 to {max} characters (chat_chars_max), this has {got}");
    Err(fault.arg("max", CHAT_CHARS_MAX).arg("got", chars).into())
}
