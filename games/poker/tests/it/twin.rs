//! Slow twins: pots and payouts computed again in another way, from what everybody paid and showed.

use parlor_poker::rank::strength;
use parlor_poker::{Card, Chips, Hand, SeatSet};

/// What each player has put into the pots, uncalled bets not counted.
fn contributions(hand: &Hand) -> Vec<Chips> {
    let start = &hand.setup().stacks;
    (0..hand.players()).map(|seat| start[seat] - (hand.stacks()[seat] - hand.won()[seat])).collect()
}

/// Whether every chip in the pots was bet: no dead antes, no dead blinds.
fn all_bet(hand: &Hand) -> bool {
    let setup = hand.setup();
    let antes_count = setup.ante_trimming || setup.antes.iter().all(|&ante| ante == 0);
    antes_count && setup.paid_dead.iter().all(|&dead| dead == 0)
}

/// Peels the smallest contribution off everybody who has one, again and again.
fn peel(hand: &Hand) -> Vec<(Chips, SeatSet)> {
    let mut left = contributions(hand);
    let mut pots: Vec<(Chips, SeatSet)> = Vec::new();
    while let Some(&least) = left.iter().filter(|&&chips| chips > 0).min() {
        let who: SeatSet = hand.live().iter().filter(|&seat| left[seat] > 0).collect();
        let chips = left.iter().filter(|&&chips| chips > 0).count() as Chips * least;
        match pots.last_mut() {
            Some((sum, same)) if *same == who || who.is_empty() => *sum += chips,
            _ => pots.push((chips, who)),
        }
        left.iter_mut().filter(|chips| **chips > 0).for_each(|chips| *chips -= least);
    }
    pots
}

/// The pots of a hand that is over, and that each winner got his share of them up to an odd chip.
pub(crate) fn pays_rightly(hand: &Hand) {
    if !all_bet(hand) || hand.live().len() < 2 {
        return;
    }
    let pots: Vec<(Chips, SeatSet)> =
        hand.final_pots().iter().map(|(pot, _)| (pot.chips, pot.eligible)).collect();
    assert_eq!(pots, peel(hand));
    let (kind, low) = hand.setup().variant.kinds();
    if low.is_some() || hand.boards() > 1 || hand.raked() > 0 {
        return;
    }
    let board: Vec<Card> = hand.board(0).known().collect();
    let rank = |seat: usize| strength(kind, &hand.face_up(seat).collect::<Vec<_>>(), &board);
    let mut least = vec![0; hand.players()];
    let mut shares = vec![0; hand.players()];
    for (chips, who) in pots {
        let best = who.iter().map(rank).max().unwrap();
        let winners: Vec<usize> = who.iter().filter(|&seat| rank(seat) == best).collect();
        for &seat in &winners {
            least[seat] += chips / winners.len() as Chips;
            shares[seat] += 1;
        }
    }
    for seat in 0..hand.players() {
        let won = hand.won()[seat];
        assert!((least[seat]..=least[seat] + shares[seat]).contains(&won), "p{}: {won}, {least:?}", seat + 1);
    }
}
