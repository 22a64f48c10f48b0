//! Every limit of the ruleset engine, with its unit last. A finding or a verdict names the limit it met.

/// Bytes of one ruleset file.
pub const FILE_BYTES_MAX: usize = 1 << 20;
/// Levels of nesting in one ruleset file.
pub const FILE_DEPTH_MAX: usize = 64;
/// Values in one ruleset file.
pub const FILE_VALUES_MAX: usize = 200_000;
/// Rulesets that one is a variant of, one over the other.
pub const EXTENDS_MAX: usize = 4;
/// Findings that are listed for one file.
pub const FINDINGS_MAX: usize = 100;
/// Characters of a name in a ruleset.
pub const NAME_CHARS_MAX: usize = 64;
/// Operations in the code of one ruleset, after procedures were put in place of their calls.
pub const CODE_OPS_MAX: usize = 200_000;
/// Expressions in one ruleset.
pub const EXPRESSIONS_MAX: usize = 500_000;
/// Procedures called inside one another.
pub const CALL_DEPTH_MAX: usize = 24;
/// Kinds of cards.
pub const CARDS_MAX: usize = 4096;
/// Zones.
pub const ZONES_MAX: usize = 64;
/// Variables.
pub const VARIABLES_MAX: usize = 4096;
/// Attributes, counters, enums, events or knobs: so many of each.
pub const DECLARED_MAX: usize = 1024;
/// Values printed on all kinds of cards together: attributes times kinds.
pub const PRINTED_MAX: usize = 1 << 18;
/// Names, lists and questions of one ruleset, after procedures were put in place of their calls: each has a number.
pub const NUMBERED_MAX: usize = 32_000;
/// Fields of one event.
pub const EVENT_FIELDS_MAX: usize = 6;
/// Variables `it` inside one another.
pub const IT_DEPTH_MAX: usize = 12;
/// Keywords, and activated abilities of one card.
pub const KEYWORDS_MAX: usize = 64;
/// Entities in one match.
pub const ENTITIES_MAX: usize = 4096;
/// Targets of one action, its card's own among them.
pub const TARGETS_MAX: usize = 12;
/// Modifiers that lie on entities at one time.
pub const MODIFIERS_MAX: usize = 4096;
/// Events and blocks of code inside one another.
pub const DEPTH_MAX: u16 = 48;

/// Operations for one input, unless the ruleset says less.
pub const OPS_PER_INPUT_MAX: u32 = 1_000_000;
/// Operations for one look at what may be answered.
pub const OPS_PER_LOOK_MAX: u32 = 1_000_000;
/// Operations for one look for reasons why something cannot be answered.
pub const OPS_PER_WHY_MAX: u32 = 100_000;
/// Things that cannot be had, listed with their reasons beside those that can.
pub const WHY_NOT_MAX: usize = 64;
/// Items on the stack, unless the ruleset says less.
pub const STACK_ITEMS_MAX: u32 = 256;
/// Reactions to one event, unless the ruleset says less.
pub const REACTIONS_PER_EVENT_MAX: u32 = 256;
/// Rounds of state checks in a row.
pub const CHECK_ROUNDS_MAX: u32 = 100;
/// Turns of one loop, whatever its `max` says.
pub const LOOP_TURNS_MAX: u32 = 100_000;
/// Times that a seat passes by itself before it is asked again.
pub const AUTO_PASSES_MAX: u16 = 64;
/// Events told by one input.
pub const EVENTS_PER_INPUT_MAX: u32 = 5_000;
/// Words of luck drawn by one input.
pub const DRAWS_PER_INPUT_MAX: u32 = 50_000;
/// Choices that one operation waits for, one after another; later ones are made as whoever says nothing makes them.
pub const CHOICES_PER_OPERATION_MAX: usize = 32;
/// Triggers that wait for their event at one time.
pub const DELAYED_MAX: usize = 512;
/// Values that all triggers which wait keep for nothing: what is bound where each was made. More costs an operation each.
pub const DELAYED_VALUES_FREE: usize = 1 << 15;
/// Tokens that one seat stakes.
pub const STAKE_TOKENS_MAX: i64 = 1_000_000_000;
/// Facts of each viewer that are kept by number.
pub const FACTS_KEPT: usize = 64;
/// Attributes that are computed from one another, inside one another.
pub const ATTRIBUTE_DEPTH_MAX: u16 = 16;
