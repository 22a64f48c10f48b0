//! State checks and statics: what holds all the time.

use super::Compiler;
use super::implicit_seat::{ImplicitSeat, Left};
use super::scope::Bound;
use crate::language::Node;
use crate::machine::ids::{AttrId, StaticId};
use crate::machine::program::{Change, CheckDef, Expr, ExprId, SelId, Source, StaticDef, Ty};

impl<'n> Compiler<'n> {
    pub(super) fn static_ability(&mut self, node: &'n Node) -> StaticId {
        self.only_part(node, "static");
        let default = self.open_zones();
        let zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        let mut def = StaticDef {
            layer: 4,
            zones,
            affects: default,
            when: None,
            it: 0,
            changes: Vec::new(),
            keywords: 0,
        };
        if let Some(layer) = node.get("layer").and_then(Node::as_text) {
            let layers = self.layers.clone();
            match layers.iter().position(|name| *name == layer) {
                Some(n) => def.layer = n as u8,
                None => self.findings.unknown(node.at, "layer", layer, layers.iter().map(String::as_str)),
            }
        }
        let mark = self.scope.mark();
        let depth = self.scope.deeper().unwrap_or(0);
        self.scope.alias("it", Bound::It(depth, Ty::Ent));
        def.it = depth;
        if let Some(affects) = node.get("affects") {
            self.at("affects", |this| this.affected(affects, &mut def));
        }
        def.changes = self.changes(node);
        for item in node.get("keywords").map_or(&[][..], Node::items) {
            if let Some(n) = self.at("keywords", |this| this.keyword(item)) {
                def.keywords |= 1u64 << n;
            }
        }
        self.scope.back(mark);
        self.scope.shallower();
        self.program.statics.push(def);
        StaticId::at(self.program.statics.len() - 1)
    }

    /// Which cards a static affects.
    fn affected(&mut self, node: &'n Node, def: &mut StaticDef) {
        if !matches!(node.value, crate::language::Value::Map(_)) {
            return self.expect(node, "an object with `zones`, `of` and `where`");
        }
        self.only(node, &["zones", "of", "where", "zone"]);
        let field = if node.get("zones").is_some() { "zones" } else { "zone" };
        def.affects = self.zone_bits(node, field, def.affects);
        def.when = self.field(node, "where", |this, inner| this.expr(inner, Ty::Bool));
        let Some(of) = node.get("of").filter(|of| !matches!(of.as_text(), Some("each" | "all"))) else {
            return;
        };
        let it = self.add(Expr::It(def.it));
        let controller = self.add(Expr::Controller(it));
        let same = match of.as_text() {
            Some("opponent" | "opponents") => {
                let you = self.you(of.at, Left::Word("opponent"));
                let mine = self.add(Expr::Eq(controller, you));
                self.add(Expr::Not(mine))
            }
            _ => {
                let seat = self.at("of", |this| this.expr(of, Ty::Seat));
                self.add(Expr::Eq(controller, seat))
            }
        };
        def.when = Some(match def.when {
            None => same,
            Some(when) => self.add(Expr::And(same, when)),
        });
    }

    /// What `modify` and `set` do to attributes.
    pub(super) fn changes(&mut self, node: &'n Node) -> Vec<Change> {
        let mut changes = Vec::new();
        for (field, set) in [("modify", false), ("set", true)] {
            let Some(inner) = node.get(field) else { continue };
            self.at(field, |this| {
                this.each_field(inner, |this, name, value| {
                    let Some(attr) = this.attr_named(value.at, name) else { return };
                    let def = &this.program.attrs[attr];
                    let ty = def.ty;
                    if !def.layered {
                        let help = "declare it with \"layer\": \"stat\"";
                        this.findings.error_help("layer", value.at, format!("{name} has no layer"), help);
                    }
                    let value = this.expr(value, ty);
                    changes.push(Change { attr, set, value });
                });
            });
        }
        changes
    }

    /// An attribute by its name.
    fn attr_named(&mut self, at: u32, name: &str) -> Option<AttrId> {
        let found = self.program.attrs.iter().position(|def| def.name == name);
        if found.is_none() {
            let names: Vec<String> = self.program.attrs.iter().map(|def| def.name.clone()).collect();
            self.findings.unknown(at, "attribute", name, names.iter().map(String::as_str));
        }
        found.map(AttrId::at)
    }

    pub(super) fn checks(&mut self, root: &'n Node) {
        let Some(checks) = root.get("checks") else { return };
        self.at("checks", |this| {
            for (n, node) in checks.items().iter().enumerate() {
                this.at(n, |this| {
                    this.with_implicit_seat(ImplicitSeat::Seat { card: true }, |this| this.check(node))
                });
            }
        });
    }

    pub(super) fn check(&mut self, node: &'n Node) {
        self.only_part(node, "check");
        let id = node.get("id").and_then(Node::as_text).unwrap_or("check").to_owned();
        let (each, ty) = if let Some(inner) = node.get("each") {
            self.at("each", |this| this.select(inner, Ty::Any))
        } else if node.get("seats").is_some() {
            let depth = self.scope.deeper().unwrap_or(0);
            let mark = self.scope.mark();
            let who = self.field(node, "seats", Self::who).unwrap_or(crate::machine::program::Who::All);
            self.scope.alias("it", Bound::It(depth, Ty::Seat));
            let keep = self.field(node, "where", |this, inner| this.expr(inner, Ty::Bool));
            self.scope.back(mark);
            self.scope.shallower();
            let sel =
                crate::machine::program::Sel { keep, it: depth, ..super::exprs::plain(Source::Seats(who)) };
            (self.add_sel(sel), Ty::Seat)
        } else {
            return self.findings.error("shape", node.at, "`each` is missing: what is looked at");
        };
        let local = self.is_local(each);
        let mut it = 0;
        let code = self.block(true, None, &[], |this| {
            it = this.scope.bind("it", ty);
            this.field(node, "do", Self::statements);
        });
        self.program.checks.push(CheckDef { id, each, local, code, it });
    }

    /// Whether a check over entities in zones looks at nothing but each of them.
    pub(super) fn is_local(&self, sel: SelId) -> bool {
        let sel = &self.program.sels[sel];
        let (Source::Zones(_, crate::machine::program::Who::All), Some(keep)) = (&sel.source, sel.keep)
        else {
            return false;
        };
        sel.prefer.is_empty() && sel.n.is_none() && self.looks_at_it(keep)
    }

    pub(super) fn looks_at_it(&self, expr: ExprId) -> bool {
        match self.program.exprs[expr] {
            Expr::Const(_) | Expr::It(_) | Expr::ItAttrEq(..) => true,
            Expr::Attr(e, attr) => {
                let kind = self.program.attrs[attr].kind;
                !matches!(kind, crate::machine::program::AttrKind::Computed(..)) && self.looks_at_it(e)
            }
            Expr::Counter(e, _) | Expr::EqConst(e, _) | Expr::Not(e) => self.looks_at_it(e),
            Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b)
            | Expr::Eq(a, b)
            | Expr::Lt(a, b)
            | Expr::Le(a, b)
            | Expr::And(a, b)
            | Expr::Or(a, b) => self.looks_at_it(a) && self.looks_at_it(b),
            _ => false,
        }
    }
}
