//! Conditions whose value does not depend on anything, and selections that can never match.

use super::Compiler;
use crate::language::{Node, Value};
use crate::limits::ENTITIES_MAX;
use crate::machine::ids::KindId;
use crate::machine::program::{Expr, ExprId, NONE, Sel, Source, Ty};

/// How deep two expressions are compared.
const DEPTH: u8 = 12;
/// Kinds of cards that are looked at for each selection; where there are more, none is.
const CARDS_LOOKED_AT: usize = 256;

impl<'n> Compiler<'n> {
    /// A condition that is written down as an operation and has one value only is probably not meant.
    pub(super) fn settled(&mut self, node: &'n Node, id: ExprId) {
        // What is wrong inside has no value at all.
        if !matches!(node.value, Value::Map(_))
            || self.findings.found_inside("always")
            || self.findings.wrong_inside()
        {
            return;
        }
        if let Some(value) = self.truth(id) {
            let help = if value {
                "leave the condition out, or ask for something else"
            } else {
                "ask for something else"
            };
            self.findings.warn("always", node.at, format!("this is always {value}"), help);
        }
    }

    /// The value of a condition, where it has one only.
    fn truth(&self, id: ExprId) -> Option<bool> {
        match self.program.exprs[id] {
            Expr::Const(value) => Some(value != 0),
            Expr::Not(inner) => self.truth(inner).map(|value| !value),
            Expr::And(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => self.contradicts(id).then_some(false),
            },
            Expr::Or(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Eq(a, b) if self.same(a, b, DEPTH) => Some(true),
            Expr::Eq(a, b) => {
                let (one, other) = (self.range(a)?, self.range(b)?);
                if one.0 == one.1 && one == other {
                    return Some(true);
                }
                (one.1 < other.0 || other.1 < one.0).then_some(false)
            }
            Expr::EqConst(a, value) => {
                let (least, most) = self.range(a)?;
                if least == most && least == value {
                    return Some(true);
                }
                (value < least || value > most).then_some(false)
            }
            Expr::Lt(a, b) | Expr::Le(a, b) => {
                let or_same = matches!(self.program.exprs[id], Expr::Le(..));
                if self.same(a, b, DEPTH) {
                    return Some(or_same);
                }
                let (one, other) = (self.range(a)?, self.range(b)?);
                if one.1 < other.0 || (or_same && one.1 == other.0) {
                    return Some(true);
                }
                (one.0 > other.1 || (!or_same && one.0 == other.1)).then_some(false)
            }
            _ => None,
        }
    }

    /// The least and the most that a number can be.
    fn range(&self, id: ExprId) -> Option<(i64, i64)> {
        Some(match self.program.exprs[id] {
            Expr::Const(value) => (value, value),
            Expr::Count(_) => (0, ENTITIES_MAX as i64),
            Expr::Counter(..) | Expr::Turn | Expr::Happened(..) => (0, i64::MAX),
            Expr::Seats => (self.program.seats.0.into(), self.program.seats.1.into()),
            Expr::SeatNo(_) => (NONE, i64::from(self.program.seats.1) - 1),
            Expr::Config(n) => {
                let config = &self.program.config[n];
                if config.ty != Ty::Int || config.list {
                    return None;
                }
                (config.min, config.max)
            }
            Expr::Var(base) | Expr::SeatVar(base, _) => {
                let var = self.program.vars.iter().find(|var| var.base == base)?;
                let bound = |expr: Option<ExprId>| match self.program.exprs[expr?] {
                    Expr::Const(value) => Some(value),
                    _ => None,
                };
                if var.ty != Ty::Int || (var.min.is_none() && var.max.is_none()) {
                    return None;
                }
                // A variable of nobody is 0, whatever its bounds are.
                let (least, most) = (bound(var.min).unwrap_or(i64::MIN), bound(var.max).unwrap_or(i64::MAX));
                (least.min(0), most.max(0))
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
            }
            Expr::Rem(_, b) => match self.program.exprs[b] {
                Expr::Const(by) if by > 0 => (0, by - 1),
                _ => return None,
            },
            Expr::Min(a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                (a.0.min(b.0), a.1.min(b.1))
            }
            Expr::Max(a, b) => {
                let (a, b) = (self.range(a)?, self.range(b)?);
                (a.0.max(b.0), a.1.max(b.1))
            }
            _ => return None,
        })
    }

    /// Whether two parts of an `and` ask that one thing be two values.
    fn contradicts(&self, id: ExprId) -> bool {
        let mut parts = Vec::new();
        self.parts(id, &mut parts);
        let wants = |id: ExprId| match self.program.exprs[id] {
            Expr::EqConst(a, value) => Some((Ok(a), value)),
            Expr::ItAttrEq(it, attr, value) => Some((Err((it, attr)), value)),
            _ => None,
        };
        let wanted: Vec<_> = parts.into_iter().take(32).filter_map(wants).collect();
        wanted.iter().enumerate().any(|(n, (of, value))| {
            wanted[n + 1..].iter().any(|(other, another)| {
                let alike = match (of, other) {
                    (Ok(a), Ok(b)) => self.same(*a, *b, DEPTH),
                    (Err(a), Err(b)) => a == b,
                    _ => false,
                };
                alike && value != another
            })
        })
    }

    fn parts(&self, id: ExprId, out: &mut Vec<ExprId>) {
        match self.program.exprs[id] {
            Expr::And(a, b) => {
                self.parts(a, out);
                self.parts(b, out);
            }
            _ => out.push(id),
        }
    }

    /// Whether two expressions are the same, word for word. Looking draws no luck: the same words have the same value.
    fn same(&self, a: ExprId, b: ExprId, deep: u8) -> bool {
        if a == b {
            return true;
        }
        let Some(deep) = deep.checked_sub(1) else { return false };
        let same = |a: ExprId, b: ExprId| self.same(a, b, deep);
        match (self.program.exprs[a], self.program.exprs[b]) {
            (Expr::Attr(a, n), Expr::Attr(b, m)) => n == m && same(a, b),
            (Expr::Counter(a, n), Expr::Counter(b, m)) => n == m && same(a, b),
            (Expr::SeatVar(n, a), Expr::SeatVar(m, b)) => n == m && same(a, b),
            (Expr::Card(a), Expr::Card(b))
            | (Expr::ZoneOf(a), Expr::ZoneOf(b))
            | (Expr::Owner(a), Expr::Owner(b))
            | (Expr::Controller(a), Expr::Controller(b)) => same(a, b),
            (Expr::Add(a, this), Expr::Add(b, d)) | (Expr::Sub(a, this), Expr::Sub(b, d)) => {
                same(a, b) && same(this, d)
            }
            (one, other) => {
                let place = matches!(one, Expr::It(_) | Expr::Phase | Expr::Step | Expr::Turn | Expr::Seats);
                (place || one.is_at_hand()) && one == other
            }
        }
    }

    /// A selection that can never match: nothing to select from, a condition that never holds, or one that no card fits
    /// by what is printed on it.
    pub(super) fn never_matches(&mut self, node: &Node, sel: &Sel) {
        let help = match (&sel.source, sel.keep) {
            (Source::Zones(zones, _), _) if zones.is_empty() => "name a zone in `zones`",
            (_, Some(keep)) if self.truth(keep) == Some(false) => "its `where` is always false",
            (Source::Zones(..), Some(keep)) if self.no_card_fits(sel.it, keep) => {
                "no card has this printed on it: look at the attributes of the cards"
            }
            _ => return,
        };
        self.findings.warn("never", node.at, "this selection can never match", help);
    }

    /// Whether a part of a condition looks at nothing but what is printed, and no card has it.
    fn no_card_fits(&self, it: u8, keep: ExprId) -> bool {
        use crate::machine::eval::{Eval, Scratch};
        if self.program.cards.is_empty()
            || self.program.cards.len() > CARDS_LOOKED_AT
            || self.findings.has_errors()
        {
            return false;
        }
        let mut parts = Vec::new();
        self.parts(keep, &mut parts);
        parts.into_iter().any(|part| {
            if !self.only_printed(it, part) || matches!(self.program.exprs[part], Expr::Const(_)) {
                return false;
            }
            (0..self.program.cards.len()).map(KindId::at).all(|card| {
                let state = super::one_card(&self.program, card);
                let mut scratch = Scratch::new(1_000);
                scratch.its[usize::from(it)] = 0;
                !Eval::outside(
                    &self.program,
                    &state,
                    crate::machine::program::NONE,
                    crate::machine::program::NONE,
                )
                .holds(&mut scratch, part)
                    && scratch.fuel > 0
            })
        })
    }
}
