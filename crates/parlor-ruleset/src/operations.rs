//! The operations of the language: one table of statements and one of expressions.
//!
//! A row has the name, the operands, a word for people, and the deed. Everything else is made of the rows: what is read
//! and checked, the code, the JSON Schema and what editors complete, the reference, the layout of a file, and the reasons
//! that players are given. So a new statement or expression is one row and the function that does it.
//!
//! Most do something with values: their operands are read as the row says, and the machine is handed them
//! ([`Deed::Machine`], [`Meaning::Function`]). Those that bind names, jump, or stand for other operations are compiled by
//! a function of their own ([`Deed::Code`], [`Meaning::Code`]).

mod expressions;
mod statements;

pub(crate) use expressions::EXPRESSIONS;
pub(crate) use statements::STATEMENTS;

use crate::compiler::Compiler;
use crate::language::Node;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::exec::board_ops::Done;
use crate::machine::exec::deeds::Operands;
use crate::machine::program::{Expr, ExprId, Ty};
use crate::machine::state::Vm;

/// An operation where it stands in a ruleset.
#[derive(Clone, Copy)]
pub(crate) struct Operation<'n> {
    /// Its name, as in the table.
    pub(crate) name: &'static str,
    /// Where its name stands.
    pub(crate) at: u32,
    /// Its operands.
    pub(crate) node: &'n Node,
    /// The type that is wanted of an expression: it only helps to understand names.
    pub(crate) want: Ty,
}

/// A statement.
pub(crate) struct Statement {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its operands, as `language/schema/shape.rs` reads them.
    pub(crate) has: &'static str,
    /// What it does, for people.
    pub(crate) about: &'static str,
    /// Whether what waits on the stack resolves after it.
    pub(crate) drains: bool,
    /// Fields that mean nothing, and that rulesets may have: they were let through before.
    pub(crate) ignores: &'static [&'static str],
    pub(crate) deed: Deed,
}

/// What a statement comes to.
pub(crate) enum Deed {
    /// The machine does this with the operands.
    Machine(fn(&mut Vm<'_, '_>, Operands<'_>) -> Done),
    /// This makes code of it.
    Code(for<'n> fn(&mut Compiler<'n>, Operation<'n>)),
}

/// An expression.
pub(crate) struct Expression {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its operands, as `language/schema/shape.rs` reads them.
    pub(crate) has: &'static str,
    /// What it is, for people.
    pub(crate) about: &'static str,
    pub(crate) meaning: Meaning,
}

/// What an expression comes to.
pub(crate) enum Meaning {
    /// The machine works it out from the values of the operands.
    Function(Function),
    /// An expression of this type and form is made of the operands.
    Form(Ty, fn([ExprId; OPERANDS_MAX]) -> Expr),
    /// This makes other expressions of it.
    Code(for<'n> fn(&mut Compiler<'n>, Operation<'n>) -> (ExprId, Ty)),
}

/// An expression that is worked out from the values of its operands.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    /// The type of its value.
    pub(crate) gives: Ty,
    /// Its value.
    pub(crate) value: fn(&Eval<'_>, &mut Scratch, [i64; OPERANDS_MAX]) -> i64,
    /// How it reads in a reason, `{}` for its operand; without it, no reason speaks of it.
    pub(crate) says: &'static str,
    /// Whether everybody can tell its value who can tell its operands.
    pub(crate) open: bool,
}

/// Operands of a function.
pub(crate) const OPERANDS_MAX: usize = 3;

/// Older words, and the word that is written today: a ruleset that has one means the same, and its author is told.
const OLDER_STATEMENTS: [(&str, &str); 2] = [("dealOut", "deal"), ("preventEvent", "prevent")];
const OLDER_EXPRESSIONS: [(&str, &str); 2] = [("ownerOf", "owner"), ("pick", "first")];

/// The word that is written today for an older one.
pub(crate) fn newer(name: &str) -> Option<&'static str> {
    let mut older = OLDER_STATEMENTS.iter().chain(&OLDER_EXPRESSIONS);
    older.find(|(old, _)| *old == name).map(|(_, new)| *new)
}

/// A statement by its name, or an older one, and its number.
pub(crate) fn statement(name: &str) -> Option<(u8, &'static Statement)> {
    let name = OLDER_STATEMENTS.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new);
    let found = STATEMENTS.iter().position(|row| row.name == name)?;
    Some((found as u8, &STATEMENTS[found]))
}

/// An expression by its name, or an older one, and its number.
pub(crate) fn expression(name: &str) -> Option<(u8, &'static Expression)> {
    let name = OLDER_EXPRESSIONS.iter().find(|(old, _)| *old == name).map_or(name, |(_, new)| new);
    let found = EXPRESSIONS.iter().position(|row| row.name == name)?;
    Some((found as u8, &EXPRESSIONS[found]))
}

/// A function by the number of its row.
pub(crate) fn function(number: u8) -> Option<&'static Function> {
    match &EXPRESSIONS[usize::from(number)].meaning {
        Meaning::Function(function) => Some(function),
        Meaning::Form(..) | Meaning::Code(_) => None,
    }
}

/// A statement whose operands the machine is handed.
const fn does(
    name: &'static str,
    has: &'static str,
    about: &'static str,
    deed: fn(&mut Vm<'_, '_>, Operands<'_>) -> Done,
) -> Statement {
    Statement { name, has, about, drains: false, ignores: &[], deed: Deed::Machine(deed) }
}

/// A statement that is compiled by a function of its own.
const fn code(
    name: &'static str,
    has: &'static str,
    about: &'static str,
    code: for<'n> fn(&mut Compiler<'n>, Operation<'n>),
) -> Statement {
    Statement { name, has, about, drains: false, ignores: &[], deed: Deed::Code(code) }
}

impl Statement {
    /// What waits on the stack resolves after it.
    const fn drains(self) -> Self {
        Self { drains: true, ..self }
    }

    /// These fields mean nothing, and are let through.
    const fn ignores(self, ignores: &'static [&'static str]) -> Self {
        Self { ignores, ..self }
    }
}

/// An expression that the machine works out from the values of its operands.
const fn value(
    name: &'static str,
    has: &'static str,
    about: &'static str,
    gives: Ty,
    value: fn(&Eval<'_>, &mut Scratch, [i64; OPERANDS_MAX]) -> i64,
) -> Expression {
    let function = Function { gives, value, says: "", open: false };
    Expression { name, has, about, meaning: Meaning::Function(function) }
}

/// An expression of a form that other parts of the compiler know, made of its operands.
const fn form(
    name: &'static str,
    has: &'static str,
    about: &'static str,
    gives: Ty,
    make: fn([ExprId; OPERANDS_MAX]) -> Expr,
) -> Expression {
    Expression { name, has, about, meaning: Meaning::Form(gives, make) }
}

/// An expression that is compiled by a function of its own.
const fn meaning(
    name: &'static str,
    has: &'static str,
    about: &'static str,
    code: for<'n> fn(&mut Compiler<'n>, Operation<'n>) -> (ExprId, Ty),
) -> Expression {
    Expression { name, has, about, meaning: Meaning::Code(code) }
}

impl Expression {
    /// How its value reads in a reason; `{}` is its operand.
    const fn says(mut self, says: &'static str) -> Self {
        if let Meaning::Function(function) = &mut self.meaning {
            function.says = says;
        }
        self
    }

    /// Everybody can tell its value who can tell its operands.
    const fn open(mut self) -> Self {
        if let Meaning::Function(function) = &mut self.meaning {
            function.open = true;
        }
        self
    }
}
