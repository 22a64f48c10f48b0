//! Variables and zones: who has them, who sees them.

use parlor_core::{Seat, Seats};

use super::Compiler;
use crate::language::Node;
use crate::limits::{VARIABLES_MAX, ZONES_MAX};
use crate::machine::ids::{EnumId, InstanceId, SlotId, ZoneId};
use crate::machine::program::{Expr, Instance, NONE, See, Ty, VarDef, ZONES, ZoneDef};

/// Who has a variable or a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    Game,
    Player,
    Team,
}

impl<'n> Compiler<'n> {
    pub(super) fn see(&mut self, node: &Node, name: &str, default: See) -> See {
        match node.get(name).and_then(Node::as_text) {
            None => default,
            Some("all" | "public") => See::All,
            Some("owner" | "private") => See::Owner,
            Some("none" | "hidden") => See::None,
            Some(other) => {
                self.findings.unknown(node.at, "visibility", other, ["all", "owner", "none"]);
                default
            }
        }
    }

    /// Who has one: the game, each player, or each team.
    pub(super) fn owned(&mut self, node: &Node, teams: bool) -> Owner {
        match node.get("owner").and_then(Node::as_text) {
            None | Some("game") => Owner::Game,
            Some("player") => Owner::Player,
            Some("team") if teams => {
                if self.program.teams.is_empty() {
                    self.findings.error_help(
                        "teams",
                        node.at,
                        "there are no teams",
                        "add `teams` to `players`",
                    );
                }
                Owner::Team
            }
            Some(other) => {
                let known: &[&str] = if teams { &["game", "player", "team"] } else { &["game", "player"] };
                self.findings.unknown(node.at, "owner", other, known.iter().copied());
                Owner::Game
            }
        }
    }

    pub(super) fn variables(&mut self, root: &'n Node) {
        for section in ["vars", "resources"] {
            self.field(root, section, |this, vars| {
                this.each_field(vars, |this, name, node| {
                    if this.program.vars.len() >= VARIABLES_MAX {
                        return this.findings.error(
                            "limit",
                            node.at,
                            format!("more variables than {VARIABLES_MAX}"),
                        );
                    }
                    this.only_part(node, "var");
                    this.good_name(name, node.at);
                    let owner = this.owned(node, true);
                    let (per_player, per_team) = (owner == Owner::Player, owner == Owner::Team);
                    let ty = if section == "resources" && node.get("type").is_none() {
                        Ty::Int
                    } else {
                        this.typed_field(node)
                    };
                    let empty = this.add(Expr::Const(if matches!(ty, Ty::Int | Ty::Bool | Ty::Enum(_)) {
                        0
                    } else {
                        NONE
                    }));
                    let default =
                        this.field(node, "default", |this, inner| this.expr(inner, ty)).unwrap_or(empty);
                    let mut min = this.field(node, "min", |this, inner| this.expr(inner, Ty::Int));
                    if section == "resources" && min.is_none() {
                        min = Some(this.add(Expr::Const(0)));
                    }
                    let max = this.field(node, "max", |this, inner| this.expr(inner, Ty::Int));
                    let see = this.see(node, "visible", See::All);
                    let per = this.field(node, "per", |this, inner| this.per(inner, owner)).flatten();
                    if this.program.vars.iter().any(|var| var.name == name) {
                        this.findings.error("twice", node.at, format!("the variable {name} is there twice"));
                    }
                    let base = SlotId(this.program.var_slots);
                    this.program.vars.push(VarDef {
                        name: name.to_owned(),
                        per_player,
                        per_team,
                        per,
                        ty,
                        base,
                        default,
                        min,
                        max,
                        see,
                    });
                    let count = this
                        .program
                        .vars
                        .last()
                        .map_or(0, |var| var.count(&this.program, this.program.seats.1));
                    this.program.var_slots = base.0.saturating_add(count);
                });
            });
        }
    }

    /// The enum for each of whose values there is a variable.
    fn per(&mut self, node: &'n Node, owner: Owner) -> Option<EnumId> {
        if owner != Owner::Game {
            let help = "let it be the game's, or give each seat a variable for each value";
            self.findings.error_help("owner", node.at, "what there is for each value is the game's", help);
            return None;
        }
        let text = node.as_text().unwrap_or("?");
        let text = text.strip_prefix("enum:").unwrap_or(text);
        let names: Vec<String> = self.program.enums.iter().skip(5).map(|def| def.name.clone()).collect();
        let found = names.iter().position(|name| name == text);
        if found.is_none() {
            self.findings.unknown(node.at, "enum", text, names.iter().map(String::as_str));
        }
        found.map(|n| EnumId::at(n + 5))
    }

    pub(super) fn zones(&mut self, root: &'n Node) {
        self.field(root, "zones", |this, zones| {
            this.each_field(zones, |this, name, node| {
                if this.program.zones.len() >= ZONES_MAX {
                    return this.findings.error("limit", node.at, format!("more zones than {ZONES_MAX}"));
                }
                this.only_part(node, "zone");
                this.good_name(name, node.at);
                let per_player = this.owned(node, false) == Owner::Player;
                if node.get("see").is_none() && node.get("visibility").is_none() {
                    this.findings.error_help(
                        "visibility",
                        node.at,
                        "this zone does not say who sees its cards",
                        "add \"see\": \"all\", \"owner\" or \"none\"",
                    );
                }
                let see =
                    this.see(node, if node.get("see").is_some() { "see" } else { "visibility" }, See::All);
                let count = this.see(node, "count", See::All);
                let places = this.see(node, "places", see);
                let grid = this.grid(node);
                let capacity = node.get("capacity").and_then(Node::as_int).map(|n| n.clamp(0, 4096) as u16);
                let ordered = match node.get("order").and_then(Node::as_text) {
                    None | Some("set" | "unordered") => false,
                    Some("ordered" | "stack" | "queue") => true,
                    Some(other) => {
                        this.findings.unknown(node.at, "order", other, ["ordered", "set"]);
                        false
                    }
                };
                let ordered = ordered || grid.is_some();
                this.program.grids |= grid.is_some();
                let base = InstanceId(this.program.zone_slots);
                let slots = if per_player { u16::from(this.program.seats.1) } else { 1 };
                let n = ZoneId::at(this.program.zones.len());
                for seat in 0..slots {
                    let owner = if per_player { seat as u8 } else { crate::machine::board::NOBODY };
                    let lies = Lies {
                        see,
                        places: if ordered { places } else { See::None },
                        capacity,
                        grid: grid.is_some(),
                    };
                    this.program.instances.push(instance(n, owner, lies));
                }
                this.program.zone_slots += slots;
                this.program.zones.push(ZoneDef {
                    name: name.to_owned(),
                    per_player,
                    base,
                    ordered,
                    see,
                    count,
                    places,
                    grid,
                    capacity,
                });
            });
        });
        if self.program.zones.is_empty() {
            // One place to be, so that entities always are somewhere.
            let lies = Lies { see: See::All, places: See::All, capacity: None, grid: false };
            self.program.instances.push(instance(ZoneId(0), crate::machine::board::NOBODY, lies));
            self.program.zone_slots = 1;
            self.program.enums[ZONES].values = vec!["table".to_owned()];
            self.program.zones.push(ZoneDef {
                name: "table".to_owned(),
                per_player: false,
                base: InstanceId(0),
                ordered: true,
                see: See::All,
                count: See::All,
                places: See::All,
                grid: None,
                capacity: None,
            });
        }
    }

    /// `[columns, rows]`.
    fn grid(&mut self, node: &'n Node) -> Option<(u8, u8)> {
        let grid = node.get("grid")?;
        let side = |n: usize| grid.items().get(n).and_then(Node::as_int).filter(|n| (1..=64).contains(n));
        match (side(0), side(1), grid.items().len()) {
            (Some(columns), Some(rows), 2) => Some((columns as u8, rows as u8)),
            _ => {
                self.at("grid", |this| {
                    this.findings.error("shape", grid.at, "a grid is [columns, rows], each 1 to 64")
                });
                None
            }
        }
    }
}

/// How cards lie in a zone.
struct Lies {
    see: See,
    /// Who sees where in it; nobody, where the order of its cards means nothing.
    places: See,
    capacity: Option<u16>,
    grid: bool,
}

/// An instance of a zone: `owner` alone sees its cards where `see` says so.
fn instance(zone: ZoneId, owner: u8, lies: Lies) -> Instance {
    let who = |see: See| match see {
        See::All => Seats::ALL,
        See::Owner if owner != crate::machine::board::NOBODY => Seats::only(Seat::new(owner)),
        See::Owner | See::None => Seats::NONE,
    };
    let sees = who(lies.see);
    let blind = Seats::ALL.but(sees).but(who(lies.places));
    let capacity = lies.capacity.unwrap_or(u16::MAX);
    Instance { zone, owner, sees, blind, capacity, grid: lies.grid }
}
