//! Deleted players: their names and their chat are no longer shown to anyone. Their matches are not changed; the log
//! on disk stays, and shows seat names instead.

use parlor_core::record::JsonText;
use parlor_core::{Body, Header, Json, Record, Seat};

use crate::house::hub::Hub;
use crate::house::sessions::{TableFacts, TableResult};

/// Replaces the text of a deleted player's chat message, which must not be empty.
const NOTHING_SAID: &str = "…";

impl Hub {
    /// The seats whose players deleted their accounts. Blocks on the store.
    fn forgotten(&self, facts: &TableFacts) -> Vec<Seat> {
        let gone = |seat: &Seat| {
            let player = facts.player_at(*seat).and_then(|id| self.store.player(&id).ok().flatten());
            player.is_some_and(|player| player.deleted_ms.is_some())
        };
        (0..facts.players.len()).map(|n| Seat::new(n as u8)).filter(gone).collect()
    }

    /// Who plays or has played at a table, by their seats, as everybody may know it: without the names of deleted players.
    /// Blocks on the store.
    pub(crate) fn names_at(
        &self,
        facts: &TableFacts,
        seats: u8,
        result: Option<&TableResult>,
    ) -> Vec<Option<String>> {
        let mut names = vec![None; seats.into()];
        for session in &facts.sessions {
            if let Some(name) = names.get_mut(session.seat.index()) {
                *name = Some(session.name.clone());
            }
        }
        if let Some(result) = result {
            names.clone_from(&result.players);
        }
        for seat in self.forgotten(facts) {
            if let Some(name) = names.get_mut(seat.index()) {
                *name = Some(nobody(seat));
            }
        }
        names
    }

    /// Removes the names and the chat of deleted players from a match before it is shown.
    pub(crate) fn forget_in(&self, facts: &TableFacts, header: &mut Header, records: &mut [Record]) {
        let gone = self.forgotten(facts);
        if gone.is_empty() {
            return;
        }
        let mut house = header.house.json();
        for seat in gone {
            let chair = house["chairs"].get(seat.index());
            let name = chair.and_then(|chair| chair["who"]["name"].as_str()).unwrap_or_default().to_owned();
            if name.is_empty() {
                continue;
            }
            let nobody = nobody(seat);
            rename(&mut house, &name, &nobody);
            for record in records.iter_mut() {
                match &mut record.body {
                    Body::Chat { seat: Some(by), name, text } if *by == seat => {
                        name.clone_from(&nobody);
                        NOTHING_SAID.clone_into(text);
                    }
                    Body::Note { note } => rename(note, &name, &nobody),
                    _ => {}
                }
            }
        }
        header.house = JsonText::of(&house);
    }
}

/// What a deleted player is called.
fn nobody(seat: Seat) -> String {
    format!("Player {}", seat.index() + 1)
}

/// Replaces a name wherever it is a whole string value.
fn rename(value: &mut Json, from: &str, to: &str) {
    match value {
        Json::String(text) if text == from => *text = to.to_owned(),
        Json::Array(items) => items.iter_mut().for_each(|item| rename(item, from, to)),
        Json::Object(members) => members.values_mut().for_each(|member| rename(member, from, to)),
        _ => {}
    }
}
