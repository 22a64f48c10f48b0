//! The poker table around the hands: who sits where and wants what, button and blinds, money that comes and goes, and a
//! chain of hands played by [`Table`].
//!
//! Everything here is a value changed by one input at a time. There is no clock, no generator, no socket and no account:
//! time-outs are inputs, cards come from the [`crate::Rng`] that the caller lends, and buy-ins, cash-outs and rake are
//! values ([`Posting`]) for the house to book.

mod advance;
mod bots;
mod client;
mod columns;
mod dealing;
mod event;
mod input;
mod live;
mod merge;
mod next;
mod positions;
mod seat_state;
mod settings;
mod sit_and_go;
mod view;

pub use advance::{advance, auto, personalize};
pub use bots::{Bot, Sight};
pub use client::{StateFault, join, pause, quit, resume, validate, wait_for_bb};
pub use event::{Event, Posting, WrittenBecause};
#[cfg(feature = "game")]
pub(crate) use input::Checked;
pub use input::{Answer, Options, Order, PreAction, TableMove, TableRefusal, Timer};
pub use live::Table;
pub use merge::{Ignored, Merged, merge};
pub use next::{NextError, next};
pub use positions::{Chair, Entry, Plan, Positions};
pub use seat_state::{
    Flags, Impossible, Intent, IntentContext, IntentRefused, NewcomerWish, PauseKind, SeatState, Then,
};
pub use settings::{
    ButtonRule, MissedBlinds, Newcomers, Profile, Settings, SettingsError, SettingsFault, Stakes,
    TimeoutAction,
};
pub use sit_and_go::{Level, SitAndGo, SitAndGoSettings, Standing};
pub use view::{OwnView, PotView, SeatView, TableView};
