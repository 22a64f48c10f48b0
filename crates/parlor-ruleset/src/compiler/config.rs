//! Seats and teams, what a table may set, and constants.

use super::Compiler;
use super::scope::Bound;
use crate::language::{Node, Value};
use crate::machine::ids::{InstanceId, KindId};
use crate::machine::program::{CARDS, Config, Expr, ExprId, Legal, NONE, Program, Ty};

impl<'n> Compiler<'n> {
    /// How many play, in which teams, and which way turns go.
    pub(super) fn players(&mut self, root: &'n Node) {
        let players = root.get("players");
        let seat = |name: &str, default: i64| {
            players.and_then(|players| players.get(name)).and_then(Node::as_int).unwrap_or(default)
        };
        let (min, max) = (seat("min", 2), seat("max", seat("min", 2)));
        if !(1..=15).contains(&min) || !(min..=15).contains(&max) {
            let at = players.map_or(root.at, |players| players.at);
            self.findings.error("players", at, "players: min and max are 1 to 15, min <= max");
        }
        self.program.seats = (min.clamp(1, 15) as u8, max.clamp(min.clamp(1, 15), 15) as u8);
        let Some(players) = players else { return };
        self.at("players", |this| {
            this.only_part(players, "players");
            this.program.leftward = match players.get("turnOrder").and_then(Node::as_text) {
                None | Some("clockwise") => false,
                Some("counterclockwise") => true,
                Some(other) => {
                    this.findings.unknown(players.at, "turnOrder", other, ["clockwise", "counterclockwise"]);
                    false
                }
            };
            this.field(players, "teams", Self::teams);
        });
    }

    /// A number of teams, seat by seat in turn; or names with their seats.
    fn teams(&mut self, node: &'n Node) {
        let seats = usize::from(self.program.seats.1);
        if let Some(count) = node.as_int() {
            if !(2..=seats as i64).contains(&count) {
                return self.findings.error("teams", node.at, format!("teams are 2 to {seats}"));
            }
            if count > i64::from(self.program.seats.0) {
                let fewest = self.program.seats.0;
                let message = format!("with {fewest} players there are teams in which nobody is");
                let help = format!("fewer teams, or \"min\": {count} players");
                self.findings.warn("teams", node.at, message, help);
            }
            self.program.teams = (0..seats).map(|seat| (seat % count as usize) as u8).collect();
            self.program.team_names = (1..=count).map(|n| n.to_string()).collect();
            return;
        }
        if !matches!(node.value, Value::Map(_)) {
            return self.expect(node, "a number of teams, or {name: [seats]}");
        }
        if self.program.seats.0 != self.program.seats.1 {
            let help = "play with a fixed number, or say how many teams";
            self.findings.error_help(
                "teams",
                node.at,
                "teams that name their seats need a fixed number of seats",
                help,
            );
        }
        let mut teams = vec![None; seats];
        for (n, (key, list)) in node.fields().iter().enumerate() {
            self.good_name(&key.name, key.at);
            for item in list.items() {
                let place = item.as_int().and_then(|seat| teams.get_mut(usize::try_from(seat).ok()?));
                match place {
                    Some(place @ None) => *place = Some(n as u8),
                    Some(_) => self.findings.error("teams", item.at, "this seat is in two teams"),
                    None => self.findings.error("teams", item.at, format!("seats are 0 to {}", seats - 1)),
                }
            }
            self.program.team_names.push(key.name.clone());
        }
        if let Some(seat) = teams.iter().position(Option::is_none) {
            self.findings.error("teams", node.at, format!("seat {seat} is in no team"));
        }
        self.program.teams = teams.into_iter().map(Option::unwrap_or_default).collect();
    }

    /// Values with a name.
    pub(super) fn constants(&mut self, root: &'n Node) {
        self.field(root, "constants", |this, constants| {
            this.each_field(constants, |this, name, node| {
                this.good_name(name, node.at);
                let (id, ty) = this.typed(node, Ty::Any);
                match this.program.exprs.get(id.index()) {
                    Some(Expr::Const(value)) => this.constants.push((name.to_owned(), *value, ty)),
                    _ => this.findings.error("constant", node.at, "a plain value is expected here"),
                }
            });
        });
    }

    pub(super) fn configs(&mut self, root: &'n Node) {
        self.field(root, "config", |this, configs| {
            this.each_field(configs, |this, name, node| {
                if !this.room(this.program.config.len(), "knobs", node.at) {
                    return;
                }
                this.only_part(node, "config");
                this.good_name(name, node.at);
                let list =
                    node.get("type").and_then(Node::as_text).is_some_and(|text| text.starts_with("list:"));
                let ty = if list { Ty::Enum(CARDS) } else { this.typed_field(node) };
                let default = match node.get("default") {
                    None if list => Vec::new(),
                    None => vec![0],
                    Some(default) if list => {
                        let mut items = Vec::new();
                        for (n, item) in default.items().iter().enumerate() {
                            items.push(this.at("default", |this| this.at(n, |this| this.literal(item, ty))));
                        }
                        items
                    }
                    Some(default) => vec![this.at("default", |this| this.literal(default, ty))],
                };
                let bound = |name: &str, other: i64| node.get(name).and_then(Node::as_int).unwrap_or(other);
                let (min, max) = (bound("min", i64::MIN), bound("max", i64::MAX));
                if !list && !(min..=max).contains(&default[0]) {
                    let help = format!("the default is {}: change it, or the bounds", default[0]);
                    let message = "the default is not between min and max";
                    this.findings.error_help("bounds", node.at, message, help);
                }
                this.program.config.push(Config {
                    name: name.to_owned(),
                    ty,
                    list,
                    default,
                    min,
                    max,
                    legal: None,
                });
            });
        });
    }

    /// What lists of cards must be like: when the cards are known.
    pub(super) fn legality(&mut self, root: &'n Node) {
        let Some(configs) = root.get("config") else { return };
        self.at("config", |this| {
            this.each_field(configs, |this, name, node| {
                let Some(n) = this.program.config.iter().position(|config| config.name == name) else { return };
                let ruled = ["size", "copies", "where"].iter().any(|field| node.get(field).is_some());
                if !ruled {
                    return;
                }
                if !this.program.config[n].list {
                    return this.findings.error_help("config", node.at, "only lists of cards have these", "\"list:card\"");
                }
                let Some(it) = this.scope.deeper() else { return };
                let mark = this.scope.mark();
                this.scope.alias("it", Bound::It(it, Ty::Ent));
                let copies = this.field(node, "copies", |this, inner| this.expr(inner, Ty::Int));
                let keep = this.field(node, "where", |this, inner| this.expr(inner, Ty::Bool));
                this.scope.back(mark);
                this.scope.shallower();
                let (least, most) = this.size(node);
                for (field, expr) in [("copies", copies), ("where", keep)] {
                    if expr.is_some_and(|expr| !this.looks_at_cards(expr)) {
                        this.at(field, |this| {
                            let help = "before a match there is no table: `it` is a card, with what is printed on it";
                            this.findings.error_help("config", node.at, "this looks at more than a card", help);
                        });
                    }
                }
                this.program.config[n].legal = Some(Legal { least, most, copies, keep, it });
                if this.findings.has_errors() {
                    return;
                }
                let faults = crate::game::game_def::deck_faults(&this.program, &this.program.config[n], &this.program.config[n].default);
                if let Some(fault) = faults.first() {
                    this.at("default", |this| this.findings.error("config", node.at, format!("the default is not legal: {fault}")));
                }
            });
        });
    }

    /// `size: n` or `size: {min, max}`.
    fn size(&mut self, node: &'n Node) -> (u16, u16) {
        let Some(size) = node.get("size") else { return (0, 256) };
        let clip = |n: i64| n.clamp(0, 256) as u16;
        if let Some(n) = size.as_int() {
            return (clip(n), clip(n));
        }
        self.at("size", |this| {
            this.only(size, &["min", "max"]);
            let side = |name: &str, other: i64| size.get(name).and_then(Node::as_int).unwrap_or(other);
            let (least, most) = (clip(side("min", 0)), clip(side("max", 256)));
            if least > most {
                this.findings.error_help("bounds", size.at, "min is more than max", "change one of them");
            }
            (least, most)
        })
    }

    /// Whether an expression looks at nothing but cards as they are printed.
    fn looks_at_cards(&self, expr: ExprId) -> bool {
        let all = |parts: &[ExprId]| parts.iter().all(|part| self.looks_at_cards(*part));
        match self.program.exprs[expr] {
            Expr::Const(_) | Expr::It(_) | Expr::ItAttrEq(..) => true,
            Expr::Attr(e, attr) => {
                let kind = self.program.attrs[attr].kind;
                !matches!(kind, crate::machine::program::AttrKind::Computed(..)) && all(&[e])
            }
            Expr::Card(e) | Expr::Has(e, _) | Expr::EqConst(e, _) | Expr::Not(e) => all(&[e]),
            Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b)
            | Expr::Div(a, b)
            | Expr::Rem(a, b)
            | Expr::Min(a, b)
            | Expr::Max(a, b)
            | Expr::Eq(a, b)
            | Expr::Lt(a, b)
            | Expr::Le(a, b)
            | Expr::And(a, b)
            | Expr::Or(a, b) => all(&[a, b]),
            Expr::If(a, b, c) => all(&[a, b, c]),
            _ => false,
        }
    }
}

/// A state in which one card of a kind lies, to look at it before there is any table.
pub(crate) fn one_card(program: &Program, def: KindId) -> crate::machine::State {
    use crate::machine::board::{Entity, NOBODY};
    let mut state = crate::machine::State::default();
    let board = &mut state.board;
    let mut card = Entity::new(def, InstanceId(0), NOBODY, 0, 0);
    card.keywords = program.cards[def].keywords;
    board.entities = vec![card];
    board.attrs = vec![NONE; usize::from(program.kept)];
    for (n, attr) in program.attrs.iter().enumerate() {
        if let crate::machine::program::AttrKind::Kept(column) = attr.kind {
            board.attrs[column.index()] = program.cards[def].attrs[n];
        }
    }
    board.counters = vec![0; program.counters.len()];
    state
}
