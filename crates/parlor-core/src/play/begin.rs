//! How a match begins: from a header alone, from a log, or from the state that older rules saved.
//!
//! Apart from the match because everything that can be wrong with a log is found here: a log that passes was written
//! by this game, with these rules, in this format.

use crate::code::HouseCode;
use crate::game_def::GameDef;
use crate::record::{Body, By, FORMAT, FORMAT_OLDEST, Header, Record};
use crate::refusal::{Fault, Refusal};
use crate::seat::Seats;

use super::history::History;
use super::packed_log::PackedLog;
use super::requests::{Cause, Requests};
use super::rules::State;
use super::{Applied, Match};

/// Why a log cannot be played.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayError {
    /// The record that does not fit; 0 for the header.
    pub seq: u32,
    pub why: Refusal,
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "record {}: {}", self.seq, self.why)
    }
}

impl std::error::Error for ReplayError {}

impl Match {
    /// Starts a match.
    ///
    /// # Errors
    /// Why it cannot be played: another game, other rules, wrong settings.
    pub fn start(def: GameDef, header: Header) -> Result<(Self, Applied), Refusal> {
        check_header(&def, &header)?;
        if !def.plays(header.rules) {
            return Err(needs_rules(&def, header.rules));
        }
        let (state, output) = State::start(&def, &header)?;
        let mut started = Self::assemble(def, header, state);
        let applied = started.conclude(0, output, Cause::Start, None);
        Ok((started, applied))
    }

    /// Plays a whole log. It needs rules of the version that wrote the log (000/R7), or that took it over on the way.
    ///
    /// # Errors
    /// The first record that does not fit, and why.
    pub fn replay(def: GameDef, header: Header, records: Vec<Record>) -> Result<Self, ReplayError> {
        let at = |seq| move |why| ReplayError { seq, why };
        let taken =
            records.iter().rposition(|r| matches!(r.body, Body::Migrate { rules, .. } if def.plays(rules)));
        let (mut replayed, rest) = match taken {
            None => (Self::start(def, header).map_err(at(0))?.0, records),
            Some(index) => {
                let mut before = records;
                let rest = before.split_off(index + 1);
                (Self::resume_migrated(def, header, before)?, rest)
            }
        };
        for record in rest {
            let seq = record.seq;
            if seq != replayed.next_seq() {
                let fault = Fault::new(HouseCode::Sequence, "expected record {expected}, found {got}");
                return Err(at(seq)(fault.arg("expected", replayed.next_seq()).arg("got", seq).into()));
            }
            replayed.apply(record.at, record.by, record.key, record.body).map_err(at(seq))?;
        }
        Ok(replayed)
    }

    /// Takes over a match whose last state was saved by older rules, and logs the migration.
    ///
    /// # Errors
    /// Why the current rules cannot go on from there.
    pub fn take_over(
        def: GameDef,
        header: Header,
        mut records: Vec<Record>,
        state: &[u8],
    ) -> Result<Self, ReplayError> {
        let seq = records.len() as u32 + 1;
        let moved = def
            .factory
            .load(header.rules, state)
            .ok_or_else(|| ReplayError { seq, why: needs_rules(&def, header.rules) })?;
        let state = moved.state().iter().map(|byte| format!("{byte:02x}")).collect();
        let at = records.last().map_or(0, |record| record.at);
        records.push(Record {
            seq,
            at,
            by: By::House,
            key: None,
            body: Body::Migrate { rules: def.rules, state },
        });
        Self::resume_migrated(def, header, records)
    }

    /// Restores the match from its last record, a migration.
    fn resume_migrated(def: GameDef, header: Header, records: Vec<Record>) -> Result<Self, ReplayError> {
        let seq = records.len() as u32;
        let error = |why| ReplayError { seq, why };
        check_header(&def, &header).map_err(error)?;
        let Some(Record { body: Body::Migrate { rules, state }, .. }) = records.last() else {
            return Err(error(Refusal::of(HouseCode::Malformed, "the last record is not a migration")));
        };
        let bytes: Option<Vec<u8>> =
            (0..state.len() / 2).map(|n| u8::from_str_radix(state.get(2 * n..2 * n + 2)?, 16).ok()).collect();
        let state = bytes
            .and_then(|bytes| State::load(&def, &header, *rules, &bytes))
            .ok_or_else(|| error(Refusal::of(HouseCode::Malformed, "the migrated state does not decode")))?;
        let mut resumed = Self::assemble(def, header, state);
        // Rewinds, heads and ids of the old rules are not known here; these numbers are past all of them.
        resumed.history = History::taken_over(seq, &mut resumed.state);
        resumed.requests.skip(seq);
        for record in records {
            resumed.log.push(&record.into());
        }
        resumed.posted_escrow = resumed.escrow();
        resumed.ended = resumed.state.game().outcome();
        resumed.update(Cause::Start, Seats::ALL);
        Ok(resumed)
    }

    fn assemble(def: GameDef, header: Header, state: State) -> Self {
        Self {
            def,
            state,
            log: PackedLog::of(&header),
            history: History::default(),
            requests: Requests::of(&header),
            vote: None,
            forfeit: None,
            ended: None,
            paused: None,
            posted_escrow: 0,
            header,
        }
    }
}

fn check_header(def: &GameDef, header: &Header) -> Result<(), Refusal> {
    if !(FORMAT_OLDEST..=FORMAT).contains(&header.format) {
        let fault = Fault::new(HouseCode::Format, "this log has format {got}, this build reads {format}");
        return Err(fault.arg("got", header.format).arg("format", FORMAT).into());
    }
    if !header.seated.is_empty() && header.seated.len() != usize::from(header.seats) {
        return Err(Refusal::of(HouseCode::Malformed, "the header says of some seats only what they bring"));
    }
    if header.game != def.name {
        let fault = Fault::new(HouseCode::Game, "this log is of {got}, not of {game}");
        return Err(fault.arg("got", header.game.as_str()).arg("game", def.name).into());
    }
    // Rules that are data are pinned by their content: other content is another game, whatever its name.
    let mine = def.identity_hex();
    if header.identity != mine {
        let fault = Fault::new(
            HouseCode::NeedsRules,
            "this match of {game} needs the rules {needs}, these are {has}",
        );
        let name = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "of a build".to_owned());
        return Err(fault
            .arg("game", def.name)
            .arg("needs", name(&header.identity))
            .arg("has", name(&mine))
            .into());
    }
    Ok(())
}

fn needs_rules(def: &GameDef, rules: u32) -> Refusal {
    Fault::new(HouseCode::NeedsRules, "this match of {game} needs rules {needs}, this build has rules {has}")
        .arg("game", def.name)
        .arg("needs", rules)
        .arg("has", def.rules)
        .into()
}
