//! The bot: it guesses the opponent's layout from the cards they have shown, and randomizes its own.

use parlor_core::Rng;

use crate::answer::Move;
use crate::card::{Card, Slot};
use crate::layout::SLOTS;
use crate::resolve::resolve;
use crate::view::View;

/// The weight of each card in an opponent's slot when nothing is known.
const ANY: i32 = 2;
/// The weight of an empty slot when nothing is known: few players leave slots empty.
const NOTHING: i32 = 1;
/// The extra weight of the card that was in this slot in the round before.
const HABIT: i32 = 2;
/// The value of bringing the opponent to 0 HP, in HP.
const FALL: i32 = 6;
/// How much worse than the best layout a layout may be and still be played sometimes, in quarters of an HP. With less,
/// the bot is predictable; with more, it gives matches away.
const SLACK: i32 = 2;

/// Every content of a slot: a card, or nothing.
const KINDS: [Slot; 5] =
    [None, Some(Card::Attack), Some(Card::Defense), Some(Card::Heal), Some(Card::Counter)];

/// Chooses one of the legal moves, better ones more often.
pub(crate) fn choose(view: &View, legal: &[Move], rng: &mut Rng) -> Move {
    let Some(seat) = view.seat else { return *rng.pick(legal) };
    let (me, them) = (seat.index(), 1 - seat.index());
    let hp = [view.hp[me], view.hp[them]];
    let mut worth = [[0; KINDS.len()]; SLOTS];
    let mut believed = 0;
    for (slot, worth) in worth.iter_mut().enumerate() {
        let belief = belief(view.last.get(slot).map(|pair| pair[them]));
        believed = belief.iter().sum();
        for (mine, worth) in worth.iter_mut().enumerate() {
            let gains =
                belief.iter().zip(KINDS).map(|(weight, theirs)| weight * gain(KINDS[mine], theirs, hp));
            *worth = gains.sum();
        }
    }
    let score = |mv: &Move| -> i32 { mv.layout().0.iter().zip(&worth).map(|(slot, w)| w[kind(*slot)]).sum() };
    let best = legal.iter().map(score).max().unwrap_or(0);
    let weight = |mv: &Move| ((score(mv) - best) * 4 + SLACK * believed).max(0).pow(2) as u32;
    let mut ticket = rng.below(legal.iter().map(weight).sum());
    for mv in legal {
        match ticket.checked_sub(weight(mv)) {
            Some(rest) => ticket = rest,
            None => return *mv,
        }
    }
    unreachable!("the ticket is below the sum of the weights")
}

/// The weight of each kind in an opponent's slot that held `last` in the round before.
fn belief(last: Option<Slot>) -> [i32; KINDS.len()] {
    let mut belief = [NOTHING, ANY, ANY, ANY, ANY];
    if let Some(last) = last {
        belief[kind(last)] += HABIT;
    }
    belief
}

/// How one step changes the difference in HP, mine minus theirs.
fn gain(mine: Slot, theirs: Slot, hp: [u8; 2]) -> i32 {
    let after = resolve([mine, theirs], hp);
    let change = |n: usize| {
        let fell = if after[n] == 0 { FALL } else { 0 };
        i32::from(after[n]) - i32::from(hp[n]) - fell
    };
    change(0) - change(1)
}

const fn kind(slot: Slot) -> usize {
    match slot {
        None => 0,
        Some(card) => 1 + card as usize,
    }
}
