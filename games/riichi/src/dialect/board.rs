//! What one client of the document knows of its table: enough to tell it the whole state again.

use parlor_core::{Json, Selector};
use parlor_wire::{Prompt, PromptKind, SeatInfo};
use serde_json::json;

/// What the open request of the client's seat is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asked {
    Turn,
    /// A tile can be called.
    Call {
        tile: u64,
        from: u64,
        /// Of a kan that can be robbed.
        robbing: bool,
    },
    Confirm,
}

/// An open request of the client's seat.
#[derive(Clone, Debug)]
pub(super) struct Open {
    input: u32,
    pub(super) asked: Asked,
    pub(super) selector: Selector,
}

/// The table as one client knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    /// The client's own seat; none for a spectator.
    pub(super) seat: Option<u64>,
    /// Name and whether a bot plays, by seat.
    pub(super) players: Vec<(String, bool)>,
    pub(super) announce_draws: bool,
    pub(super) open: Option<Open>,
    pub(super) ended: bool,
}

impl Board {
    /// Takes over what a snapshot says about the table itself.
    pub(super) fn show(&mut self, view: &Json, seats: &[SeatInfo]) {
        self.seat = view["own"]["seat"].as_u64();
        let pace = &view["pace"];
        self.announce_draws = pace["announceDraws"].as_bool().unwrap_or(pace["profile"] == "standard");
        self.players = seats.iter().map(|seat| (seat.name.clone(), seat.is_bot)).collect();
        self.open = None;
    }

    /// Takes over the open requests; gives those that were not open before.
    pub(super) fn asked(&mut self, requests: &[Prompt]) -> Option<Open> {
        let before = self.open.as_ref().map(|open| open.input);
        // What the server may be told to do by itself is no word of the document.
        let request = requests.iter().find(|prompt| prompt.kind == PromptKind::Request);
        self.open = request.map(|prompt| Open {
            input: prompt.input_id,
            asked: asked(&prompt.selector),
            selector: prompt.selector.clone(),
        });
        self.open.clone().filter(|open| before != Some(open.input))
    }

    /// The request that an answer is for; 0, which no request has, if none stands that it fits.
    pub(super) fn input(&self, fits: bool) -> u32 {
        self.open.as_ref().filter(|_| fits).map_or(0, |open| open.input)
    }

    /// The tile that can be called now.
    pub(super) fn called(&self) -> Option<u64> {
        match self.open.as_ref()?.asked {
            Asked::Call { tile, .. } => Some(tile),
            Asked::Turn | Asked::Confirm => None,
        }
    }

    /// Who plays has changed: a bot stands in, or the player is back (003/R17).
    pub(super) fn seated(&mut self, seats: &[SeatInfo]) -> Vec<Json> {
        let mut told = Vec::new();
        for (n, now) in seats.iter().enumerate() {
            let Some((name, is_bot)) = self.players.get_mut(n) else { continue };
            let kind = match (*is_bot, now.is_bot) {
                (false, true) => "player_left",
                (true, false) => "player_joined",
                _ => continue,
            };
            *is_bot = now.is_bot;
            if self.seat != Some(n as u64) {
                told.push(json!({"type": kind, "player_name": name}));
            }
        }
        told
    }
}

fn asked(selector: &Selector) -> Asked {
    match &selector.meta {
        Some(meta) => Asked::Call {
            tile: meta["tile"].as_u64().unwrap_or_default(),
            from: meta["from"].as_u64().unwrap_or_default(),
            robbing: meta["kind"] != "discard",
        },
        None if selector.choices.iter().any(|choice| choice.kind.as_deref() == Some("confirm")) => {
            Asked::Confirm
        }
        None => Asked::Turn,
    }
}
