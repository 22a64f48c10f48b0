//! The table itself.

mod fork;
mod people;
mod release;
mod time;

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_core::limits::{KEYS_MAX, RECORDS_PER_MATCH_MAX};
use parlor_core::play::{ReplayError, Target};
use parlor_core::record::{Aside, Header};
use parlor_core::{
    Applied, AskId, Body, By, Entry, Fault, Json, Kind, Match, Meant, Posting, Record, Refusal, Seat, Seed,
    Settle, Viewer,
};
use parlor_wire::{Letter, ServerMessage};
use serde::{Deserialize, Serialize};

use crate::chairs::{Chair, Note, Occupant, TableSettings};
use crate::clocks::{Banks, Clocks};
use crate::command::{Answers, Append, Command, ConnId, Effect, Submit};
use crate::conns::{Conn, Conns};
use crate::stream::Stream;
use people::Away;
use release::Pending;
use time::MatchTime;

/// Clocks and bots that may act in answer to one command; the rest wait for the next tick.
pub const STEPS_PER_COMMAND_MAX: usize = 64;

/// A retry key and what it was used for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Key {
    key: String,
    /// The hash of the answer that was given with it; [`UNDO`] where one was taken back.
    said: String,
}

/// What a key was used for that went with no answer.
const UNDO: &str = "undo";

/// Whose key a record may carry, and what it is used for.
fn said(body: &Body) -> Option<(Seat, String)> {
    match body {
        Body::Answer { seat, answer, .. } => Some((*seat, parlor_core::view::hash(answer))),
        Body::Undo { seat, .. } => Some((*seat, UNDO.to_owned())),
        _ => None,
    }
}

/// What the house carries over a link, and starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct House {
    settings: TableSettings,
    chairs: Vec<Chair>,
    #[serde(default)]
    versions: Vec<u64>,
    #[serde(default)]
    banks: Banks,
    #[serde(default)]
    keys: Vec<VecDeque<Key>>,
}

/// A table at work.
pub struct Table {
    entry: Entry,
    root: Seed,
    settings: TableSettings,
    play: Match,
    /// The match before, until its successor is stored.
    before: Option<(Header, Vec<Record>)>,
    chairs: Vec<Chair>,
    away: Vec<Option<Away>>,
    streams: Vec<Stream>,
    released: Vec<u64>,
    conns: Conns<Conn>,
    clocks: Clocks,
    keys: Vec<VecDeque<Key>>,
    pending: VecDeque<Pending>,
    stored: (u32, u32),
    time: MatchTime,
    stalled: bool,
    finished: bool,
    out: Vec<Effect>,
}

impl Table {
    /// Opens a table. `root` is the table's own secret; each match gets a seed of its own from it, unless somebody
    /// chose the seed.
    ///
    /// # Errors
    /// Why these settings cannot be played.
    pub fn open(
        entry: Entry,
        root: Seed,
        seeded: bool,
        rules: Json,
        chairs: Vec<Occupant>,
        settings: TableSettings,
        now: u64,
    ) -> Result<(Self, Vec<Effect>), Refusal> {
        let seats = u8::try_from(chairs.len()).unwrap_or(u8::MAX);
        let seed = root.of_match(1);
        let chairs = chairs.into_iter().map(|who| Chair { who, ..Chair::default() }).collect();
        let house = House { settings, chairs, ..House::default() };
        let mut header = if seeded {
            Header::seeded(&entry, seats, rules, seed)
        } else {
            Header::committed(&entry, seats, rules, seed)
        };
        header.house = Aside::of(&house);
        let (mut table, postings) = Self::begin(entry, root, header, now)?;
        table.stored = (0, 0);
        table.append_opening(postings);
        table.pause_if_unsound(now);
        let effects = table.settle(now);
        Ok((table, effects))
    }

    /// Brings a table back from its last match's log: the same code as play. Clocks stood still in the meantime.
    ///
    /// # Errors
    /// The first record that does not fit, and why.
    pub fn load(
        entry: Entry,
        root: Seed,
        header: Header,
        records: Vec<Record>,
        now: u64,
    ) -> Result<(Self, Vec<Effect>), ReplayError> {
        let (mut table, _) =
            Self::begin(entry, root, header, now).map_err(|why| ReplayError { seq: 0, why })?;
        table.pending.clear();
        for record in records {
            let Record { seq, at, by, key, body } = record;
            table.record_at(at, by, key, body).map_err(|why| ReplayError { seq, why })?;
            table.pending.clear();
        }
        table.out.clear();
        table.stored = (table.play.header().match_no, table.play.next_seq() - 1);
        table.released = table.streams.iter().map(Stream::v).collect();
        table.time = MatchTime::resume(table.last_at(), now, table.stands_still());
        // Nobody is connected after a restart, and nobody is to blame for it; who was gone before has his grace anew.
        table.still_away(now);
        table.link(now);
        table.pause_if_unsound(now);
        let effects = table.settle(now);
        Ok((table, effects))
    }

    fn begin(entry: Entry, root: Seed, header: Header, now: u64) -> Result<(Self, Vec<Posting>), Refusal> {
        let house: House = serde_json::from_value(header.house.json()).unwrap_or_default();
        let (play, applied) = Match::start(entry, header)?;
        let seats = play.header().seats;
        let viewers = seats as usize + 1;
        let mut chairs = house.chairs;
        chairs.resize(seats as usize, Chair::default());
        let mut keys = house.keys;
        keys.resize(seats as usize, VecDeque::new());
        let version = |n: usize| house.versions.get(n).copied().unwrap_or(0);
        let mut table = Self {
            entry,
            root,
            settings: house.settings,
            before: None,
            chairs,
            away: vec![None; seats as usize],
            streams: (0..viewers).map(|n| Stream::new(version(n))).collect(),
            released: (0..viewers).map(version).collect(),
            conns: Conns::default(),
            clocks: Clocks::new(seats, house.banks),
            keys,
            pending: VecDeque::new(),
            stored: (play.header().match_no, 0),
            time: MatchTime::resume(0, now, false),
            stalled: false,
            finished: false,
            out: Vec::new(),
            play,
        };
        table.absorb(None, &applied, 0);
        Ok((table, applied.postings))
    }

    /// Lets one thing happen and says what is to be done.
    pub fn handle(&mut self, now: u64, command: Command) -> Vec<Effect> {
        if !matches!(command, Command::Appended { .. } | Command::AppendFailed) {
            self.run_due(now);
        }
        match command {
            Command::Connect { conn, viewer, last_v } => self.connect(now, conn, viewer, last_v),
            Command::Refresh { conn, viewer } => self.greet(now, conn, viewer, None),
            Command::Disconnect { conn, by_server } => self.disconnect(now, conn, by_server),
            Command::Submit(conn, submit) => match self.seat_of(conn) {
                Some(seat) => self.submit(now, conn, seat, submit),
                None => self.reply(conn, refused(submit.key, &not_seated(), 0)),
            },
            Command::SubmitAs { seat, conn, submit } => self.submit(now, conn, seat, submit),
            Command::Words { seat: Some(seat), conn, words } => {
                // Whoever asks once and not by a connection means what stands now.
                self.words(now, conn, seat, &words, Answers::Head(self.play.head(seat.into())));
            }
            Command::Words { seat: None, conn, words } => match self.seat_of(conn) {
                Some(seat) => self.words(now, conn, seat, &words, Answers::Latest),
                None => self.reply(conn, refused(None, &not_seated(), 0)),
            },
            Command::Undo { conn, to, key } => match self.seat_of(conn) {
                Some(seat) => self.undo(now, conn, seat, to, key),
                None => self.reply(conn, refused(key, &not_seated(), 0)),
            },
            Command::UndoAs { seat, conn, to, key } => self.undo(now, conn, seat, to, key),
            Command::Chat { conn, name, text } => self.chat(now, conn, name, text),
            Command::Leave { seat } => self.leave(now, seat),
            Command::Sit { seat, who, stake } => self.sit(now, seat, who, stake),
            Command::Pause { why } => self.order(now, Body::Pause { why }),
            Command::Resume => self.order(now, Body::Resume),
            Command::Kill { why } => self.order(now, Body::Kill { why }),
            Command::Expire => self.expire(now),
            Command::Settle { how, why } => self.settle_broken(now, how, why),
            Command::Tick => {}
            Command::Appended { match_no, seq } => self.appended(now, match_no, seq),
            Command::AppendFailed => self.append_failed(now),
            Command::StoreBack => {
                self.stalled = false;
                self.time.go(now, self.stands_still());
            }
        }
        self.settle(now)
    }

    fn settle(&mut self, now: u64) -> Vec<Effect> {
        let more = self.run_due(now);
        let wake = if more { Some(now) } else { self.next_wake(now) };
        if let Some(at) = wake {
            self.out.push(Effect::Wake { at });
        }
        std::mem::take(&mut self.out)
    }

    // ---- one record ----

    /// Whoever speaks in the game's own words is heard like anybody else, once the game has said what is meant.
    fn words(&mut self, now: u64, conn: ConnId, seat: Seat, words: &Json, unnamed: Answers) {
        let unknown = || Refusal::of("unknown_action", "this game has no words of its own");
        match self.play.game().meant(seat, words).unwrap_or_else(|| Err(unknown())) {
            Ok(Meant::Answer { input, head, answer, key }) => {
                let to = match (input, head) {
                    (Some(input), _) => Answers::Input(input),
                    (None, Some(head)) => Answers::Head(head),
                    (None, None) => unnamed,
                };
                self.submit(now, conn, seat, Submit { to, answer, key });
            }
            Ok(Meant::Concede) => {
                let head = self.play.head(seat.into());
                self.give_up(now, seat);
                self.reply(conn, ServerMessage::Accepted { request_key: None, branch_id: head });
            }
            Err(refusal) => {
                let head = self.play.head(seat.into());
                self.reply(conn, refused(None, &refusal, head));
            }
        }
    }

    fn record(&mut self, now: u64, by: By, key: Option<String>, body: Body) -> Result<(), Refusal> {
        let at = self.time.at(now).max(self.last_at());
        self.record_at(at, by, key, body)?;
        self.time.go(now, self.stands_still());
        self.link(now);
        self.pause_if_unsound(now);
        Ok(())
    }

    fn record_at(&mut self, at: u64, by: By, key: Option<String>, body: Body) -> Result<(), Refusal> {
        if self.stalled {
            return Err(Refusal::of("read_only", "the store is not taking anything now; clocks are stopped"));
        }
        let (record, applied) = self.play.enter(at, by, key, body)?;
        self.absorb(Some(&record), &applied, at);
        self.out.push(Effect::Append(Append {
            match_no: self.play.header().match_no,
            opens: None,
            record: Some(record),
            postings: applied.postings,
            ends: applied.outcome,
        }));
        Ok(())
    }

    /// Keeps clocks, chairs, keys and streams in step with one record: in play and in replay alike.
    fn absorb(&mut self, record: Option<&Record>, applied: &Applied, at: u64) {
        match record.map(|record| &record.body) {
            Some(Body::Answer { seat, ask, .. }) => self.clocks.answered(*seat, *ask, at),
            Some(Body::Elapsed { ask, seat: Some(seat) }) => self.clocks.ran_out(*seat, *ask),
            Some(Body::Elapsed { ask, seat: None }) => self.clocks.fired(*ask),
            Some(Body::Note { note }) => self.noted(record.map_or(0, |record| record.seq), note),
            _ => {}
        }
        if applied.undone {
            self.clocks.restart();
        }
        for bonus in &applied.bonuses {
            for seat in bonus.seats.iter().filter(|seat| seat.index() < self.chairs.len()) {
                self.clocks.bonus(seat, bonus.add_ms, bonus.cap_ms);
            }
        }
        self.clocks.follow(&self.play.standing(), at);
        if let Some(Record { key: Some(key), body, .. }) = record
            && let Some((seat, said)) = said(body)
        {
            let keys = &mut self.keys[seat.index()];
            keys.truncate(KEYS_MAX - 1);
            keys.push_front(Key { key: key.clone(), said });
        }
        self.tell(record, applied);
    }

    fn noted(&mut self, seq: u32, note: &Json) {
        match serde_json::from_value(note.clone()) {
            Ok(Note::Sit { seat, who }) => {
                self.chairs[seat.index()] = Chair { who, ..Chair::default() };
            }
            Ok(Note::Here { seat, here }) => {
                let chair = &mut self.chairs[seat.index()];
                (chair.here, chair.lost) = (here, (!here).then_some(seq));
            }
            Ok(Note::Stand { seat, bot }) => self.chairs[seat.index()].stand_in = bot,
            Err(_) => {}
        }
    }

    /// Links to the next match where this one is over, or has grown long, and the game lets the table go on.
    fn link(&mut self, now: u64) {
        let long = self.play.record_count() >= RECORDS_PER_MATCH_MAX;
        let over = self.play.outcome().is_some();
        if self.finished || self.stalled || !(over || long) {
            return;
        }
        let seed = self.root.of_match(self.play.header().match_no + 1);
        let killed = self.play.outcome().is_some_and(|outcome| outcome.places.is_empty());
        let next = if killed { None } else { self.play.successor(seed) };
        let Some(mut header) = next else {
            if over {
                self.finish();
            }
            return;
        };
        let house = House {
            settings: self.settings.clone(),
            chairs: self.chairs.clone(),
            versions: self.streams.iter().map(Stream::v).collect(),
            banks: self.clocks.banks(),
            keys: self.keys.clone(),
        };
        header.house = Aside::of(&house);
        match Match::start(self.entry, header) {
            Ok((play, applied)) => {
                let before = std::mem::replace(&mut self.play, play);
                self.before = Some((before.header().clone(), before.records()));
                self.clocks.restart();
                self.time = MatchTime::resume(0, now, false);
                self.absorb(None, &applied, 0);
                self.append_opening(applied.postings);
            }
            Err(_) => self.finish(),
        }
    }

    fn append_opening(&mut self, postings: Vec<Posting>) {
        let header = self.play.header().clone();
        let opens = Some(Box::new(header));
        let match_no = self.play.header().match_no;
        self.out.push(Effect::Append(Append { match_no, opens, record: None, postings, ends: None }));
    }

    fn finish(&mut self) {
        self.finished = true;
        match self.pending.back_mut() {
            Some(pending) => pending.finished = true,
            None => self.out.push(Effect::Finished),
        }
    }

    // ---- what clients send ----

    fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.conns.get(conn)?.viewer.seat()
    }

    fn submit(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) {
        let key = submit.key.clone();
        if self.chairs.get(seat.index()).is_none_or(|chair| !chair.is_human()) {
            return self.reply(conn, refused(key, &not_seated(), 0));
        }
        let said = || parlor_core::view::hash(&submit.answer);
        let result = match self.retried(seat, submit.key.as_deref(), said) {
            Ok(true) => Ok(()),
            Ok(false) => self.answer(now, conn, seat, submit),
            Err(refusal) => Err(refusal),
        };
        self.reply_result(conn, seat, key, &result);
        if let Err(refusal) = result {
            self.pause_if_broken(now, &refusal);
        }
    }

    /// Whether this was taken before, under the same key.
    fn retried(&self, seat: Seat, key: Option<&str>, said: impl Fn() -> String) -> Result<bool, Refusal> {
        match key.and_then(|key| self.keys[seat.index()].iter().find(|used| used.key == key)) {
            None => Ok(false),
            Some(used) if used.said == said() => Ok(true),
            Some(_) => Err(Refusal::of("key_reused", "that requestKey was used for another answer")),
        }
    }

    fn answer(&mut self, now: u64, conn: ConnId, seat: Seat, submit: Submit) -> Result<(), Refusal> {
        self.check_actor(seat, &submit.answer)?;
        let target = match submit.to {
            Answers::Input(input) => Target::Input(input),
            Answers::Head(head) => Target::Head(head),
            Answers::Latest => Target::Input(self.latest_prompt(conn, now)?),
        };
        let ask = self.play.resolve(seat, target)?;
        self.record(now, By::Human, submit.key, Body::Answer { seat, ask, answer: submit.answer })
    }

    /// The request that had last been sent to this connection: never one it has not been shown.
    fn latest_prompt(&self, conn: ConnId, now: u64) -> Result<u32, Refusal> {
        let sent = self.conns.get(conn).and_then(|conn| conn.prompts.iter().rev().find(|(at, _)| *at <= now));
        match sent {
            Some((_, Some(input))) => Ok(*input),
            _ => Err(Refusal::of("not_asked", "you were not asked anything")),
        }
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
            .play
            .records()
            .iter()
            .filter(|r| matches!(r.body, Body::Answer { seat: s, .. } if s == seat))
            .count();
        let fault = Fault::new("actor", text).arg("actor", actor).arg("expected", name).arg("n", n + 1);
        Err(fault.arg("title", title).into())
    }

    fn undo(&mut self, now: u64, conn: ConnId, seat: Seat, to: Option<u32>, key: Option<String>) {
        let result = match self.retried(seat, key.as_deref(), || UNDO.to_owned()) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let target = to.map_or_else(|| self.play.last_answer(seat), Ok);
                target.and_then(|to| self.record(now, By::Human, key.clone(), Body::Undo { seat, to }))
            }
            Err(refusal) => Err(refusal),
        };
        self.reply_result(conn, seat, key, &result);
    }

    fn reply_result(&mut self, conn: ConnId, seat: Seat, key: Option<String>, result: &Result<(), Refusal>) {
        let head = self.play.head(seat.into());
        let reply = match result {
            Ok(()) => ServerMessage::Accepted { request_key: key, branch_id: head },
            Err(refusal) => refused(key, refusal, head),
        };
        self.reply(conn, reply);
    }

    fn chat(&mut self, now: u64, conn: ConnId, name: String, text: String) {
        let Some(viewer) = self.conns.get(conn).map(|conn| conn.viewer) else { return };
        let seat = viewer.seat();
        let name = seat.map_or(name, |seat| self.chairs[seat.index()].who.name().to_owned());
        if let Err(refusal) = self.record(now, By::Human, None, Body::Chat { seat, name, text }) {
            self.reply(conn, refused(None, &refusal, self.play.head(viewer)));
        }
    }

    fn order(&mut self, now: u64, body: Body) {
        // An order that makes no sense now (resume what is not paused) changes nothing, and nobody is told.
        let _ = self.record(now, By::House, None, body);
    }

    /// A match in which something does not hold that must always hold stands still until the operator has settled it.
    fn pause_if_unsound(&mut self, now: u64) {
        if self.play.paused().is_some() || self.play.outcome().is_some() {
            return;
        }
        if let Some(broken) = self.play.game().broken() {
            self.order(now, Body::Pause { why: format!("broken: {}", broken.why) });
        }
    }

    /// Settles it, and lets the match go on where it can.
    fn settle_broken(&mut self, now: u64, how: Settle, why: String) {
        if self.record(now, By::House, None, Body::Settle { how, why }).is_ok()
            && self.play.paused().is_some()
        {
            self.order(now, Body::Resume);
        }
    }

    /// Rules that broke down are not asked again: the table stands still with its log whole.
    fn pause_if_broken(&mut self, now: u64, refusal: &Refusal) {
        if refusal.has("broken") {
            self.order(now, Body::Pause { why: refusal.to_string() });
        }
    }

    // ---- looking at a table ----

    /// The match being played.
    #[must_use]
    pub fn play(&self) -> &Match {
        &self.play
    }

    /// Whether the last match is over.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// What is left in the banks, in milliseconds.
    #[must_use]
    pub fn banks(&self) -> Banks {
        self.clocks.banks()
    }

    /// Match time at the driver's time `now`.
    #[must_use]
    pub fn match_now(&self, now: u64) -> u64 {
        self.time.at(now)
    }

    /// Who sits where.
    #[must_use]
    pub fn seat_infos(&self) -> Vec<parlor_wire::SeatInfo> {
        self.chairs.iter().map(Chair::info).collect()
    }

    /// A fresh snapshot for a viewer, as he would get it by connecting now.
    #[must_use]
    pub fn snapshot(&self, viewer: Viewer) -> ServerMessage {
        self.snapshot_at(viewer, self.streams[viewer.index(self.seats())].v())
    }

    /// The same table in another world: only for tests that compare two worlds.
    #[must_use]
    pub fn in_world(&self, play: Match) -> Self {
        let mut table = Self {
            entry: self.entry,
            root: self.root.clone(),
            settings: self.settings.clone(),
            before: self.before.clone(),
            chairs: self.chairs.clone(),
            away: self.away.clone(),
            streams: self.streams.clone(),
            released: self.released.clone(),
            conns: self.conns.clone(),
            clocks: self.clocks.clone(),
            keys: self.keys.clone(),
            pending: self.pending.clone(),
            stored: self.stored,
            time: self.time,
            stalled: self.stalled,
            finished: self.finished,
            out: Vec::new(),
            play,
        };
        table.clocks.follow(&table.play.standing(), table.last_at());
        table
    }

    fn seats(&self) -> u8 {
        self.play.header().seats
    }

    fn last_at(&self) -> u64 {
        self.play.last_at().unwrap_or(0)
    }

    fn stands_still(&self) -> bool {
        self.stalled || self.play.paused().is_some() || self.play.outcome().is_some()
    }

    /// The requests that a bot has to answer now, with the match time at which it does.
    fn bot_due(&self) -> Option<(u64, Seat, AskId)> {
        let seats = (0..self.seats()).map(Seat::new).filter(|seat| self.chairs[seat.index()].is_bot());
        seats
            .flat_map(|seat| self.play.stands(seat).iter().map(move |stand| (seat, *stand)))
            .filter(|(_, stand)| stand.kind == Kind::Request || stand.ask == AskId::UNDO)
            .map(|(seat, stand)| {
                let asked = self.clocks.asked_at(seat, stand.ask).unwrap_or_else(|| self.last_at());
                (asked + self.settings.bot_ms, seat, stand.ask)
            })
            .min_by_key(|(at, seat, _)| (*at, *seat))
    }
}

fn not_seated() -> Refusal {
    Refusal::of("not_seated", "only a player at this table can do that")
}

fn refused(request_key: Option<String>, refusal: &Refusal, branch_id: u32) -> ServerMessage {
    ServerMessage::Refused {
        request_key,
        code: refusal.code().to_owned(),
        message: refusal.to_string(),
        faults: refusal.faults.clone(),
        branch_id,
    }
}

/// Shared by all that get the same message.
type Shared = Arc<Letter>;
