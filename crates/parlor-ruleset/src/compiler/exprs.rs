//! Expressions.

use super::Compiler;
use super::implicit_seat::Left;
use super::scope::Bound;
use crate::language::{Node, Value};
use crate::limits::CALL_DEPTH_MAX;
use crate::machine::ids::EnumId;
use crate::machine::program::{CARDS, Expr, ExprId, NONE, Sel, SelId, Source, Ty, number};
use crate::operations::{self, Function, Meaning, Operation};

impl<'n> Compiler<'n> {
    /// Whether a value of one type may stand where the other is wanted.
    pub(super) fn fits(want: Ty, got: Ty) -> bool {
        let thing = |ty| matches!(ty, Ty::Thing | Ty::Ent | Ty::Seat);
        want == Ty::Any
            || got == Ty::Any
            || want == got
            || (want == Ty::Thing && thing(got))
            || (got == Ty::Thing && thing(want))
    }

    pub(super) fn type_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Int => "a number".to_owned(),
            Ty::Bool => "true or false".to_owned(),
            Ty::Enum(n) => {
                format!("a value of {}", self.program.enums.get(n.index()).map_or("?", |def| &def.name))
            }
            Ty::Seat => "a seat".to_owned(),
            Ty::Ent => "an entity".to_owned(),
            Ty::Thing => "an entity or a seat".to_owned(),
            Ty::Item => "an item on the stack".to_owned(),
            Ty::Any => "anything".to_owned(),
        }
    }

    /// An expression of a wanted type.
    pub(super) fn expr(&mut self, node: &'n Node, want: Ty) -> ExprId {
        let (id, got) = self.typed(node, want);
        if !Self::fits(want, got) && !self.is_mode_number(want, got) {
            let message =
                format!("{} is expected here, and this is {}", self.type_name(want), self.type_name(got));
            match (want, got) {
                (Ty::Int, Ty::Enum(_)) => {
                    let help = "values of an enum are ordered as declared: compare them, use them as the `key` of maxBy, or give each a number with `table`";
                    self.findings.error_help("type", node.at, message, help);
                }
                (Ty::Enum(n), _) if self.hides_value(node, n) => {
                    let name = node.as_text().unwrap_or_default();
                    let help = format!(
                        "'{name}' is bound here, and hides the {name} that is meant: bind another name"
                    );
                    self.findings.error_help("type", node.at, message, help);
                }
                _ => self.findings.error_help("type", node.at, message, meant(want)),
            }
        } else if want == Ty::Bool {
            self.settled(node, id);
        }
        id
    }

    /// Whether one is a number and the other a name that a question offers: these are counted from 0.
    fn is_mode_number(&self, want: Ty, got: Ty) -> bool {
        match (want, got) {
            (Ty::Enum(n), Ty::Int) | (Ty::Int, Ty::Enum(n)) => self.modes.contains(&n),
            _ => false,
        }
    }

    /// Whether a name that is bound here is also that of a value.
    fn hides_value(&self, node: &Node, of: EnumId) -> bool {
        let values = &self.program.enums[of].values;
        let hidden = |text: &str| self.scope.find(text).is_some() && values.iter().any(|value| value == text);
        node.as_text().is_some_and(hidden)
    }

    pub(super) fn constant(&mut self, value: i64, ty: Ty) -> (ExprId, Ty) {
        (self.add(Expr::Const(value)), ty)
    }

    /// An expression and its type. `want` only helps to understand names.
    pub(super) fn typed(&mut self, node: &'n Node, want: Ty) -> (ExprId, Ty) {
        if self.full() {
            return (self.add(Expr::Const(0)), Ty::Any);
        }
        match &node.value {
            Value::Int(n) => self.constant(number(*n), Ty::Int),
            Value::Bool(truth) => self.constant(i64::from(*truth), Ty::Bool),
            Value::Null => self.constant(NONE, Ty::Any),
            Value::Text(text) => self.name(node, text, want),
            Value::List(_) => {
                self.expect(node, "an expression");
                self.constant(0, Ty::Any)
            }
            Value::Map(fields) => {
                let Some((key, inner)) = fields.iter().find(|(key, _)| !key.name.starts_with("//")) else {
                    self.expect(node, "an expression");
                    return self.constant(0, Ty::Any);
                };
                let extra = fields.iter().filter(|(key, _)| !key.name.starts_with("//")).count();
                if extra > 1 {
                    self.findings.error_help(
                        "shape",
                        node.at,
                        format!("an expression has one field, this has {extra}"),
                        "write {\"op\": operands} with one op",
                    );
                }
                self.at(&key.name, |this| this.operation(&key.name, key.at, inner, want))
            }
        }
    }

    pub(super) fn name(&mut self, node: &Node, text: &str, want: Ty) -> (ExprId, Ty) {
        if let Some(bound) = self.scope.find(text) {
            return match bound {
                Bound::Local(slot, ty) => (self.add(Expr::Local(slot)), ty),
                Bound::It(depth, ty) => (self.add(Expr::It(depth)), ty),
                Bound::List(slot, ty) => {
                    let sel = self.add_sel(plain(Source::List(slot)));
                    (self.add(Expr::First(sel)), ty)
                }
                Bound::Answer(slot, ty, _) => {
                    let you = self.you(node.at, Left::Word(text));
                    (self.add(Expr::Answer(slot, you)), ty)
                }
            };
        }
        match text {
            "self" | "source" => return (self.this(node.at, text), Ty::Ent),
            "you" => return (self.you(node.at, Left::Word(text)), Ty::Seat),
            "active" => return (self.add(Expr::Active), Ty::Seat),
            "none" => return self.constant(NONE, Ty::Any),
            _ => {}
        }
        if let Some((_, value, ty)) = self.constants.iter().find(|(name, _, _)| name == text) {
            let (value, ty) = (*value, *ty);
            return self.constant(value, ty);
        }
        if let Some(inner) = self.defined.get(text).copied() {
            return self.defined(node.at, text, inner, want);
        }
        if text == "partner" {
            let you = self.you(node.at, Left::Word(text));
            return (self.add(Expr::Partner(you)), Ty::Seat);
        }
        if text == "opponent" {
            let (you, one) = (self.you(node.at, Left::Word(text)), self.add(Expr::Const(1)));
            return (self.add(Expr::SeatOffset(you, one)), Ty::Seat);
        }
        match want {
            Ty::Enum(values) => return self.enum_value(node, text, values),
            Ty::Any => {
                if let Some((value, of)) = self.value_of_one_enum(text) {
                    return self.constant(value, Ty::Enum(of));
                }
            }
            _ => {}
        }
        if text == "it" {
            let help = "`it` is each thing of a selection: inside its `where`, `prefer`, `by` or `key`";
            self.findings.error_help("unknown", node.at, "there is no `it` here", help);
        } else if let Some(help) = self.written(text, want) {
            self.findings.error_help("unknown", node.at, format!("there is no name '{text}'"), help);
        } else {
            let known = self.words();
            self.findings.unknown(node.at, "name", text, known.iter().map(String::as_str));
        }
        self.constant(0, Ty::Any)
    }

    /// A value of an enum by its name.
    fn enum_value(&mut self, node: &Node, text: &str, of: EnumId) -> (ExprId, Ty) {
        let def = &self.program.enums[of];
        if let Some(value) = def.values.iter().position(|value| value == text) {
            return self.constant(value as i64, Ty::Enum(of));
        }
        let (name, values) = (def.name.clone(), def.values.clone());
        if of == CARDS {
            self.unknown_card(node.at, text, &values);
        } else if let Some(help) = self.written(text, Ty::Enum(of)) {
            let message = format!("there is no value of {name} '{text}'");
            self.findings.error_help("unknown", node.at, message, help);
        } else {
            let known = values.iter().map(String::as_str);
            self.findings.unknown(node.at, &format!("value of {name}"), text, known);
        }
        self.constant(0, Ty::Any)
    }

    /// A value by its name, where one enum of the author's alone has it.
    fn value_of_one_enum(&self, text: &str) -> Option<(i64, EnumId)> {
        let enums = self.program.enums.iter().enumerate().skip(5);
        let mut found =
            enums.filter(|(n, _)| !self.modes.contains(&EnumId::at(*n))).filter_map(|(n, def)| {
                Some((def.values.iter().position(|value| value == text)? as i64, EnumId::at(n)))
            });
        found.next().filter(|_| found.next().is_none())
    }

    /// An expression with a name, put in place of the name.
    fn defined(&mut self, at: u32, name: &str, inner: &'n Node, want: Ty) -> (ExprId, Ty) {
        if self.defining.iter().any(|other| other == name) || self.defining.len() >= CALL_DEPTH_MAX {
            let help =
                "what has a name in `define` is put in place of the name: it cannot be a part of itself";
            self.findings.error_help("recursion", at, format!("{name} speaks of itself"), help);
            return self.constant(0, Ty::Any);
        }
        self.used.insert(name.to_owned());
        self.defining.push(name.to_owned());
        let path = self.findings.go(vec!["define".to_owned(), name.to_owned()]);
        let found = self.typed(inner, want);
        self.findings.go(path);
        self.defining.pop();
        found
    }

    /// The operands of an operation, so many.
    pub(super) fn operands(&mut self, node: &'n Node, least: usize, most: usize) -> Option<&'n [Node]> {
        let items = node.items();
        if (least..=most).contains(&items.len()) {
            return Some(items);
        }
        let many = if least == most { least.to_string() } else { format!("{least} to {most}") };
        self.findings.error("shape", node.at, format!("a list of {many} operands is expected here"));
        None
    }

    pub(crate) fn fold(&mut self, node: &'n Node, ty: Ty, make: fn(ExprId, ExprId) -> Expr) -> (ExprId, Ty) {
        let Some(items) = self.operands(node, 1, 64) else { return self.constant(0, ty) };
        let mut all = None;
        for (n, item) in items.iter().enumerate() {
            let next = self.at(n, |this| this.expr(item, ty));
            all = Some(match all {
                None => next,
                Some(before) => self.add(make(before, next)),
            });
        }
        (all.unwrap_or_default(), ty)
    }

    /// Two operands of one type: a name on one side is understood from the other.
    pub(super) fn pair(&mut self, node: &'n Node) -> Option<(ExprId, ExprId, Ty)> {
        let [a, b] = self.operands(node, 2, 2)? else { return None };
        let bare = |this: &Self, node: &Node| {
            node.as_text().is_some_and(|text| {
                this.scope.find(text).is_none()
                    && !["self", "source", "you", "active", "none", "opponent"].contains(&text)
            })
        };
        let (first, second) = if bare(self, a) {
            let (b, ty) = self.at(1, |this| this.typed(b, Ty::Any));
            (self.at(0, |this| this.expr(a, ty)), (b, ty))
        } else {
            let (a, ty) = self.at(0, |this| this.typed(a, Ty::Any));
            let b = self.at(1, |this| this.expr(b, ty));
            (a, (b, ty))
        };
        Some((first, second.0, second.1))
    }

    /// An expression by its name: what its row in the table says.
    pub(super) fn operation(&mut self, name: &str, at: u32, node: &'n Node, want: Ty) -> (ExprId, Ty) {
        let Some((number, row)) = operations::expression(name) else {
            let known = operations::EXPRESSIONS.iter().map(|row| row.name);
            self.findings.unknown(at, "expression", name, known);
            return self.constant(0, Ty::Any);
        };
        self.older_word(at, name, row.name);
        let gives = match row.meaning {
            Meaning::Code(code) => return code(self, Operation { name: row.name, at, node, want }),
            Meaning::Function(Function { gives, .. }) | Meaning::Form(gives, _) => gives,
        };
        let Some((count, parts)) = self.typed_operands(row.has, node) else { return self.constant(0, gives) };
        let expr = match row.meaning {
            Meaning::Form(_, make) => make(parts),
            _ => Expr::Function(number, count, parts),
        };
        (self.add(expr), gives)
    }

    /// `-`: of one its negative.
    pub(crate) fn minus(&mut self, node: &'n Node) -> (ExprId, Ty) {
        match node.items() {
            [one] => self.at(0, |this| this.negative(one)),
            _ => self.fold(node, Ty::Int, Expr::Sub),
        }
    }

    pub(crate) fn negative(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let (zero, inner) = (self.add(Expr::Const(0)), self.expr(node, Ty::Int));
        (self.add(Expr::Sub(zero, inner)), Ty::Int)
    }

    /// `min` and `max`: of values, or of a key over a selection.
    pub(crate) fn extreme(
        &mut self,
        node: &'n Node,
        of_values: fn(ExprId, ExprId) -> Expr,
        of_keys: fn(SelId, ExprId) -> Expr,
    ) -> (ExprId, Ty) {
        if node.items().is_empty() {
            self.keyed(node, of_keys, false)
        } else {
            self.fold(node, Ty::Int, of_values)
        }
    }

    /// `==` and `!=`.
    pub(crate) fn compare(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let Some((a, b, _)) = self.pair(of.node) else { return self.constant(0, Ty::Bool) };
        let equal = self.equal(a, b);
        (if of.name == "==" { equal } else { self.add(Expr::Not(equal)) }, Ty::Bool)
    }

    /// `<`, `<=`, `>` and `>=`.
    pub(crate) fn order(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let Some((a, b, ty)) = self.pair(of.node) else { return self.constant(0, Ty::Bool) };
        if !matches!(ty, Ty::Int | Ty::Enum(_) | Ty::Any) {
            let name = self.type_name(ty);
            self.findings.error("type", of.at, format!("{name} has no order"));
        }
        let expr = match of.name {
            "<" => Expr::Lt(a, b),
            "<=" => Expr::Le(a, b),
            ">" => Expr::Lt(b, a),
            _ => Expr::Le(b, a),
        };
        (self.add(expr), Ty::Bool)
    }

    /// `if`.
    pub(crate) fn choice(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let Some([condition, then, other]) = self.operands(of.node, 3, 3) else {
            return self.constant(0, Ty::Any);
        };
        let condition = self.at(0, |this| this.expr(condition, Ty::Bool));
        let (then, ty) = self.at(1, |this| this.typed(then, of.want));
        let other = self.at(2, |this| this.expr(other, ty));
        (self.add(Expr::If(condition, then, other)), ty)
    }

    /// A knob that is no list.
    pub(crate) fn knob(&mut self, node: &'n Node) -> (ExprId, Ty) {
        match self.config(node) {
            Some(n) if !self.program.config[n].list => {
                let ty = self.program.config[n].ty;
                (self.add(Expr::Config(n)), ty)
            }
            _ => self.constant(0, Ty::Any),
        }
    }

    /// A card, and the name of what it may have.
    fn of_card<Id: Copy>(
        &mut self,
        node: &'n Node,
        named: fn(&mut Self, &'n Node) -> Option<Id>,
        make: fn(ExprId, Id) -> Expr,
    ) -> Option<(ExprId, Id)> {
        let [card, name] = self.operands(node, 2, 2)? else { return None };
        let card = self.at(0, |this| this.expr(card, Ty::Ent));
        let named = self.at(1, |this| named(this, name))?;
        Some((self.add(make(card, named)), named))
    }

    pub(crate) fn attribute_of(&mut self, node: &'n Node) -> (ExprId, Ty) {
        match self.of_card(node, Self::attribute, Expr::Attr) {
            Some((expr, attr)) => (expr, self.program.attrs[attr].ty),
            None => self.constant(0, Ty::Any),
        }
    }

    pub(crate) fn counters_of(&mut self, node: &'n Node) -> (ExprId, Ty) {
        match self.of_card(node, Self::counter, Expr::Counter) {
            Some((expr, _)) => (expr, Ty::Int),
            None => self.constant(0, Ty::Int),
        }
    }

    pub(crate) fn has_keyword(&mut self, node: &'n Node) -> (ExprId, Ty) {
        match self.of_card(node, Self::keyword, Expr::Has) {
            Some((expr, _)) => (expr, Ty::Bool),
            None => self.constant(0, Ty::Bool),
        }
    }

    /// What is made of a selection: a value of this type, or without one a thing of it.
    pub(crate) fn of_selection(
        &mut self,
        node: &'n Node,
        make: fn(SelId) -> Expr,
        gives: Option<Ty>,
    ) -> (ExprId, Ty) {
        let (sel, ty) = self.select(node, Ty::Any);
        (self.add(make(sel)), gives.unwrap_or(ty))
    }

    pub(crate) fn for_all(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let (sel, _) = self.select_negated(node);
        let exists = self.add(Expr::Exists(sel));
        (self.add(Expr::Not(exists)), Ty::Bool)
    }

    /// `at`.
    pub(crate) fn nth(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let Some([from, place]) = self.operands(of.node, 2, 2) else { return self.constant(0, Ty::Any) };
        let (sel, ty) = self.at(0, |this| this.select(from, of.want));
        let place = self.at(1, |this| this.expr(place, Ty::Int));
        (self.add(Expr::At(sel, place)), ty)
    }

    pub(crate) fn opponent_of(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let (seat, one) = (self.expr(node, Ty::Seat), self.add(Expr::Const(1)));
        (self.add(Expr::SeatOffset(seat, one)), Ty::Seat)
    }

    /// Whether something of the turn is this one: the step, the phase, the seat.
    pub(crate) fn is_now(&mut self, node: &'n Node, now: Expr, ty: Ty) -> (ExprId, Ty) {
        let (this, now) = (self.expr(node, ty), self.add(now));
        (self.add(Expr::Eq(now, this)), Ty::Bool)
    }

    /// Whether something of a card is this value of an enum: its kind, its zone.
    pub(crate) fn is_of(&mut self, node: &'n Node, of: fn(ExprId) -> Expr, values: EnumId) -> (ExprId, Ty) {
        let Some([card, value]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Bool) };
        let card = self.at(0, |this| this.expr(card, Ty::Ent));
        let value = self.at(1, |this| this.expr(value, Ty::Enum(values)));
        let of = self.add(of(card));
        (self.add(Expr::Eq(of, value)), Ty::Bool)
    }

    pub(crate) fn stack_empty(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let empty = self.add(Expr::StackEmpty);
        (if node.as_bool() == Some(false) { self.add(Expr::Not(empty)) } else { empty }, Ty::Bool)
    }

    /// `const`.
    pub(crate) fn named_constant(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let name = of.node.as_text();
        match name.filter(|name| self.constants.iter().any(|(other, _, _)| other == name)) {
            Some(name) => self.name(of.node, name, of.want),
            None => {
                let names: Vec<String> = self.constants.iter().map(|(name, _, _)| name.clone()).collect();
                let known = names.iter().map(String::as_str);
                self.findings.unknown(of.at, "constant", name.unwrap_or("?"), known);
                self.constant(0, Ty::Any)
            }
        }
    }

    /// Equality, in the cheapest way.
    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let of = |id: ExprId, program: &crate::machine::program::Program| program.exprs[id];
        let (left, right) = (of(a, &self.program), of(b, &self.program));
        let expr = match (left, right) {
            (Expr::Attr(e, attr), Expr::Const(value)) => {
                let def = &self.program.attrs[attr];
                let printed = def.kind == crate::machine::program::AttrKind::Printed && !def.layered;
                match of(e, &self.program) {
                    Expr::It(depth) if printed => Expr::ItAttrEq(depth, attr, value),
                    _ => Expr::EqConst(a, value),
                }
            }
            (_, Expr::Const(value)) => Expr::EqConst(a, value),
            (Expr::Const(value), _) => Expr::EqConst(b, value),
            _ => Expr::Eq(a, b),
        };
        self.add(expr)
    }
}

/// A selection of everything in a source.
pub(super) fn plain(source: Source) -> Sel {
    Sel {
        source,
        keep: None,
        it: 0,
        prefer: Vec::new(),
        distinct: None,
        order: None,
        reversed: false,
        n: None,
        sorted: false,
        why: None,
        test: None,
        whole: None,
        runs: Vec::new(),
    }
}

/// How a value of a type is written.
pub(super) fn meant(want: Ty) -> &'static str {
    match want {
        Ty::Int => {
            "a number, a variable or attribute of type int, or what is counted: {\"count\": …}, {\"sum\": …}"
        }
        Ty::Bool => "a condition: {\"==\": [this, …]}, {\">\": [this, …]}, {\"exists\": …}",
        Ty::Enum(_) => "one of its values by name, or an attribute or variable of that type",
        Ty::Seat => {
            "a seat is {\"seat\": 0}, \"active\", the name of a forEach over seats, or {\"controller\": card}"
        }
        Ty::Ent => {
            "a card is a name that is bound to one, or one of a selection: {\"last\": \"deck\"}, {\"first\": …}"
        }
        Ty::Thing => "a card or a seat",
        Ty::Item => "an item is a target from {\"stackItems\": …}, or {\"evItem\": true} in a reaction",
        Ty::Any => "any value",
    }
}
