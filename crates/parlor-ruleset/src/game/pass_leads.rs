//! Where a pass leads, if the others pass too: what buttons say instead of a bare "Pass".

use parlor_core::Seat;

use super::expr_text::label;
use crate::machine::program::{Program, STEPS};
use crate::machine::state::State;
use crate::screen::PassLeads;

/// What comes next if everybody passes; nothing where the flow decides it, where it is not for this seat to say, and in rulesets of the first edition, whose
/// requests stay word for word.
pub(super) fn leads(program: &Program, state: &State, seat: Seat) -> Option<PassLeads> {
    if program.is_first_edition() || !program.turned {
        return None;
    }
    if let Some(top) = state.stack.last() {
        return Some(PassLeads::Item { title: super::stack::title(program, state, top, seat.into()) });
    }
    // Whose turn it is not only lets it go on.
    if usize::from(state.board.active) != seat.index() {
        return None;
    }
    let steps = &program.enums[STEPS].values;
    let next = program.steps.iter().zip(steps).skip(state.board.step.index() + 1);
    let mut windows = next.filter(|(step, _)| step.empty);
    Some(
        windows.next().map_or(PassLeads::TurnEnd {}, |(_, id)| PassLeads::Step { title: label(program, id) }),
    )
}
