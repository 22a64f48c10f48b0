//! Where something was stopped, and why: for whoever wrote the rules.

use crate::machine::ids::{InstanceId, VarId};
use crate::machine::program::{NONE, Program, See};
use crate::machine::state::{EventData, Verdict, Vm};

/// Why the rules could not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// There is no room in this instance of a zone.
    Full(InstanceId),
    /// This cell of an instance of a zone is taken, or there is none.
    Cell(InstanceId, i64),
    /// This variable has so much, and so much is to be paid.
    Unpaid(VarId, i64, i64),
    /// This variable is to be changed, and nobody is meant.
    Nobody(VarId),
}

/// What is known of what was stopped last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stop {
    /// The operation.
    pub(crate) pc: Option<u32>,
    /// Why.
    pub(crate) reason: Option<Reason>,
}

/// The fields of a verdict's event after those that rules can read: the operation, and the reason in three.
const PC: usize = 2;
const REASON: usize = 3;

impl Stop {
    /// Notes it on the event that tells of it.
    pub(crate) fn note(self, ev: &mut EventData) {
        ev.args[PC] = self.pc.map_or(NONE, i64::from);
        let (kind, of, a, b) = match self.reason {
            None => return,
            Some(Reason::Full(instance)) => (0, instance.0, NONE, NONE),
            Some(Reason::Cell(instance, cell)) => (1, instance.0, cell, NONE),
            Some(Reason::Unpaid(var, have, amount)) => (2, var.0, have, amount),
            Some(Reason::Nobody(var)) => (3, var.0, NONE, NONE),
        };
        ev.args[REASON..].copy_from_slice(&[kind << 16 | i64::from(of), a, b]);
    }

    /// What was noted on an event.
    pub(crate) fn of(ev: &EventData) -> Self {
        let [coded, a, b] = [ev.args[REASON], ev.args[REASON + 1], ev.args[REASON + 2]];
        let of = coded as u16;
        let reason = match coded >> 16 {
            0 => Some(Reason::Full(InstanceId(of))),
            1 => Some(Reason::Cell(InstanceId(of), a)),
            2 => Some(Reason::Unpaid(VarId(of), a, b)),
            3 => Some(Reason::Nobody(VarId(of))),
            _ => None,
        };
        Self { pc: u32::try_from(ev.args[PC]).ok(), reason }
    }

    /// The pointer of the statement that was stopped.
    pub(crate) fn place(self, program: &Program) -> Option<&str> {
        program.place(self.pc?)
    }

    /// Why, in words.
    pub(crate) fn why(self, program: &Program) -> Option<String> {
        let zone = |instance: InstanceId| {
            let zone = program.instances.get(instance.index())?.zone;
            program.zones.get(zone.index())
        };
        Some(match self.reason? {
            Reason::Full(instance) => format!("there is no room in {}", zone(instance)?.name),
            Reason::Cell(instance, cell) => {
                format!("the cell {cell} of {} is not free", zone(instance)?.name)
            }
            Reason::Unpaid(var, have, amount) => {
                format!("{have} {} of {amount}", program.vars.get(var.index())?.name)
            }
            Reason::Nobody(var) => format!("{} of nobody", program.vars.get(var.index())?.name),
        })
    }

    /// Whether everybody may be told why: it speaks of nothing that somebody does not see.
    pub(crate) fn is_open(self, program: &Program) -> bool {
        let zone = |instance: InstanceId| program.instances[instance].zone;
        match self.reason {
            None => true,
            Some(Reason::Full(instance)) => program.zones[zone(instance)].count == See::All,
            Some(Reason::Cell(instance, _)) => program.zones[zone(instance)].see == See::All,
            Some(Reason::Unpaid(var, ..) | Reason::Nobody(var)) => program.vars[var].see == See::All,
        }
    }

    /// All of it, for whoever wrote the rules: ` at /flow/1/pay: 0 coins of 3`.
    pub(crate) fn text(self, program: &Program) -> String {
        let place = self.place(program).map_or(String::new(), |place| format!(" at {place}"));
        place + &self.why(program).map_or(String::new(), |why| format!(": {why}"))
    }
}

impl Vm<'_, '_> {
    /// A verdict, with its reason.
    #[cold]
    pub(in crate::machine) fn because(&mut self, verdict: Verdict, reason: Reason) -> Verdict {
        self.scratch.stop.reason = Some(reason);
        verdict
    }

    /// An operation was stopped: the innermost of all that stop with it is the one.
    #[cold]
    pub(in crate::machine) fn stopped_at(&mut self, pc: u32) {
        self.scratch.stop.pc.get_or_insert(pc);
    }
}
