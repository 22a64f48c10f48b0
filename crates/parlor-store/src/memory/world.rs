//! All that a log holds, as plain values, and what each write does to it: the rules in their simplest form.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use parlor_core::MatchResult;

use crate::accounts::{AuditLine, HeadToHead, PlayedMatch, Player, ROWS_PER_PAGE_MAX, RatingRow};
use crate::driver::{AppendKind, Frames, Head, Packed, is_new_version, published, repeats};
use crate::error::{ReadError, WriteError};
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::{Owner, Reason, Transfer};
use crate::log::{ListOrder, Listing, MatchSelector, StoredMatch, TableInfo};
use crate::rulesets::{RulesetState, RulesetVersion};
use crate::write::{Append, Epoch, Facts, LogEntry, TableState, Write};

use super::books::{Books, Cause};

/// One table.
#[derive(Clone, Default)]
pub(super) struct Sheet {
    /// Tables are numbered in the order in which they were opened, from 1.
    no: u64,
    head: Head,
    game: String,
    seats: u8,
    state: TableState,
    facts: Facts,
    created_ms: u64,
    updated_ms: u64,
    entries: Vec<LogEntry>,
    /// The same entries, packed: to tell a retry from another entry.
    frames: Vec<Vec<u8>>,
    /// What moved with the append that began after so many entries.
    moved: BTreeMap<u64, Vec<Transfer>>,
}

/// Everything.
#[derive(Clone, Default)]
pub(super) struct World {
    pub(super) tables: BTreeMap<TableId, Sheet>,
    /// How many tables were ever opened.
    opened: u64,
    pub(super) players: BTreeMap<PlayerId, Player>,
    pub(super) epoch: Epoch,
    pub(super) bytes: usize,
    pub(super) books: Books,
    keys: BTreeMap<String, Vec<Transfer>>,
    standings: BTreeMap<(PlayerId, String), RatingRow>,
    past: Vec<PlayedMatch>,
    pub(super) rooms: BTreeMap<TableId, Facts>,
    pub(super) audited: Vec<AuditLine>,
    /// By name, with all versions of each in order.
    pub(super) rulesets: BTreeMap<String, (RulesetState, Vec<RulesetVersion>)>,
}

impl Sheet {
    pub(super) fn info(&self, table: &TableId) -> TableInfo {
        TableInfo {
            table: table.clone(),
            game: self.game.clone(),
            seats: self.seats,
            match_no: self.head.match_no,
            state: self.state,
            epoch: self.head.epoch,
            seq: self.head.seq,
            created_ms: self.created_ms,
            updated_ms: self.updated_ms,
            facts: self.facts.clone(),
        }
    }

    fn is_retry(&self, append: &Append, packed: &Packed) -> bool {
        let from = append.expected_seq as usize;
        let same = Frames(&packed.bytes).flatten().eq(self.frames[from..from + packed.shapes.len()].iter());
        let moved = self.moved.get(&append.expected_seq).map_or(&[][..], Vec::as_slice);
        same && repeats(moved, &append.transfers)
    }

    fn extend(&mut self, append: &Append, packed: &Packed, head: Head) {
        for entry in &append.entries {
            if let LogEntry::Open(header) = entry {
                (self.game, self.seats) = (header.game.clone(), header.seats);
            }
        }
        self.entries.extend(append.entries.iter().cloned());
        self.frames.extend(Frames(&packed.bytes).flatten().map(<[u8]>::to_vec));
        if !append.transfers.is_empty() {
            self.moved.insert(append.expected_seq, append.transfers.clone());
        }
        self.head = head;
        self.updated_ms = self.updated_ms.max(append.at_ms);
        self.state = append.state.unwrap_or(self.state);
        if let Some(facts) = &append.facts {
            self.facts = facts.clone();
        }
    }
}

impl World {
    /// Takes one write, whole or not at all.
    pub(super) fn take(&mut self, packed: &Packed) -> Result<u64, WriteError> {
        match &packed.write {
            Write::Append(append) => self.append(append, packed),
            Write::Claim { table, epoch } => {
                let sheet = self.tables.get_mut(table).ok_or(WriteError::Unknown)?;
                sheet.head = sheet.head.claimed(*epoch)?;
                Ok(sheet.head.seq)
            }
            Write::Post { key, transfers, at_ms } => self.post(key, transfers, *at_ms),
            Write::Release { hold, currency, to, at_ms } => self.release(hold, currency, to, *at_ms),
            Write::Player(player) => self.register(player),
            Write::PlayerPays { player, key, transfers, at_ms } => {
                self.register_paying(player, key, transfers, *at_ms)
            }
            Write::Room { id, body } => {
                match body {
                    Some(body) => self.rooms.insert(id.clone(), body.clone()),
                    None => self.rooms.remove(id),
                };
                Ok(0)
            }
            Write::Ruleset(version) => self.publish(version),
            Write::RulesetState { name, state } => {
                let kept = self.rulesets.get_mut(name).ok_or(WriteError::Unknown)?;
                kept.0 = *state;
                Ok(0)
            }
            Write::Audit(line) => {
                self.audited.push(line.clone());
                Ok(0)
            }
            Write::Probe => Ok(0),
        }
    }

    fn publish(&mut self, version: &RulesetVersion) -> Result<u64, WriteError> {
        let kept = self.rulesets.get(&version.name);
        let newest = kept.and_then(|(_, versions)| versions.last());
        let newest = newest.map(|newest| (newest.version, newest.author.as_ref()));
        let same = kept.and_then(|(_, versions)| versions.get(version.version.checked_sub(1)? as usize));
        if !is_new_version(version, newest, same)? {
            return Ok(0);
        }
        let (state, versions) = self.rulesets.entry(version.name.clone()).or_default();
        *state = published(*state);
        versions.push(version.clone());
        Ok(0)
    }

    fn append(&mut self, append: &Append, packed: &Packed) -> Result<u64, WriteError> {
        let Append { table, epoch, expected_seq, transfers, .. } = append;
        let head = match self.tables.get(table) {
            None => Head::first(*epoch, *expected_seq, &packed.shapes)?,
            Some(sheet) => match sheet.head.place(*epoch, *expected_seq, &packed.shapes)? {
                AppendKind::Next(head) => head,
                AppendKind::Duplicate if sheet.is_retry(append, packed) => {
                    return Ok(expected_seq + packed.shapes.len() as u64);
                }
                AppendKind::Duplicate => return Err(sheet.head.conflict()),
            },
        };
        if packed.shapes.is_empty() && !transfers.is_empty() {
            return Err(WriteError::Malformed("tokens move with an entry, or with a key"));
        }
        if !transfers.is_empty() {
            let cause = Cause { table: Some(table.clone()), key: None, at_ms: append.at_ms };
            self.books.transfer(cause, transfers)?;
        }
        self.note_played(append);
        self.bytes += packed.bytes.len();
        let sheet = self.tables.entry(table.clone()).or_insert_with(|| {
            self.opened += 1;
            Sheet { no: self.opened, created_ms: append.at_ms, ..Sheet::default() }
        });
        sheet.extend(append, packed, head);
        Ok(head.seq)
    }

    fn post(&mut self, key: &str, transfers: &[Transfer], at_ms: u64) -> Result<u64, WriteError> {
        match self.keys.get(key) {
            Some(known) if repeats(known, transfers) => return Ok(0),
            Some(_) => return Err(WriteError::KeyReused(key.to_owned())),
            None => {}
        }
        self.books.transfer(Cause { table: None, key: Some(key.to_owned()), at_ms }, transfers)?;
        self.keys.insert(key.to_owned(), transfers.to_vec());
        Ok(0)
    }

    fn release(
        &mut self,
        hold: &HoldId,
        currency: &Currency,
        to: &Owner,
        at_ms: u64,
    ) -> Result<u64, WriteError> {
        let from = Owner::Hold(hold.clone());
        let amount = self.books.balance(&from, currency);
        if amount > 0 {
            let (to, currency, reason) = (to.clone(), currency.clone(), Reason::Release);
            let cause = Cause { at_ms, ..Cause::default() };
            self.books.transfer(cause, &[Transfer { from, to, currency, amount, reason }])?;
        }
        Ok(0)
    }

    fn taken(&self, player: &Player) -> Result<(), WriteError> {
        let others = || self.players.values().filter(|other| other.id != player.id);
        let name = player.name_key();
        if others().any(|other| other.token_hash == player.token_hash) {
            return Err(WriteError::KeyReused("token".to_owned()));
        }
        if name.is_some() && others().any(|other| other.name_key() == name) {
            return Err(WriteError::NameTaken);
        }
        Ok(())
    }

    fn register(&mut self, player: &Player) -> Result<u64, WriteError> {
        self.taken(player)?;
        self.players.insert(player.id.clone(), player.clone());
        Ok(0)
    }

    fn register_paying(
        &mut self,
        player: &Player,
        key: &str,
        transfers: &[Transfer],
        at_ms: u64,
    ) -> Result<u64, WriteError> {
        if !self.keys.contains_key(key) {
            self.taken(player)?;
            self.post(key, transfers, at_ms)?;
            return self.register(player);
        }
        self.post(key, transfers, at_ms)
    }

    fn note_played(&mut self, append: &Append) {
        for played in &append.played {
            let (no, table) = (self.past.len() as u64 + 1, append.table.clone());
            self.past.push(PlayedMatch { no, table, played: played.clone(), at_ms: append.at_ms });
            if let Some(points) = played.points {
                let fresh = RatingRow { game: played.game.clone(), ..RatingRow::default() };
                let key = (played.player.clone(), played.game.clone());
                self.standings.entry(key).or_insert(fresh).count(played.went, points);
            }
        }
    }

    pub(super) fn standings(&self, id: &PlayerId) -> Vec<RatingRow> {
        self.standings.iter().filter(|((player, _), _)| player == id).map(|(_, s)| s.clone()).collect()
    }

    pub(super) fn history(&self, id: &PlayerId, before: Option<u64>, limit: usize) -> Vec<PlayedMatch> {
        let his =
            |past: &&PlayedMatch| past.played.player == *id && before.is_none_or(|before| past.no < before);
        self.past.iter().rev().filter(his).take(limit.min(ROWS_PER_PAGE_MAX)).cloned().collect()
    }

    pub(super) fn leaders(&self, game: &str, limit: usize) -> Vec<(Player, RatingRow)> {
        let rated = self.standings.iter().filter(|((_, of), _)| of == game);
        let mut leaders: Vec<(Player, RatingRow)> = rated
            .filter_map(|((id, _), row)| Some((self.players.get(id)?.clone(), row.clone())))
            .filter(|(player, _)| player.deleted_ms.is_none())
            .collect();
        leaders.sort_by_key(|(_, row)| Reverse(row.points));
        leaders.truncate(limit.min(ROWS_PER_PAGE_MAX));
        leaders
    }

    pub(super) fn head_to_head(&self, id: &PlayerId, other: &PlayerId) -> Vec<HeadToHead> {
        let at = |past: &PlayedMatch| (past.table.clone(), past.played.match_no);
        let theirs: BTreeSet<(TableId, u32)> =
            self.past.iter().filter(|past| past.played.player == *other).map(at).collect();
        let counts = |past: &&PlayedMatch| {
            past.played.player == *id
                && past.played.went != MatchResult::Stopped
                && theirs.contains(&at(past))
        };
        let mut games: BTreeMap<String, HeadToHead> = BTreeMap::new();
        for PlayedMatch { played, .. } in self.past.iter().filter(counts) {
            let game = played.game.clone();
            games
                .entry(game.clone())
                .or_insert_with(|| HeadToHead { game, ..HeadToHead::default() })
                .count(played.went);
        }
        games.into_values().collect()
    }

    pub(super) fn list(&self, listing: &Listing) -> Vec<TableInfo> {
        let wanted = |sheet: &Sheet| {
            listing.state.is_none_or(|state| sheet.state == state)
                && listing.game.as_ref().is_none_or(|game| sheet.game == *game)
        };
        let mut rows: Vec<(&TableId, &Sheet)> =
            self.tables.iter().filter(|(_, sheet)| wanted(sheet)).collect();
        if listing.order == ListOrder::Newest {
            rows.sort_by_key(|(_, sheet)| Reverse(sheet.no));
        }
        let opened = |table: &TableId| self.tables.get(table).map_or(0, |sheet| sheet.no);
        let follows = |(table, sheet): &(&TableId, &Sheet)| match (&listing.after, listing.order) {
            (None, _) => true,
            (Some(last), ListOrder::Name) => *table > last,
            (Some(last), ListOrder::Newest) => sheet.no < opened(last),
        };
        let page = rows.into_iter().filter(follows).take(listing.page());
        page.map(|(table, sheet)| sheet.info(table)).collect()
    }

    pub(super) fn read(
        &self,
        table: &TableId,
        which: MatchSelector,
    ) -> Result<Option<StoredMatch>, ReadError> {
        let Some(sheet) = self.tables.get(table) else { return Ok(None) };
        let wanted = match which {
            MatchSelector::Last => sheet.head.match_no,
            MatchSelector::Match(n) => n,
        };
        let mut found: Option<StoredMatch> = None;
        for entry in &sheet.entries {
            match (entry, &mut found) {
                (LogEntry::Open(header), _) if header.match_no == wanted => {
                    let (epoch, seq) = (sheet.head.epoch, sheet.head.seq);
                    found = Some(StoredMatch { header: (**header).clone(), records: Vec::new(), epoch, seq });
                }
                (LogEntry::Record { match_no, record }, Some(found)) if *match_no == wanted => {
                    found.records.push(record.clone().into_record());
                }
                _ => {}
            }
        }
        Ok(found)
    }

    pub(super) fn finished_beyond(&self, kept: usize) -> Option<u64> {
        let finished = self.tables.values().filter(|sheet| sheet.state == TableState::Finished);
        let mut times: Vec<u64> = finished.map(|sheet| sheet.updated_ms).collect();
        times.sort_unstable_by(|one, other| other.cmp(one));
        times.get(kept).copied()
    }

    pub(super) fn sweep(&mut self, finished_before_ms: u64, tables_max: usize) -> usize {
        let old =
            |sheet: &Sheet| sheet.state == TableState::Finished && sheet.updated_ms < finished_before_ms;
        let gone: Vec<TableId> = self
            .tables
            .iter()
            .filter(|(table, sheet)| old(sheet) && !self.books.lies_on(table))
            .map(|(table, _)| table.clone())
            .take(tables_max)
            .collect();
        for table in &gone {
            self.tables.remove(table);
        }
        gone.len()
    }
}
