//! The table: walls, turns, calls, rounds, the whole game around the hands.
//!
//! A [`Table`] is a plain value. It says who is asked and what they may do ([`Table::asked`], [`Table::turn_options`],
//! [`Table::offer`], [`Table::legal`]), turns an untrusted [`Answer`] into an [`Action`] ([`Table::check`]) and applies one
//! action at a time ([`Table::apply`]), which emits its [`Event`]s to the caller. It never waits, reads no clock,
//! draws no random number (walls come from outside) and does not know who is a bot.
//!
//! ```
//! use parlor_riichi::table::{Action, Settings, Standing, Table, Wall};
//!
//! let settings = Settings::read(&serde_json::json!({ "preset": "tenhou", "game_type": "east" }))?;
//! let mut walls = |_: &Standing| Wall::sorted();
//! let mut table = Table::start(settings, &mut walls, &mut |_| ())?;
//! let mut actions = Vec::new();
//! while let Some(seat) = table.asked().first() {
//!     actions.clear();
//!     table.legal(seat, &mut actions);
//!     table.apply(seat, actions[0], &mut walls, &mut |_| ());
//! }
//! assert!(table.game_end().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod answer;
mod bot;
mod event;
mod finish;
pub mod games;
mod hints;
pub mod mjai;
pub mod mjlog;
mod observe;
mod options;
mod pace;
mod play;
mod player;
mod rebuild;
mod result;
pub mod script;
pub mod sessions;
mod settings;
mod state;
pub mod tenhou6;
mod tenhou6_order;
mod twin;
mod view;
mod wall;
mod window;

pub use action::{Action, Actions, Automatic};
pub use answer::{Answer, Code, KanName, Refusal, TileName};
pub use bot::Bot;
pub use event::{Event, Viewer};
pub use hints::{Hints, Kuikae, KuikaeReason, TenpaiDiscard, WaitHint, Worth};
pub use options::{Offer, TurnOptions};
pub use pace::Pace;
pub use player::{Discarded, Furiten, Player, RiichiState, TableMeld};
pub use result::{DrawKind, GameEnd, RoundResult, WinResult};
pub use settings::{
    Enchousen, GameType, HonbaMulti, KanDora, LeftoverRiichiBets, MultiRon, Nagashi, Preset, Settings,
    SettingsError, SettingsFault, TieBreak,
};
pub use state::{Phase, SeatSet, Standing, Table, TurnAfter};
#[cfg(feature = "game")]
pub(crate) use view::differing;
pub use view::{CallView, OwnView, PhaseView, SeatView, View};
pub use wall::{Wall, WallError};
pub use window::{Window, WindowKind};

/// The most seats a table has.
pub const SEATS_MAX: usize = 4;
