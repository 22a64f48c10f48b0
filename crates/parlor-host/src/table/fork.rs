//! Forking a finished match: a new table that begins with the first records of another table's log.

use parlor_core::record::Header;
use parlor_core::{Body, GameDef, HouseCode, Record, Refusal, Seed};
use serde_json::json;

use super::linking::TableCarry;
use super::time::MatchTime;
use super::{Effect, Table};
use crate::chairs::{Occupant, TableSettings};

impl Table {
    /// Opens a table at the moment after these records. The seed is the same, so hidden state and later random
    /// numbers are too. They are no longer secret, so the match is marked `seeded`.
    ///
    /// # Errors
    /// The first record that does not fit, or `ended` if nothing is left to play.
    pub fn play_on(
        def: GameDef,
        root: Seed,
        mut header: Header,
        records: Vec<Record>,
        chairs: Vec<Occupant>,
        settings: TableSettings,
        now: u64,
    ) -> Result<(Self, Vec<Effect>), Refusal> {
        header.house = TableCarry::new(chairs, settings).aside();
        (header.seeded, header.commitment) = (true, None);
        let (mut table, postings) = Self::begin(def, root, header, now)?;
        table.stored = (0, 0);
        table.append_opening(postings);
        for Record { at, by, body, .. } in records {
            // Connections, seating and chat belong to the other table. Their records keep their numbers all the same:
            // an undo names the record it takes back by number.
            let body = match body {
                Body::Answer { .. } | Body::Elapsed { .. } | Body::Visit { .. } | Body::Undo { .. } => body,
                _ => Body::Note { note: json!({}) },
            };
            table.record_at(at, by, None, body, None)?;
        }
        if table.current.outcome().is_some() {
            return Err(Refusal::of(HouseCode::Ended, "the match is over here: nothing is left to play"));
        }
        table.time = MatchTime::resume(table.last_at(), now, false);
        let effects = table.take_effects(now);
        Ok((table, effects))
    }
}
