//! The whole ruleset, section by section, in the order in which names become known.

use super::Compiler;
use super::implicit_seat::ImplicitSeat;
use super::scope::Bound;
use crate::language::Node;
use crate::limits as most;
use crate::machine::ids::{EventType, StepId};
use crate::machine::program::{Expr, Limits, Op, Rank, Stake, Ty};

impl<'n> Compiler<'n> {
    /// Reads everything.
    pub(super) fn ruleset(&mut self, root: &'n Node) {
        self.header(root);
        self.enums(root);
        self.card_names(root);
        self.ability_names(root);
        self.name_triggers(root);
        self.steps(root);
        self.constants(root);
        for (key, node) in root.get("define").map_or(&[][..], Node::fields) {
            self.at("define", |this| this.good_name(&key.name, key.at));
            self.defined.insert(key.name.clone(), node);
        }
        self.configs(root);
        self.zones(root);
        self.attributes(root);
        self.counters_and_keywords(root);
        self.variables(root);
        self.events(root);
        self.cards(root);
        self.computed(root);
        self.legality(root);
        self.translations(root);
        self.action_events(root);
        self.policies(root);
        for (key, node) in root.get("procs").map_or(&[][..], Node::fields) {
            self.procs.insert(key.name.clone(), node);
        }
        self.event_code(root);
        self.with_implicit_seat(ImplicitSeat::Seat { card: true }, |this| {
            this.keyword_abilities(root);
            this.card_abilities(root);
        });
        for section in ["rules", "replaces", "cannot"] {
            for (n, node) in root.get(section).map_or(&[][..], Node::items).iter().enumerate() {
                self.at(section, |this| {
                    this.at(n, |this| {
                        this.with_implicit_seat(ImplicitSeat::Seat { card: false }, |this| match section {
                            "rules" => this.trigger(node, false).is_some(),
                            "replaces" => this.replacement(node, false).is_some(),
                            _ => this.prohibition(node, false).is_some(),
                        });
                    });
                });
            }
        }
        self.actions(root);
        self.checks(root);
        self.flow(root);
        self.ends(root);
        self.for_nobody();
        for (have, what) in [
            (self.program.asks.len().max(self.program.answers.len()), "questions"),
            (self.program.triggers.len(), "triggers"),
            (self.program.replaces.len(), "replacements"),
            (self.program.texts.len(), "texts"),
            (self.program.tables.len(), "tables"),
        ] {
            self.numbered(have, what);
        }
        self.manipulations(root);
        self.overhear();
        self.reaches();
        self.lower();
        self.program.printed = self.print();
        let silent = |card: &crate::machine::program::CardDef| card.abilities.is_silent();
        self.program.nothing_listens =
            self.program.listening_keywords == 0 && self.program.cards.iter().all(silent);
        self.program.marks =
            self.program.kept > 0 || !self.program.counters.is_empty() || !self.program.was.is_empty();
        self.unused(root);
    }

    /// What is printed on all kinds of cards, a column for each attribute.
    fn print(&self) -> Vec<Vec<i64>> {
        let column = |(n, attr): (usize, &crate::machine::program::AttrDef)| -> Vec<i64> {
            self.program.cards.iter().map(|card| card.attrs.get(n).copied().unwrap_or(attr.default)).collect()
        };
        self.program.attrs.iter().enumerate().map(column).collect()
    }

    /// Events to which cards in hidden zones may react.
    fn overhear(&mut self) {
        let hidden = |zone: &crate::machine::program::ZoneDef| zone.see != crate::machine::program::See::All;
        let zones = self.program.zones.iter().enumerate().filter(|(_, zone)| hidden(zone));
        let bits = zones.fold(0u64, |all, (n, _)| all | 1 << n);
        let triggers =
            self.program.triggers.iter().filter(|def| def.ability).map(|def| (def.event, def.zones));
        let replaces =
            self.program.replaces.iter().filter(|def| def.ability).map(|def| (def.event, def.zones));
        for (event, zones) in triggers.chain(replaces) {
            self.program.events[event].overheard |= zones & bits != 0;
        }
    }

    fn policies(&mut self, root: &'n Node) {
        self.program.respond_to_triggers =
            root.get("respondToTriggers").and_then(Node::as_bool).unwrap_or(false);
        const ORDERS: [&str; 3] = ["active", "apnap", "controllerChooses"];
        let order = root.get("triggerOrder").and_then(Node::as_text).unwrap_or("active");
        self.program.apnap = order == "apnap";
        self.program.orders = order == "controllerChooses";
        if let Some(node) = root.get("triggerOrder").filter(|_| !ORDERS.contains(&order)) {
            self.at("triggerOrder", |this| this.findings.unknown(node.at, "order", order, ORDERS));
        }
        let order = root.get("replaceOrder").and_then(Node::as_text).unwrap_or("active");
        self.program.picks = order == "affectedChooses";
        if let Some(node) =
            root.get("replaceOrder").filter(|_| !["active", "affectedChooses"].contains(&order))
        {
            self.at("replaceOrder", |this| {
                this.findings.unknown(node.at, "order", order, ["active", "affectedChooses"])
            });
        }
        self.program.chooses |= self.program.orders || self.program.picks;
        self.layers = match root.get("layers") {
            None => ["control", "type", "abilities", "set-stat", "modify-stat"].map(str::to_owned).to_vec(),
            Some(list) => list.items().iter().filter_map(Node::as_text).map(str::to_owned).collect(),
        };
        self.stakes(root);
        self.program.action_ms = self.field(root, "actionMs", |this, inner| this.expr(inner, Ty::Int));
        self.program.discard = self.field(root, "discard", |this, inner| this.zone(inner)).flatten();
        if self.program.discard.is_none() {
            self.program.discard = self.program.zone_named("graveyard");
        }
        self.field(root, "limits", |this, node| {
            this.only(node, &["ops", "stack", "reactions", "samePosition", "repetition"]);
            let bound = |name: &str, most: u32| {
                node.get(name).and_then(Node::as_int).map_or(most, |n| n.clamp(1, i64::from(most)) as u32)
            };
            let same = node.get("samePosition").and_then(Node::as_int).unwrap_or(0).clamp(0, 1000) as u32;
            this.program.limits = Some(Limits {
                ops: bound("ops", most::OPS_PER_INPUT_MAX),
                stack: bound("stack", most::STACK_ITEMS_MAX),
                reactions: bound("reactions", most::REACTIONS_PER_EVENT_MAX),
                same,
                same_ranked: match node.get("repetition").and_then(Node::as_text) {
                    None | Some("draw") => false,
                    Some("rank") => true,
                    Some(other) => {
                        this.findings.unknown(node.at, "end of a repeated position", other, ["draw", "rank"]);
                        false
                    }
                },
            });
        });
    }

    /// Tokens that each seat stakes, and where they go.
    fn stakes(&mut self, root: &'n Node) {
        self.field(root, "stake", |this, node| {
            this.only(node, &["amount", "draw", "allLost"]);
            let amount = this.need(node, "amount", Ty::Int);
            let back =
                |this: &mut Self, name: &str, default: i64| match node.get(name).and_then(Node::as_text) {
                    Some("return") => this.add(Expr::Const(1)),
                    Some("burn") => this.add(Expr::Const(0)),
                    None if node.get(name).is_none() => this.add(Expr::Const(default)),
                    _ => this.need(node, name, Ty::Bool),
                };
            let (draw_returns, lost_returns) = (back(this, "draw", 1), back(this, "allLost", 0));
            this.program.stake = Some(Stake { amount, draw_returns, lost_returns });
        });
    }

    /// What events do when they happen.
    fn event_code(&mut self, root: &'n Node) {
        let Some(events) = root.get("events") else { return };
        self.at("events", |this| {
            this.each_field(events, |this, name, node| {
                let Some(body) = node.get("do") else { return };
                let found = this.program.events.iter().position(|event| event.name == name);
                let Some(n) = found.map(EventType::at) else { return };
                let code = this.with_implicit_seat(ImplicitSeat::Emitter(n), |this| {
                    this.block(true, Some(n), &[], |this| this.at("do", |this| this.statements(body)))
                });
                this.program.events[n].code = Some(code);
            });
        });
    }

    fn flow(&mut self, root: &'n Node) {
        let main = self.block(false, None, &[], |this| {
            this.decks(root);
            this.field(root, "setup", Self::statements);
            this.op(Op::Drain);
            if let Some(flow) = root.get("flow") {
                this.at("flow", |this| this.statements(flow));
            } else if let Some(structure) = root.get("turnStructure") {
                this.at("turnStructure", |this| this.turn_structure(structure));
            } else {
                this.findings.error_help(
                    "flow",
                    root.at,
                    "nothing ever happens",
                    "add a `flow` or a `turnStructure`",
                );
            }
        });
        self.program.main = main;
    }

    /// A deck that is a product lies where it says, before the setup.
    fn decks(&mut self, root: &'n Node) {
        let mut next = root.get("cards").map_or(0, |cards| cards.fields().len());
        for (key, deck) in root.get("decks").map_or(&[][..], Node::fields) {
            let count = self.products(deck).len();
            let end = (next + count).min(self.program.cards.len());
            let values = (next as i64..end as i64).collect();
            next = end;
            let Some(into) = deck.get("into") else {
                self.findings.error("shape", deck.at, "`into` is missing: the zone of the deck");
                continue;
            };
            let owned = into.as_text().is_some_and(|name| {
                self.program.zones.iter().any(|zone| zone.name == name && zone.per_player)
            });
            let to = self.at("decks", |this| {
                this.at(&key.name, |this| {
                    this.at("into", |this| {
                        if owned {
                            let help = "let it lie in a zone of the game and `deal` it, or say whose: {\"zone\": [name, {\"seat\": 0}]}";
                            this.findings.error_help("nobody", into.at, "this is one deck, and each player has such a zone", help);
                            return None;
                        }
                        this.to(into)
                    })
                })
            });
            if let Some(to) = to {
                let kinds =
                    self.add_sel(super::exprs::plain(crate::machine::program::Source::Consts(values)));
                let copies =
                    self.at("decks", |this| this.at(&key.name, |this| this.number(deck, "copies", 1)));
                let top = crate::machine::program::ZonePosition::Top;
                self.op(Op::Create(kinds, to, copies, top));
            }
        }
    }

    fn turn_structure(&mut self, node: &'n Node) {
        let first = self.field(node, "first", |this, inner| this.expr(inner, Ty::Seat));
        let counter = self.scope.bind("", Ty::Int);
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let max = self.add(Expr::Const(node.get("maxTurns").and_then(Node::as_int).unwrap_or(1000)));
        let top = self.here();
        let again = self.op(Op::Again(counter, max, 0));
        self.op(Op::BeginTurn(first, counter));
        self.op(Op::Drain);
        let mut step = StepId::default();
        for (n, phase) in node.get("phases").map_or(&[][..], Node::items).iter().enumerate() {
            for (k, inner) in phase.get("steps").map_or(&[][..], Node::items).iter().enumerate() {
                if step.index() >= self.program.steps.len() {
                    break;
                }
                self.op(Op::EnterStep(step));
                self.op(Op::Drain);
                self.at("phases", |this| {
                    this.at(n, |this| {
                        this.at("steps", |this| this.at(k, |this| this.field(inner, "do", Self::statements)))
                    })
                });
                self.op(Op::Drain);
                self.op(Op::Priority(step));
                self.op(Op::LeaveStep(step));
                self.op(Op::Drain);
                step = StepId::at(step.index() + 1);
            }
        }
        self.op(Op::EndTurn);
        self.op(Op::Drain);
        self.op(Op::Jump(top));
        let here = self.here();
        if let Some(Op::Again(_, _, to)) = self.program.code.get_mut(again) {
            *to = here;
        }
    }

    fn ends(&mut self, root: &'n Node) {
        self.field(root, "end", |this, node| {
            this.only(node, &["rank"]);
            if let Some(rank) = node.get("rank") {
                this.at("rank", |this| {
                    this.only(rank, &["by", "order", "seats"]);
                    let it = this.scope.deeper().unwrap_or(0);
                    let mark = this.scope.mark();
                    this.scope.alias("it", Bound::It(it, Ty::Seat));
                    let by = this.field(rank, "by", |this, inner| this.expr(inner, Ty::Int));
                    this.scope.back(mark);
                    this.scope.shallower();
                    let most = this.word(rank, "order", &["desc", "asc"]) != Some("asc");
                    match by {
                        Some(by) => this.program.rank = Some(Rank { by, it, most }),
                        None => this.findings.error("shape", rank.at, "`by` is missing"),
                    }
                });
            }
        });
        self.field(root, "on", |this, node| {
            this.only(node, &["leave", "disconnect"]);
            let field = if node.get("leave").is_some() { "leave" } else { "disconnect" };
            if let Some(body) = node.get(field) {
                let block = this.with_implicit_seat(ImplicitSeat::Seat { card: false }, |this| {
                    this.block(true, None, &[("subject", Ty::Seat)], |this| {
                        this.at(field, |this| this.statements(body))
                    })
                });
                this.program.on_leave = Some(block);
            }
        });
        for (n, node) in root.get("invariants").map_or(&[][..], Node::items).iter().enumerate() {
            let id = self.at("invariants", |this| this.at(n, |this| this.expr(node, Ty::Bool)));
            self.program.invariants.push(id);
        }
    }

    /// What may be dragged; the actions that it means were added before.
    fn manipulations(&mut self, root: &'n Node) {
        for (n, node) in root.get("manipulations").map_or(&[][..], Node::items).iter().enumerate() {
            self.at("manipulations", |this| {
                this.at(n, |this| {
                    this.only(node, &["from", "to", "when"]);
                    for side in ["from", "to"] {
                        if this.field(node, side, |this, inner| this.zone(inner)).is_none() {
                            this.findings.error("shape", node.at, format!("`{side}` is missing: a zone"));
                        }
                    }
                });
            });
        }
    }

    /// What is written down and never used is probably not meant.
    fn unused(&mut self, root: &'n Node) {
        for (key, node) in root.get("procs").map_or(&[][..], Node::fields) {
            if !self.called.contains(&key.name) {
                self.at("procs", |this| {
                    this.at(&key.name, |this| {
                        this.findings.warn(
                            "unused",
                            node.at,
                            format!("nothing calls {}", key.name),
                            "call it, or leave it out",
                        );
                    });
                });
            }
        }
        for (key, node) in root.get("define").map_or(&[][..], Node::fields) {
            if !self.used.contains(&key.name) {
                let message = format!("nothing speaks of {}", key.name);
                self.at("define", |this| {
                    this.at(&key.name, |this| {
                        this.findings.warn("unused", node.at, message, "use it, or leave it out")
                    })
                });
            }
        }
        let author =
            root.get("author").is_some() || root.get("metadata").and_then(|m| m.get("author")).is_some();
        if !author {
            self.findings.warn("author", root.at, "the ruleset names no author", "add \"author\"");
        }
    }
}
