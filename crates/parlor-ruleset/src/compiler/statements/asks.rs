//! Statements that ask a seat.

use crate::compiler::Compiler;
use crate::compiler::exprs::plain;
use crate::compiler::implicit_seat::Left;
use crate::compiler::scope::Bound;
use crate::language::{Node, schema};
use crate::machine::ids::{AnswerId, EnumId, QuestionId};
use crate::machine::program::{
    AskDef, AskKind, AskMode, EnumDef, Expr, Fallback, Hole, Op, See, SelId, Source, Ty, VarDef, Who,
};
use crate::operations::{self, Operation};

/// The ways in which a question is answered.
const KINDS: [&str; 7] = ["pick", "slots", "order", "number", "confirm", "modes", "distribute"];
/// What a pick has beside the selection it is from.
const BESIDE: [&str; 6] = ["from", "min", "max", "count", "fits", "why"];

impl<'n> Compiler<'n> {
    pub(crate) fn ask(&mut self, of: Operation<'n>) {
        let (at, node) = (of.at, of.node);
        self.asks_here(at);
        let id = node.get("id").and_then(Node::as_text).unwrap_or("ask").to_owned();
        let who = match self.field(node, "who", Self::who) {
            Some(who) => who,
            None => {
                let you = self.you(node.at, Left::Field("who"));
                Who::One(you)
            }
        };
        let mode = self.ask_mode(at, node);
        let Some(asked) = self.scope.deeper() else {
            return self.findings.error("limit", at, "selections are nested deeper than it_depth_max");
        };
        let mark = self.scope.mark();
        self.scope.alias("asked", Bound::It(asked, Ty::Seat));
        let mut def = AskDef {
            prompt: node.get("prompt").and_then(Node::as_text).unwrap_or(&id).to_owned(),
            id,
            kind: AskKind::Confirm,
            ty: Ty::Bool,
            who,
            mode,
            from: None,
            asked,
            min: self.add(Expr::Const(1)),
            max: self.add(Expr::Const(1)),
            modes: Vec::new(),
            answer: AnswerId::default(),
            ms: None,
            fallback: Fallback::First,
            deadline: self.word(node, "closes", &["deadline"]).is_some(),
            drafts: node.get("drafts").is_some_and(|drafts| drafts.as_bool() != Some(false)),
            alive: node.get("alive").and_then(Node::as_bool).unwrap_or(false),
            auto: node.get("auto").and_then(Node::as_bool).unwrap_or(false),
            always: node.get("auto").and_then(Node::as_bool) == Some(false),
            shown: node.get("shown").and_then(Node::as_bool).unwrap_or(false),
            fits: None,
            why: None,
            holes: self.holes(node),
        };
        let ty = self.ask_kind(at, node, &mut def);
        def.ty = ty;
        self.one_kind(at, node, &def);
        self.scope.back(mark);
        self.scope.shallower();
        if let Some(timeout) = node.get("timeout") {
            self.at("timeout", |this| this.timeout(timeout, &mut def));
        }
        if def.fallback == Fallback::Draft && !def.drafts {
            let help = "add \"drafts\": true, or choose another default";
            self.findings.error_help(
                "drafts",
                at,
                "its default is the last draft, and it takes no drafts",
                help,
            );
        }
        if def.deadline && def.ms.is_none() {
            self.findings.error_help(
                "deadline",
                at,
                "it closes at its deadline and has none",
                "add a `timeout`",
            );
        }
        self.bind_answer(node, def);
    }

    /// How the seats that are asked answer.
    fn ask_mode(&mut self, at: u32, node: &Node) -> AskMode {
        match node.get("mode").and_then(Node::as_text) {
            None | Some("one") => AskMode::One,
            Some("all") => AskMode::All,
            Some("any") => AskMode::Any,
            Some(other) => {
                self.findings.unknown(at, "mode", other, ["one", "all", "any"]);
                AskMode::One
            }
        }
    }

    /// Asks, and binds the answer to the name after `as`.
    fn bind_answer(&mut self, node: &Node, mut def: AskDef) {
        let ty = def.ty;
        let name = node.get("as").and_then(Node::as_text).unwrap_or("").to_owned();
        let slot = match self.program.answers.iter().position(|other| *other == name && !name.is_empty()) {
            Some(slot) => AnswerId::at(slot),
            None => {
                self.program.answers.push(name.clone());
                AnswerId::at(self.program.answers.len() - 1)
            }
        };
        def.answer = slot;
        let single = !matches!(def.kind, AskKind::Slots(_) | AskKind::Order | AskKind::Distribute)
            && self.program.exprs[def.max] == Expr::Const(1)
            || matches!(def.kind, AskKind::Confirm | AskKind::Mode | AskKind::Number);
        let one = def.mode == AskMode::One;
        let asked_seat = match def.who {
            Who::One(seat) => Some(seat),
            _ => None,
        };
        self.program.asks.push(def);
        let n = QuestionId::at(self.program.asks.len() - 1);
        self.op(Op::Ask(n));
        if name.is_empty() {
            return;
        }
        self.scope.alias(&format!("?{name}"), Bound::Answer(slot, ty, single));
        if let (true, true, Some(seat)) = (single, one, asked_seat) {
            let local = self.scope.bind(&name, ty);
            let value = self.answered(slot, seat, ty);
            self.op(Op::Let(local, value));
        } else if let (true, Some(seat)) = (one, asked_seat) {
            let list = self.scope.bind_list(&name, ty);
            let sel = self.add_sel(plain(Source::Answer(slot, seat)));
            self.op(Op::LetList(list, sel));
        }
    }

    /// `fits`: what must hold of all that is picked, which has the name of the answer.
    fn whole_answer(&mut self, node: &'n Node, pick: &'n Node, ty: Ty, def: &mut AskDef) {
        let Some(fits) = pick.get("fits") else { return };
        let Some(name) = node.get("as").and_then(Node::as_text) else {
            let help = "its condition speaks of the answer by its name: add \"as\"";
            return self.findings.error_help("shape", fits.at, "what is to fit has no name", help);
        };
        let list = self.scope.bind_list("", ty);
        self.scope.alias(name, Bound::List(list, ty));
        let condition = self.at("fits", |this| this.expr(fits, Ty::Bool));
        def.fits = Some((condition, list));
        def.why = pick.get("why").and_then(Node::as_text).map(|why| self.text(why));
    }

    /// What stands in the holes of a prompt: a name that is bound here, or a variable of the game that everybody sees.
    fn holes(&mut self, node: &'n Node) -> Vec<Hole> {
        let Some(prompt) = node.get("prompt").filter(|_| !self.program.is_first_edition()) else {
            return Vec::new();
        };
        let mut holes = Vec::new();
        for name in crate::compiler::translations::holes(prompt.as_text().unwrap_or_default()) {
            let var = self.program.vars.iter().find(|var| var.name == name && var.see == See::All);
            let var = var.filter(|var| !var.per_player && !var.per_team && var.per.is_none());
            let found = match (self.scope.find(name), var.map(|var| (var.base, var.ty))) {
                (Some(Bound::Answer(..)), _) | (None, None) => {
                    let mut known = self.scope.names();
                    known.retain(|name| !name.is_empty() && !name.starts_with('?'));
                    let open = |var: &&VarDef| !var.per_player && !var.per_team && var.see == See::All;
                    known.extend(self.program.vars.iter().filter(open).map(|var| var.name.clone()));
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    self.at("prompt", |this| this.findings.unknown(prompt.at, "hole", name, known));
                    continue;
                }
                (Some(_), _) => self.name(prompt, name, Ty::Any),
                (None, Some((base, ty))) => (self.add(Expr::Var(base)), ty),
            };
            holes.push(Hole { name: name.to_owned(), value: found.0, ty: found.1 });
        }
        holes
    }

    /// The type of an answer that is one of these names: it is compared with them. Numbers, from 0, do as well.
    fn mode_type(&mut self, names: &[String]) -> Ty {
        let known = |n: &&EnumId| self.program.enums[**n].values == names;
        if let Some(n) = self.modes.iter().find(known) {
            return Ty::Enum(*n);
        }
        let n = EnumId::at(self.program.enums.len());
        let (values, labels) = (names.to_vec(), names.to_vec());
        self.program.enums.push(EnumDef { name: names.join(" or "), values, labels });
        self.modes.insert(n);
        Ty::Enum(n)
    }

    /// A question is answered in one way, and there is something between its least and its most.
    fn one_kind(&mut self, at: u32, node: &Node, def: &AskDef) {
        let kinds: Vec<&str> = KINDS.iter().copied().filter(|kind| node.get(kind).is_some()).collect();
        if kinds.len() > 1 {
            let message = format!("it is answered in one way, and this has {}", kinds.join(" and "));
            self.findings.error_help("ask", at, message, "ask for the one, then for the other");
        }
        let bounded = matches!(def.kind, AskKind::Pick | AskKind::Number);
        let bounds = (self.program.exprs[def.min], self.program.exprs[def.max]);
        if let (true, (Expr::Const(min), Expr::Const(max))) = (bounded, bounds)
            && min > max
        {
            let help = "nobody could answer this: give it a `max`, or a smaller `min`";
            self.findings.error_help(
                "bounds",
                at,
                format!("its min, {min}, is more than its max, {max}"),
                help,
            );
        }
    }

    /// How it is answered, and what the answer is made of.
    pub(in crate::compiler) fn ask_kind(&mut self, at: u32, node: &'n Node, def: &mut AskDef) -> Ty {
        if let Some(pick) = node.get("pick") {
            return self.at("pick", |this| {
                def.kind = AskKind::Pick;
                let Some((sel, ty)) = this.select_pick(pick) else { return Ty::Any };
                def.from = Some(sel);
                let n = this.field(pick, "count", |this, inner| this.expr(inner, Ty::Int));
                let min = this.field(pick, "min", |this, inner| this.expr(inner, Ty::Int));
                let max = this.field(pick, "max", |this, inner| this.expr(inner, Ty::Int));
                def.min = n.or(min).unwrap_or(def.min);
                def.max = n.or(max).unwrap_or(def.max);
                this.whole_answer(node, pick, ty, def);
                ty
            });
        }
        if let Some(slots) = node.get("slots") {
            return self.at("slots", |this| {
                this.only(slots, &["n", "from"]);
                let n = slots.get("n").and_then(Node::as_int).unwrap_or(0);
                if !(1..=64).contains(&n) {
                    this.findings.error("shape", slots.at, "`n` is the number of places: 1 to 64");
                }
                def.kind = AskKind::Slots(n.clamp(1, 64) as u8);
                def.from = Some(this.need_sel(slots, "from", Ty::Ent));
                Ty::Ent
            });
        }
        if let Some(order) = node.get("order") {
            def.kind = AskKind::Order;
            let (sel, ty) = self.at("order", |this| this.select(order, Ty::Any));
            def.from = Some(sel);
            return ty;
        }
        if let Some(number) = node.get("number") {
            def.kind = AskKind::Number;
            self.at("number", |this| {
                this.only(number, &["min", "max"]);
                def.min = this.need(number, "min", Ty::Int);
                def.max = this.need(number, "max", Ty::Int);
            });
            return Ty::Int;
        }
        if let Some(modes) = node.get("modes") {
            def.kind = AskKind::Mode;
            def.modes = modes.items().iter().filter_map(Node::as_text).map(str::to_owned).collect();
            for (n, mode) in modes.items().iter().enumerate().filter(|(_, mode)| mode.as_text().is_none()) {
                self.at("modes", |this| this.at(n, |this| this.expect(mode, "a name")));
            }
            if def.modes.is_empty() {
                self.findings.error("shape", modes.at, "a list of names is expected here");
            }
            return self.mode_type(&def.modes.clone());
        }
        if let Some(distribute) = node.get("distribute") {
            def.kind = AskKind::Distribute;
            self.at("distribute", |this| {
                this.only(distribute, &["from", "sum"]);
                def.from = Some(this.need_sel(distribute, "from", Ty::Any));
                def.max = this.need(distribute, "sum", Ty::Int);
            });
            return Ty::Int;
        }
        if node.get("confirm").is_none() {
            self.findings.error_help(
                "ask",
                at,
                "it does not say how it is answered",
                "one of pick, slots, order, number, confirm, modes, distribute",
            );
        }
        Ty::Bool
    }

    /// `{"from": …, "prefer": …, "min", "max"}`: the options of a pick stand beside its `from`. Nothing where it does not
    /// say what is picked from, which is then told once and not again by all that the answer is used for.
    pub(in crate::compiler) fn select_pick(&mut self, pick: &'n Node) -> Option<(SelId, Ty)> {
        if !pick.fields().is_empty() && !crate::compiler::selections::is_from_something(pick) {
            let op = pick.fields().len() == 1 && operations::expression(&pick.fields()[0].0.name).is_some();
            if !op {
                self.only(pick, &schema::selection());
                let help = "pick has from, min?, max?, count?, and the options of a selection";
                self.findings.error_help("shape", pick.at, "`from` is missing: what is picked from", help);
                return None;
            }
        }
        let beside = pick.fields().iter().any(|(key, _)| !BESIDE.contains(&key.name.as_str()));
        Some(match pick.get("from") {
            Some(from) if !beside => self.at("from", |this| this.select(from, Ty::Any)),
            _ => {
                self.picking = pick.get("fits").is_some();
                self.select(pick, Ty::Any)
            }
        })
    }

    pub(in crate::compiler) fn timeout(&mut self, node: &'n Node, def: &mut AskDef) {
        if node.as_int().is_some() {
            def.ms = Some(self.expr(node, Ty::Int));
            return;
        }
        self.only(node, &["ms", "default"]);
        def.ms = Some(self.need(node, "ms", Ty::Int));
        if let Some(value) = node.get("default").and_then(|default| default.get("value")) {
            let (value, _) = self.at("default", |this| this.at("value", |this| this.typed(value, Ty::Any)));
            def.fallback = Fallback::Value(value);
            return;
        }
        if let Some(default) = node.get("default").filter(|default| default.as_text().is_none()) {
            self.at("default", |this| {
                let help = "one of first, random, pass, lastDraft, or {\"value\": E}";
                let message = format!("a word is expected here, not {}", default.kind());
                this.findings.error_help("shape", default.at, message, help);
            });
        }
        def.fallback = match node.get("default").and_then(Node::as_text) {
            None | Some("first") => Fallback::First,
            Some("random") => Fallback::Random,
            Some("pass") => {
                let least = match (def.kind, &self.program.exprs[def.min]) {
                    (AskKind::Slots(_), _) => 0,
                    (AskKind::Pick, Expr::Const(min)) => *min,
                    (AskKind::Pick, _) => 0,
                    _ => 1,
                };
                if least > 0 {
                    let help = "say what is answered then: \"first\", \"random\" or {\"value\": E}; or let a pick have `min` 0";
                    let at = node.get("default").map_or(node.at, |default| default.at);
                    self.at("default", |this| {
                        this.findings.error_help(
                            "shape",
                            at,
                            "this cannot be passed: an answer must be given",
                            help,
                        );
                    });
                }
                Fallback::Pass
            }
            Some("lastDraft" | "lastDraftOrEmpty") => Fallback::Draft,
            Some(other) => {
                let known = ["first", "random", "pass", "lastDraft"];
                self.findings.unknown(node.at, "default", other, known);
                Fallback::First
            }
        };
    }
}
