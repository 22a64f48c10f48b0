//! The bot against the policy of the original.

use parlor_battle::{Battle, Card, Layout, Move, Phase, Seen, Settings, Verdict};
use parlor_core::{Game, Input, Kind, Luck, Seat, Setup, Silent};

/// Heals at 4 or less; else defends or counters if the last card shown to it was an attack; else attacks.
fn original(seen: &Seen, luck: &mut Luck) -> Layout {
    let (me, them) = (seen.seat.expect("it plays").index(), 1 - seen.seat.expect("it plays").index());
    let last = seen.last.iter().rev().find_map(|pair| pair[them]);
    let card = match last {
        _ if seen.hp[me] <= 4 => Card::Heal,
        Some(Card::Attack) => [Card::Defense, Card::Counter][luck.below(2) as usize],
        _ => Card::Attack,
    };
    Layout([Some(card), None, None])
}

/// Any three cards in any order.
fn careless(_: &Seen, luck: &mut Luck) -> Layout {
    let full: Vec<_> = Layout::DEFAULT.iter().filter(|layout| !layout.0.contains(&None)).collect();
    **luck.pick(&full)
}

fn lay(
    game: &mut Battle,
    seat: Seat,
    kind: Kind,
    luck: &mut Luck,
    choose: impl Fn(&Seen, &[Move], &mut Luck) -> Layout,
) {
    let ask = game.standing().into_iter().find(|ask| ask.kind == kind).expect("PREP").id;
    let mut legal = Vec::new();
    game.legal(seat, ask, &mut legal);
    let layout = choose(&game.seen(seat.into()), &legal, luck);
    let mv = *legal.iter().find(|mv| mv.layout() == layout).expect("a legal layout");
    game.apply(Input::Answer { seat, ask, mv }, luck, &mut Silent);
}

/// How many of 10,000 matches the bot wins against somebody who drafts and never confirms, and how many are decided.
fn duel(policy: fn(&Seen, &mut Luck) -> Layout) -> (u32, u32) {
    let (mut won, mut decided) = (0, 0);
    for n in 0..10_000u32 {
        let mut luck = Luck::fast(n.into());
        let setup = Setup { settings: &Settings::default(), seats: 2, carry: None };
        let mut game = Battle::start(setup, &mut luck, &mut Silent).expect("it can be played");
        let (bot, other) = (Seat::new((n % 2) as u8), Seat::new((1 - n % 2) as u8));
        while game.outcome().is_none() {
            if game.seen(bot.into()).phase == Phase::Prep {
                lay(&mut game, other, Kind::Draft, &mut luck, |seen, _, luck| policy(seen, luck));
                lay(&mut game, bot, Kind::Request, &mut luck, |seen, legal, luck| {
                    Battle::bot(seen, legal, luck).layout()
                });
            }
            let ask = game.standing()[0].id;
            game.apply(Input::Elapsed { ask, seat: None }, &mut luck, &mut Silent);
        }
        match game.seen(bot.into()).end.expect("over").verdict {
            Verdict::Won(seat) => (won, decided) = (won + u32::from(seat == bot), decided + 1),
            Verdict::Draw => {}
            Verdict::BothLost => panic!("neither is ever away"),
        }
    }
    println!("the bot won {won} of {decided} decided matches of 10,000");
    (won, decided)
}

#[test]
fn the_bot_beats_the_policy_of_the_original() {
    let (won, decided) = duel(original);
    assert!(won * 100 >= decided * 55, "{won} of {decided}");
}

#[test]
fn the_bot_beats_whoever_lays_three_cards_without_thinking() {
    let (won, decided) = duel(careless);
    assert!(won * 100 >= decided * 55, "{won} of {decided}");
}

#[test]
fn the_bot_does_not_lay_the_same_every_time() {
    let game = Battle::start(
        Setup { settings: &Settings::default(), seats: 2, carry: None },
        &mut Luck::fast(1),
        &mut Silent,
    )
    .expect("it can be played");
    let (ask, seat, mut luck) = (game.standing()[0].id, Seat::new(0), Luck::fast(7));
    let mut legal = Vec::new();
    game.legal(seat, ask, &mut legal);
    let mut laid: Vec<Layout> =
        (0..500).map(|_| Battle::bot(&game.seen(seat.into()), &legal, &mut luck).layout()).collect();
    laid.sort_by_key(|layout| layout.0.map(|slot| slot.map(|card| card as u8)));
    laid.dedup();
    assert!(laid.len() >= 12, "only {} different layouts", laid.len());
}
