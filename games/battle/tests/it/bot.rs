//! The bot against the policy of the original.

use parlor_battle::{Battle, Card, Layout, Move, Phase, Settings, Verdict, View};
use parlor_core::{AskKind, Game, Input, NoOutput, Rng, Seat, Setup};

/// Heals at 4 or less; else defends or counters if the last card shown to it was an attack; else attacks.
fn original(view: &View, rng: &mut Rng) -> Layout {
    let (me, them) = (view.seat.expect("it plays").index(), 1 - view.seat.expect("it plays").index());
    let last = view.last.iter().rev().find_map(|pair| pair[them]);
    let card = match last {
        _ if view.hp[me] <= 4 => Card::Heal,
        Some(Card::Attack) => [Card::Defense, Card::Counter][rng.below(2) as usize],
        _ => Card::Attack,
    };
    Layout([Some(card), None, None])
}

/// Any three cards in any order.
fn careless(_: &View, rng: &mut Rng) -> Layout {
    let full: Vec<_> = Layout::DEFAULT.iter().filter(|layout| !layout.0.contains(&None)).collect();
    **rng.pick(&full)
}

fn lay(
    game: &mut Battle,
    seat: Seat,
    kind: AskKind,
    rng: &mut Rng,
    choose: impl Fn(&View, &[Move], &mut Rng) -> Layout,
) {
    let ask = game.open_asks().into_iter().find(|ask| ask.kind == kind).expect("PREP").id;
    let mut legal = Vec::new();
    game.legal(seat, ask, &mut legal);
    let layout = choose(&game.view(seat.into()), &legal, rng);
    let mv = *legal.iter().find(|mv| mv.layout() == layout).expect("a legal layout");
    game.apply(Input::Answer { seat, ask, mv }, rng, &mut NoOutput);
}

/// How many of 10,000 matches the bot wins against a policy that drafts and never confirms, and how many are decided.
fn duel(policy: fn(&View, &mut Rng) -> Layout) -> (u32, u32) {
    let (mut won, mut decided) = (0, 0);
    for n in 0..10_000u32 {
        let mut rng = Rng::fast(n.into());
        let setup = Setup { settings: &Settings::default(), seats: 2, seated: &[Some(0); 2], carry: None };
        let mut game = Battle::start(setup, &mut rng, &mut NoOutput).expect("it can be played");
        let (bot, other) = (Seat::new((n % 2) as u8), Seat::new((1 - n % 2) as u8));
        while game.outcome().is_none() {
            if game.view(bot.into()).phase == Phase::Prep {
                lay(&mut game, other, AskKind::Draft, &mut rng, |view, _, rng| policy(view, rng));
                lay(&mut game, bot, AskKind::Request, &mut rng, |view, legal, rng| {
                    Battle::bot(view, legal, rng).layout()
                });
            }
            let ask = game.open_asks()[0].id;
            game.apply(Input::Elapsed { ask, seat: None }, &mut rng, &mut NoOutput);
        }
        match game.view(bot.into()).end.expect("over").verdict {
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
        Setup { settings: &Settings::default(), seats: 2, seated: &[Some(0); 2], carry: None },
        &mut Rng::fast(1),
        &mut NoOutput,
    )
    .expect("it can be played");
    let (ask, seat, mut rng) = (game.open_asks()[0].id, Seat::new(0), Rng::fast(7));
    let mut legal = Vec::new();
    game.legal(seat, ask, &mut legal);
    let mut laid: Vec<Layout> =
        (0..500).map(|_| Battle::bot(&game.view(seat.into()), &legal, &mut rng).layout()).collect();
    laid.sort_by_key(|layout| layout.0.map(|slot| slot.map(|card| card as u8)));
    laid.dedup();
    assert!(laid.len() >= 12, "only {} different layouts", laid.len());
}
