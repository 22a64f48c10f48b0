//! The contract of Parlor: what a match is.
//!
//! **A match is a pure function of (rules, settings, seed, log of inputs).** A [`Game`] never waits, never reads a
//! clock, never gets random numbers from outside and never knows who is a bot. It lists its open [`Ask`]s and reacts
//! to one [`Input`] at a time. [`Match`] runs any game behind one pointer, from its log; [`sim`] runs one game at
//! full speed without a log. Both use the same rules.
//!
//! This crate never reads a clock, a file, a socket or the environment, never starts a thread, and never keeps
//! anything in an order that another run would not repeat.
//!
//! Where to go next: [`game`] is what a game author writes, [`play`] is what the engine does with it, and
//! `docs/contract.md` says why.

pub mod ask;
pub mod bots;
pub mod code;
pub mod commitments;
pub mod dyn_game;
pub mod game;
pub mod game_def;
pub mod limits;
pub mod lobby;
pub mod logfile;
pub mod outcome;
pub mod packing;
pub mod play;
pub mod rating;
pub mod reasons;
pub mod record;
pub mod refusal;
pub mod rng;
pub mod schema;
pub mod seat;
pub mod secrets;
pub mod selector;
pub mod sim;
pub mod view;
mod view_text;

pub use ask::{Ask, AskId, AskKind, Asks, TimeLimit};
pub use bots::{BotChoice, BotDef};
pub use code::{Code, HouseCode};
pub use commitments::Commitments;
pub use dyn_game::{BrokenInvariant, DialectAction, DynGame, Ignored, OutputBuffer, Repair};
pub use game::{Account, Game, Input, Money, NoOutput, OpenSeating, Output, Posting, Setup, Undo, Visit};
pub use game_def::GameDef;
pub use lobby::{Lobby, Route};
pub use outcome::Outcome;
pub use play::{AnswerTarget, Applied, Match};
pub use rating::{MatchResult, Rating};
pub use reasons::{PauseReason, StopReason};
pub use record::{Body, By, EncodedRecord, Header, Record};
pub use refusal::{Fault, Refusal};
pub use rng::{Purpose, Rng, Seed};
pub use seat::{Seat, Seats, Viewer};
pub use secrets::{Facts, Secrets, Slot};
pub use selector::{Choice, Chosen, Picked, Response, Selector};
pub use view_text::{Unpacked, ViewText};

/// A JSON value: the form in which untrusted answers, events and views cross the contract.
pub type Json = serde_json::Value;
