//! The next hand of a record: who leaves, who comes in, where the blinds are, and the arrays of the new hand.

use crate::hand::Phase;
use crate::money::{Amount, Chips};
use crate::notation::record::{Record, is_per_player};
use crate::notation::value::Value;
use crate::replay::ReplayError;
use crate::seat::SEATS_MAX;
use crate::table::columns;
use crate::table::positions::{Chair, Plan, Positions};
use crate::table::seat_state::{Impossible, SeatState};
use crate::table::settings::Settings;
use crate::table::view::trim;

/// Why there is no next hand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NextError {
    #[error("the hand is not over: play it to its end first")]
    NotOver,
    #[error("{path}: {problem}")]
    Impossible { path: String, problem: Impossible },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// The hand after a completed one. Where fewer than two can play, a record without blinds that waits: nobody misses
/// anything, and the number of the hand stays.
///
/// # Errors
/// When the hand is not over or its log does not follow the rules.
pub fn next(record: &Record, table: &Settings, seed: Option<&str>) -> Result<Record, NextError> {
    let rules = columns::rules_of(record, table);
    let seats = columns::seats(record);
    let (mut chairs, paid) = chairs(record, &rules, &seats)?;
    let last = columns::positions(record, &rules);
    let stakes = rules.stakes(record.variant);
    let has_blinds = !record.variant.is_stud();
    let plan = Plan::next(&rules, stakes, has_blinds, &mut chairs, last);
    let mut order: Vec<usize> = (0..record.players()).collect();
    order.retain(|&column| {
        !matches!(chairs_state(&paid, &seats, column), SeatState::Empty | SeatState::Leaving)
    });
    order.sort_by_key(|&column| seats[column]);
    let mut new = kept(record, &order);
    new.starting_stacks =
        order.iter().map(|&column| trim(record.scale(), paid[seats[column] - 1].stack)).collect();
    let states: Vec<SeatState> = order
        .iter()
        .map(|&column| {
            let seat = seats[column] - 1;
            plan.as_ref().map_or(chairs[seat].state, |plan| plan.states[seat])
        })
        .collect();
    let order: Vec<usize> = order.iter().map(|&column| seats[column] - 1).collect();
    if let Some(plan) = &plan {
        post(&mut new, plan, &rules, &order);
        bump(&mut new);
    }
    for (column, &state) in states.iter().enumerate() {
        columns::set_state(&mut new, column, state);
    }
    if let Some(Positions { button, small, big }) = plan.map(|plan| plan.positions).or(last) {
        let whole = |seat: usize| Value::Number(Amount::whole(seat as Chips + 1));
        new.set("_blindSeats", Value::Array([button, small, big].map(whole).to_vec()));
    }
    if let Some(seed) = seed {
        new.set("_seed", Value::Text(seed.into()));
    }
    Ok(new)
}

fn chairs_state(chairs: &[Chair; SEATS_MAX], seats: &[usize], column: usize) -> SeatState {
    chairs[seats[column] - 1].state
}

/// The seats when the hand is over: twice, once for the plan to change.
type TwoChairs = ([Chair; SEATS_MAX], [Chair; SEATS_MAX]);

fn chairs(record: &Record, rules: &Settings, seats: &[usize]) -> Result<TwoChairs, NextError> {
    let scale = record.scale();
    let active = (0..record.players()).filter(|&column| !record.sits_out(column)).count();
    let played = if active < 2 || (record.actions.is_empty() && !has_stakes(record)) {
        None
    } else {
        let (hand, places) = columns::play(record)?;
        if hand.phase() != Phase::Over {
            return Err(NextError::NotOver);
        }
        Some((hand, places))
    };
    let mut chairs = [Chair::default(); SEATS_MAX];
    for column in 0..record.players() {
        let state = columns::state(record, column)
            .map_err(|problem| NextError::Impossible { path: format!("_deadBlinds[{column}]"), problem })?;
        let start = scale.chips(record.starting_stacks[column]).unwrap_or(0);
        let took_part = !record.sits_out(column);
        let stack = match &played {
            Some((hand, places)) if took_part => hand.stacks()[places[column]],
            _ => start,
        };
        let state = if took_part || stack == 0 { state.after_hand(stack, rules.rebuy_ms > 0) } else { state };
        chairs[seats[column] - 1] = Chair { state, stack };
    }
    Ok((chairs, chairs))
}

/// Whether anything is posted; a record that waits for players has nothing.
fn has_stakes(record: &Record) -> bool {
    record.antes.iter().chain(&record.blinds).any(|amount| !amount.is_zero())
}

/// The record with these columns only, and without what belonged to the last hand.
fn kept(record: &Record, order: &[usize]) -> Record {
    let mut new = record.clone();
    new.actions.clear();
    new.antes = vec![Amount::ZERO; order.len()];
    new.blinds = if record.variant.is_stud() { Vec::new() } else { vec![Amount::ZERO; order.len()] };
    new.button = order.len().saturating_sub(1);
    for (name, value) in &mut new.rest {
        if let (true, Value::Array(values)) = (is_per_player(name), value)
            && values.len() == record.players()
        {
            *values = order.iter().map(|&column| values[column].clone()).collect();
        }
    }
    for name in
        ["author", "finishing_stacks", "winnings", "_paidDead", "_rake", "_totalPot", "_boards", "_seed"]
    {
        new.take(name);
    }
    new
}

/// Blinds, antes, dead money and button of the new hand.
fn post(new: &mut Record, plan: &Plan, rules: &Settings, order: &[usize]) {
    let scale = crate::money::Scale::new(rules.decimals);
    let stakes = rules.stakes(new.variant);
    let mut dead = vec![Amount::ZERO; order.len()];
    for (column, &seat) in order.iter().enumerate().filter(|(_, seat)| plan.players.contains(**seat)) {
        let entry = plan.entries[seat];
        let is_big = plan.has_blinds && seat == plan.positions.big;
        let ante = if rules.big_blind_ante && !is_big { 0 } else { rules.ante };
        new.antes[column] = trim(scale, ante);
        if plan.has_blinds {
            let blind = match seat {
                _ if is_big => stakes.big_blind,
                _ if entry.live > 0 => -entry.live,
                seat if seat == plan.positions.small => stakes.small_blind,
                _ => 0,
            };
            new.blinds[column] = trim(scale, blind);
        }
        if entry.dead > 0 {
            let stack = scale.chips(new.starting_stacks[column]).unwrap_or(0);
            new.starting_stacks[column] = trim(scale, stack - entry.dead);
            dead[column] = trim(scale, entry.dead);
        }
    }
    if dead.iter().any(|amount| !amount.is_zero()) {
        new.set("_paidDead", Value::Array(dead.into_iter().map(Value::Number).collect()));
    }
    // The button's own column, or the last before its seat.
    let count = rules.seat_count;
    let back = |seat: &&usize| (plan.positions.button + count - **seat) % count;
    let column = order.iter().min_by_key(back).and_then(|seat| order.iter().position(|other| other == seat));
    new.button = column.unwrap_or(0);
}

fn bump(new: &mut Record) {
    if let Some(number) = new.number("hand") {
        new.set("hand", Value::Number(Amount::whole(number + 1)));
    }
}
