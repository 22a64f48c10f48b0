//! Cards: their names, and what is printed on them.

use super::Compiler;
use crate::language::{Node, schema};
use crate::limits::{CARDS_MAX, PRINTED_MAX};
use crate::machine::ids::{EnumId, KindId};
use crate::machine::program::{AttrKind, CARDS, CardDef, Expr, ExprId, NONE, Ty};

impl<'n> Compiler<'n> {
    /// Values that are computed: when every name is known.
    pub(super) fn computed(&mut self, root: &'n Node) {
        self.field(root, "attributes", |this, attrs| {
            for (n, (key, node)) in attrs.fields().iter().enumerate().take(this.program.attrs.len()) {
                let Some(value) = node.get("value") else { continue };
                let ty = this.program.attrs[n].ty;
                let Some(depth) = this.scope.deeper() else { continue };
                let mark = this.scope.mark();
                this.scope.alias("it", super::scope::Bound::It(depth, Ty::Ent));
                let expr = this.at(&key.name, |this| this.at("value", |this| this.expr(value, ty)));
                this.scope.back(mark);
                this.scope.shallower();
                this.program.attrs[n].kind = AttrKind::Computed(expr, depth);
            }
        });
        self.fold_computed();
    }

    /// A computed attribute that only looks at what is printed is printed itself: it is worked out once.
    pub(super) fn fold_computed(&mut self) {
        use crate::machine::eval::{Eval, Scratch};
        for n in 0..self.program.attrs.len() {
            let AttrKind::Computed(expr, it) = self.program.attrs[n].kind else { continue };
            if self.findings.has_errors() || !self.only_printed(it, expr) {
                continue;
            }
            for def in (0..self.program.cards.len()).map(KindId::at) {
                let state = super::config::one_card(&self.program, def);
                let mut scratch = Scratch::new(10_000);
                scratch.its[usize::from(it)] = 0;
                let value = Eval::outside(&self.program, &state, NONE, NONE).value(&mut scratch, expr);
                self.program.cards[def].attrs[n] = value;
            }
            self.program.attrs[n].kind = AttrKind::Printed;
        }
    }

    /// Whether an expression looks at nothing but what is printed on `it`. What is looked at further out is another thing.
    pub(super) fn only_printed(&self, it: u8, expr: ExprId) -> bool {
        let all = |parts: &[ExprId]| parts.iter().all(|part| self.only_printed(it, *part));
        match self.program.exprs[expr] {
            Expr::Const(_) => true,
            Expr::It(depth) | Expr::ItAttrEq(depth, ..) => depth == it,
            Expr::Attr(e, attr) => {
                let def = &self.program.attrs[attr];
                def.kind == AttrKind::Printed && !def.layered && all(&[e])
            }
            Expr::EqConst(a, _) | Expr::Not(a) => all(&[a]),
            Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b)
            | Expr::Eq(a, b)
            | Expr::Lt(a, b)
            | Expr::Le(a, b)
            | Expr::And(a, b)
            | Expr::Or(a, b) => all(&[a, b]),
            Expr::If(a, b, c) => all(&[a, b, c]),
            _ => false,
        }
    }

    /// Names of cards, before anything may speak of them.
    pub(super) fn card_names(&mut self, root: &'n Node) {
        let mut names: Vec<String> = root
            .get("cards")
            .map_or(Vec::new(), |cards| cards.fields().iter().map(|(key, _)| key.name.clone()).collect());
        for (_, deck) in root.get("decks").map_or(&[][..], Node::fields) {
            for combination in self.products(deck) {
                names.push(self.product_name(&combination, false));
            }
            self.pattern_of(deck, names.last());
        }
        self.twice(root, &names);
        if names.len() > CARDS_MAX {
            self.findings.error("limit", root.at, format!("more kinds of cards than cards_max, {CARDS_MAX}"));
            names.truncate(CARDS_MAX);
        }
        self.program.enums[CARDS].values = names;
    }

    /// Every combination of the values of the enums that a deck is a product of.
    pub(super) fn products(&self, deck: &Node) -> Vec<Vec<(EnumId, usize)>> {
        let Some(product) = deck.get("product") else { return Vec::new() };
        let mut all: Vec<Vec<(EnumId, usize)>> = vec![Vec::new()];
        for name in product.items().iter().filter_map(Node::as_text) {
            let Some(n) = self.program.enums.iter().position(|def| def.name == name) else {
                return Vec::new();
            };
            let values = self.program.enums[n].values.len();
            if all.len().saturating_mul(values) > CARDS_MAX {
                return Vec::new();
            }
            all = all
                .into_iter()
                .flat_map(|before| {
                    (0..values).map(move |value| {
                        let mut longer = before.clone();
                        longer.push((EnumId::at(n), value));
                        longer
                    })
                })
                .collect();
        }
        all
    }

    pub(super) fn product_name(&self, combination: &[(EnumId, usize)], label: bool) -> String {
        let mut name = String::new();
        for (n, value) in combination.iter().rev() {
            let def = &self.program.enums[*n];
            let part = if label { def.labels[*value].as_str() } else { def.values[*value].as_str() };
            // `2♣` and `2 clubs`: a title has a gap only where two words would run into each other.
            let words = name.ends_with(char::is_alphanumeric) && part.starts_with(char::is_alphanumeric);
            name.push_str(match label {
                _ if name.is_empty() => "",
                false => "-",
                true if words => " ",
                true => "",
            });
            name.push_str(part);
        }
        name
    }

    /// How the cards of a deck are written, with an example.
    fn pattern_of(&mut self, deck: &Node, example: Option<&String>) {
        let enums: Vec<&str> =
            deck.get("product").map_or(&[][..], Node::items).iter().rev().filter_map(Node::as_text).collect();
        if let Some(example) = example.filter(|_| enums.len() > 1) {
            self.patterns.push(format!("{} (such as {example})", enums.join("-")));
        }
    }

    /// Two cards of one name: nobody could say which is meant.
    fn twice(&mut self, root: &'n Node, names: &[String]) {
        let mut seen = std::collections::BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            let at = root.get("decks").map_or(root.at, |decks| decks.at);
            let help = "the same cards several times are one deck with `copies`";
            self.at("decks", |this| {
                this.findings.error_help("twice", at, format!("the card {name} is there twice"), help)
            });
        }
    }

    /// A card that is not there: by its title, or by its parts in another order, it is probably one that is.
    pub(super) fn unknown_card(&mut self, at: u32, name: &str, names: &[String]) {
        let near = match self.program.cards.is_empty() {
            true => crate::language::suggest::name(name, names.iter().map(String::as_str)),
            false => self.program.card_meant(name),
        };
        let near = near.map(str::to_owned);
        if near.is_none() && !self.patterns.is_empty() {
            let help = format!("cards of a product are written {}", self.patterns.join(", "));
            return self.findings.error_help("unknown", at, format!("there is no card '{name}'"), help);
        }
        self.findings.unknown_near(at, "card", name, near.as_deref(), names.iter().map(String::as_str));
    }

    /// What is printed on the cards.
    pub(super) fn cards(&mut self, root: &'n Node) {
        let parts = schema::card();
        let kinds = self.program.enums[CARDS].values.len();
        if kinds * self.program.attrs.len() > PRINTED_MAX {
            let many = format!("{kinds} cards with {} attributes each", self.program.attrs.len());
            self.findings.error(
                "limit",
                root.at,
                format!("{many}: more than printed_max, {PRINTED_MAX}, values"),
            );
            return;
        }
        let defaults: Vec<i64> = self.program.attrs.iter().map(|attr| attr.default).collect();
        self.field(root, "cards", |this, cards| {
            this.each_field(cards, |this, name, node| {
                this.good_name(name, node.at);
                let mut card =
                    CardDef { name: name.to_owned(), attrs: defaults.clone(), ..CardDef::default() };
                card.title = node.get("title").and_then(Node::as_text).unwrap_or(name).to_owned();
                for (key, value) in node.fields() {
                    if parts.contains(&key.name.as_str()) || key.name.starts_with("//") {
                        continue;
                    }
                    match this.program.attrs.iter().position(|attr| attr.name == key.name) {
                        Some(n) => {
                            let ty = this.program.attrs[n].ty;
                            card.attrs[n] = this.at(&key.name, |this| this.literal(value, ty));
                        }
                        None => {
                            let mut known: Vec<String> =
                                this.program.attrs.iter().map(|attr| attr.name.clone()).collect();
                            known.extend(parts.iter().map(|part| (*part).to_owned()));
                            this.at(&key.name, |this| {
                                this.findings.unknown(
                                    key.at,
                                    "attribute or part of a card",
                                    &key.name,
                                    known.iter().map(String::as_str),
                                )
                            });
                        }
                    }
                }
                if let Some(keywords) = node.get("keywords") {
                    for item in keywords.items() {
                        if let Some(n) = this.at("keywords", |this| this.keyword(item)) {
                            card.keywords |= 1u64 << n;
                        }
                    }
                }
                this.program.cards.push(card);
            });
        });
        self.product_cards(root, &defaults);
        self.program.cards.truncate(CARDS_MAX);
    }

    /// A card for each combination of the enums of a deck.
    fn product_cards(&mut self, root: &'n Node, defaults: &[i64]) {
        self.field(root, "decks", |this, decks| {
            this.each_field(decks, |this, _, deck| {
                this.only(deck, &["product", "into", "copies"]);
                for name in deck.get("product").map_or(&[][..], Node::items) {
                    let known: Vec<String> = this.program.enums.iter().map(|def| def.name.clone()).collect();
                    match name.as_text() {
                        Some(text) if known.iter().any(|other| other == text) => {}
                        Some(text) => {
                            this.findings.unknown(name.at, "enum", text, known.iter().map(String::as_str))
                        }
                        None => this.expect(name, "the name of an enum"),
                    }
                }
                for combination in this.products(deck) {
                    let mut card = CardDef { attrs: defaults.to_vec(), ..CardDef::default() };
                    card.name = this.product_name(&combination, false);
                    card.title = this.product_name(&combination, true);
                    for (n, value) in combination {
                        let attr = this.program.attrs.iter().position(|a| a.ty == Ty::Enum(n));
                        if let Some(attr) = attr {
                            card.attrs[attr] = value as i64;
                        }
                    }
                    this.program.cards.push(card);
                }
            });
        });
    }
}
