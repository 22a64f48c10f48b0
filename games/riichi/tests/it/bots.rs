//! The bots: they play whole games by what they see, and the better ones are better.

use parlor_core::sim::{ArenaJob, Contestant, SeatCounts};
use parlor_core::{BotChoice, Game};
use parlor_riichi::game::Riichi;
use parlor_riichi::pay::Seat;
use parlor_riichi::table::{Bot, GameEnd, Settings, Table, Viewer, Wall};
use serde_json::json;

use crate::random::Random;

fn play(bots: [Bot; 4], seed: u64) -> (GameEnd, usize) {
    let mut random = Random(seed);
    let mut walls = |_: &_| Wall::shuffled(|n| random.below(n));
    let mut table = Table::start(Settings::ronin(), &mut walls, &mut |_| ()).unwrap();
    let mut steps = 0;
    while let Some(seat) = table.asked().first() {
        let view = table.view(Viewer::Seat(seat));
        let action = bots[seat.index()].decide(&view, seed).expect("it is asked");
        assert_eq!(bots[seat.index()].decide(&view, seed), Some(action), "the same view and seed");
        let legal = table.actions(seat).contains(&action);
        assert!(legal, "{:?}: {action:?} of {:?}", bots[seat.index()], table.actions(seat));
        table.apply(seat, action, &mut walls, &mut |_| ());
        steps += 1;
    }
    (*table.game_end().unwrap(), steps)
}

/// Cites 003/R7, 003-21: every bot plays to the end, by its view alone, the same way for the same seed.
#[test]
fn every_bot_plays_whole_games() {
    for bot in Bot::ALL {
        assert_eq!(Bot::from_name(bot.name()), Some(bot));
        for seed in 0..2 {
            assert_eq!(play([bot; 4], seed), play([bot; 4], seed));
        }
    }
}

/// A bot that is not asked says nothing.
#[test]
fn a_bot_that_is_not_asked_is_silent() {
    let table = Table::start(Settings::ronin(), &mut |_| Wall::sorted(), &mut |_| ()).unwrap();
    assert_eq!(Bot::Fair.decide(&table.view(Viewer::Seat(Seat::ALL[2])), 0), None);
    assert_eq!(Bot::Fair.decide(&table.view(Viewer::Gallery), 0), None);
}

/// Fair against three greedy ones over all seats: clearly ahead, even over few games.
#[test]
fn fair_is_ahead_of_greedy() {
    let (mut places, mut games) = (0, 0);
    for seed in 0..20 {
        for place in 0..4 {
            let mut bots = [Bot::Greedy; 4];
            bots[place] = Bot::Fair;
            places += u32::from(play(bots, 1000 + seed).0.places[place]);
            games += 1;
        }
    }
    let average = f64::from(places) / f64::from(games);
    assert!(average < 2.4, "average rank {average} over {games} games");
}

/// In an arena every seating has the same walls: players without luck of their own come to the same end in each, so that
/// whoever sits in each seat once comes in each place once.
#[test]
fn every_seating_of_an_arena_has_the_same_walls() {
    let bot = Contestant::Bot(BotChoice::named("tsumogiri"));
    let job = ArenaJob {
        settings: json!({"game_type": "east", "enchousen": "none"}),
        contestants: vec![bot; 4],
        seatings: 4,
        seed: 5,
    };
    let tally = Riichi::def().arena(&job, 4, 8, &mut || 0).expect("the settings are right");
    let mut first = [0; parlor_core::limits::SEATS_MAX];
    first[..4].fill(1);
    for contestant in &tally.contestants {
        assert_eq!(contestant.places, first);
    }
    let rounds: Vec<u64> = tally.contestants.iter().map(|one| one.counts[SeatCounts::ROUNDS]).collect();
    assert!(rounds[0] >= 16 && rounds.iter().all(|count| *count == rounds[0]), "{rounds:?}");
}
