//! Parlor as a library: table games with secrets in your own program.
//!
//! - The names at the root are the contract: a [`Game`] is the rules, a [`Match`] plays them from a log, [`sim`] plays
//!   millions of matches without one.
//! - [`script`] is for rules written as straight-line async code.
//! - [`host`] is a table: seats, clocks, bots, reconnection, undo and a view for each viewer, without a socket, a clock
//!   or a disk. You bring these.
//! - [`wire`] has the messages between a table and its clients, and their codecs.
//!
//! Each name has one path here. What is missing is on purpose: the crates behind this one may change what they do not
//! share. `docs/embed.md` says how to depend on it, and what may change when.
//!
//! ```
//! use parlor::script::Script;
//! use parlor::{Header, Match, Seed};
//! use parlor_hearts::Hearts;
//!
//! let def = Hearts::def();
//! let header = Header::seeded(&def, 4, serde_json::json!({"until": 0}), Seed::from_text("a"));
//! let (hearts, _) = Match::start(def, header).unwrap();
//! assert_eq!(hearts.open_asks()[0].seats.len(), 4, "everybody is asked which cards they pass");
//! ```

pub use parlor_core::ask::{self, Ask, AskId, AskKind, Asks, TimeLimit};
pub use parlor_core::game::{DisconnectPolicy, Menu, OnDisconnect, Reveal};
pub use parlor_core::play::{OpenRequest, ReplayError};
pub use parlor_core::record::JsonText;
pub use parlor_core::{
    Account, Game, Input, Money, NoOutput, OpenSeating, Output, Posting, Setup, Undo, Visit,
};
pub use parlor_core::{AnswerTarget, Applied, Match, Outcome};
pub use parlor_core::{Body, By, EncodedRecord, Header, Record};
pub use parlor_core::{BotChoice, BotDef, GameDef, Lobby, MatchResult, Rating};
pub use parlor_core::{Choice, Chosen, Picked, Response, Selector};
pub use parlor_core::{Code, Fault, HouseCode, Json, Refusal};
pub use parlor_core::{Commitments, Facts, Secrets, Slot};
pub use parlor_core::{PauseReason, StopReason};
pub use parlor_core::{Purpose, Rng, Seed};
pub use parlor_core::{Seat, Seats, Viewer};
pub use parlor_core::{limits, logfile, sim};

/// Rules as straight-line async code.
#[cfg(feature = "script")]
pub mod script {
    pub use parlor_script::{
        Cards, CheckedAnswer, Counter, Either, Free, GameLog, Interrupt, Item, Line, Next, Offer, One, Pick,
        Players, Question, Script, ScriptOutput, SeatAnswer, Sight, Table, Terms, Zone,
    };
}

/// A table around a match. [`Table::handle`](host::Table::handle) takes a command and the time, and returns effects:
/// what to store, what to send, when to call again.
#[cfg(feature = "host")]
pub mod host {
    pub use parlor_host::{
        Command, ConnId, Effect, NewTable, Occupant, RecordWrite, Submit, Table, TableSettings,
    };
}

/// The messages between a table and its clients, as JSON or MessagePack.
#[cfg(feature = "host")]
pub mod wire {
    pub use parlor_wire::{
        ClientMessage, CloseReason, Codec, DecodeError, EncodedMessage, FirstRequest, Prompt, PromptKind,
        SeatClock, SeatInfo, ServerMessage,
    };
}
