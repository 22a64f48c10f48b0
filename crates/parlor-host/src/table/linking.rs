//! How a table begins, is loaded from its log, and links to the next match of its chain.
//!
//! [`TableCarry`] is the part of a table that a match's header holds. However a table begins, it begins from that
//! alone.

use std::collections::VecDeque;

use parlor_core::limits::RECORDS_PER_MATCH_MAX;
use parlor_core::play::ReplayError;
use parlor_core::record::{Header, JsonText};
use parlor_core::{GameDef, Json, Match, Posting, Record, Refusal, Seats, Seed};
use serde::{Deserialize, Serialize};

use super::Table;
use super::reservations::Reservations;
use super::retry_keys::RetryKeys;
use super::time::MatchTime;
use crate::chairs::{Chair, Occupant, TableSettings};
use crate::clocks::{Banks, Clocks};
use crate::command::{Effect, RecordWrite};
use crate::conns::Conns;
use crate::stream::Stream;

/// What a table carries over a link, and begins from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct TableCarry {
    settings: TableSettings,
    chairs: Vec<Chair>,
    #[serde(default)]
    versions: Vec<u64>,
    #[serde(default)]
    banks: Banks,
    /// Only headers of format 1 have it: later the keys are kept beside the log.
    #[serde(default, skip_serializing)]
    keys: RetryKeys,
}

impl TableCarry {
    /// For a table that begins with these occupants.
    pub(super) fn new(chairs: Vec<Occupant>, settings: TableSettings) -> Self {
        let chairs = chairs.into_iter().map(|who| Chair { who, ..Chair::default() }).collect();
        Self { settings, chairs, ..Self::default() }
    }

    /// For a table that links to its next match.
    fn carried(table: &Table) -> Self {
        Self {
            settings: table.settings.clone(),
            chairs: table.chairs.clone(),
            versions: table.streams.iter().map(Stream::v).collect(),
            banks: table.clocks.banks(),
            keys: RetryKeys::default(),
        }
    }

    /// Reads it from a header.
    fn of(header: &Header) -> Self {
        serde_json::from_value(header.house.json()).unwrap_or_default()
    }

    /// Encodes it for a header.
    pub(super) fn aside(&self) -> JsonText {
        JsonText::of(self)
    }
}

/// What a table is opened from.
#[derive(Clone)]
pub struct NewTable {
    pub def: GameDef,
    /// The table's own secret; each match gets its own seed from it, unless the seed was chosen.
    pub root: Seed,
    /// Whether the seed was chosen: then nobody commits to it, and it is no secret.
    pub seeded: bool,
    /// The settings of the rules, in the game's own form; null for the defaults.
    pub rules: Json,
    pub chairs: Vec<Occupant>,
    /// What each seat brings; empty if that is left to the game.
    pub stakes: Vec<i64>,
    pub settings: TableSettings,
}

impl NewTable {
    /// A table with default settings and a secret seed.
    #[must_use]
    pub fn new(def: GameDef, root: Seed, chairs: Vec<Occupant>) -> Self {
        let (rules, stakes, settings) = (Json::Null, Vec::new(), TableSettings::default());
        Self { def, root, seeded: false, rules, chairs, stakes, settings }
    }

    /// With these settings of the rules.
    #[must_use]
    pub fn rules(self, rules: Json) -> Self {
        Self { rules, ..self }
    }

    /// With these settings of the table.
    #[must_use]
    pub fn settings(self, settings: TableSettings) -> Self {
        Self { settings, ..self }
    }
}

impl Table {
    /// Opens a table.
    ///
    /// # Errors
    /// Why a match with these settings cannot be played.
    pub fn open(new: NewTable, now: u64) -> Result<(Self, Vec<Effect>), Refusal> {
        let NewTable { def, root, seeded, rules, chairs, stakes, settings } = new;
        let seats = u8::try_from(chairs.len()).unwrap_or(u8::MAX);
        let seed = root.of_match(1);
        let mut header = if seeded {
            Header::seeded(&def, seats, rules, seed)
        } else {
            Header::committed(&def, seats, rules, seed)
        };
        header.seated = seated(&chairs, &stakes);
        header.house = TableCarry::new(chairs, settings).aside();
        let (mut table, postings) = Self::begin(def, root, header, now)?;
        table.stored = (0, 0);
        table.append_opening(postings);
        table.pause_on_broken_invariant(now);
        let effects = table.take_effects(now);
        Ok((table, effects))
    }

    /// Loads a table from its last match's log, and from what was kept beside it ([`RecordWrite::beside`]), by the same
    /// code as play. Match time did not pass in the meantime.
    ///
    /// # Errors
    /// The first record that does not fit, and why.
    pub fn load(
        def: GameDef,
        root: Seed,
        header: Header,
        records: Vec<Record>,
        beside: Json,
        now: u64,
    ) -> Result<(Self, Vec<Effect>), ReplayError> {
        // What is beside the log only saves a client from doing something twice: without it the table still goes on.
        let keys: RetryKeys = serde_json::from_value(beside).unwrap_or_default();
        let keys = keys.before(header.match_no);
        let mut table = Self::restore(def, root, header, records, keys, now)?;
        table.link(now);
        table.pause_on_broken_invariant(now);
        let effects = table.take_effects(now);
        Ok((table, effects))
    }

    /// The table as its log says it is; it neither links nor writes anything.
    pub(super) fn restore(
        def: GameDef,
        root: Seed,
        header: Header,
        records: Vec<Record>,
        keys: RetryKeys,
        now: u64,
    ) -> Result<Self, ReplayError> {
        let (mut table, _) =
            Self::begin(def, root, header, now).map_err(|why| ReplayError { seq: 0, why })?;
        table.pending.clear();
        if !keys.is_empty() {
            table.keys = keys.of_seats(table.seats());
        }
        for record in records {
            let Record { seq, at, by, key, body } = record;
            table.record_at(at, by, key, body, None).map_err(|why| ReplayError { seq, why })?;
            table.pending.clear();
        }
        table.out.clear();
        table.stored = (table.current.header().match_no, table.current.next_seq() - 1);
        table.released = table.streams.iter().map(Stream::v).collect();
        table.time = MatchTime::resume(table.last_at(), now, table.stands_still());
        // Nobody is connected after a restart, through no fault of theirs. A player who was away before gets a new
        // grace period.
        table.still_away(now);
        table.find_vacating();
        Ok(table)
    }

    pub(super) fn begin(
        def: GameDef,
        root: Seed,
        header: Header,
        now: u64,
    ) -> Result<(Self, Vec<Posting>), Refusal> {
        let house = TableCarry::of(&header);
        let (current, applied) = Match::start(def, header)?;
        let seats = current.header().seats;
        let viewers = seats as usize + 1;
        let mut chairs = house.chairs;
        chairs.resize(seats as usize, Chair::default());
        let version = |n: usize| house.versions.get(n).copied().unwrap_or(0);
        let mut table = Self {
            root,
            settings: house.settings,
            before: None,
            chairs,
            away: vec![None; seats as usize],
            streams: (0..viewers).map(|n| Stream::new(version(n))).collect(),
            released: (0..viewers).map(version).collect(),
            conns: Conns::default(),
            clocks: Clocks::new(seats, house.banks),
            keys: house.keys.of_seats(seats),
            next_settings: None,
            told_clocks: Vec::new(),
            vacating: Seats::NONE,
            reservations: Reservations::default(),
            no_link: false,
            thinking: Vec::new(),
            pending: VecDeque::new(),
            stored: (current.header().match_no, 0),
            time: MatchTime::resume(0, now, false),
            stalled: false,
            finished: false,
            out: Vec::new(),
            current,
        };
        table.track(None, &applied, 0);
        Ok((table, applied.postings))
    }

    /// Writes records that belong together: the table does not link between them.
    pub(super) fn together(&mut self, now: u64, write: impl FnOnce(&mut Self)) {
        let waits = std::mem::replace(&mut self.no_link, true);
        write(self);
        self.no_link = waits;
        self.link(now);
    }

    /// Links to the next match if this one is over or has grown long, and the game lets the table go on. While the link
    /// before is not stored it waits: a table can go back over one link, not over two.
    pub(super) fn link(&mut self, now: u64) {
        let long = self.current.record_count() >= RECORDS_PER_MATCH_MAX;
        let over = self.current.outcome().is_some();
        let waits = self.no_link || self.stalled || self.before.is_some();
        if self.finished || waits || !(over || long) {
            return;
        }
        if over && self.anybody_leaving() {
            // Linking waits until they have left, and follows then.
            return self.together(now, |table| table.let_leave(now));
        }
        let seed = self.root.of_match(self.current.header().match_no + 1);
        let killed = self.current.outcome().is_some_and(|outcome| outcome.places.is_empty());
        let next = if killed { None } else { self.current.successor(seed) };
        let Some(mut header) = next else {
            if over {
                self.finish();
            }
            return;
        };
        header.house = TableCarry::carried(self).aside();
        if self.current.def().visits {
            let taken = self.chairs.iter().map(|chair| (chair.who != Occupant::Empty).then_some(0));
            header.seated = taken.collect();
        }
        let (old_settings, new_settings) = (header.settings.clone(), self.next_settings.take());
        header.settings = new_settings.unwrap_or_else(|| old_settings.clone());
        let started = Match::start(*self.current.def(), header.clone()).or_else(|_| {
            // The owner's new settings do not fit what the table has come to: it goes on with the old ones.
            Match::start(*self.current.def(), Header { settings: old_settings, ..header })
        });
        match started {
            Ok((current, applied)) => {
                let before = std::mem::replace(&mut self.current, current);
                self.before = Some(Box::new(before.into_log()));
                self.clocks.restart();
                self.thinking.clear();
                self.time = MatchTime::resume(0, now, false);
                self.track(None, &applied, 0);
                self.append_opening(applied.postings);
                for seat in applied.dismissed.iter() {
                    self.dismiss(now, seat);
                }
                self.free_vacated();
            }
            Err(_) => self.finish(),
        }
    }

    pub(super) fn append_opening(&mut self, postings: Vec<Posting>) {
        let header = self.current.header().clone();
        let opens = Some(Box::new(header));
        let match_no = self.current.header().match_no;
        // What the keys of the matches before were used for is not in this match's log.
        let beside = (match_no > 1).then(|| serde_json::to_value(&self.keys).expect("keys are plain data"));
        let (record, funds, ends) = (None, None, None);
        self.out.push(Effect::Append(RecordWrite { match_no, opens, record, postings, funds, beside, ends }));
    }
}

/// What each seat brings; empty if every seat is taken and nobody brings anything of their own.
fn seated(chairs: &[Occupant], stakes: &[i64]) -> Vec<Option<i64>> {
    let is_free = |who: &Occupant| *who == Occupant::Empty;
    if stakes.is_empty() && !chairs.iter().any(is_free) {
        return Vec::new();
    }
    let stake = |n: usize| stakes.get(n).copied().unwrap_or(0);
    chairs.iter().enumerate().map(|(n, who)| (!is_free(who)).then(|| stake(n))).collect()
}
