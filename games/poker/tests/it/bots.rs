//! Bots play every variant to its end, and the tight one wins against those that do not think.

use parlor_poker::table::{Answer, Bot, Order, Settings, Table, Timer};
use parlor_poker::{Chips, Variant};

use crate::data;
use crate::random::Random;

fn settings(variant: Variant) -> Settings {
    Settings {
        seat_count: 6,
        variants: vec![variant],
        small_blind: 5,
        big_blind: 10,
        ante: if variant.is_stud() { 1 } else { 0 },
        bring_in: if variant.is_stud() { 3 } else { 0 },
        buy_in_min: 1_000,
        buy_in_max: 1_000,
        ..Settings::document()
    }
}

/// One hand of six with fresh stacks; what each won.
fn hand(variant: Variant, bots: [Bot; 6], random: &mut Random) -> [Chips; 6] {
    let mut table = Table::start(settings(variant)).unwrap();
    for seat in 0..6 {
        let sit = Order::Sit { seat, player: seat as u64 + 1, chips: 1_000, owned: 1_000 };
        table.apply(table.check_order(sit).unwrap(), random, &mut |_| {});
    }
    table.apply(table.check_order(Order::Elapsed(Timer::NextHand)).unwrap(), random, &mut |_| {});
    for _ in 0..500 {
        let Some(seat) = table.turn() else { break };
        let sight = table.sight(seat).unwrap();
        let answer = bots[seat].decide(&sight, random);
        let free = sight.options.bet.is_some_and(|choices| choices.call == Some(0));
        assert!(
            !(bots[seat] != Bot::Random && free && answer == Answer::Fold),
            "folds where checking is free"
        );
        let mv = table.check(seat, &answer);
        let mv = mv.unwrap_or_else(|error| panic!("{variant}: {answer:?}: {error}"));
        table.apply(mv, random, &mut |_| {});
    }
    assert!(!table.is_running(), "{variant} stalls");
    std::array::from_fn(|seat| table.stack(seat) - 1_000)
}

#[test]
fn bots_play_every_variant_to_its_end() {
    let mut random = Random(0xb075);
    let kinds = [Bot::Random, Bot::Call, Bot::Tight];
    for variant in Variant::ALL {
        for _ in 0..25 {
            let won = hand(variant, std::array::from_fn(|_| kinds[random.below(3)]), &mut random);
            assert_eq!(won.iter().sum::<Chips>(), 0);
        }
    }
    assert_eq!(kinds.map(Some), ["random", "call", "tight"].map(Bot::named));
    assert_eq!(Bot::named("loose"), None);
}

/// By three standard errors, among five that call and among five at random.
#[test]
fn the_tight_bot_wins() {
    let hands = data::count("PARLOR_SOAK_BOTS", 10_000);
    for others in [Bot::Call, Bot::Random] {
        let mut random = Random(0x7167_6874);
        let (mut sum, mut squares) = (0i64, 0i64);
        for i in 0..hands {
            let mut bots = [others; 6];
            bots[i % 6] = Bot::Tight;
            let won = hand(Variant::NoLimitHoldem, bots, &mut random)[i % 6];
            sum += won;
            squares += won * won;
        }
        let n = hands as f64;
        let mean = sum as f64 / n;
        let error = ((squares as f64 / n - mean * mean) / n).sqrt();
        println!("tight among {others:?}: {:.1} ± {:.1} bb/100 in {hands} hands", mean * 10.0, error * 10.0);
        assert!(mean > 3.0 * error, "{others:?}: {mean} ± {error}");
    }
}
