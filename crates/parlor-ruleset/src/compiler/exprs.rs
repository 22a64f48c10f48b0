//! Expressions.

use super::Compiler;
use super::implicit_seat::Left;
use super::scope::Bound;
use crate::language::names::EXPRESSIONS;
use crate::language::{Node, Value};
use crate::limits::CALL_DEPTH_MAX;
use crate::machine::program::{CARDS, Expr, ExprId, NONE, PHASES, STEPS, Sel, Source, Ty, ZONES, number};

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
                format!("a value of {}", self.program.enums.get(usize::from(n)).map_or("?", |def| &def.name))
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
    fn hides_value(&self, node: &Node, of: u16) -> bool {
        let values = &self.program.enums[usize::from(of)].values;
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
                self.at(&key.name, |c| c.operation(&key.name, key.at, inner, want))
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
        let written = |c: &Self| c.written(text, want);
        if let Ty::Enum(n) = want {
            let def = &self.program.enums[usize::from(n)];
            if let Some(value) = def.values.iter().position(|value| value == text) {
                return self.constant(value as i64, want);
            }
            let (name, values) = (def.name.clone(), def.values.clone());
            if n == CARDS {
                self.unknown_card(node.at, text, &values);
                return self.constant(0, Ty::Any);
            }
            match written(self) {
                Some(help) => {
                    self.findings.error_help(
                        "unknown",
                        node.at,
                        format!("there is no value of {name} '{text}'"),
                        help,
                    );
                }
                None => {
                    self.findings.unknown(
                        node.at,
                        &format!("value of {name}"),
                        text,
                        values.iter().map(String::as_str),
                    );
                }
            }
            return self.constant(0, Ty::Any);
        }
        if want == Ty::Any {
            let found: Vec<(u16, usize)> = self
                .program
                .enums
                .iter()
                .enumerate()
                .skip(5)
                .filter(|(n, _)| !self.modes.contains(&(*n as u16)))
                .filter_map(|(n, def)| Some((n as u16, def.values.iter().position(|value| value == text)?)))
                .collect();
            if let [(n, value)] = found[..] {
                return self.constant(value as i64, Ty::Enum(n));
            }
        }
        if text == "it" {
            let help = "`it` is each thing of a selection: inside its `where`, `prefer`, `by` or `key`";
            self.findings.error_help("unknown", node.at, "there is no `it` here", help);
            return self.constant(0, Ty::Any);
        }
        match written(self) {
            Some(help) => {
                self.findings.error_help("unknown", node.at, format!("there is no name '{text}'"), help);
            }
            None => {
                let known = self.words();
                self.findings.unknown(node.at, "name", text, known.iter().map(String::as_str));
            }
        }
        self.constant(0, Ty::Any)
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

    pub(super) fn fold(&mut self, node: &'n Node, ty: Ty, make: fn(ExprId, ExprId) -> Expr) -> (ExprId, Ty) {
        let Some(items) = self.operands(node, 1, 64) else { return self.constant(0, ty) };
        let mut all = None;
        for (n, item) in items.iter().enumerate() {
            let next = self.at(n, |c| c.expr(item, ty));
            all = Some(match all {
                None => next,
                Some(before) => self.add(make(before, next)),
            });
        }
        (all.unwrap_or(0), ty)
    }

    /// Two operands of one type: a name on one side is understood from the other.
    pub(super) fn pair(&mut self, node: &'n Node) -> Option<(ExprId, ExprId, Ty)> {
        let [a, b] = self.operands(node, 2, 2)? else { return None };
        let bare = |c: &Self, node: &Node| {
            node.as_text().is_some_and(|text| {
                c.scope.find(text).is_none()
                    && !["self", "source", "you", "active", "none", "opponent"].contains(&text)
            })
        };
        let (first, second) = if bare(self, a) {
            let (b, ty) = self.at(1, |c| c.typed(b, Ty::Any));
            (self.at(0, |c| c.expr(a, ty)), (b, ty))
        } else {
            let (a, ty) = self.at(0, |c| c.typed(a, Ty::Any));
            let b = self.at(1, |c| c.expr(b, ty));
            (a, (b, ty))
        };
        Some((first, second.0, second.1))
    }

    pub(super) fn operation(&mut self, op: &str, at: u32, node: &'n Node, want: Ty) -> (ExprId, Ty) {
        match op {
            "+" => self.fold(node, Ty::Int, Expr::Add),
            "*" => self.fold(node, Ty::Int, Expr::Mul),
            "-" => {
                if node.items().len() == 1 {
                    let zero = self.add(Expr::Const(0));
                    let value = self.at(0, |c| c.expr(&node.items()[0], Ty::Int));
                    return (self.add(Expr::Sub(zero, value)), Ty::Int);
                }
                self.fold(node, Ty::Int, Expr::Sub)
            }
            "/" => self.fold(node, Ty::Int, Expr::Div),
            "%" => self.fold(node, Ty::Int, Expr::Rem),
            "min" | "max" if !node.items().is_empty() => {
                self.fold(node, Ty::Int, if op == "min" { Expr::Min } else { Expr::Max })
            }
            "min" | "least" => self.keyed(node, Expr::Least, false),
            "max" | "most" => self.keyed(node, Expr::Most, false),
            "sum" => self.keyed(node, Expr::Sum, false),
            "maxBy" => self.keyed(node, Expr::MaxBy, true),
            "minBy" => self.keyed(node, Expr::MinBy, true),
            "and" => self.fold(node, Ty::Bool, Expr::And),
            "or" => self.fold(node, Ty::Bool, Expr::Or),
            "not" => {
                let inner = self.expr(node, Ty::Bool);
                (self.add(Expr::Not(inner)), Ty::Bool)
            }
            "==" | "!=" => {
                let Some((a, b, _)) = self.pair(node) else { return self.constant(0, Ty::Bool) };
                let equal = self.equal(a, b);
                (if op == "==" { equal } else { self.add(Expr::Not(equal)) }, Ty::Bool)
            }
            "<" | "<=" | ">" | ">=" => {
                let Some((a, b, ty)) = self.pair(node) else { return self.constant(0, Ty::Bool) };
                if !matches!(ty, Ty::Int | Ty::Enum(_) | Ty::Any) {
                    let name = self.type_name(ty);
                    self.findings.error("type", at, format!("{name} has no order"));
                }
                let expr = match op {
                    "<" => Expr::Lt(a, b),
                    "<=" => Expr::Le(a, b),
                    ">" => Expr::Lt(b, a),
                    _ => Expr::Le(b, a),
                };
                (self.add(expr), Ty::Bool)
            }
            "if" => {
                let Some([c, a, b]) = self.operands(node, 3, 3) else { return self.constant(0, Ty::Any) };
                let c = self.at(0, |s| s.expr(c, Ty::Bool));
                let (a, ty) = self.at(1, |s| s.typed(a, want));
                let b = self.at(2, |s| s.expr(b, ty));
                (self.add(Expr::If(c, a, b)), ty)
            }
            "var" => self.variable(node),
            "config" => match self.config(node) {
                Some(n) if !self.program.config[usize::from(n)].list => {
                    let ty = self.program.config[usize::from(n)].ty;
                    (self.add(Expr::Config(n)), ty)
                }
                _ => self.constant(0, Ty::Any),
            },
            "attr" => {
                let Some([of, name]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Any) };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let Some(attr) = self.at(1, |c| c.attribute(name)) else { return self.constant(0, Ty::Any) };
                let ty = self.program.attrs[usize::from(attr)].ty;
                (self.add(Expr::Attr(of, attr)), ty)
            }
            "counters" => {
                let Some([of, name]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Int) };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let Some(kind) = self.at(1, |c| c.counter(name)) else { return self.constant(0, Ty::Int) };
                (self.add(Expr::Counter(of, kind)), Ty::Int)
            }
            "has" => {
                let Some([of, name]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Bool) };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let Some(keyword) = self.at(1, |c| c.keyword(name)) else {
                    return self.constant(0, Ty::Bool);
                };
                (self.add(Expr::Has(of, keyword)), Ty::Bool)
            }
            "hasAbility" => {
                let Some([of, ability]) = self.operands(node, 2, 2) else {
                    return self.constant(0, Ty::Bool);
                };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let ability = self.at(1, |c| c.expr(ability, Ty::Enum(crate::machine::program::ABILITIES)));
                (self.add(Expr::HasAbility(of, ability)), Ty::Bool)
            }
            "ev" => self.event_field(node),
            "evItem" => (self.add(Expr::EvItem), Ty::Item),
            "answer" | "slot" | "touched" => self.answer(op, node),
            "count" | "exists" | "first" | "last" | "pick" => {
                let (sel, ty) = self.select(node, Ty::Any);
                match op {
                    "count" => (self.add(Expr::Count(sel)), Ty::Int),
                    "exists" => (self.add(Expr::Exists(sel)), Ty::Bool),
                    "last" => (self.add(Expr::Last(sel)), ty),
                    _ => (self.add(Expr::First(sel)), ty),
                }
            }
            "forall" => {
                let (sel, _) = self.select_negated(node);
                let exists = self.add(Expr::Exists(sel));
                (self.add(Expr::Not(exists)), Ty::Bool)
            }
            "at" => {
                let Some([from, place]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Any) };
                let (sel, ty) = self.at(0, |c| c.select(from, want));
                let place = self.at(1, |c| c.expr(place, Ty::Int));
                (self.add(Expr::At(sel, place)), ty)
            }
            "owner" | "ownerOf" => {
                let of = self.expr(node, Ty::Ent);
                (self.add(Expr::Owner(of)), Ty::Seat)
            }
            "controller" => {
                let of = self.expr(node, Ty::Any);
                (self.add(Expr::Controller(of)), Ty::Seat)
            }
            "playedBy" => {
                let of = self.expr(node, Ty::Ent);
                (self.add(Expr::PlayedBy(of)), Ty::Seat)
            }
            "seatOffset" => {
                let Some([seat, by]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Seat) };
                let seat = self.at(0, |c| c.expr(seat, Ty::Seat));
                let by = self.at(1, |c| c.expr(by, Ty::Int));
                (self.add(Expr::SeatOffset(seat, by)), Ty::Seat)
            }
            "opponentOf" => {
                let seat = self.expr(node, Ty::Seat);
                let one = self.add(Expr::Const(1));
                (self.add(Expr::SeatOffset(seat, one)), Ty::Seat)
            }
            "seatNo" => {
                let seat = self.expr(node, Ty::Seat);
                (self.add(Expr::SeatNo(seat)), Ty::Int)
            }
            "seat" => {
                let n = self.expr(node, Ty::Int);
                (self.add(Expr::SeatAt(n)), Ty::Seat)
            }
            "seats" => (self.add(Expr::Seats), Ty::Int),
            "card" => {
                let of = self.expr(node, Ty::Ent);
                (self.add(Expr::Card(of)), Ty::Enum(CARDS))
            }
            "isCard" => {
                let Some([of, card]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Bool) };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let card = self.at(1, |c| c.expr(card, Ty::Enum(CARDS)));
                let kind = self.add(Expr::Card(of));
                (self.add(Expr::Eq(kind, card)), Ty::Bool)
            }
            "zoneOf" => {
                let of = self.expr(node, Ty::Ent);
                (self.add(Expr::ZoneOf(of)), Ty::Enum(ZONES))
            }
            "inZone" => {
                let Some([of, zone]) = self.operands(node, 2, 2) else { return self.constant(0, Ty::Bool) };
                let of = self.at(0, |c| c.expr(of, Ty::Ent));
                let zone = self.at(1, |c| c.expr(zone, Ty::Enum(ZONES)));
                let at = self.add(Expr::ZoneOf(of));
                (self.add(Expr::Eq(at, zone)), Ty::Bool)
            }
            "isEntity" | "isSeat" | "isNone" | "onStack" => {
                let of = self.expr(node, Ty::Any);
                let expr = match op {
                    "isEntity" => Expr::IsEnt(of),
                    "isSeat" => Expr::IsSeat(of),
                    "onStack" => Expr::OnStack(of),
                    _ => Expr::IsNone(of),
                };
                (self.add(expr), Ty::Bool)
            }
            "inStep" | "inPhase" => {
                let (enums, now) = if op == "inStep" { (STEPS, Expr::Step) } else { (PHASES, Expr::Phase) };
                let name = self.expr(node, Ty::Enum(enums));
                let now = self.add(now);
                (self.add(Expr::Eq(now, name)), Ty::Bool)
            }
            "isActive" => {
                let seat = self.expr(node, Ty::Seat);
                let active = self.add(Expr::Active);
                (self.add(Expr::Eq(active, seat)), Ty::Bool)
            }
            "stackEmpty" => {
                let empty = self.add(Expr::StackEmpty);
                if node.as_bool() == Some(false) {
                    return (self.add(Expr::Not(empty)), Ty::Bool);
                }
                (empty, Ty::Bool)
            }
            "turnNumber" => (self.add(Expr::Turn), Ty::Int),
            "happened" => self.happened(node),
            "table" => self.table(node),
            "neg" => {
                let (zero, inner) = (self.add(Expr::Const(0)), self.expr(node, Ty::Int));
                (self.add(Expr::Sub(zero, inner)), Ty::Int)
            }
            "const" => match node.as_text() {
                Some(name) if self.constants.iter().any(|(other, _, _)| other == name) => {
                    self.name(node, name, want)
                }
                name => {
                    let names: Vec<String> = self.constants.iter().map(|(name, _, _)| name.clone()).collect();
                    self.findings.unknown(
                        at,
                        "constant",
                        name.unwrap_or("?"),
                        names.iter().map(String::as_str),
                    );
                    self.constant(0, Ty::Any)
                }
            },
            "teamOf" | "sameTeam" | "partnerOf" => self.kinship(op, node),
            "was" => self.was(node),
            "arrived" | "faceDown" | "cell" | "column" | "row" | "inCell" => self.lying(op, node),
            "isCopy" => (self.add(Expr::IsCopy), Ty::Bool),
            "lost" => {
                let seat = self.expr(node, Ty::Seat);
                (self.add(Expr::Lost(seat)), Ty::Bool)
            }
            "itemCard" => {
                let item = self.expr(node, Ty::Item);
                (self.add(Expr::ItemCard(item)), Ty::Ent)
            }
            "roundNumber" => (self.add(Expr::Round), Ty::Int),
            _ => {
                self.findings.unknown(at, "expression", op, EXPRESSIONS.iter().copied());
                self.constant(0, Ty::Any)
            }
        }
    }

    /// Equality, in the cheapest way.
    pub(super) fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let of = |id: ExprId, program: &crate::machine::program::Program| program.exprs[id as usize];
        let (left, right) = (of(a, &self.program), of(b, &self.program));
        let expr = match (left, right) {
            (Expr::Attr(e, attr), Expr::Const(value)) => {
                let def = &self.program.attrs[usize::from(attr)];
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
