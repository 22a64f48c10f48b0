//! Twins: another match that some viewers cannot tell from this one.

use parlor_core::{Rng, Seat, Seats};

use super::dyn_game::RulesetGame;
use crate::machine::Board;
use crate::machine::ids::EntityId;
use crate::machine::program::{AskMode, Program};
use crate::machine::requests::{Asked, SeatInput};
use crate::machine::state::Question;

impl RulesetGame {
    /// Faces that none of these viewers was shown change places among cards of the same owner, and what others have
    /// said in silence is said otherwise.
    pub(crate) fn twin(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        if !self.hides() {
            return None;
        }
        let mut twin = self.clone();
        if twin.state.over.is_some() {
            return Some(twin);
        }
        let board = &mut twin.state.board;
        let mut owners: Vec<u8> = board.entities.iter().map(|ent| ent.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            let hidden = |e: &EntityId| {
                board.entities[*e].owner == owner && board.entities[*e].known.shared(viewers).is_empty()
            };
            let hidden: Vec<EntityId> = board.all_entities().filter(hidden).collect();
            for last in (1..hidden.len()).rev() {
                let other = rng.below(last as u32 + 1) as usize;
                swap(board, &self.program, hidden[last], hidden[other]);
            }
        }
        board.listen(&self.program);
        twin.say_otherwise(viewers, rng);
        Some(twin)
    }

    /// Whether anything is ever hidden from anybody.
    fn hides(&self) -> bool {
        use crate::machine::program::See;
        self.program.zones.iter().any(|zone| zone.see != See::All)
            || self.program.asks.iter().any(|ask| ask.mode == AskMode::All)
    }

    fn say_otherwise(&mut self, viewers: Seats, rng: &mut Rng) {
        let Some(open) = &self.state.open else { return };
        let Question::Ask(ask) = open.what else { return };
        let def = &self.program.asks[ask];
        let answer = def.answer;
        for n in 0..self.state.board.seats {
            let seat = Seat::new(n);
            let row = answer.index() * usize::from(self.state.board.seats) + usize::from(n);
            if viewers.has(seat)
                || !self.state.touched[answer].has(seat)
                || self.state.answers[row].is_empty()
            {
                continue;
            }
            if let SeatInput::Picks(picks) =
                (Asked { program: &self.program, state: &self.state, seat }).sample(rng)
            {
                self.state.answers[row] = picks;
            }
        }
    }
}

/// Two cards change places with all that is kept on them.
fn swap(board: &mut Board, program: &Program, a: EntityId, b: EntityId) {
    let (one, other) = (board.entities[a].def, board.entities[b].def);
    (board.entities[a].def, board.entities[b].def) = (other, one);
    let rows = |list: &mut Vec<i64>, width: usize| {
        for column in 0..width {
            list.swap(a.index() * width + column, b.index() * width + column);
        }
    };
    rows(&mut board.attrs, program.kept.into());
    rows(&mut board.counters, program.counters.len());
    rows(&mut board.last, program.was.len());
    for m in &mut board.mods {
        m.ent = match m.ent {
            ent if ent == a => b,
            ent if ent == b => a,
            ent => ent,
        };
    }
}
