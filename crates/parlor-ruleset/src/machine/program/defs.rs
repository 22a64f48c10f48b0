//! What a ruleset declares: knobs, enums, attributes, variables, zones and cards.

use crate::machine::ids::{
    AbilityId, ColumnId, EnumId, InstanceId, ReplaceId, SlotId, StaticId, TriggerId, ZoneId,
};
use parlor_core::Seats;

use super::{Block, ExprId, Program, SelId, Ty};

/// A knob that a table may set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// A list of cards instead of a scalar.
    pub list: bool,
    /// What it is when nobody sets it; for a list its items.
    pub default: Vec<i64>,
    /// The least it may be.
    pub min: i64,
    /// The most it may be.
    pub max: i64,
    /// What a list of cards must be like.
    pub legal: Option<Legal>,
}

/// What a list of cards must be like that a table brings.
#[derive(Clone, Copy, Debug)]
pub struct Legal {
    /// At least so many cards.
    pub least: u16,
    /// At most so many.
    pub most: u16,
    /// How often each kind may be there; the kind is `it`.
    pub copies: Option<ExprId>,
    /// Which kinds may be there.
    pub keep: Option<ExprId>,
    /// The depth of that `it`.
    pub it: u8,
}

/// Named values.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Its name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// How values are written in titles.
    pub labels: Vec<String>,
}

/// How the value of an attribute comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrKind {
    /// Printed on the card.
    Printed,
    /// Kept for each entity, in this column.
    Kept(ColumnId),
    /// Computed; `it` is the entity.
    Computed(ExprId, u8),
}

/// An attribute of cards.
#[derive(Clone, Debug)]
pub struct AttrDef {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// How its value comes about.
    pub kind: AttrKind,
    /// What it is where a card does not say.
    pub default: i64,
    /// Whether counters, modifiers or statics may change it.
    pub layered: bool,
    /// Whether it goes back to its default at the end of a turn.
    pub reset_turn: bool,
    /// Whether it goes back to its default when the entity changes zones.
    pub reset_move: bool,
    /// Who sees it on a card that he sees.
    pub see: See,
}

/// Who sees a variable or the contents of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum See {
    /// Everybody.
    All,
    /// Its owner.
    Owner,
    /// Nobody.
    None,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VarDef {
    /// Its name.
    pub name: String,
    /// Whether each player has one.
    pub per_player: bool,
    /// Whether each team has one; then a seat stands for its team.
    pub per_team: bool,
    /// The enum for each of whose values there is one.
    pub per: Option<EnumId>,
    /// Its type.
    pub ty: Ty,
    /// Where it is kept; a player's is as many further on as their seat.
    pub base: SlotId,
    /// What it starts with.
    pub default: ExprId,
    /// Never below this.
    pub min: Option<ExprId>,
    /// Never above this.
    pub max: Option<ExprId>,
    /// Who sees it.
    pub see: See,
}

impl VarDef {
    /// How many there are of it at a table.
    #[must_use]
    pub(crate) fn count(&self, program: &Program, seats: u8) -> u16 {
        match (self.per, self.per_player, self.per_team) {
            (Some(per), ..) => program.enums[per].values.len() as u16,
            (None, true, _) => seats.into(),
            (None, false, true) => program.team_names.len() as u16,
            (None, false, false) => 1,
        }
    }
}

/// A zone.
#[derive(Clone, Debug)]
pub struct ZoneDef {
    /// Its name.
    pub name: String,
    /// Whether each player has one.
    pub per_player: bool,
    /// Its first instance; a player's is as many further on as their seat.
    pub base: InstanceId,
    /// Whether the order of its cards means something.
    pub ordered: bool,
    /// Who sees its cards.
    pub see: See,
    /// Who sees how many there are.
    pub count: See,
    /// Who sees where in it a card lies that he knows.
    pub places: See,
    /// Columns and rows, where its cards lie in cells.
    pub grid: Option<(u8, u8)>,
    /// How many it holds.
    pub capacity: Option<u16>,
}

/// One instance of a zone, with what a card that comes to it needs to know.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Instance {
    /// The zone.
    pub zone: ZoneId,
    /// Whose it is.
    pub owner: u8,
    /// Who sees its cards.
    pub sees: Seats,
    /// Who cannot tell which of its cards leaves it: they see neither its cards nor where in it they lie.
    pub blind: Seats,
    /// How many it holds.
    pub capacity: u16,
    /// Whether its cards lie in cells.
    pub grid: bool,
}

/// What a card, or a keyword, brings with it: numbers of abilities.
#[derive(Clone, Debug, Default)]
pub struct Abilities {
    /// Those that trigger.
    pub triggers: Vec<TriggerId>,
    /// Those that replace or forbid.
    pub replaces: Vec<ReplaceId>,
    /// Those that hold all the time.
    pub statics: Vec<StaticId>,
    /// Those that are activated.
    pub activated: Vec<AbilityId>,
}

impl Abilities {
    /// Whether nothing of it needs to be listened for.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.triggers.is_empty() && self.replaces.is_empty() && self.statics.is_empty()
    }
}

/// A kind of card.
#[derive(Clone, Debug, Default)]
pub struct CardDef {
    /// Its name in the ruleset.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The value of each attribute.
    pub attrs: Vec<i64>,
    /// Printed keywords, a bit each.
    pub keywords: u64,
    /// What it brings with it.
    pub abilities: Abilities,
    /// What it is played on.
    pub targets: Vec<TargetDef>,
    /// Modes to choose from; targets and code of each.
    pub modes: Vec<ModeDef>,
    /// What it does when it resolves.
    pub resolve: Option<Block>,
}

/// One mode of a card.
#[derive(Clone, Debug)]
pub struct ModeDef {
    /// Its name.
    pub name: String,
    /// What it is played on.
    pub targets: Vec<TargetDef>,
    /// What it does.
    pub code: Block,
}

/// One target of an action, an ability or a card.
#[derive(Clone, Debug)]
pub struct TargetDef {
    /// Its name.
    pub name: String,
    /// What may be chosen.
    pub from: SelId,
    /// Whether it may be left out.
    pub optional: bool,
    /// How it is asked for.
    pub prompt: String,
    /// Whether it is what the action is paid with, and not what it is aimed at.
    pub price: bool,
    /// Whether it is a number, and no thing.
    pub number: bool,
}
