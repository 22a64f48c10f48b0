//! Expressions as English text, for reasons: short, and where there are no words for something, it is left open.

use parlor_core::Json;

use crate::machine::ids::{AttrId, InstanceId, SlotId};
use crate::machine::program::{
    CARDS, Expr, ExprId, NONE, PHASES, Program, STEPS, SelId, Source, Ty, Who, ZONES,
};
use crate::machine::value::Value;
use crate::operations;

/// How deep expressions are put into words.
const DEPTH: u8 = 5;

/// What names stand for.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    /// The rules.
    pub(crate) program: &'a Program,
    /// The names of the locals: the targets that are bound.
    pub(crate) locals: &'a [String],
    /// What is looked at: of whatever is looked at further out there are no words.
    pub(crate) it: Option<u8>,
}

/// What holds where this expression does, with nothing bound.
pub(crate) fn plain(program: &Program, expr: ExprId) -> String {
    Words { program, locals: &[], it: None }.of(expr)
}

/// The name of a zone, a step or a phase as its author writes it for people; without that, its words apart.
pub(crate) fn label(program: &Program, id: &str) -> String {
    let listed = |list: &Json| -> Option<String> {
        let entry = list.as_array()?.iter().find(|entry| entry["id"] == id)?;
        entry["label"].as_str().map(str::to_owned)
    };
    let phases = program.sheet["phases"].as_array().map_or(&[][..], Vec::as_slice);
    let steps = phases.iter().find_map(|phase| listed(&phase["steps"]));
    let found =
        steps.or_else(|| listed(&program.sheet["phases"])).or_else(|| listed(&program.sheet["zones"]));
    found.unwrap_or_else(|| id.replace('_', " "))
}

impl Words<'_> {
    /// What holds where this expression does.
    pub(crate) fn of(&self, expr: ExprId) -> String {
        self.text(expr, DEPTH)
    }

    /// What holds where this expression does, where there are words for all of it.
    pub(crate) fn said(&self, expr: ExprId) -> Option<String> {
        let text = self.of(expr);
        (!text.contains('…')).then_some(text)
    }

    /// The expression behind a number; nothing for one that is not there.
    pub(crate) fn expr(&self, id: ExprId) -> Expr {
        match self.program.exprs.get(id.index()).copied().unwrap_or(Expr::Const(NONE)) {
            Expr::Once(_, _, inner) => self.expr(inner),
            expr => expr.spelled_out(),
        }
    }

    fn text(&self, id: ExprId, deep: u8) -> String {
        let Some(deeper) = deep.checked_sub(1) else { return "…".to_owned() };
        let t = |id: ExprId| self.text(id, deeper);
        let two = |a: ExprId, op: &str, b: ExprId| format!("{} {op} {}", t(a), t(b));
        match self.expr(id) {
            Expr::Const(value) => self.constant(value, None),
            Expr::Local(n) => self.locals.get(usize::from(n)).cloned().unwrap_or_else(|| "…".to_owned()),
            Expr::It(depth) if self.it == Some(depth) => "it".to_owned(),
            Expr::This if self.it.is_some() => "this card".to_owned(),
            Expr::This => "it".to_owned(),
            Expr::You => "you".to_owned(),
            Expr::Active => "the active player".to_owned(),
            Expr::Config(n) => self.program.config[n].name.clone(),
            Expr::Var(slot) if self.is_flag(slot) => format!("{} is true", self.variable(slot)),
            Expr::Var(slot) => self.variable(slot),
            Expr::SeatVar(base, seat) if self.is_flag(base) => self.flag(base, seat, "", deeper),
            Expr::SeatVar(base, seat) => self.possessive(seat, &self.variable(base), deeper),
            Expr::Attr(of, attr) => self.attribute(of, attr, deeper, true),
            Expr::Counter(of, kind) => {
                format!("{} counters on {}", self.program.counters[kind].0, t(of))
            }
            Expr::Has(of, keyword) => {
                format!("{} has {}", t(of), self.program.keywords[usize::from(keyword)])
            }
            Expr::Card(of) => format!("the kind of {}", t(of)),
            Expr::ZoneOf(of) => format!("the zone of {}", t(of)),
            Expr::Owner(of) => format!("the owner of {}", t(of)),
            Expr::Controller(of) => format!("the controller of {}", t(of)),
            Expr::Add(a, b) => two(a, "+", b),
            Expr::Sub(a, b) => two(a, "−", b),
            Expr::Mul(a, b) => two(a, "×", b),
            Expr::Lt(a, b) => two(a, "<", b),
            Expr::Le(a, b) => two(a, "≤", b),
            Expr::And(a, b) => two(a, "and", b),
            Expr::Or(a, b) => two(a, "or", b),
            Expr::Eq(a, b) => self.is(a, b, "is", deeper),
            Expr::EqConst(a, value) => {
                format!("{} is {}", self.plain(a, deeper), self.constant(value, self.ty(a)))
            }
            Expr::ItAttrEq(_, attr, value) => {
                let def = &self.program.attrs[attr];
                format!("its {} is {}", def.name, self.constant(value, Some(def.ty)))
            }
            Expr::ItAttrIs(_, attr, value) => {
                format!("its {} is {}", self.program.attrs[attr].name, self.plain(value, deeper))
            }
            Expr::ZoneLen(instance) => format!("the number of {}", self.zone(instance)),
            Expr::ZoneFirst(instance) => format!("the first of {}", self.zone(instance)),
            Expr::LtConst(a, value) => format!("{} < {value}", t(a)),
            Expr::GtConst(a, value) => format!("{value} < {}", t(a)),
            Expr::Not(inner) => self.not(inner, deeper),
            Expr::Count(sel) => format!("the number of {}", self.selection(sel)),
            Expr::Exists(sel) => format!("there is something in {}", self.selection(sel)),
            Expr::First(sel) => format!("the first of {}", self.selection(sel)),
            Expr::Last(sel) => format!("the last of {}", self.selection(sel)),
            Expr::Function(number, count, [operand, ..]) => match operations::function(number) {
                Some(function) if !function.says.is_empty() => {
                    function.says.replace("{}", &if count > 0 { t(operand) } else { String::new() })
                }
                _ => "…".to_owned(),
            },
            Expr::StackEmpty => "the stack is empty".to_owned(),
            Expr::Phase => "the phase".to_owned(),
            Expr::Step => "the step".to_owned(),
            Expr::Turn => "the turn".to_owned(),
            Expr::Seats => "the number of players".to_owned(),
            Expr::Happened(event, _) => {
                format!("the number of {}", self.program.events[event].name)
            }
            Expr::SeatOffset(of, by) if (self.expr(of), self.expr(by)) == (Expr::You, Expr::Const(1)) => {
                "the next player".to_owned()
            }
            _ => "…".to_owned(),
        }
    }

    /// An attribute as a value, not as a statement: `its tapped` where a statement would be `it is tapped`.
    fn plain(&self, id: ExprId, deep: u8) -> String {
        match self.expr(id) {
            Expr::Attr(of, attr) => self.attribute(of, attr, deep, false),
            Expr::Var(slot) => self.variable(slot),
            Expr::SeatVar(base, seat) => self.possessive(seat, &self.variable(base), deep),
            _ => self.text(id, deep),
        }
    }

    /// Whether a variable is true or false.
    fn is_flag(&self, base: SlotId) -> bool {
        self.program.vars.iter().any(|var| var.base == base && var.ty == Ty::Bool)
    }

    /// A variable of somebody that is true or false, as a statement about him.
    fn flag(&self, base: SlotId, seat: ExprId, not: &str, deep: u8) -> String {
        match self.expr(seat) {
            Expr::You => format!("you are{not} {}", self.variable(base)),
            _ => format!("{} is{not} {}", self.text(seat, deep), self.variable(base)),
        }
    }

    /// The name of an instance of a zone.
    fn zone(&self, instance: InstanceId) -> String {
        let zone = self.program.instances[instance].zone;
        label(self.program, &self.program.zones[zone].name)
    }

    fn attribute(&self, of: ExprId, attr: AttrId, deep: u8, statement: bool) -> String {
        let def = &self.program.attrs[attr];
        if statement && def.ty == Ty::Bool {
            return format!("{} is {}", self.text(of, deep), def.name);
        }
        self.possessive(of, &def.name, deep)
    }

    fn possessive(&self, of: ExprId, name: &str, deep: u8) -> String {
        match self.expr(of) {
            Expr::You => format!("your {name}"),
            Expr::It(depth) if self.it == Some(depth) => format!("its {name}"),
            Expr::This if self.it.is_none() => format!("its {name}"),
            _ => format!("{name} of {}", self.text(of, deep)),
        }
    }

    fn is(&self, a: ExprId, b: ExprId, verb: &str, deep: u8) -> String {
        let side = |id: ExprId, other: ExprId| match self.expr(id) {
            Expr::Const(value) => self.constant(value, self.ty(other)),
            _ => self.plain(id, deep),
        };
        format!("{} {verb} {}", side(a, b), side(b, a))
    }

    fn not(&self, id: ExprId, deep: u8) -> String {
        match self.expr(id) {
            Expr::Not(inner) => self.text(inner, deep),
            Expr::Attr(of, attr) if self.program.attrs[attr].ty == Ty::Bool => {
                format!("{} is not {}", self.text(of, deep), self.program.attrs[attr].name)
            }
            Expr::Has(of, keyword) => {
                format!("{} has no {}", self.text(of, deep), self.program.keywords[usize::from(keyword)])
            }
            Expr::Eq(a, b) => self.is(a, b, "is not", deep),
            Expr::EqConst(a, value) => {
                format!("{} is not {}", self.plain(a, deep), self.constant(value, self.ty(a)))
            }
            Expr::ItAttrEq(_, attr, value) => {
                let def = &self.program.attrs[attr];
                format!("its {} is not {}", def.name, self.constant(value, Some(def.ty)))
            }
            Expr::ItAttrIs(_, attr, value) => {
                format!("its {} is not {}", self.program.attrs[attr].name, self.plain(value, deep))
            }
            Expr::StackEmpty => "something waits on the stack".to_owned(),
            Expr::Exists(sel) => format!("there is nothing in {}", self.selection(sel)),
            Expr::Var(slot) if self.is_flag(slot) => format!("{} is false", self.variable(slot)),
            Expr::SeatVar(base, seat) if self.is_flag(base) => self.flag(base, seat, " not", deep),
            Expr::Lt(a, b) => format!("{} ≥ {}", self.text(a, deep), self.text(b, deep)),
            Expr::Le(a, b) => format!("{} > {}", self.text(a, deep), self.text(b, deep)),
            Expr::LtConst(a, value) => format!("{} ≥ {value}", self.text(a, deep)),
            Expr::GtConst(a, value) => format!("{} ≤ {value}", self.text(a, deep)),
            // What is not so of several things together reads as anything but that.
            _ => "…".to_owned(),
        }
    }

    fn variable(&self, base: SlotId) -> String {
        let found = self.program.vars.iter().find(|var| var.base == base);
        found.map_or_else(|| "…".to_owned(), |var| var.name.clone())
    }

    /// The type of what stands on one side, as far as it helps to name a value on the other.
    pub(crate) fn ty(&self, id: ExprId) -> Option<Ty> {
        match self.expr(id) {
            Expr::Attr(_, attr) => Some(self.program.attrs[attr].ty),
            Expr::Var(base) | Expr::SeatVar(base, _) => {
                self.program.vars.iter().find(|var| var.base == base).map(|var| var.ty)
            }
            Expr::Config(n) => Some(self.program.config[n].ty),
            Expr::Card(_) => Some(Ty::Enum(crate::machine::program::CARDS)),
            Expr::ZoneOf(_) => Some(Ty::Enum(crate::machine::program::ZONES)),
            Expr::Step => Some(Ty::Enum(crate::machine::program::STEPS)),
            Expr::Phase => Some(Ty::Enum(crate::machine::program::PHASES)),
            _ => None,
        }
    }

    /// A value by its name, where its type has names.
    pub(crate) fn constant(&self, value: i64, ty: Option<Ty>) -> String {
        match ty {
            Some(Ty::Enum(n)) => {
                let def = &self.program.enums[n];
                let names = if def.labels.is_empty() { &def.values } else { &def.labels };
                let found = usize::try_from(value).ok().and_then(|value| names.get(value));
                match (n, found) {
                    (_, None) => "nothing".to_owned(),
                    (CARDS, Some(_)) => self.program.cards[value as usize].title.clone(),
                    (ZONES | STEPS | PHASES, Some(name)) => label(self.program, name),
                    (_, Some(name)) => name.clone(),
                }
            }
            Some(Ty::Bool) => (value != 0).to_string(),
            _ => match Value::of(value) {
                Value::Nothing => "nothing".to_owned(),
                Value::Seat(seat) => format!("seat {seat}"),
                _ => value.to_string(),
            },
        }
    }

    /// What a selection is taken from; of one with a condition there are no words.
    pub(crate) fn selection(&self, sel: SelId) -> String {
        let sel = &self.program.sels[sel];
        if sel.keep.is_some() || !sel.prefer.is_empty() {
            return "…".to_owned();
        }
        match &sel.source {
            Source::Zones(zones, who) => {
                let names: Vec<String> =
                    zones.iter().map(|zone| label(self.program, &self.program.zones[*zone].name)).collect();
                let whose = match who {
                    Who::One(seat) if self.expr(*seat) == Expr::You => "your ",
                    Who::Others(seat) if self.expr(*seat) == Expr::You => "others' ",
                    _ => "",
                };
                format!("{whose}{}", names.join(", "))
            }
            Source::Items(_) => "what waits on the stack".to_owned(),
            Source::Union(parts) if parts.len() == 1 => self.selection(parts[0]),
            _ => "…".to_owned(),
        }
    }
}
