//! What must always hold. Where it does not, the rules themselves are wrong: the match is paused with the item that
//! broke it, and the operator takes that back or ends the match (R11).

use parlor_core::{BrokenInvariant, Outcome, Repair, Seats, Viewer};

use crate::game::expr_text::Words;
use crate::limits::OPS_PER_LOOK_MAX;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::program::{Expr, ExprId, NONE, Program};
use crate::machine::state::{State, Verdict, Vm};

/// The first invariant that does not hold.
#[must_use]
pub(crate) fn first_broken(program: &Program, state: &State, scratch: &mut Scratch) -> Option<u16> {
    let eval = Eval::outside(program, state, NONE, NONE);
    program.invariants.iter().position(|invariant| !eval.holds(scratch, *invariant)).map(|n| n as u16)
}

/// What is broken, for the operator.
#[must_use]
pub(crate) fn broken(program: &Program, state: &State) -> Option<BrokenInvariant> {
    let n = state.broken?;
    let words = program
        .invariants
        .get(usize::from(n))
        .map(|invariant| crate::game::expr_text::plain(program, *invariant));
    let item =
        state.current.as_ref().map(|c| crate::game::stack::title(program, state, &c.item, Viewer::Gallery));
    Some(BrokenInvariant { why: format!("invariant {n} does not hold: {}", words.unwrap_or_default()), item })
}

/// What is broken, for the author: what must be, and what is. It may tell secrets of the match.
#[must_use]
pub(crate) fn broken_now(program: &Program, state: &State) -> Option<String> {
    let why = broken(program, state)?.why;
    let invariant = *program.invariants.get(usize::from(state.broken?))?;
    let mut now = Vec::new();
    let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
    values(
        &Words { program, locals: &[], it: None },
        Eval::outside(program, state, NONE, NONE),
        &mut scratch,
        invariant,
        &mut now,
    );
    Some(if now.is_empty() { why } else { format!("{why} (now {})", now.join(", ")) })
}

/// What is compared where a condition does not hold, and what it is now.
fn values(words: &Words<'_>, eval: Eval<'_>, scratch: &mut Scratch, expr: ExprId, out: &mut Vec<String>) {
    let sides = match words.expr(expr) {
        Expr::And(a, b) if eval.holds(scratch, a) => return values(words, eval, scratch, b, out),
        Expr::And(a, _) => return values(words, eval, scratch, a, out),
        Expr::Not(inner) => return values(words, eval, scratch, inner, out),
        Expr::Or(a, b) => {
            values(words, eval, scratch, a, out);
            return values(words, eval, scratch, b, out);
        }
        Expr::Eq(a, b) | Expr::Lt(a, b) | Expr::Le(a, b) => vec![a, b],
        Expr::EqConst(a, _) | Expr::LtConst(a, _) | Expr::GtConst(a, _) => vec![a],
        _ => return,
    };
    for side in sides.into_iter().filter(|side| !matches!(words.expr(*side), Expr::Const(_))) {
        let value = words.constant(eval.value(scratch, side), words.ty(side));
        let what = words.said(side).unwrap_or_else(|| "what is compared".to_owned());
        out.push(format!("{what} is {value}"));
    }
}

impl Vm<'_, '_> {
    /// Looks whether everything holds, and stands still where it does not.
    pub(in crate::machine) fn unsound(&mut self) -> bool {
        if self.program.invariants.is_empty() || self.state.broken.is_some() {
            return self.state.broken.is_some();
        }
        // The look has fuel of its own: what the input may still spend does not depend on invariants.
        let left = std::mem::replace(&mut self.scratch.fuel, OPS_PER_LOOK_MAX);
        self.state.broken = first_broken(self.program, self.state, self.scratch);
        self.scratch.fuel = left;
        if self.state.broken.is_some() {
            self.changed = Seats::ALL;
        }
        self.state.broken.is_some()
    }

    /// The operator has settled it: the item is taken back and has failed, or the match is a draw.
    pub fn settled(&mut self, how: Repair) {
        self.state.broken = None;
        match how {
            Repair::Fail => self.fail(Verdict::Invariant),
            Repair::Draw => {
                let about = self.state.current.as_ref().map_or(0, |current| current.item.ev.id);
                self.verdict(Verdict::Invariant, about);
                self.finish(Outcome::draw(self.state.board.seats, "verdict: invariant"));
            }
        }
        self.run();
    }
}
