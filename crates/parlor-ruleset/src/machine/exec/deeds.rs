//! What statements do whose operands are values and cards: one function for each, as the table of statements names it.

use parlor_core::{Outcome, Seat, Seats};

use super::board_ops::Done;
use super::stopped::Reason;
use crate::machine::board::{Delta, NOBODY};
use crate::machine::ids::{AttrId, CounterId, EntityId, InstanceId, TextId, VarId};
use crate::machine::program::{AttrKind, ExprId, NONE, SelId, To, Ty, Who, amount};
use crate::machine::state::{State, Verdict, Vm};
use crate::machine::value::item_order;

/// What was read for one operand of a statement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// It was left out, and nothing stands for it.
    Absent,
    /// An expression.
    Value(ExprId),
    /// A selection.
    Cards(SelId),
    /// A variable, and whose.
    Var(VarId, Option<ExprId>),
    /// A zone, and whose.
    Place(To),
    /// A kind of counter.
    Counter(CounterId),
    /// Seats.
    Who(Who),
    /// A text, by number.
    Text(TextId),
}

/// The operands of a statement, in the order of its row. Each is worked out when it is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'p>(pub(crate) &'p [Operand]);

impl<'p> Operands<'p> {
    fn get(self, n: usize) -> Operand {
        self.0.get(n).copied().unwrap_or(Operand::Absent)
    }

    /// A value; nothing where it was left out.
    pub(crate) fn value(self, vm: &mut Vm<'_, '_>, n: usize) -> i64 {
        match self.get(n) {
            Operand::Value(expr) => vm.eval(expr),
            _ => NONE,
        }
    }

    /// A seat.
    pub(crate) fn seat(self, vm: &mut Vm<'_, '_>, n: usize) -> Option<Seat> {
        State::seat(self.value(vm, n))
    }

    /// An item on the stack, by its order.
    pub(crate) fn item(self, vm: &mut Vm<'_, '_>, n: usize) -> u32 {
        item_order(self.value(vm, n))
    }

    /// What is selected, in a list that is given back.
    pub(crate) fn list(self, vm: &mut Vm<'_, '_>, n: usize) -> Vec<i64> {
        match self.get(n) {
            Operand::Cards(sel) => vm.listed(sel),
            _ => Vec::new(),
        }
    }

    /// Does something with each card that is selected.
    pub(crate) fn each_card<'a, 'b>(
        self,
        vm: &mut Vm<'a, 'b>,
        n: usize,
        mut deed: impl FnMut(&mut Vm<'a, 'b>, EntityId),
    ) {
        let list = self.list(vm, n);
        for value in &list {
            if let Some(ent) = vm.entity(*value) {
                deed(vm, ent);
            }
        }
        vm.scratch.give(list);
    }

    /// A kind of counter.
    pub(crate) fn counter(self, n: usize) -> CounterId {
        match self.get(n) {
            Operand::Counter(kind) => kind,
            _ => CounterId::default(),
        }
    }

    /// An instance of a zone.
    pub(crate) fn zone(self, vm: &mut Vm<'_, '_>, n: usize) -> Option<InstanceId> {
        match self.get(n) {
            Operand::Place(to) => vm.instance(to),
            _ => None,
        }
    }

    /// Which seats; nothing where that was left out.
    pub(crate) fn who(self, n: usize) -> Option<Who> {
        match self.get(n) {
            Operand::Who(who) => Some(who),
            _ => None,
        }
    }

    /// A text.
    pub(crate) fn text(self, vm: &Vm<'_, '_>, n: usize) -> String {
        match self.get(n) {
            Operand::Text(text) => vm.program.texts[text].clone(),
            _ => String::new(),
        }
    }
}

impl Vm<'_, '_> {
    /// Sets an attribute that is kept, of each.
    pub(super) fn set_attr(&mut self, sel: SelId, attr: AttrId, value: ExprId) {
        let value = self.eval(value);
        let AttrKind::Kept(column) = self.program.attrs[attr].kind else { return };
        let list = self.listed(sel);
        for of in &list {
            let Some(ent) = self.entity(*of) else { continue };
            if self.state.board.attrs[self.program.attr_at(ent, column)] != value {
                self.change(Delta::Attr(ent, column, value));
            }
        }
        self.scratch.give(list);
    }

    /// A number below the sides, by luck, into a local.
    pub(super) fn roll(&mut self, slot: u16, sides: ExprId) -> Done {
        let sides = self.eval(sides).clamp(1, i64::from(u32::MAX)) as u32;
        self.lucky(1)?;
        let value = i64::from(self.rolled(sides));
        *self.local(slot) = value;
        Ok(())
    }

    /// Puts a list that is bound into an order by luck.
    pub(super) fn mix_bound(&mut self, list: u16, ty: Ty) -> Done {
        let at = self.state.frames.last().map_or(0, |frame| frame.lists as usize) + usize::from(list);
        self.lucky(self.state.lists[at].len())?;
        let mut list = std::mem::take(&mut self.state.lists[at]);
        self.mix_list(&mut list, ty);
        self.state.lists[at] = list;
        Ok(())
    }
}

/// Takes from a variable.
pub(crate) fn pay(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let Operand::Var(var, of) = given.get(0) else { return Ok(()) };
    let (now, amount) = (vm.var(var, of), given.value(vm, 1));
    if amount < 0 || now < amount {
        return Err(vm.because(Verdict::Rules, Reason::Unpaid(var, now, amount)));
    }
    vm.set_var(var, of, now - amount)
}

/// Adds to the counters of each; never below 0.
pub(crate) fn add_counter(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let (kind, by) = (given.counter(1), amount(given.value(vm, 2)));
    given.each_card(vm, 0, |vm, ent| {
        let now = vm.state.board.counters[vm.program.counter_at(ent, kind)];
        let n = now.saturating_add(by).max(0);
        vm.change(Delta::Counter(ent, kind, n));
    });
    Ok(())
}

/// Shuffles a zone.
pub(crate) fn shuffle(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    match given.zone(vm, 0) {
        Some(instance) => vm.shuffle(instance),
        None => Ok(()),
    }
}

/// Shows cards where they lie.
pub(crate) fn reveal(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let list = given.list(vm, 0);
    vm.reveal(&list, given.who(1))?;
    vm.scratch.give(list);
    Ok(())
}

/// Gives control of each to a seat.
pub(crate) fn control(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let seat = given.seat(vm, 1).map_or(NOBODY, |seat| seat.index() as u8);
    given.each_card(vm, 0, |vm, ent| vm.change(Delta::Control(ent, seat)));
    Ok(())
}

/// Everybody learns a value from what follows.
pub(crate) fn disclose(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let value = given.value(vm, 0);
    vm.disclose(value);
    Ok(())
}

/// Counters an item on the stack.
pub(crate) fn counter_item(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let item = given.item(vm, 0);
    vm.counter(item);
    Ok(())
}

/// Puts a copy of an item onto the stack.
pub(crate) fn copy_item(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let (item, you) = (given.value(vm, 0), given.value(vm, 1));
    vm.copy_item(item, you)
}

/// Gives an item another target, where that is legal.
pub(crate) fn retarget(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let (item, place, to) = (given.value(vm, 0), given.value(vm, 1), given.value(vm, 2));
    vm.retarget(item, place, to);
    Ok(())
}

/// Begins another round.
pub(crate) fn next_round(vm: &mut Vm<'_, '_>, _: Operands<'_>) -> Done {
    vm.next_round(vm.board_round() + 1)
}

/// The event that is replaced, or before which this stands, does not happen.
pub(crate) fn prevent(vm: &mut Vm<'_, '_>, _: Operands<'_>) -> Done {
    vm.prevent();
    Ok(())
}

/// Seats lose.
pub(crate) fn lose(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    if let Some(who) = given.who(0) {
        vm.lose(who);
    }
    Ok(())
}

/// Seats win.
pub(crate) fn win(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let Some(who) = given.who(0) else { return Ok(()) };
    let winners: Seats = vm.seats_of(who).map(|n| Seat::new(n as u8)).collect();
    let reason = given.text(vm, 1);
    vm.finish(Outcome::win(winners, vm.state.board.seats, reason));
    Ok(())
}

/// The match is over: places by the rank of the ruleset, or these seats lose.
pub(crate) fn finish(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let reason = given.text(vm, 0);
    vm.finish_now(reason, given.who(1));
    Ok(())
}

/// Nobody wins.
pub(crate) fn draw_game(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    let reason = given.text(vm, 0);
    vm.finish(Outcome::draw(vm.state.board.seats, reason));
    Ok(())
}

/// A seat has another turn after this one.
pub(crate) fn extra_turn(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    if let Some(seat) = given.seat(vm, 0) {
        vm.state.extra.truncate(64);
        vm.state.extra.push(seat.index() as u8);
    }
    Ok(())
}

/// A seat's next turn is left out.
pub(crate) fn skip_turn(vm: &mut Vm<'_, '_>, given: Operands<'_>) -> Done {
    if let Some(seat) = given.seat(vm, 0) {
        vm.state.skip = vm.state.skip.with(seat);
    }
    Ok(())
}
