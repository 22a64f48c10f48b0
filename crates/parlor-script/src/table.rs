//! What a segment gets: the state, random numbers, output, and the methods to ask seats.

use parlor_core::limits::FUEL_PER_INPUT_MAX;
use parlor_core::{Rng, Seats};

use crate::bridge::{Loan, Shared};
use crate::journal::Unanswered;
use crate::output::ScriptOutput;
use crate::script::{Interrupt, Script};

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    /// Answers come from outside, through the executor.
    House,
    /// In a simulation: at once, and at random.
    Random,
    /// In a simulation: at once, by the script's own bot.
    Bots,
}

/// The table as a segment sees it. Its three fields can be borrowed independently:
/// `t.game.cards.shuffle(DECK, &mut t.rng)`.
pub struct Table<S: Script> {
    pub game: S,
    pub rng: Rng,
    pub out: ScriptOutput,
    pub(crate) player: Player,
    pub(crate) bridge: Option<Shared<S>>,
    pub(crate) seats: u8,
    /// The id of the next request.
    pub(crate) next_ask: u32,
    /// Unanswered requests of the `any` just before.
    pub(crate) unanswered: Vec<Unanswered>,
    pub(crate) interrupt: Option<Interrupt>,
    pub(crate) fuel: u64,
    /// Answers given in a simulation.
    pub(crate) inputs: u64,
    /// Whether random numbers and output are here, not on the bridge.
    pub(crate) lent: bool,
}

impl<S: Script> Table<S> {
    pub(crate) fn dyn_game(game: S, seats: u8, next_ask: u32, bridge: Shared<S>) -> Self {
        let Loan { rng, out } = Loan::none();
        Self {
            game,
            rng,
            out,
            player: Player::House,
            bridge: Some(bridge),
            seats,
            next_ask,
            unanswered: Vec::new(),
            interrupt: None,
            fuel: FUEL_PER_INPUT_MAX,
            inputs: 0,
            lent: false,
        }
    }

    pub(crate) fn simulated(game: S, seats: u8, rng: Rng, player: Player) -> Self {
        Self {
            game,
            rng,
            out: ScriptOutput::default(),
            player,
            bridge: None,
            seats,
            next_ask: 0,
            unanswered: Vec::new(),
            interrupt: None,
            fuel: u64::MAX,
            inputs: 0,
            lent: true,
        }
    }

    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// Every seat, without the gallery.
    #[must_use]
    pub fn everybody(&self) -> Seats {
        Seats::first(self.seats)
    }

    /// A fair coin.
    pub fn flip_coin(&mut self) -> bool {
        self.rng.flip_coin()
    }

    /// A die with this many sides, from 1.
    pub fn roll_die(&mut self, sides: u32) -> u32 {
        self.rng.roll_die(sides)
    }

    /// Takes random numbers and output from the bridge.
    pub(crate) fn borrow_loan(&mut self) {
        if !self.lent {
            self.exchange();
        }
        self.fuel = FUEL_PER_INPUT_MAX;
    }

    /// Returns random numbers and output to the bridge.
    pub(crate) fn return_loan(&mut self) {
        if self.lent {
            self.exchange();
        }
    }

    fn exchange(&mut self) {
        if let Some(bridge) = &self.bridge {
            let mut bridge = bridge.lock();
            std::mem::swap(&mut self.rng, &mut bridge.loan.rng);
            std::mem::swap(&mut self.out, &mut bridge.loan.out);
            self.lent = !self.lent;
        }
    }

    /// Stops rules that keep asking without ever waiting.
    pub(crate) fn burn(&mut self) {
        assert!(
            self.fuel > 0,
            "the script used up fuel_per_input_max ({FUEL_PER_INPUT_MAX}) between two answers"
        );
        self.fuel -= 1;
    }
}
