//! The machine: plain data that is given one input at a time.
//!
//! [`State`] is everything: it is cloned, saved and digested as it lies. [`Vm`] lends it a program, luck and somebody
//! who listens for one input. Only [`board::Board::apply`] changes what lies on the table, by [`board::Delta`]s; the
//! machine's own records (frames, the stack, what is asked) are changed here.
//!
//! | file | what |
//! |---|---|
//! | `board` | entities, zones, variables; the deltas that change them and their inverses |
//! | `state` | the whole state, and its parts |
//! | `fact` | events, and why something was stopped |
//! | `renew` | a state copied into the memory of another |
//! | `eval`, `select` | expressions and selections; they change nothing |
//! | `filter` | conditions of selections, read off cards where they can be |
//! | `listen` | who hears what |
//! | `attrs` | attributes through counters, modifiers and statics |
//! | `chance` | what luck brings: shuffles, rolls, draws by lot |
//! | `run` | the operations, one after another, until something is asked |
//! | `turn` | turns, rounds, steps |
//! | `pay` | the end, and where the stakes go |
//! | `act` | what operations do to the table: moves, deals, knowledge |
//! | `lasting` | what lasts for some time |
//! | `event` | events: proposed, applied, told |
//! | `react` | replacements, prohibitions, triggers and their limits |
//! | `choose` | what is chosen while an operation is under way |
//! | `stack` | items, reactions, responses, checks: one beat after another |
//! | `auto` | passing by itself |
//! | `items` | what operations do to items |
//! | `window` | priority, and actions that are put together target by target |
//! | `sound` | what must always hold, and what the operator may do where it does not |
//! | `ask` | questions, answers, drafts, deadlines |
//! | `leave` | somebody leaves |

pub mod act;
pub mod ask;
pub mod attrs;
pub mod auto;
pub mod board;
pub mod chance;
pub mod choose;
pub mod eval;
pub mod event;
pub mod fact;
mod filter;
mod items;
mod lasting;
mod leave;
mod listen;
mod pay;
pub mod react;
mod renew;
pub mod run;
pub mod select;
pub mod sound;
pub mod stack;
pub mod state;
pub mod turn;
pub mod window;

pub use board::{Board, Delta};
pub use eval::{Eval, Scratch};
pub use state::{EventData, Sink, State, Status, Verdict, Vm};
