//! Random hands: a small generator, setups of every kind and moves among all that are legal.

use parlor_poker::{
    Action, Card, CardSet, Chips, Hand, Legal, Limit, Move, Rake, Rng, Row, SEATS_MAX, Setup, Variant,
};

/// A generator for tests (splitmix64); the same seed gives the same hands.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn between(&mut self, from: Chips, to: Chips) -> Chips {
        from + self.below((to - from + 1) as usize) as Chips
    }
}

impl Rng for Random {
    fn draw(&mut self, from: CardSet) -> Card {
        let skip = self.below(from.len());
        from.iter().nth(skip).unwrap()
    }
}

/// A setup with anything a table may have: short stacks, antes of all kinds, straddles, posts, dead money, rake, players
/// sitting out, two boards, bomb pots.
pub(crate) fn setup(random: &mut Random, variant: Variant) -> Setup {
    let most = if variant.is_draw() { 6 } else { SEATS_MAX };
    let players = 2 + random.below(most - 1);
    let bet = [2, 5, 10, 100][random.below(4)];
    let mut setup = Setup::empty(variant, players);
    setup.small_bet = bet;
    setup.big_bet = if variant.limit() == Limit::Fixed { bet * 2 } else { 0 };
    for seat in 0..players {
        setup.stacks[seat] =
            if random.one_in(3) { random.between(1, bet * 4) } else { random.between(bet, bet * 200) };
    }
    let ante = random.between(0, bet);
    match random.below(4) {
        0 => setup.antes[..players].fill(ante),
        1 => setup.antes[random.below(players)] = bet,
        2 if variant.is_stud() => setup.antes[..players].fill(1),
        _ => {}
    }
    setup.ante_trimming = random.one_in(2);
    if variant.is_stud() {
        setup.bring_in = random.between(0, bet / 2);
        if setup.bring_in == 0 {
            setup.antes[..players].fill(1);
        }
    } else if players == 2 {
        setup.blinds[..2].copy_from_slice(&[bet, bet / 2]);
    } else {
        setup.blinds[..2].copy_from_slice(&[bet / 2, bet]);
        if random.one_in(4) {
            setup.blinds[2] = bet * 2;
        } else if players > 4 && random.one_in(3) {
            setup.blinds[3] = -bet;
            setup.paid_dead[3] = bet / 2;
        }
        if players > 3 && random.one_in(6) {
            let seat = players - 1;
            setup.sitting_out.insert(seat);
            (setup.antes[seat], setup.blinds[seat], setup.paid_dead[seat]) = (0, 0, 0);
        }
        if random.one_in(10) && setup.antes.iter().any(|&a| a > 0) && variant.has_board() {
            setup.bomb_pot = true;
        }
    }
    if random.one_in(3) {
        setup.rake = Rake { basis_points: 500, cap: Some(bet * 3), ..Rake::NONE };
    }
    if variant.has_board() && players <= 6 && random.one_in(4) {
        setup.runs = 2;
    }
    setup
}

/// A move among all that are legal; folding is rarer, so that hands get somewhere.
pub(crate) fn legal_move(random: &mut Random, hand: &Hand) -> Option<Move> {
    let action = match hand.legal() {
        Legal::Nothing => return None,
        Legal::Deal { .. } => return hand.next_deal(random),
        Legal::Draw(seat) => {
            let cards = hand.hole(seat).as_slice().iter().copied();
            let keep = random.below(3);
            Action::Draw(seat, cards.filter(|_| random.below(3) < keep).collect::<Row>())
        }
        Legal::Bet(choices) => {
            let seat = choices.seat;
            match (random.below(8), choices.raise) {
                (0..=2, Some((least, most))) => {
                    let nearby = (most - least).min(least * 3);
                    let to = [least, most, least + random.between(0, nearby)][random.below(3)];
                    Action::Raise(seat, to)
                }
                (3, _) if choices.fold && choices.call > Some(0) => Action::Fold(seat),
                _ if choices.bring_in.is_some() => Action::BringIn(seat),
                _ => Action::Call(seat),
            }
        }
        Legal::Reveal { seat, may_muck } => {
            if may_muck && random.one_in(4) && !hand.can_win(seat) {
                Action::Muck(seat)
            } else {
                Action::ShowAll(seat)
            }
        }
    };
    Some(hand.check(action).unwrap_or_else(|refusal| panic!("{action:?} is offered but refused: {refusal}")))
}

/// Every action of a broad set: those offered must pass, all others must not.
pub(crate) fn legal_is_exact(hand: &Hand) {
    let legal = hand.legal();
    let passes = |action: Action, expected: bool| {
        let verdict = hand.check(action);
        assert_eq!(verdict.is_ok(), expected, "{action:?} with {legal:?}: {verdict:?}");
    };
    for seat in 0..SEATS_MAX + 1 {
        let bet = match legal {
            Legal::Bet(choices) if choices.seat == seat => Some(choices),
            _ => None,
        };
        passes(Action::Fold(seat), bet.is_some_and(|c| c.fold));
        passes(Action::Call(seat), bet.is_some_and(|c| c.call.is_some()));
        passes(Action::BringIn(seat), bet.is_some_and(|c| c.bring_in.is_some()));
        let (least, most) = bet.and_then(|c| c.raise).unwrap_or((10, 20));
        let open = bet.is_some_and(|c| c.raise.is_some());
        for (to, inside) in [
            (least - 1, false),
            (least, true),
            ((least + most) / 2, true),
            (most, true),
            (most + 1, false),
            (0, false),
            (-5, false),
        ] {
            passes(Action::Raise(seat, to), open && inside);
        }
        let draws = legal == Legal::Draw(seat);
        passes(Action::Draw(seat, Row::EMPTY), draws);
        let shows = matches!(legal, Legal::Reveal { seat: who, .. } if who == seat);
        passes(Action::ShowAll(seat), shows);
        passes(
            Action::Muck(seat),
            matches!(legal, Legal::Reveal { seat: who, may_muck: true } if who == seat),
        );
        if seat < hand.players() {
            passes(Action::Draw(seat, *hand.hole(seat)), draws);
            passes(Action::Show(seat, *hand.hole(seat)), shows);
        }
    }
    deals_are_exact(hand, &legal, passes);
}

fn deals_are_exact(hand: &Hand, legal: &Legal, passes: impl Fn(Action, bool)) {
    let dealable = hand.dealable();
    let (owed, board) = match legal {
        Legal::Deal { hole, board } => (*hole, *board),
        _ => ([0; SEATS_MAX], 0),
    };
    let gone = CardSet::FULL.without(dealable).iter().next();
    let fresh = dealable.iter().next();
    for (seat, &owed) in owed.iter().enumerate() {
        if let Some(card) = fresh {
            passes(Action::DealHole(seat, [Some(card)].into_iter().collect()), owed > 0);
        }
        if let Some(card) = gone {
            passes(Action::DealHole(seat, [Some(card)].into_iter().collect()), false);
        }
        let unseen = |n: u8| (0..n).map(|_| None).collect::<Row>();
        passes(Action::DealHole(seat, unseen(owed + 1)), false);
    }
    if let Some(card) = fresh {
        passes(Action::DealBoard([Some(card)].into_iter().collect()), board > 0);
        passes(Action::DealBoard([Some(card), Some(card)].into_iter().collect()), false);
    }
}

/// Whether a fixed limit keeps its cap: never more than four bets and raises on a street.
pub(crate) fn is_fixed(hand: &Hand) -> bool {
    hand.setup().variant.limit() == Limit::Fixed
}
