//! Players who gave their accounts up: what they were called and what they said is shown to nobody any more. Their
//! matches stay as they were played; the log on the disk is kept, under seats instead of names.

use parlor_core::record::JsonText;
use parlor_core::{Body, Header, Json, Record, Seat};

use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;

/// What is left of what somebody said; a chat is never empty.
const NOTHING_SAID: &str = "…";

impl Hub {
    /// The seats whose players are gone for good. Waits for the store.
    fn forgotten(&self, facts: &TableFacts) -> Vec<Seat> {
        let gone = |seat: &Seat| {
            let player = facts.player_at(*seat).and_then(|id| self.store.player(&id).ok().flatten());
            player.is_some_and(|player| player.deleted_ms.is_some())
        };
        (0..facts.players.len()).map(|n| Seat::new(n as u8)).filter(gone).collect()
    }

    /// Takes the names and the words of those who are gone out of a match that is about to be shown.
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
            let nobody = format!("Player {}", seat.index() + 1);
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

/// Puts another name wherever this one stands alone.
fn rename(value: &mut Json, from: &str, to: &str) {
    match value {
        Json::String(text) if text == from => *text = to.to_owned(),
        Json::Array(items) => items.iter_mut().for_each(|item| rename(item, from, to)),
        Json::Object(members) => members.values_mut().for_each(|member| rename(member, from, to)),
        _ => {}
    }
}
