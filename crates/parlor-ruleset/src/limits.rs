//! Every limit of the ruleset engine, with its unit last. A finding or a verdict names the limit it met.

/// Bytes of one ruleset file.
pub const FILE_BYTES_MAX: usize = 1 << 20;
/// Levels of nesting in one ruleset file.
pub(crate) const FILE_DEPTH_MAX: usize = 64;
/// Values in one ruleset file.
pub(crate) const FILE_VALUES_MAX: usize = 200_000;
/// Rulesets that one is a variant of, one over the other.
pub(crate) const EXTENDS_MAX: usize = 4;
/// Findings that are listed for one file.
pub const FINDINGS_MAX: usize = 100;
/// Characters of a name in a ruleset.
pub(crate) const NAME_CHARS_MAX: usize = 64;
/// Operations in the code of one ruleset, after procedures were put in place of their calls.
pub(crate) const CODE_OPS_MAX: usize = 200_000;
/// Expressions in one ruleset.
pub(crate) const EXPRESSIONS_MAX: usize = 500_000;
/// Procedures called inside one another.
pub(crate) const CALL_DEPTH_MAX: usize = 24;
/// Procedures put in place of their calls, over the whole ruleset: those that call others twice double with each level.
pub(crate) const CALLS_MAX: usize = 50_000;
/// Kinds of cards.
pub(crate) const CARDS_MAX: usize = 4096;
/// Zones.
pub(crate) const ZONES_MAX: usize = 64;
/// Variables.
pub(crate) const VARIABLES_MAX: usize = 4096;
/// Attributes, counters, enums, events or knobs: so many of each.
pub(crate) const DECLARED_MAX: usize = 1024;
/// Values printed on all kinds of cards together: attributes times kinds.
pub(crate) const PRINTED_MAX: usize = 1 << 18;
/// Names, lists and questions of one ruleset, after procedures were put in place of their calls: each has a number.
pub(crate) const NUMBERED_MAX: usize = 32_000;
/// Fields of one event.
pub(crate) const EVENT_FIELDS_MAX: usize = 6;
/// Variables `it` inside one another.
pub(crate) const IT_DEPTH_MAX: usize = 12;
/// Keywords, and activated abilities of one card.
pub(crate) const KEYWORDS_MAX: usize = 64;
/// Entities in one match.
pub const ENTITIES_MAX: usize = 4096;
/// Targets of one action, its card's own among them.
pub(crate) const TARGETS_MAX: usize = 12;
/// Modifiers that lie on entities at one time.
pub(crate) const MODIFIERS_MAX: usize = 4096;
/// Events and blocks of code inside one another.
pub(crate) const DEPTH_MAX: u16 = 48;

/// Operations for one input, unless the ruleset says less.
pub(crate) const OPS_PER_INPUT_MAX: u32 = 1_000_000;
/// Operations for one look at what may be answered.
pub(crate) const OPS_PER_LOOK_MAX: u32 = 1_000_000;
/// Operations for one look at whether a seat could do anything but pass; where that is not enough, it is asked.
pub(crate) const OPS_PER_IDLE_LOOK_MAX: u32 = 20_000;
/// Operations for one look for reasons why something cannot be answered.
pub(crate) const OPS_PER_WHY_MAX: u32 = 100_000;
/// Things that cannot be had, listed with their reasons beside those that can.
pub const WHY_NOT_MAX: usize = 64;
/// Numbers that are listed one by one where somebody is asked for one; a wider range is asked for with its bounds.
pub(crate) const NUMBERS_LISTED_MAX: i64 = 100;
/// Ways to pick that are looked at for one that fits together; after that anything is taken to fit.
pub(crate) const FITTING_LOOKS_MAX: u32 = 5_000;
/// Items on the stack, unless the ruleset says less.
pub(crate) const STACK_ITEMS_MAX: u32 = 256;
/// Reactions to one event, unless the ruleset says less.
pub(crate) const REACTIONS_PER_EVENT_MAX: u32 = 256;
/// Rounds of state checks in a row.
pub(crate) const CHECK_ROUNDS_MAX: u32 = 100;
/// Turns of one loop, whatever its `max` says.
pub(crate) const LOOP_TURNS_MAX: u32 = 100_000;
/// Times that a seat passes by itself before it is asked again.
pub(crate) const AUTO_PASSES_MAX: u16 = 64;
/// Events told by one input.
pub(crate) const EVENTS_PER_INPUT_MAX: u32 = 5_000;
/// Words of luck drawn by one input.
pub(crate) const DRAWS_PER_INPUT_MAX: u32 = 50_000;
/// Choices that one operation waits for, one after another; later ones are made as whoever says nothing makes them.
pub(crate) const CHOICES_PER_OPERATION_MAX: usize = 32;
/// Triggers that wait for their event at one time.
pub(crate) const DELAYED_MAX: usize = 512;
/// Values that all triggers which wait keep for nothing: what is bound where each was made. More costs an operation each.
pub(crate) const DELAYED_VALUES_FREE: usize = 1 << 15;
/// Tokens that one seat stakes.
pub(crate) const STAKE_TOKENS_MAX: i64 = 1_000_000_000;
/// Facts of each viewer that are kept by number.
pub(crate) const FACTS_KEPT: usize = 64;
/// Attributes that are computed from one another, inside one another.
pub(crate) const ATTRIBUTE_DEPTH_MAX: u16 = 16;
/// Operations for one input of a mutant: a change may make a loop that only its bound ends.
pub(crate) const MUTANT_OPS_PER_INPUT_MAX: u32 = 200_000;
