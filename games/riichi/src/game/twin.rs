//! What a viewer does not know, and what they were shown.

use parlor_core::{Facts, Rng, Seats, Viewer as Watcher};

use super::{Riichi, chair_of, seat_of};
use crate::pay::Seat;
use crate::table::{Phase, SeatSet, Table, WindowKind};

/// Facts of one round; each kind of fact has its place in it.
const ROUND: u32 = 4096;
const RIVER: u32 = 0;
const MELD: u32 = 1024;
const DORA: u32 = 2048;
const RESULT: u32 = 2100;
const OWN: u32 = 2200;
/// Facts that are counted by asks: what was open, and whether a window stood.
const ASKED: u32 = 1 << 30;
const QUIET: u32 = 1 << 29;
const STOOD: u32 = 1 << 31;

impl Riichi {
    /// A game that these viewers cannot tell from this one.
    pub(super) fn twin(&self, viewers: Seats, rng: &mut Rng) -> Self {
        let mut seats = SeatSet::EMPTY;
        Seat::ALL.into_iter().filter(|seat| viewers.has(chair_of(*seat))).for_each(|seat| seats.insert(seat));
        let holder = match self.table.phase() {
            Phase::Turn { seat, .. } if self.holds_tile(*seat).is_some() && !seats.contains(*seat) => {
                Some(*seat)
            }
            _ => None,
        };
        // Time tells whether a seat that holds its tile still thinks.
        let thinks = holder.is_some_and(|seat| self.decides(seat));
        let has_choice = |table: &Table, seat: Seat| {
            let options = table.turn_options(seat);
            options.tsumo || !options.ankan.is_empty()
        };
        let accept = |table: &Table| !thinks || holder.is_none_or(|seat| has_choice(table, seat));
        let table = self.table.twin(seats, &mut |n| rng.below(n as u32) as usize, &accept);
        let mut twin = Self { table, ..self.clone() };
        if let Some(seat) = holder.filter(|_| !thinks) {
            let actions = twin.table.actions(seat);
            twin.kept = has_choice(&twin.table, seat).then(|| *rng.pick(&actions));
        }
        twin
    }

    /// Everything that lies open, the viewer's own draws, and what was decided.
    pub(super) fn facts(&self, viewer: Watcher, facts: &mut Facts) {
        let round = self.round * ROUND;
        for seat in Seat::ALL {
            let player = self.table.player(seat);
            let first = round + RIVER + seat.index() as u32 * 64;
            for (n, thrown) in (0..).zip(player.river()) {
                let marks = u32::from(thrown.tsumogiri) << 8 | u32::from(thrown.riichi) << 9;
                facts.add(first + n, u32::from(thrown.tile.id()) | marks);
            }
            let first = round + MELD + seat.index() as u32 * 8;
            for (n, meld) in (0..).zip(player.melds()) {
                let tiles = meld.meld.tiles().iter();
                let value = tiles
                    .fold(meld.meld.kind() as u32, |sum, tile| sum << 8 ^ sum >> 24 ^ u32::from(tile.id()));
                facts.add(first + n, value);
            }
        }
        for (n, tile) in (0..).zip(self.table.dora()) {
            facts.add(round + DORA + n, tile.id().into());
        }
        if let Some(result) = self.table.round_result() {
            let text = serde_json::to_string(result).expect("a result is plain data");
            let value = text.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
            facts.add(round + RESULT, value);
        }
        if let Some(seat) = viewer.seat().and_then(seat_of)
            && let Some(drawn) = self.table.player(seat).drawn()
        {
            let draws = u32::from(self.table.left()) + 128 * u32::from(self.table.wall().kans());
            facts.add(round + OWN + draws, drawn.id().into());
        }
        facts.add(ASKED + self.ask, self.what_is_open());
        // Whether a clock ran in a turn is seen by everybody; with an empty bank it may be over at once.
        for back in 0..self.ask.min(u64::BITS) {
            facts.add(QUIET + self.ask - back, (self.quiet >> back & 1) as u32);
        }
        // Without a least time a window that stands shows that somebody may call.
        if self.pace.call_window_min_ms == 0 {
            for back in 0..self.windows.min(u64::BITS) {
                facts.add(STOOD + self.windows - back, (self.stood >> back & 1) as u32);
            }
        }
    }

    fn what_is_open(&self) -> u32 {
        match self.table.phase() {
            Phase::Turn { seat, after } => 8 * seat.index() as u32 + *after as u32,
            // What lies there tells a discard from a kan.
            Phase::Window(window) => {
                1024 + 256 * u32::from(window.kind == WindowKind::Discard) + u32::from(window.tile.id())
            }
            Phase::RoundEnd { .. } => 65,
            Phase::Over { .. } => 66,
        }
    }
}
