//! Expressions about teams, about where things lie, and about what they were.

use super::Compiler;
use super::implicit_seat::Left;
use super::scope::Bound;
use crate::language::Node;
use crate::machine::ids::{CounterId, ZoneId};
use crate::machine::program::{Expr, ExprId, Op, SelId, Source, TeamRelation, Ty, Was, Who};
use crate::operations::Operation;

impl<'n> Compiler<'n> {
    fn teams_here(&mut self, at: u32) {
        if self.program.teams.is_empty() {
            self.findings.error_help("teams", at, "there are no teams", "add `teams` to `players`");
        }
    }

    /// `teamOf` and `partnerOf`.
    pub(crate) fn of_team(&mut self, node: &'n Node, make: fn(ExprId) -> Expr, gives: Ty) -> (ExprId, Ty) {
        self.teams_here(node.at);
        let seat = self.expr(node, Ty::Seat);
        (self.add(make(seat)), gives)
    }

    pub(crate) fn same_team(&mut self, node: &'n Node) -> (ExprId, Ty) {
        self.teams_here(node.at);
        let Some([one, other]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Bool) };
        let one = self.at(0, |this| this.expr(one, Ty::Seat));
        let other = self.at(1, |this| this.expr(other, Ty::Seat));
        let (one, other) = (self.add(Expr::Team(one)), self.add(Expr::Team(other)));
        (self.add(Expr::Eq(one, other)), Ty::Bool)
    }

    /// `team`, `partners` and `enemies`, of oneself or of a seat.
    pub(super) fn team_relation(&mut self, node: &'n Node) -> Option<Who> {
        const WORDS: [(&str, TeamRelation); 4] = [
            ("team", TeamRelation::Team),
            ("partner", TeamRelation::Partners),
            ("partners", TeamRelation::Partners),
            ("enemies", TeamRelation::Enemies),
        ];
        for (word, relation) in WORDS {
            if node.as_text() == Some(word) {
                self.teams_here(node.at);
                return Some(Who::TeamRelation(self.you(node.at, Left::Word(word)), relation));
            }
            if let Some(inner) = node.get(word) {
                self.teams_here(node.at);
                return Some(Who::TeamRelation(self.at(word, |this| this.expr(inner, Ty::Seat)), relation));
            }
        }
        None
    }

    /// `{"was": [entity, attribute, counter or "controller"]}`: as it was when it last left a zone.
    pub(crate) fn was(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let Some([of, name]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Any) };
        let of = self.at(0, |this| this.expr(of, Ty::Ent));
        let text = name.as_text().unwrap_or("");
        let counter = self.program.counters.iter().position(|(counter, _)| counter == text);
        let (was, ty) = if text == "controller" {
            (Was::Controller, Ty::Seat)
        } else if let Some(kind) = counter {
            (Was::Counter(CounterId::at(kind)), Ty::Int)
        } else {
            let Some(attr) = self.at(1, |this| this.attribute(name)) else {
                return self.constant(0, Ty::Any);
            };
            (Was::Attr(attr), self.program.attrs[attr].ty)
        };
        let column = self.program.was.iter().position(|other| *other == was).unwrap_or_else(|| {
            self.program.was.push(was);
            self.program.was.len() - 1
        });
        (self.add(Expr::Was(of, column as u16)), ty)
    }

    /// The card in a cell.
    pub(crate) fn in_cell(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let Some(items) = self.operands(node, 2, 3) else { return self.constant(0, Ty::Ent) };
        let (zone, of) = (&items[0], (items.len() == 3).then(|| &items[1]));
        let Some((zone, of)) = self.grid_of(zone, of) else { return self.constant(0, Ty::Ent) };
        let last = items.len() - 1;
        let cell = self.at(last, |this| this.expr(&items[last], Ty::Int));
        (self.add(Expr::InCell(zone, of, cell)), Ty::Ent)
    }

    /// `column` and `row` of a cell of a zone: the number of columns is the zone's.
    pub(crate) fn grid_line(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let Some([zone, cell]) = self.operands(of.node, 2, 2) else { return self.constant(0, Ty::Int) };
        let Some(zone) = self.at(0, |this| this.grid_zone(zone)) else { return self.constant(0, Ty::Int) };
        let columns = self.program.zones[zone].grid.map_or(1, |(columns, _)| columns);
        let columns = self.add(Expr::Const(columns.into()));
        let cell = self.at(1, |this| this.expr(cell, Ty::Int));
        let expr = if of.name == "column" { Expr::Rem(cell, columns) } else { Expr::Div(cell, columns) };
        (self.add(expr), Ty::Int)
    }

    fn grid_zone(&mut self, node: &'n Node) -> Option<ZoneId> {
        let zone = self.zone(node)?;
        if self.program.zones[zone].grid.is_none() {
            self.findings.error_help(
                "grid",
                node.at,
                "this zone has no cells",
                "add \"grid\": [columns, rows]",
            );
            return None;
        }
        Some(zone)
    }

    /// A grid and whose it is.
    pub(super) fn grid_of(
        &mut self,
        zone: &'n Node,
        of: Option<&'n Node>,
    ) -> Option<(ZoneId, Option<ExprId>)> {
        let node = zone;
        let zone = self.grid_zone(zone)?;
        if !self.program.zones[zone].per_player {
            return Some((zone, None));
        }
        let of = match of {
            Some(of) => self.at("of", |this| this.expr(of, Ty::Seat)),
            None => self.you(node.at, Left::Zone(node.as_text().unwrap_or("?"))),
        };
        Some((zone, Some(of)))
    }

    /// A selection by luck: listed and mixed before the statement that it stands in; what is left is that list.
    pub(super) fn at_random(&mut self, node: &'n Node, sel: SelId, ty: Ty) -> Option<SelId> {
        let random = node.get("random")?;
        if !self.lucky || self.scope.depth() > 0 {
            let help = "luck is drawn by statements: bind it with `let`, or choose in `what`, `to` or `in`";
            self.findings.error_help("luck", random.at, "nothing can be drawn here", help);
            return None;
        }
        let slot = self.scope.bind_list("", ty);
        self.op(Op::LetList(slot, sel));
        self.op(Op::Mix(slot, ty));
        let n = self.at("random", |this| this.expr(random, Ty::Int));
        Some(
            self.add_sel(crate::machine::program::Sel {
                n: Some(n),
                ..super::exprs::plain(Source::List(slot))
            }),
        )
    }

    /// What `ask` binds, by its name.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        matches!(self.scope.find(name), Some(Bound::Local(..) | Bound::List(..) | Bound::It(..)))
    }
}
