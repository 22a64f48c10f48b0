//! Games as data: a ruleset in JSON is read, checked and compiled, and played by a machine with one stack of events and
//! reactions.
//!
//! `operations` are the tables of statements and expressions; `language` reads a file and keeps places; `compiler` checks
//! everything and makes a [`Program`]; `machine` runs it; `game` puts it behind the house's contract; `screen` has the
//! types of what screens are sent. What this crate never
//! does: read a clock, a file, a socket or the environment, or panic because of what a ruleset says.
//!
//! Outside of this crate a ruleset is compiled ([`compile`], [`compile_beside`]), registered ([`game_def()`],
//! [`shipped::game_defs`]), served ([`ServerCompiler`]), tested ([`scenario`]) and spoken to in the document's words ([`dialect`]). How a program and
//! a state look inside is nobody else's business.

mod compiler;
pub mod coverage;
pub mod dialect;
mod game;
mod language;
mod limits;
mod machine;
pub mod mutants;
mod operations;
pub mod scenario;
mod screen;
mod serving;
pub mod shipped;

pub use compiler::{Compiled, compile, compile_beside, merged};
pub use game::{RulesetGame, game_def};
pub use language::diagnostics::{Finding, Level, mended};
pub use language::edit_distance::suggest;
pub use language::format::format;
pub use language::schema::{schema, schema_for};
pub use machine::program::Program;
pub use serving::{ServerCompiler, compile_for_server};

/// What the tests and benches of this crate look at. It is no part of the public interface: it changes without notice
/// and is not covered by semantic versioning.
#[doc(hidden)]
pub mod internals {
    pub use crate::game::auto_pass::OFFER;
    pub use crate::game::game_def::settings;
    pub use crate::language::schema::{operations, reference};
    pub use crate::limits::{ENTITIES_MAX, FILE_BYTES_MAX, FINDINGS_MAX, WHY_NOT_MAX};
    pub use crate::machine::board::Board;
    pub use crate::machine::events_kept::{EventData, Status};
    pub use crate::machine::exec::event::event_json;
    pub use crate::machine::ids::{ActionId, EventType};
    pub use crate::machine::program::{Limits, NONE, VERDICT};
    pub use crate::machine::requests::SeatInput;
    pub use crate::machine::state::{Sink, State};
    pub use crate::machine::value::seat_value;
    /// Whether a seat could do anything but pass, as far as everybody can tell; and what it can do.
    #[must_use]
    pub fn could_act(game: &crate::RulesetGame, seat: u8) -> (bool, usize) {
        let (program, state) = (game.program(), game.inside());
        let mut scratch = crate::machine::Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
        let could = crate::machine::requests::auto::could_act(program, state, &mut scratch, seat);
        let acting = crate::machine::stack::window::Acting { program, state, seat };
        (could, acting.actions(&mut scratch).len())
    }
    /// Every seat is asked to act or pass from here on, also where it can do nothing.
    pub fn ask_everybody(vm: &mut crate::machine::state::Vm<'_, '_>) {
        vm.state.more.full = parlor_core::Seats::first(vm.state.board.seats);
    }
    /// Another match that these viewers cannot tell from this one.
    #[must_use]
    pub fn twin(
        game: &crate::RulesetGame,
        viewers: parlor_core::Seats,
        rng: &mut parlor_core::Rng,
    ) -> Option<crate::RulesetGame> {
        game.twin(viewers, rng)
    }
    pub use crate::scenario::given::given;
    pub use crate::screen::*;
}
