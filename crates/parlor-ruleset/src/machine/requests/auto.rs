//! Passing automatically: until when a seat passes without being asked, and in which steps it stops.
//!
//! It is an intent of the player, kept with the seat and set by an offer that always stands. It passes where the seat
//! would be asked to act or pass, in the same breath; others see what they would see of a quick hand. It is over as
//! soon as there is something to decide: an item of somebody else on the stack, any other question, a step at which
//! the seat stops, and at the latest after [`AUTO_PASSES_MAX`] times.

use parlor_core::{Seat, Seats};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::limits::{AUTO_PASSES_MAX, OPS_PER_IDLE_LOOK_MAX};
use crate::machine::eval::Scratch;
use crate::machine::ids::{StepId, VarId};
use crate::machine::program::{ActionDef, ExprId, Least, Program, Reach, STEPS};
use crate::machine::stack::window::Acting;
use crate::machine::state::{Question, State, Vm};

/// Until when a seat passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Until {
    /// Until somebody else puts something onto the stack, or its own turn begins.
    Response,
    /// Until this step begins.
    Step(StepId),
    /// Until this turn is over.
    TurnEnd,
    /// Until its own turn begins.
    MyTurn,
}

/// What a seat does by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Auto {
    /// Until when it passes; nothing: it does not.
    pub until: Option<Until>,
    /// Whether it also passes on what others put onto the stack.
    pub through: bool,
    /// Steps whose beginning ends it, sorted.
    pub stops: Vec<StepId>,
    /// How often it has passed since it was set.
    pub passed: u16,
}

/// What a seat says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Intent {
    /// Until when to pass; nothing: not to.
    pub until: Option<Until>,
    /// Whether also on what others put onto the stack.
    pub through: bool,
    /// The steps to stop at from now on, sorted; nothing: as before.
    pub stops: Option<Vec<StepId>>,
    /// Whether to be asked even where everybody can tell that one can do nothing; nothing: as before.
    pub full: Option<bool>,
}

impl Until {
    /// Its name for clients.
    #[must_use]
    pub fn name(self, program: &Program) -> String {
        match self {
            Self::Response => "response".to_owned(),
            Self::Step(n) => {
                let name = program.enums[STEPS].values.get(n.index());
                format!("step:{}", name.map_or("?", String::as_str))
            }
            Self::TurnEnd => "turn_end".to_owned(),
            Self::MyTurn => "my_turn".to_owned(),
        }
    }

    /// What a client's name means.
    #[must_use]
    pub fn named(program: &Program, name: &str) -> Option<Self> {
        Some(match name {
            "response" => Self::Response,
            "turn_end" => Self::TurnEnd,
            "my_turn" => Self::MyTurn,
            other => Self::Step(step_named(program, other.strip_prefix("step:")?)?),
        })
    }
}

/// The number of a step.
#[must_use]
pub(crate) fn step_named(program: &Program, name: &str) -> Option<StepId> {
    program.enums[STEPS].values.iter().position(|other| other == name).map(StepId::at)
}

/// Whether this ruleset ever asks anybody to act or pass.
#[must_use]
pub(crate) fn has_priority(program: &Program) -> bool {
    !program.actions.is_empty() && program.steps.iter().any(|step| step.empty || step.stack)
}

impl Vm<'_, '_> {
    /// A seat sets what it does by itself; if it is asked to act right now, it passes.
    pub fn set_auto(&mut self, seat: Seat, said: Intent) {
        let asked =
            |open: &crate::machine::state::Open| open.what == Question::Priority && open.seats.has(seat);
        let holds = self.state.open.as_ref().is_some_and(asked);
        if let Some(mine) = self.state.auto.get_mut(seat.index()) {
            let stops = said.stops.unwrap_or_else(|| std::mem::take(&mut mine.stops));
            *mine = Auto { until: said.until, through: said.through, stops, passed: 0 };
        }
        if let Some(full) = said.full.filter(|_| !self.program.is_first_edition()) {
            let more = &mut self.state.more;
            more.full = if full { more.full.with(seat) } else { more.full.but(Seats::only(seat)) };
        }
        self.tell_auto(seat);
        if holds && self.passes_by_itself(seat.index() as u8) {
            self.state.open = None;
            self.pass_on();
            self.run();
        }
    }

    fn tell_auto(&mut self, seat: Seat) {
        if self.out.output.is_some() {
            self.tell(
                Seats::only(seat),
                json!({"type": "pass_until", "set": shown(self.program, self.state, seat)}),
            );
        }
    }

    /// There is something to decide for these seats: they no longer pass.
    pub(in crate::machine) fn wake(&mut self, seats: Seats) {
        for seat in seats.iter() {
            let Some(auto) = self.state.auto.get_mut(seat.index()) else { continue };
            if auto.until.take().is_some() {
                auto.through = false;
                self.tell_auto(seat);
            }
        }
    }

    /// Whether the seat that may act now passes without being asked.
    pub(in crate::machine) fn passes_by_itself(&mut self, seat: u8) -> bool {
        let Some(auto) = self.state.auto.get_mut(usize::from(seat)) else { return false };
        if auto.until.is_none() {
            return false;
        }
        let through = auto.through;
        auto.passed = auto.passed.saturating_add(1);
        let often = auto.passed > AUTO_PASSES_MAX;
        let seat = Seat::new(seat);
        let others = self.state.stack.last().is_some_and(|top| State::seat(top.you) != Some(seat));
        if often || (others && !through) {
            self.wake(Seats::only(seat));
            return false;
        }
        true
    }

    /// Whether a seat is not asked to act or pass because all it could do is to pass: everybody can tell that it can do
    /// nothing, or what is on top is its own (001/R21). It is asked all the same in the steps where it stops, and
    /// everywhere if it wants to be.
    pub(in crate::machine) fn has_nothing_to_say(&mut self, holder: u8) -> bool {
        if self.program.is_first_edition() || self.idle >= AUTO_PASSES_MAX {
            return false;
        }
        let seat = Seat::new(holder);
        let stops =
            self.state.auto.get(seat.index()).is_some_and(|auto| auto.stops.contains(&self.state.board.step));
        if self.state.more.full.has(seat) || (stops && self.state.stack.is_empty()) {
            return false;
        }
        let own = self.state.stack.last().is_some_and(|top| State::seat(top.you) == Some(seat));
        let silent = own || !could_act(self.program, self.state, self.scratch, holder);
        self.idle += u16::from(silent);
        silent
    }

    /// A turn begins.
    pub(in crate::machine) fn wake_by_turn(&mut self) {
        let active = self.state.board.active;
        let over = |n: usize, until: Until| match until {
            Until::TurnEnd => true,
            Until::Response | Until::MyTurn => n == usize::from(active),
            Until::Step(_) => false,
        };
        self.wake_where(over);
    }

    /// A step begins.
    pub(in crate::machine) fn wake_by_step(&mut self, step: StepId) {
        let stops: Vec<bool> = self.state.auto.iter().map(|auto| auto.stops.contains(&step)).collect();
        self.wake_where(|n, until| until == Until::Step(step) || stops[n]);
    }

    fn wake_where(&mut self, over: impl Fn(usize, Until) -> bool) {
        let awake = self.state.auto.iter().enumerate();
        let awake = awake.filter(|(n, auto)| auto.until.is_some_and(|until| over(*n, until)));
        let seats: Seats = awake.map(|(n, _)| Seat::new(n as u8)).collect();
        if !seats.is_empty() {
            self.wake(seats);
        }
    }
}

/// Whether a seat could do anything but pass, as far as everybody can tell: what is hidden makes no difference.
#[must_use]
pub(crate) fn could_act(program: &Program, state: &State, scratch: &mut Scratch, seat: u8) -> bool {
    let acting = Acting { program, state, seat };
    let fuel = std::mem::replace(&mut scratch.fuel, OPS_PER_IDLE_LOOK_MAX);
    let mut could = |(def, reach): (&ActionDef, &Reach)| {
        if reach.open {
            return acting.completable(scratch, def, &[]);
        }
        let eval = acting.eval_short(&[]);
        let affords = |scratch: &mut Scratch, (var, of, least): &(VarId, Option<ExprId>, Least)| {
            let has = eval.var_of(scratch, *var, *of);
            let least = match least {
                Least::Open(amount) => eval.value(scratch, *amount),
                Least::Fixed(amount) => *amount,
            };
            has.is_none_or(|has| has >= least)
        };
        reach.when.iter().all(|when| eval.holds(scratch, *when))
            && reach.costs.iter().all(|cost| affords(scratch, cost))
    };
    let any = program.actions.iter().zip(&program.reach).any(&mut could);
    // Where there was not enough fuel to look at all of it, it is asked.
    let any = any || scratch.fuel == 0;
    scratch.fuel = fuel;
    any
}

/// What a seat does by itself, as its own clients see it.
#[must_use]
pub(crate) fn shown(program: &Program, state: &State, seat: Seat) -> parlor_core::Json {
    let Some(auto) = state.auto.get(seat.index()) else { return parlor_core::Json::Null };
    let steps = &program.enums[STEPS].values;
    let stops: Vec<&String> = auto.stops.iter().filter_map(|n| steps.get(n.index())).collect();
    let until = auto.until.map_or_else(|| "off".to_owned(), |until| until.name(program));
    let mut shown = json!({"until": until, "through": auto.through, "stops": stops});
    if !program.is_first_edition() {
        shown["full"] = json!(state.more.full.has(seat));
    }
    shown
}
