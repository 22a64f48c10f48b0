//! Expressions and selections.

use crate::machine::ids::{
    AnswerId, AttrId, ConfigId, CounterId, EventType, InstanceId, SlotId, TextId, ZoneId,
};
use crate::machine::program::ExprId;
use crate::machine::program::SelId;
use crate::operations::OPERANDS_MAX;

/// An expression. Operands are numbers of other expressions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expr {
    /// An expression of the table by its number: worked out from the values of so many operands.
    Function(u8, u8, [ExprId; OPERANDS_MAX]),
    /// A value.
    Const(i64),
    /// A local of the block.
    Local(u16),
    /// The thing looked at, by depth.
    It(u8),
    /// The entity that has the ability.
    This,
    /// The seat that acts, or that controls the ability.
    You,
    /// The seat whose turn it is.
    Active,
    /// A field of the event.
    Ev(u8),
    /// The number of the event.
    EvId,
    /// A knob.
    Config(ConfigId),
    /// A variable of the game.
    Var(SlotId),
    /// A variable of a seat: base, seat.
    SeatVar(SlotId, ExprId),
    /// A variable of a seat's team: base, seat.
    TeamVar(SlotId, ExprId),
    /// The number of a seat's team, from 0.
    Team(ExprId),
    /// The next seat of the same team; nobody where there is none.
    Partner(ExprId),
    /// What an entity was like when it last left a zone: entity, which of the program's `was`.
    Was(ExprId, u16),
    /// The entity in a cell: zone, whose, cell.
    InCell(ZoneId, Option<ExprId>, ExprId),
    /// An attribute of an entity.
    Attr(ExprId, AttrId),
    /// Counters on an entity.
    Counter(ExprId, CounterId),
    /// Whether an entity has a keyword.
    Has(ExprId, u16),
    /// What kind of card an entity is.
    Card(ExprId),
    /// The zone an entity is in.
    ZoneOf(ExprId),
    /// A single answer: slot, seat.
    Answer(AnswerId, ExprId),
    /// One place of an answer: slot, seat, place.
    AnswerAt(AnswerId, ExprId, ExprId),
    /// Whether a seat gave a sign of life: slot, seat.
    Touched(AnswerId, ExprId),
    /// `a + b`, and so on; all saturate.
    Add(ExprId, ExprId),
    /// `a - b`
    Sub(ExprId, ExprId),
    /// `a * b`
    Mul(ExprId, ExprId),
    /// `a / b`, rounded down; 0 where b is 0.
    Div(ExprId, ExprId),
    /// `a % b`, never negative; 0 where b is 0.
    Rem(ExprId, ExprId),
    /// The lesser.
    Min(ExprId, ExprId),
    /// The greater.
    Max(ExprId, ExprId),
    /// `a == b`
    Eq(ExprId, ExprId),
    /// `a == 7`
    EqConst(ExprId, i64),
    /// An attribute that no layer changes, compared: `it`'s depth, attribute, value.
    ItAttrEq(u8, AttrId, i64),
    /// The same with a value that is worked out: `it`'s depth, attribute, value.
    ItAttrIs(u8, AttrId, ExprId),
    /// A value that is the same for everything a selection looks at: worked out once for each walk over that selection.
    Once(u16, SelId, ExprId),
    /// How many cards lie in a zone of the game: its instance.
    ZoneLen(InstanceId),
    /// The first card of a zone of the game.
    ZoneFirst(InstanceId),
    /// `a == 7` where `a` is a variable of the game: `a`, its place, the value. These short forms cost what they stand for.
    VarEq(ExprId, SlotId, i64),
    /// `a == 7` where `a` is how many cards lie in a zone of the game: `a`, the instance, the value.
    ZoneLenEq(ExprId, InstanceId, i64),
    /// `7 < a` of the same.
    ZoneLenOver(ExprId, InstanceId, i64),
    /// A printed attribute that no layer changes, of a local: the local, its number, the attribute.
    LocalAttr(ExprId, u16, AttrId),
    /// The same of the thing looked at: `it`, its depth, the attribute.
    ItAttr(ExprId, u8, AttrId),
    /// `a < 7`
    LtConst(ExprId, i64),
    /// `7 < a`
    GtConst(ExprId, i64),
    /// `a < b`
    Lt(ExprId, ExprId),
    /// `a <= b`
    Le(ExprId, ExprId),
    /// Both; the second is not looked at where the first is false.
    And(ExprId, ExprId),
    /// Either.
    Or(ExprId, ExprId),
    /// Not.
    Not(ExprId),
    /// If, then, else.
    If(ExprId, ExprId, ExprId),
    /// How many.
    Count(SelId),
    /// Whether there is one.
    Exists(SelId),
    /// The sum of a key; the selection's `it` is each.
    Sum(SelId, ExprId),
    /// The greatest key; 0 where there is none.
    Most(SelId, ExprId),
    /// The least key.
    Least(SelId, ExprId),
    /// The first with the greatest key.
    MaxBy(SelId, ExprId),
    /// The first with the least key.
    MinBy(SelId, ExprId),
    /// The first.
    First(SelId),
    /// The last.
    Last(SelId),
    /// The one at a place.
    At(SelId, ExprId),
    /// Who owns an entity.
    Owner(ExprId),
    /// Who controls an entity or an item.
    Controller(ExprId),
    /// A seat so many places further on.
    SeatOffset(ExprId, ExprId),
    /// The number of a seat, from 0.
    SeatNo(ExprId),
    /// The seat of a number.
    SeatAt(ExprId),
    /// How many seats.
    Seats,
    /// A table: number, first key, how many keys (in a row), default.
    Table(u16, ExprId, u8, i64),
    /// The type of the event that an item is.
    ItemEvent(ExprId),
    /// The phase.
    Phase,
    /// The step.
    Step,
    /// The number of the turn, from 1.
    Turn,
    /// Whether nothing waits on the stack.
    StackEmpty,
    /// How often an event happened.
    Happened(EventType, Span),
    /// A variable for each value of an enum: base, how many, which.
    EnumVar(SlotId, u16, ExprId),
}

impl Expr {
    /// A short form in the words of the language.
    #[must_use]
    pub const fn spelled_out(self) -> Self {
        match self {
            Self::VarEq(a, _, value) | Self::ZoneLenEq(a, _, value) => Self::EqConst(a, value),
            Self::ZoneLenOver(a, _, value) => Self::GtConst(a, value),
            Self::LocalAttr(of, _, attr) | Self::ItAttr(of, _, attr) => Self::Attr(of, attr),
            other => other,
        }
    }

    /// Whether it is read off without any work, and nothing that is walked through changes it.
    #[must_use]
    pub const fn is_at_hand(self) -> bool {
        matches!(
            self,
            Self::Const(_)
                | Self::Local(_)
                | Self::This
                | Self::You
                | Self::Active
                | Self::Ev(_)
                | Self::Config(_)
                | Self::Var(_)
        )
    }
}

/// For how long something is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// In this turn.
    Turn,
    /// In this round.
    Round,
    /// In the match.
    Game,
}

/// What of an entity that left is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Was {
    /// An attribute.
    Attr(AttrId),
    /// Counters.
    Counter(CounterId),
    /// Who controlled it.
    Controller,
}

/// Seats by their team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TeamRelation {
    /// Of the same team, without the seat itself.
    Partners,
    /// Of the same team.
    Team,
    /// Of other teams.
    Enemies,
}

/// Whose zones, or which seats.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Who {
    /// All, from seat 0.
    All,
    /// All, from the seat whose turn it is.
    InTurn,
    /// The seat of this expression.
    One(ExprId),
    /// All but the seat of this expression.
    Others(ExprId),
    /// So many seats from this one on.
    From(ExprId, ExprId),
    /// Seats by the team of this one.
    TeamRelation(ExprId, TeamRelation),
    /// The seats among what is selected, each once.
    Among(SelId),
}

/// What is selected from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// Entities in zones.
    Zones(Vec<ZoneId>, Who),
    /// Seats.
    Seats(Who),
    /// Items on the stack, the top first, controlled by these.
    Items(Who),
    /// A list that was bound.
    List(u16),
    /// The answer of a seat.
    Answer(AnswerId, ExprId),
    /// Numbers from the first to the second.
    Range(ExprId, ExprId),
    /// One thing, unless it is nothing.
    Single(ExprId),
    /// Cells of a grid, all or those that are free: zone, whose.
    Cells(ZoneId, Option<ExprId>, bool),
    /// Kinds of cards that a knob lists.
    Config(ConfigId),
    /// These values.
    Consts(Vec<i64>),
    /// One selection after another.
    Union(Vec<SelId>),
}

/// One fallback of a selection: where `when` holds and `keep` leaves something, that is the selection.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prefer {
    /// Whether to try.
    pub when: Option<ExprId>,
    /// What to keep; `it` is each.
    pub keep: ExprId,
    /// The author's words for whoever asks why the others cannot be chosen: a text, by number.
    pub why: Option<TextId>,
    /// The same as `keep`, where it can be read off cards.
    pub test: Option<Test>,
}

/// A condition that is read off what is printed on a card: no expression is walked for each of many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Test {
    /// An attribute that is printed and never changes; without one, what kind of card it is.
    pub attr: Option<AttrId>,
    /// What it is compared with.
    pub with: With,
    /// Whether it must be anything else.
    pub not: bool,
    /// Operations that a look costs: as many as the expression would.
    pub cost: u32,
}

/// What a test compares with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum With {
    /// A value.
    Value(i64),
    /// An expression that has the same value for everything a selection looks at.
    Same(ExprId),
}

/// One whole zone, where a selection looks at nothing else.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Whole {
    /// Its first instance.
    pub base: InstanceId,
    /// Whose; nobody's for a zone of the game.
    pub of: Option<ExprId>,
    /// Operations that a look at a card costs: a selection inside another looks once more.
    pub cost: u32,
}

/// A selection.
#[derive(Clone, PartialEq, Debug)]
pub struct Sel {
    /// From what.
    pub source: Source,
    /// Which; `it` is each.
    pub keep: Option<ExprId>,
    /// The depth of `it`.
    pub it: u8,
    /// Fallbacks, in order.
    pub prefer: Vec<Prefer>,
    /// Of those with the same key only the first.
    pub distinct: Option<ExprId>,
    /// Sorted by this key, and whether the greatest comes first.
    pub order: Option<(ExprId, bool)>,
    /// From the top, or the end, on.
    pub reversed: bool,
    /// Only so many.
    pub n: Option<ExprId>,
    /// In the order of their numbers.
    pub sorted: bool,
    /// The author's words for whoever asks why something was not selected: a text, by number.
    pub why: Option<TextId>,
    /// The same as `keep`, where it can be read off cards.
    pub test: Option<Test>,
    /// The same as `source`, where that is one whole zone.
    pub whole: Option<Whole>,
    /// The same as `source`, where that is whole zones of all seats and of the game: runs of instances, from the first on so
    /// many.
    pub runs: Vec<(InstanceId, u16)>,
}

impl Sel {
    /// The one thing that it is, where it is no more than that.
    #[must_use]
    pub fn single(&self) -> Option<ExprId> {
        match self.source {
            Source::Single(expr) if self.keep.is_none() && self.is_simple() => Some(expr),
            _ => None,
        }
    }

    /// One whole zone, where all of it is kept.
    #[inline]
    #[must_use]
    pub fn all_of(&self) -> Option<Whole> {
        self.whole.filter(|_| self.keep.is_none())
    }

    /// Whether walking its source in order is all there is to it.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        let whole =
            self.prefer.is_empty() && self.order.is_none() && self.n.is_none() && self.distinct.is_none();
        whole && !self.reversed && !self.sorted
    }
}
