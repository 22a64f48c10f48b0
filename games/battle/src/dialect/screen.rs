//! What one client of the document knows of its match: enough to send it the whole state again at any time.

use parlor_core::Json;
use parlor_wire::{Prompt, PromptKind, SeatInfo};
use serde_json::json;

/// Both sides, the client's own first.
pub(super) type Sides<T> = [T; 2];

/// One match on one client's screen.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Screen {
    pub(super) match_id: String,
    /// The client's own seat.
    pub(super) seat: usize,
    /// Accounts by seat; `None` for a bot.
    pub(super) accounts: [Option<String>; 2],
    /// Names by seat, as they were when the match was found: the table drops the name of a player who leaves.
    pub(super) names: [String; 2],
    pub(super) round: u64,
    pub(super) sudden_death: bool,
    pub(super) phase: String,
    /// HP by seat.
    pub(super) hp: [u64; 2],
    pub(super) pot: i64,
    pub(super) hand: Json,
    pub(super) layout: Json,
    pub(super) confirmed: bool,
    /// Pairs turned over in this round, by seat.
    pub(super) shown: Vec<Json>,
    /// When PREP ends, in match time.
    pub(super) until: Option<u64>,
    pub(super) paused: Option<String>,
    /// The inputs that a draft and a confirm answer, while they are open.
    pub(super) draft: Option<u32>,
    pub(super) confirm: Option<u32>,
    pub(super) ended: bool,
}

fn whole(value: &Json) -> u64 {
    value.as_u64().unwrap_or(0)
}

impl Screen {
    /// Replaces everything from a snapshot.
    pub(super) fn show(
        &mut self,
        view: &Json,
        requests: &[Prompt],
        seats: &[SeatInfo],
        paused: Option<&str>,
    ) {
        for (name, seat) in self.names.iter_mut().zip(seats) {
            if name.is_empty() {
                name.clone_from(&seat.name);
            }
        }
        self.round = whole(&view["round"]);
        self.sudden_death = view["suddenDeath"].as_bool().unwrap_or(false);
        self.phase = view["phase"].as_str().unwrap_or_default().to_owned();
        self.hp = [whole(&view["hp"][0]), whole(&view["hp"][1])];
        self.pot = view["pot"].as_i64().unwrap_or(0);
        self.hand = view["hand"].clone();
        self.layout = view["layout"].clone();
        self.confirmed = view["confirmed"].as_bool().unwrap_or(false);
        self.shown = view["shown"].as_array().cloned().unwrap_or_default();
        self.paused = paused.map(str::to_owned);
        self.ended = !view["end"].is_null();
        self.asked(requests);
    }

    /// Takes over the open requests.
    pub(super) fn asked(&mut self, requests: &[Prompt]) {
        let named = |kind: PromptKind| requests.iter().find(|prompt| prompt.kind == kind);
        self.confirm = named(PromptKind::Request).map(|prompt| prompt.input_id);
        self.draft = named(PromptKind::Draft).map(|prompt| prompt.input_id);
        // A player who has confirmed has no open request; the deadline of PREP stays the same for them.
        self.until = named(PromptKind::Request).and_then(|prompt| prompt.until).or(self.until);
    }

    /// Applies one event.
    pub(super) fn fold(&mut self, event: &Json) {
        if let Some(hp) = event["hp"].as_array() {
            self.hp = [hp.first().map_or(0, whole), hp.get(1).map_or(0, whole)];
        }
        match event["type"].as_str().unwrap_or_default() {
            "prep_start" => {
                self.round = whole(&event["round"]);
                self.sudden_death = event["suddenDeath"].as_bool().unwrap_or(false);
                self.pot = event["pot"].as_i64().unwrap_or(0);
                self.hand = event["hand"].clone();
                self.layout = json!([null, null, null]);
                self.confirmed = false;
                self.shown.clear();
                "PREP".clone_into(&mut self.phase);
            }
            "drafted" => self.layout = event["layout"].clone(),
            "confirmed" => (self.layout, self.confirmed) = (event["layout"].clone(), true),
            "reveal_start" => {
                "REVEAL".clone_into(&mut self.phase);
                self.until = None;
            }
            "step_reveal" => self.shown.push(event["cards"].clone()),
            "match_end" => self.end(),
            _ => {}
        }
    }

    /// The match is over.
    pub(super) fn end(&mut self) {
        self.ended = true;
        self.pot = 0;
        self.until = None;
        "END".clone_into(&mut self.phase);
    }

    /// A pair in seat order, reordered for this client: its own first.
    pub(super) fn mine_first<T: Clone>(&self, pair: &[T; 2]) -> Sides<T> {
        [pair[self.seat].clone(), pair[1 - self.seat].clone()]
    }
}
