//! Sit-and-gos: random ones to their end, levels, players who are away, places and prizes.

use std::collections::BTreeSet;

use parlor_poker::table::{Answer, Event, Level, SitAndGo, SitAndGoSettings};
use parlor_poker::{Chips, Variant};

use crate::data::{self, Progress};
use crate::random::Random;

fn act(game: &mut SitAndGo, random: &mut Random, told: &mut Vec<Event>) {
    let seat = game.table().turn().unwrap();
    let options = game.table().legal(seat);
    let answer = match options.bet {
        Some(choices) => match (random.below(5), choices.raise) {
            (0, Some((least, _))) => Answer::Raise { to: least },
            (1, Some((_, most))) => Answer::Raise { to: most },
            (2, _) if choices.fold && choices.call > Some(0) => Answer::Fold,
            _ if choices.bring_in.is_some() => Answer::BringIn,
            _ => Answer::Call,
        },
        None if options.draw => Answer::Draw { cards: String::new() },
        None => Answer::Show { cards: String::new() },
    };
    let mv = game.check(seat, &answer).unwrap();
    game.apply(mv, random, &mut |event| told.push(event));
}

fn play(seed: u64) -> (SitAndGo, usize) {
    let mut random = Random(seed);
    let players = 2 + random.below(5);
    let mut settings = SitAndGoSettings::six_max(random.below(1_000) as Chips);
    settings.table.variants =
        vec![[Variant::NoLimitHoldem, Variant::PotLimitOmaha, Variant::FixedHoldem][random.below(3)]];
    if players == 2 {
        settings.payouts = vec![10_000];
    }
    let accounts: Vec<u64> = (1..=players as u64).collect();
    let mut game = SitAndGo::start(settings, &accounts).unwrap();
    let mut told = Vec::new();
    let mut hands = 0;
    while !game.is_over() {
        assert!(hands < 3_000, "it never ends");
        hands += 1;
        if hands % 8 == 0 {
            game.level_up();
        }
        // Where everybody is away nothing is decided: somebody is always there.
        for seat in 0..players {
            if game.table().stack(seat) > 0 && random.one_in(2) {
                game.set_away(seat, false, &mut random, &mut |event| told.push(event));
            }
        }
        game.next_hand(&mut random, &mut |event| told.push(event));
        while game.table().is_running() {
            if random.one_in(20) {
                let (seat, away) = (random.below(players), random.one_in(2));
                game.set_away(seat, away, &mut random, &mut |event| told.push(event));
            } else if random.one_in(30) {
                game.time_out(&mut random, &mut |event| told.push(event));
            } else {
                act(&mut game, &mut random, &mut told);
            }
        }
        assert_eq!(game.table().escrow(), 1_500 * players as Chips);
    }
    (game, players)
}

/// The prize pool is paid out exactly and every place is given once.
#[test]
fn random_sit_and_gos_pay_their_pool_out() {
    let total = data::count("PARLOR_SOAK_SIT_AND_GOS", 60);
    let mut progress = Progress::of("sit-and-gos");
    while progress.done < total {
        let (game, players) = play(progress.next);
        progress.add(1);
        let standings = game.standings();
        let places: BTreeSet<usize> = standings.iter().map(|standing| standing.place.unwrap()).collect();
        assert_eq!(places, (1..=players).collect());
        assert_eq!(standings.iter().map(|standing| standing.prize).sum::<Chips>(), game.prize_pool());
        // The winner has all chips, unless everybody stayed away: then places go by chips.
        assert_eq!(standings.iter().map(|standing| standing.chips).sum::<Chips>(), 1_500 * players as Chips);
        assert!(standings.windows(2).all(|pair| pair[0].chips >= pair[1].chips));
        assert!(standings.windows(2).all(|pair| pair[0].prize >= pair[1].prize));
    }
}

/// Who is away is dealt in, posts and is folded; nobody pauses or buys chips.
#[test]
fn who_is_away_is_dealt_in_and_folded() {
    let mut random = Random(1);
    let mut told = Vec::new();
    let mut game = SitAndGo::start(SitAndGoSettings::six_max(10), &[1, 2, 3]).unwrap();
    game.set_away(0, true, &mut random, &mut |event| told.push(event));
    game.next_hand(&mut random, &mut |event| told.push(event));
    assert!(told.contains(&Event::Blind { seat: 0, chips: 10 }));
    assert_eq!(game.table().turn(), Some(2));
    let mv = game.check(2, &Answer::Raise { to: 60 }).unwrap();
    game.apply(mv, &mut random, &mut |event| told.push(event));
    assert!(told.contains(&Event::Folded { seat: 0 }));
    assert_eq!(game.table().turn(), Some(1));
    let refuse = |answer| game.check(1, &answer).unwrap_err().to_string();
    assert_eq!(refuse(Answer::Intent { intent: 2 }), "this table has no pauses: who is away is dealt in");
    assert_eq!(refuse(Answer::TopUp { chips: 10 }), "this table has no chips to buy");
}

/// A level holds from the next hand on.
#[test]
fn levels_hold_from_the_next_hand() {
    let mut random = Random(1);
    let mut game = SitAndGo::start(SitAndGoSettings::six_max(10), &[1, 2, 3]).unwrap();
    for (level, big) in [(0, 20), (1, 30), (2, 50)] {
        assert_eq!(game.level().0, level);
        let mut told = Vec::new();
        game.next_hand(&mut random, &mut |event| told.push(event));
        let blinds = told.iter().filter_map(|event| match event {
            Event::Blind { chips, .. } => Some(*chips),
            _ => None,
        });
        assert_eq!(blinds.max(), Some(big));
        let antes = told.iter().filter(|event| matches!(event, Event::Dead { chips: 5, .. })).count();
        assert_eq!(antes, if level == 2 { 3 } else { 0 });
        game.level_up();
        while game.table().is_running() {
            let seat = game.table().turn().unwrap();
            let mv = game.check(seat, &Answer::Fold).unwrap();
            game.apply(mv, &mut random, &mut |_| {});
        }
    }
}

#[test]
fn a_sit_and_go_names_what_is_wrong() {
    let wrong = |change: &dyn Fn(&mut SitAndGoSettings)| {
        let mut settings = SitAndGoSettings::six_max(10);
        change(&mut settings);
        SitAndGo::start(settings, &[1, 2, 3]).unwrap_err().to_string()
    };
    assert_eq!(wrong(&|s| s.payouts = vec![5_000]), "payouts: expected shares that make 10000 together");
    assert_eq!(wrong(&|s| s.levels.reverse()), "levels: expected blinds that never fall");
    assert_eq!(
        wrong(&|s| s.levels =
            vec![Level { small_blind: 9, big_blind: 2, ante: 0, minutes: 1, break_minutes: 0 }]),
        "levels: expected a big blind and no larger small blind"
    );
}
