//! A ruleset as a game that the house can host: its definition, requests and answers, reasons, views, twins,
//! simulation.
//!
//! It never changes a state by itself: an answer is checked here and given to the machine.
//!
//! | file | what |
//! |---|---|
//! | `game_def` | the definition that the registry keeps, and a table's settings |
//! | `dyn_game` | one match, behind the house's contract |
//! | `request` | answers as what they mean, and what is meant as an answer |
//! | `questions`, `choose`, `auto_pass` | what a seat is asked, as selectors |
//! | `pass_leads` | where a pass leads |
//! | `legal` | everything that a seat may answer |
//! | `reasons`, `expr_text`, `price` | why something cannot be chosen, and what it costs, in words |
//! | `view`, `stack` | what a viewer may know, as JSON |
//! | `twin` | another match that some viewers cannot tell from this one |
//! | `sim` | simulation |

pub(crate) mod auto_pass;
mod choose;
mod dyn_game;
pub(crate) mod expr_text;
pub mod game_def;
mod legal;
mod pass_leads;
pub(crate) mod price;
mod questions;
pub(crate) mod reasons;
pub(crate) mod request;
mod sim;
pub(crate) mod stack;
mod twin;
pub(crate) mod view;

pub use dyn_game::RulesetGame;
pub use game_def::game_def;
