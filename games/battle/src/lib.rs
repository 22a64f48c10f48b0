//! The battle: two players lay three of four cards face down, and the slots are revealed one after another.
//!
//! The rules: what a layout may hold ([`layout`]), what two cards do to each other ([`resolve`]), how a round is
//! decided ([`round`]), how a match ends and who is paid ([`end`]). The rules never read a clock: PREP is an ask with
//! a deadline, and each step of the reveal is a wait. [`dialect`] is apart from them: the document's messages.

pub mod answer;
pub mod bot;
pub mod card;
pub mod dialect;
pub mod end;
pub mod event;
pub mod layout;
pub mod resolve;
pub mod round;
pub mod rules;
pub mod settings;
mod twin;
pub mod view;

pub use answer::{Answer, Move, Wrong};
pub use card::{Card, Hand, Slot};
pub use end::{End, Reason, Verdict};
pub use event::Event;
pub use layout::Layout;
pub use rules::Battle;
pub use settings::{BothDead, Profile, Settings};
pub use view::{Phase, View};
