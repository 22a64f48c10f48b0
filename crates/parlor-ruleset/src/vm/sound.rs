//! What must always hold. Where it does not, the rules themselves are wrong: the match stands still with the item that
//! broke it, and the operator takes that back or ends the match (R11).

use parlor_core::{BrokenInvariant, Outcome, Repair, Seats, Viewer};

use super::eval::{Eval, Scratch};
use super::state::{State, Verdict, Vm};
use crate::limits::OPS_PER_LOOK_MAX;
use crate::program::{Expr, ExprId, NONE, Program};
use crate::table::words::Words;

/// The first invariant that does not hold.
#[must_use]
pub fn first_broken(p: &Program, s: &State, x: &mut Scratch) -> Option<u16> {
    let eval = Eval::outside(p, s, NONE, NONE);
    p.invariants.iter().position(|invariant| !eval.holds(x, *invariant)).map(|n| n as u16)
}

/// What is broken, for the operator.
#[must_use]
pub fn broken(p: &Program, s: &State) -> Option<BrokenInvariant> {
    let n = s.broken?;
    let words = p.invariants.get(usize::from(n)).map(|invariant| crate::table::words::plain(p, *invariant));
    let item = s.current.as_ref().map(|c| crate::table::stack::title(p, s, &c.item, Viewer::Gallery));
    Some(BrokenInvariant { why: format!("invariant {n} does not hold: {}", words.unwrap_or_default()), item })
}

/// What is broken, for the author: what must be, and what is. It may tell secrets of the match.
#[must_use]
pub fn broken_now(p: &Program, s: &State) -> Option<String> {
    let why = broken(p, s)?.why;
    let invariant = *p.invariants.get(usize::from(s.broken?))?;
    let mut now = Vec::new();
    let mut x = Scratch::new(OPS_PER_LOOK_MAX);
    values(&Words { p, locals: &[], it: None }, Eval::outside(p, s, NONE, NONE), &mut x, invariant, &mut now);
    Some(if now.is_empty() { why } else { format!("{why} (now {})", now.join(", ")) })
}

/// What is compared where a condition does not hold, and what it is now.
fn values(words: &Words<'_>, eval: Eval<'_>, x: &mut Scratch, expr: ExprId, out: &mut Vec<String>) {
    let sides = match words.expr(expr) {
        Expr::And(a, b) if eval.holds(x, a) => return values(words, eval, x, b, out),
        Expr::And(a, _) => return values(words, eval, x, a, out),
        Expr::Not(inner) => return values(words, eval, x, inner, out),
        Expr::Or(a, b) => {
            values(words, eval, x, a, out);
            return values(words, eval, x, b, out);
        }
        Expr::Eq(a, b) | Expr::Lt(a, b) | Expr::Le(a, b) => vec![a, b],
        Expr::EqConst(a, _) | Expr::LtConst(a, _) | Expr::GtConst(a, _) => vec![a],
        _ => return,
    };
    for side in sides.into_iter().filter(|side| !matches!(words.expr(*side), Expr::Const(_))) {
        let value = words.constant(eval.value(x, side), words.ty(side));
        let what = words.said(side).unwrap_or_else(|| "what is compared".to_owned());
        out.push(format!("{what} is {value}"));
    }
}

impl Vm<'_, '_> {
    /// Looks whether everything holds, and stands still where it does not.
    pub(super) fn unsound(&mut self) -> bool {
        if !self.watch || self.p.invariants.is_empty() || self.s.broken.is_some() {
            return self.s.broken.is_some();
        }
        self.s.broken = first_broken(self.p, self.s, &mut Scratch::new(OPS_PER_LOOK_MAX));
        if self.s.broken.is_some() {
            self.changed = Seats::ALL;
        }
        self.s.broken.is_some()
    }

    /// The operator has settled it: the item is taken back and has failed, or the match is a draw.
    pub fn settled(&mut self, how: Repair) {
        self.s.broken = None;
        match how {
            Repair::Fail => self.fail(Verdict::Invariant),
            Repair::Draw => {
                let about = self.s.current.as_ref().map_or(0, |current| current.item.ev.id);
                self.verdict(Verdict::Invariant, about);
                self.finish(Outcome::draw(self.s.board.seats, "verdict: invariant"));
            }
        }
        self.run();
    }
}
