//! Random hands of every variant: chips are conserved, nothing stalls, every legal set is exact, and a hand written down
//! and read back in each notation is the same hand.

use parlor_poker::notation::{Log, phh, pokerstars, seed};
use parlor_poker::replay::Replay;
use parlor_poker::{Action, Chips, Hand, Interpretation, Phase, Scale, Variant};

use crate::data;
use crate::random::{self, Random};
use crate::twin;

/// Longest a hand may take, in moves.
const MOVES_MAX: usize = 1_000;

fn play_one(random: &mut Random, variant: Variant, exact: bool) -> (Hand, Log) {
    let setup = random::setup(random, variant);
    let mut hand = Hand::start(&setup).unwrap_or_else(|error| panic!("{error}: {setup:?}"));
    let mut log = Log::new(&setup, Scale::new(0));
    let chips: Chips = hand.chips();
    let players = setup.players;
    assert_eq!(
        chips,
        setup.stacks[..players].iter().sum::<Chips>() + setup.paid_dead[..players].iter().sum::<Chips>()
    );
    let (mut raises, mut street) = (0, None);
    for _ in 0..MOVES_MAX {
        if exact {
            random::legal_is_exact(&hand);
        }
        let Some(mv) = random::legal_move(random, &hand) else { break };
        if hand.street() != street {
            (street, raises) = (hand.street(), 0);
        }
        raises += usize::from(matches!(mv.action(), Action::Raise(..)));
        // Short all-ins of less than half a bet do not count, and there is at most one per player.
        assert!(!random::is_fixed(&hand) || raises <= 4 + players);
        log.push(&hand, mv);
        hand.apply(mv);
        assert_eq!(hand.chips(), chips, "chips of {variant}");
        assert!(hand.stacks().iter().all(|&stack| stack >= 0));
        assert_eq!(
            hand.pot_total(),
            hand.bets().iter().sum::<Chips>() + hand.pots().iter().map(|p| p.chips).sum::<Chips>()
        );
    }
    assert_eq!(hand.phase(), Phase::Over, "{variant} stalls: {:?}", log.record().actions);
    assert_eq!(hand.stacks().iter().sum::<Chips>() + hand.raked(), chips);
    twin::pays_rightly(&hand);
    (hand, log)
}

#[test]
fn random_hands_of_every_variant_hold_the_rules() {
    let total = data::count("PARLOR_SOAK_HANDS", 20_000);
    let each = total.div_ceil(Variant::ALL.len());
    for (nth, variant) in Variant::ALL.into_iter().enumerate() {
        let mut random = Random(0x0070_6f6b_6572 + nth as u64);
        for i in 0..each {
            // The exact check tries some 250 actions at every step: on every third hand.
            let (hand, log) = play_one(&mut random, variant, i % 3 == 0);
            let replayed = Replay::start(log.record(), Interpretation::House).unwrap().finish();
            assert_eq!(replayed.as_ref(), Ok(&hand), "{variant}: {:?}", log.record());
            if i % 20 == 0 {
                through_all_notations(&hand, log);
            }
        }
    }
    println!("{} random hands, {each} of each variant", each * Variant::ALL.len());
}

fn through_all_notations(hand: &Hand, log: Log) {
    let record = log.into_record();
    let text = phh::write(&record);
    let read = phh::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(read[0].1, record, "{text}");
    let json = seed::write(&record);
    assert_eq!(seed::read(&json).unwrap_or_else(|e| panic!("{e}\n{json}"))[0].1, record, "{json}");
    if record.variant == Variant::ShortDeck {
        return;
    }
    let stars = pokerstars::write(&record).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let read = pokerstars::read(&stars).unwrap_or_else(|e| panic!("{e}\n{stars}\n{text}"));
    let again = Replay::start(&read[0].1, Interpretation::House)
        .unwrap()
        .finish()
        .unwrap_or_else(|e| panic!("{e}\n{stars}"));
    assert_eq!(
        (again.stacks(), again.won(), again.raked()),
        (hand.stacks(), hand.won(), hand.raked()),
        "{stars}"
    );
    assert_eq!((again.board(0), again.board(1)), (hand.board(0), hand.board(1)), "{stars}");
    assert_eq!(again.final_pots(), hand.final_pots(), "{stars}");
}
