//! Operands, read as the row of an operation says (`operations.rs`).

use super::Compiler;
use super::exprs::plain;
use super::implicit_seat::Left;
use crate::language::diagnostics::OLDER;
use crate::language::schema::shape::{Field, Shape};
use crate::language::{Node, schema};
use crate::machine::exec::deeds::Operand;
use crate::machine::program::{ABILITIES, Expr, ExprId, SelId, Source, Ty, Who};
use crate::operations::{OPERANDS_MAX, Statement};

/// The type of the expression that a word stands for.
fn type_of(word: &str) -> Option<Ty> {
    Some(match word {
        "E" => Ty::Any,
        "Int" | "Minus" => Ty::Int,
        "Truth" => Ty::Bool,
        "Seat" => Ty::Seat,
        "Card" => Ty::Ent,
        "Item" => Ty::Item,
        "Ability" => Ty::Enum(ABILITIES),
        _ => return None,
    })
}

/// Whether the first operand stands alone, without the object that has the others, too.
fn stands_alone(shape: &Shape, node: &Node) -> bool {
    let Shape::Either(any) = shape else { return false };
    matches!(any.as_slice(), [Shape::Fields(fields), Shape::Word(_)] if node.get(fields[0].name).is_none())
}

impl<'n> Compiler<'n> {
    /// An older word for an operation means the same, and is told.
    pub(super) fn older_word(&mut self, at: u32, name: &str, today: &str) {
        if name != today {
            let help = format!("write `{today}`, or let `parlor ruleset check --fix` write it");
            self.findings.warn(OLDER, at, format!("`{name}` is an older word for `{today}`"), help);
        }
    }

    /// Fields that a statement does not have are mistakes.
    pub(super) fn fields_of(&mut self, row: &Statement, node: &Node) {
        let shape = schema::shape_of(row.has);
        if let Some(fields) = shape.fields().filter(|_| !stands_alone(&shape, node)) {
            let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
            self.only(node, &[&known, row.ignores].concat());
        }
    }

    /// The operands of a statement, in the order of its shape; nothing where one is missing or wrong, which is then told.
    pub(super) fn given(&mut self, shape: &'static str, node: &'n Node) -> Option<Vec<Operand>> {
        let shape = Shape::read(shape);
        let alone = stands_alone(&shape, node);
        let all: Vec<Option<Operand>> = match (&shape, shape.fields()) {
            (Shape::Any, _) => Vec::new(),
            (Shape::Either(any), Some(fields)) if alone => {
                let first = self.operand(&any[1], node);
                let rest = fields[1..].iter().map(|field| self.left_out(field, node));
                std::iter::once(first).chain(rest).collect()
            }
            (_, Some(fields)) => fields.iter().map(|field| self.operand_of(field, node)).collect(),
            (one, None) => vec![self.operand(one, node)],
        };
        all.into_iter().collect()
    }

    fn operand_of(&mut self, field: &Field, node: &'n Node) -> Option<Operand> {
        match node.get(field.name) {
            Some(inner) => self.at(field.name, |this| this.operand(&field.shape, inner)),
            None => self.left_out(field, node),
        }
    }

    /// What stands for an operand that was left out.
    fn left_out(&mut self, field: &Field, node: &Node) -> Option<Operand> {
        if !field.optional {
            self.missing(node, field.name);
            return None;
        }
        let Some(default) = field.default else { return Some(Operand::Absent) };
        let you = |this: &mut Self| this.you(node.at, Left::Field(field.name));
        Some(match &field.shape {
            Shape::Word("T") => Operand::Text(self.text(default)),
            Shape::Word("W") => Operand::Who(Who::One(you(self))),
            Shape::Word("Seat") => Operand::Value(you(self)),
            shape => {
                let value = self.add(Expr::Const(default.parse().expect("a number stands for a number")));
                Operand::Value(if *shape == Shape::Word("Minus") { self.negated(value) } else { value })
            }
        })
    }

    fn operand(&mut self, shape: &Shape, node: &'n Node) -> Option<Operand> {
        let Shape::Word(word) = shape else { unreachable!("{shape:?}: an operand is a word") };
        if let Some(ty) = type_of(word) {
            let value = self.expr(node, ty);
            return Some(Operand::Value(if *word == "Minus" { self.negated(value) } else { value }));
        }
        match *word {
            "Cards" => Some(Operand::Cards(self.sel_of(node, Ty::Ent))),
            "V" => self.var_ref(node).map(|(var, of)| Operand::Var(var, of)),
            "Z" => self.to(node).map(Operand::Place),
            "W" => Some(Operand::Who(self.who(node))),
            "counterName" => self.counter(node).map(Operand::Counter),
            "T" => match node.as_text() {
                Some(text) => Some(Operand::Text(self.text(text))),
                None => {
                    self.expect(node, "a text");
                    None
                }
            },
            _ => unreachable!("{word}: no operand of a statement is read like this"),
        }
    }

    fn negated(&mut self, value: ExprId) -> ExprId {
        let zero = self.add(Expr::Const(0));
        self.add(Expr::Sub(zero, value))
    }

    /// The operands of an expression, each of the type that its shape names; nothing where there are too few or too many.
    pub(super) fn typed_operands(
        &mut self,
        shape: &'static str,
        node: &'n Node,
    ) -> Option<(u8, [ExprId; OPERANDS_MAX])> {
        let mut parts = [ExprId::default(); OPERANDS_MAX];
        match Shape::read(shape) {
            Shape::Items(items) => {
                let nodes = self.operands(node, items.len(), items.len())?;
                for (n, (item, inner)) in items.iter().zip(nodes).enumerate() {
                    parts[n] = self.at(n, |this| this.part(item, inner));
                }
                Some((items.len() as u8, parts))
            }
            Shape::Any | Shape::Flag => Some((0, parts)),
            one => {
                parts[0] = self.part(&one, node);
                Some((1, parts))
            }
        }
    }

    fn part(&mut self, shape: &Shape, node: &'n Node) -> ExprId {
        let ty = match shape {
            Shape::Word(word) => type_of(word),
            _ => None,
        };
        self.expr(node, ty.expect("an operand of an expression is one, too"))
    }

    /// A field that must be there, of this type.
    pub(super) fn need(&mut self, node: &'n Node, name: &str, ty: Ty) -> ExprId {
        match self.field(node, name, |this, inner| this.expr(inner, ty)) {
            Some(id) => id,
            None => {
                self.missing(node, name);
                self.add(Expr::Const(0))
            }
        }
    }

    /// A selection that must be there.
    pub(super) fn need_sel(&mut self, node: &'n Node, name: &str, ty: Ty) -> SelId {
        match node.get(name) {
            Some(inner) => self.at(name, |this| this.sel_of(inner, ty)),
            None => {
                self.missing(node, name);
                self.add_sel(plain(Source::Consts(Vec::new())))
            }
        }
    }
}
