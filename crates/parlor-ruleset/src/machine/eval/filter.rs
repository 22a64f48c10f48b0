//! Conditions of selections. What can be read off cards is compared; anything else is walked through. A look costs the
//! same either way, so nobody can tell by the fuel which it was.

use crate::machine::eval::{Eval, Scratch};
use crate::machine::program::{ExprId, Program, Sel, Test, With};

/// A condition under which a walk keeps things, and what is known of it so far.
pub(in crate::machine) struct Filter {
    keep: ExprId,
    it: usize,
    test: Option<Test>,
    /// What the test compares with, once it was worked out.
    with: Option<i64>,
}

/// A test that has all it needs.
struct Comparison<'p> {
    /// What is printed on each kind of card; empty where there is no such test.
    column: &'p [i64],
    with: i64,
    not: bool,
    cost: u32,
}

impl Filter {
    /// A condition of a selection, before anything was looked at.
    pub(in crate::machine) fn of(sel: &Sel, keep: ExprId, test: Option<Test>) -> Self {
        let with = test.and_then(|test| match test.with {
            With::Value(value) => Some(value),
            With::Same(_) => None,
        });
        Self { keep, it: usize::from(sel.it), test, with }
    }

    /// What cards are compared by, where a test knows by now what it compares with.
    fn comparison<'p>(&self, program: &'p Program) -> Comparison<'p> {
        match (self.test, self.with) {
            (Some(Test { attr: Some(attr), not, cost, .. }), Some(with)) => {
                Comparison { column: program.column(attr), with, not, cost }
            }
            _ => Comparison { column: &[], with: 0, not: false, cost: 0 },
        }
    }
}

impl Eval<'_> {
    /// Whether something is kept. What a test compares with is worked out at the first look; after that, cards are only
    /// compared. Either way a look costs as much as walking through the expression would.
    #[inline(always)]
    pub(in crate::machine) fn keeps(&self, scratch: &mut Scratch, filter: &mut Filter, value: i64) -> bool {
        let (Some(test), Some(e)) = (filter.test, self.ent(value)) else {
            return self.looks_at(scratch, filter, value);
        };
        if scratch.fuel <= test.cost {
            return self.looks_at(scratch, filter, value);
        }
        scratch.fuel -= test.cost;
        let with = match filter.with {
            Some(with) => with,
            None => self.compared(scratch, filter, test),
        };
        let def = self.state.board.entities[e].def;
        let printed = match test.attr {
            Some(attr) => self.program.printed(def, attr),
            None => def.value(),
        };
        (printed == with) != test.not
    }

    /// Brings what a condition keeps of a list, from a place on, to that place; says where it ends.
    pub(in crate::machine) fn sift(
        &self,
        scratch: &mut Scratch,
        filter: &mut Filter,
        list: &mut [i64],
        start: usize,
    ) -> usize {
        let Some(first) = list.get(start).copied() else { return start };
        let mut end = start + usize::from(self.keeps(scratch, filter, first));
        // The first look has found out what a test compares with: from here on cards are only compared.
        let Comparison { column, with, not, cost } = filter.comparison(self.program);
        for n in start + 1..list.len() {
            let value = list[n];
            let card = self.state.board.entities.get(value as usize);
            let kept = match card.and_then(|card| column.get(card.def.index())) {
                Some(printed) if scratch.fuel > cost => {
                    scratch.fuel -= cost;
                    (*printed == with) != not
                }
                _ => self.keeps(scratch, filter, value),
            };
            if kept {
                list[end] = value;
                end += 1;
            }
        }
        end
    }

    /// What a test compares with. To look it up again is part of the cost of a look, and now it is done in earnest.
    #[inline(never)]
    fn compared(&self, scratch: &mut Scratch, filter: &mut Filter, test: Test) -> i64 {
        let with = match test.with {
            With::Value(value) => value,
            With::Same(expr) => {
                scratch.fuel += 1;
                self.value(scratch, expr)
            }
        };
        filter.with = Some(with);
        with
    }

    /// Whether something is kept, by walking through the expression.
    #[inline(never)]
    fn looks_at(&self, scratch: &mut Scratch, filter: &Filter, value: i64) -> bool {
        let before = std::mem::replace(&mut scratch.its[filter.it], value);
        let kept = self.holds(scratch, filter.keep);
        scratch.its[filter.it] = before;
        kept
    }
}
