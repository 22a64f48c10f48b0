//! Twins: another match that some viewers cannot tell from this one.

use parlor_core::{Rng, Seat, Seats};

use super::hosted::Table;
use crate::program::{AskMode, Program};
use crate::vm::Board;
use crate::vm::ask::{Asked, Said};
use crate::vm::state::Question;

impl Table {
    /// Faces that none of these viewers was shown change places among cards of the same owner, and what others have
    /// said in silence is said otherwise.
    pub(super) fn twin(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        if !self.hides() {
            return None;
        }
        let mut twin = self.clone();
        if twin.s.over.is_some() {
            return Some(twin);
        }
        let board = &mut twin.s.board;
        let mut owners: Vec<u8> = board.entities.iter().map(|ent| ent.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            let hidden: Vec<usize> = (0..board.entities.len())
                .filter(|e| {
                    board.entities[*e].owner == owner && board.entities[*e].known.shared(viewers).is_empty()
                })
                .collect();
            for last in (1..hidden.len()).rev() {
                let other = rng.below(last as u32 + 1) as usize;
                swap(board, &self.p, hidden[last], hidden[other]);
            }
        }
        board.listen(&self.p);
        twin.say_otherwise(viewers, rng);
        Some(twin)
    }

    /// Whether anything is ever hidden from anybody.
    fn hides(&self) -> bool {
        use crate::program::See;
        self.p.zones.iter().any(|zone| zone.see != See::All)
            || self.p.asks.iter().any(|ask| ask.mode == AskMode::All)
    }

    fn say_otherwise(&mut self, viewers: Seats, rng: &mut Rng) {
        let Some(open) = &self.s.open else { return };
        let Question::Ask(ask) = open.what else { return };
        let def = &self.p.asks[usize::from(ask)];
        let answer = usize::from(def.answer);
        for n in 0..self.s.board.seats {
            let seat = Seat::new(n);
            let row = answer * usize::from(self.s.board.seats) + usize::from(n);
            if viewers.has(seat) || !self.s.touched[answer].has(seat) || self.s.answers[row].is_empty() {
                continue;
            }
            if let Said::Picks(picks) = (Asked { p: &self.p, s: &self.s, seat }).sample(rng) {
                self.s.answers[row] = picks;
            }
        }
    }
}

/// Two cards change places with all that is kept on them.
fn swap(board: &mut Board, p: &Program, a: usize, b: usize) {
    let (one, other) = (board.entities[a].def, board.entities[b].def);
    (board.entities[a].def, board.entities[b].def) = (other, one);
    let rows = |list: &mut Vec<i64>, width: usize| {
        for column in 0..width {
            list.swap(a * width + column, b * width + column);
        }
    };
    rows(&mut board.attrs, p.kept.into());
    rows(&mut board.counters, p.counters.len());
    rows(&mut board.last, p.was.len());
    for m in &mut board.mods {
        m.ent = match usize::from(m.ent) {
            ent if ent == a => b as u16,
            ent if ent == b => a as u16,
            ent => ent as u16,
        };
    }
}
