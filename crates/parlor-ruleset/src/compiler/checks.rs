//! State checks and statics: what holds all the time.

use super::Compiler;
use super::implicit_seat::{ImplicitSeat, Left};
use super::scope::Bound;
use crate::language::Node;
use crate::machine::program::{Change, CheckDef, Expr, Source, StaticDef, Ty};

impl<'n> Compiler<'n> {
    pub(super) fn static_ability(&mut self, node: &'n Node) -> u16 {
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
            self.at("affects", |this| {
                if !matches!(affects.value, crate::language::Value::Map(_)) {
                    return this.expect(affects, "an object with `zones`, `of` and `where`");
                }
                this.only(affects, &["zones", "of", "where", "zone"]);
                def.affects = this.zone_bits(
                    affects,
                    if affects.get("zones").is_some() { "zones" } else { "zone" },
                    default,
                );
                let mut when = this.field(affects, "where", |this, inner| this.expr(inner, Ty::Bool));
                if let Some(of) = affects.get("of")
                    && !matches!(of.as_text(), Some("each" | "all"))
                {
                    let it = this.add(Expr::It(depth));
                    let controller = this.add(Expr::Controller(it));
                    let same = match of.as_text() {
                        Some("opponent" | "opponents") => {
                            let you = this.you(of.at, Left::Word("opponent"));
                            let mine = this.add(Expr::Eq(controller, you));
                            this.add(Expr::Not(mine))
                        }
                        _ => {
                            let seat = this.at("of", |this| this.expr(of, Ty::Seat));
                            this.add(Expr::Eq(controller, seat))
                        }
                    };
                    when = Some(match when {
                        None => same,
                        Some(when) => this.add(Expr::And(same, when)),
                    });
                }
                def.when = when;
            });
        }
        for (field, set) in [("modify", false), ("set", true)] {
            if let Some(inner) = node.get(field) {
                self.at(field, |this| {
                    this.each_field(inner, |this, name, value| {
                        let Some(attr) = this.program.attrs.iter().position(|def| def.name == name) else {
                            let names: Vec<String> =
                                this.program.attrs.iter().map(|def| def.name.clone()).collect();
                            return this.findings.unknown(
                                value.at,
                                "attribute",
                                name,
                                names.iter().map(String::as_str),
                            );
                        };
                        if !this.program.attrs[attr].layered {
                            this.findings.error_help(
                                "layer",
                                value.at,
                                format!("{name} has no layer"),
                                "declare it with \"layer\": \"stat\"",
                            );
                        }
                        let ty = this.program.attrs[attr].ty;
                        let value = this.expr(value, ty);
                        def.changes.push(Change { attr: attr as u16, set, value });
                    });
                });
            }
        }
        for item in node.get("keywords").map_or(&[][..], Node::items) {
            if let Some(n) = self.at("keywords", |this| this.keyword(item)) {
                def.keywords |= 1u64 << n;
            }
        }
        self.scope.back(mark);
        self.scope.shallower();
        self.program.statics.push(def);
        (self.program.statics.len() - 1) as u16
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
    pub(super) fn is_local(&self, sel: u32) -> bool {
        let sel = &self.program.sels[sel as usize];
        let (Source::Zones(_, crate::machine::program::Who::All), Some(keep)) = (&sel.source, sel.keep)
        else {
            return false;
        };
        sel.prefer.is_empty() && sel.n.is_none() && self.looks_at_it(keep)
    }

    pub(super) fn looks_at_it(&self, expr: u32) -> bool {
        match self.program.exprs[expr as usize] {
            Expr::Const(_) | Expr::It(_) | Expr::ItAttrEq(..) => true,
            Expr::Attr(e, attr) => {
                let kind = self.program.attrs[usize::from(attr)].kind;
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
