//! The machine: plain data that is given one input at a time.
//!
//! [`State`] is everything: it is cloned, saved and digested as it is. [`Vm`] lends it a program, luck and an output
//! for one input. Only [`board::Board::apply`] changes what lies on the table, by [`board::Delta`]s; the machine's own
//! records (frames, the stack, the open question) are changed by the files below. It reads no text and writes no
//! request: that is the work of the compiler and of the game.
//!
//! | file | what |
//! |---|---|
//! | `program` | a compiled ruleset: it never changes |
//! | `ids`, `value` | numbers of what is declared, each of its own type; values |
//! | `state` | the whole state of a match, and its parts |
//! | `events_kept` | events, what became of them, and why something was stopped |
//! | `board` | entities, zones, variables; the deltas that change them and their inverses |
//! | `board/listen` | which entities listen for which events |
//! | `board/clone_into` | a state copied into the memory of another |
//! | `eval`, `eval/select` | expressions and selections; they change nothing |
//! | `eval/filter` | conditions of selections, read off cards where they can be |
//! | `eval/attrs` | attributes through counters, modifiers and statics |
//! | `exec` | the operations, one after another, until something is asked |
//! | `exec/board_ops` | what operations do to the table: moves, deals, and who comes to know what |
//! | `exec/chance` | what luck brings: shuffles, rolls, draws by lot |
//! | `exec/turn` | turns, rounds, steps |
//! | `exec/durations` | what lasts for some time |
//! | `exec/event` | events: proposed, applied, sent |
//! | `exec/leave` | a seat leaves |
//! | `exec/invariants` | what must always hold, and what the operator may do where it does not |
//! | `exec/ending` | the end, and where the stakes go |
//! | `stack` | items, reactions, responses, checks: one beat after another |
//! | `stack/react` | replacements, prohibitions, triggers and their limits |
//! | `stack/window` | priority, and actions that are put together target by target |
//! | `stack/items` | what operations do to items |
//! | `requests` | questions, answers, drafts, deadlines |
//! | `requests/auto` | passing automatically |
//! | `requests/choose` | what is chosen in the middle of an operation |

pub(crate) mod board;
pub(crate) mod eval;
pub(crate) mod events_kept;
pub(crate) mod exec;
pub(crate) mod ids;
pub(crate) mod program;
pub(crate) mod requests;
pub(crate) mod stack;
pub(crate) mod state;
pub(crate) mod value;

pub(crate) use board::{Board, Delta};
pub(crate) use eval::{Eval, Scratch};
pub(crate) use state::{EventData, State, Status};
