//! Rivals on the same work, in figures per CPU second of one thread: random 6-max no-limit hands of 100 big blinds
//! (rs_poker's arena), and ranking of seven cards (rs_poker, aya_poker, parlor-poker).
//!
//! `cargo run --release` in this folder. PokerKit: `pip install pokerkit==0.7.7`, then `python pokerkit_hands.py`.

use std::hint::black_box;

use parlor_poker::{Card, CardSet, Hand, HandKind, Legal, Phase, Reveal, Rng, Setup, Variant, rank::Pile};
use parlor_testkit::cpu::Stopwatch;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rs_poker::arena::action::AgentAction;
use rs_poker::arena::{Agent, GameState, GameStateBuilder, HoldemSimulationBuilder};
use rs_poker::core::Rankable;

const SECONDS: f64 = 3.0;

/// Uniform over fold, call, minimum raise and all-in.
struct Uniform(SmallRng);

#[async_trait::async_trait]
impl Agent for Uniform {
    async fn act(&mut self, _id: u128, state: &GameState) -> AgentAction {
        match self.0.random_range(0..4) {
            0 => AgentAction::Fold,
            1 => AgentAction::Call,
            2 => AgentAction::Bet(state.current_round_bet() + state.current_round_min_raise()),
            _ => AgentAction::AllIn,
        }
    }

    fn name(&self) -> &str {
        "uniform"
    }
}

fn rs_poker_arena() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut hands = 0u64;
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for _ in 0..1_000 {
            let state = GameStateBuilder::new().num_players_with_stack(6, 10_000.0).blinds(100.0, 50.0).build();
            let agents: Vec<Box<dyn Agent>> =
                (0..6).map(|i| Box::new(Uniform(SmallRng::seed_from_u64(hands * 6 + i))) as Box<dyn Agent>).collect();
            let mut game = HoldemSimulationBuilder::default()
                .game_state(state.expect("a state"))
                .agents(agents)
                .build_with_rng(SmallRng::seed_from_u64(hands))
                .expect("a game");
            runtime.block_on(game.run());
            black_box(&game.game_state);
            hands += 1;
        }
    }
    println!("rs_poker arena, random hands   {:>12.0} per CPU second", hands as f64 / watch.cpu_seconds());
}

struct Deck(SmallRng);

impl Rng for Deck {
    fn draw(&mut self, from: CardSet) -> Card {
        loop {
            let card = Card::at(self.0.random_range(0..52));
            if from.contains(card) {
                return card;
            }
        }
    }
}

fn parlor() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 6, 100, 10_000);
    setup.reveal = Reveal::Auto;
    let mut deck = Deck(SmallRng::seed_from_u64(1));
    let mut hands = 0u64;
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for _ in 0..10_000 {
            let mut hand = Hand::start(&setup).expect("the setup is right");
            while hand.phase() != Phase::Over {
                let Legal::Bet(choices) = hand.legal() else {
                    hand.deal(&mut deck);
                    continue;
                };
                let mv = match (deck.0.random_range(0..4), choices.raise) {
                    (0, _) => choices.to_fold(),
                    (2, Some((least, _))) => choices.to_raise(least),
                    (3, Some((_, most))) => choices.to_raise(most),
                    _ => choices.to_call(),
                };
                hand.apply(mv.expect("a legal move"));
            }
            black_box(&hand);
        }
        hands += 10_000;
    }
    println!("parlor-poker, random hands     {:>12.0} per CPU second", hands as f64 / watch.cpu_seconds());
}

fn ranking() {
    let mut random = SmallRng::seed_from_u64(9);
    let hands: Vec<[Card; 7]> = (0..1 << 15)
        .map(|_| {
            let mut cards: [u8; 52] = std::array::from_fn(|i| i as u8);
            (0..7).for_each(|i| cards.swap(i, random.random_range(i..52)));
            std::array::from_fn(|i| Card::at(cards[i]))
        })
        .collect();
    report("parlor-poker, 7 cards", &hands, |hand| {
        let mut pile = Pile::new();
        hand.iter().for_each(|&card| pile.add(card));
        u32::from(pile.strength(HandKind::High))
    });
    report("aya_poker, 7 cards", &hands, |hand| {
        let mut cards = aya_poker::base::Hand::new();
        hand.iter().for_each(|&card| cards.insert_unchecked(&aya_poker::base::CARDS[card.index() as usize]));
        u32::from(aya_poker::poker_rank(&cards).0)
    });
    report("rs_poker, 7 cards", &hands, |hand| {
        let cards: rs_poker::core::CardBitSet = hand.iter().map(|&c| rs_poker::core::Card::from(c.index())).collect();
        black_box(cards.rank());
        0
    });
}

fn report(name: &str, hands: &[[Card; 7]], rank: impl Fn(&[Card; 7]) -> u32) {
    let mut best = 0.0f64;
    for _ in 0..8 {
        let watch = Stopwatch::start();
        for _ in 0..64 {
            for hand in hands {
                black_box(rank(black_box(hand)));
            }
        }
        best = best.max((64 * hands.len()) as f64 / watch.cpu_seconds());
    }
    println!("{name:<31}{best:>12.0} per CPU second");
}

fn main() {
    parlor();
    rs_poker_arena();
    ranking();
}
