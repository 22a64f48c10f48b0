//! Whole games with random legal actions: ours, and riichienv-core's without its log. Each hanchan is dealt and decided
//! anew; who is asked, what is legal and the choice are part of both.

use std::collections::HashMap;

use parlor_riichi::table::{Actions, Settings, Table, Wall};
use riichienv_core::rule::GameRule;
use riichienv_core::state::GameState;

use crate::rounds::Random;
use crate::{Contestant, race};

/// Hanchan in a pass of each.
const GAMES: usize = 20;
/// Their number of a hanchan for four.
const HALF: u8 = 2;

fn ours(seed: u64) -> u64 {
    let (mut luck, mut choice) = (Random(seed), Random(!seed));
    let mut walls = |_: &_| Wall::shuffled(|n| luck.below(n));
    let mut table = Table::start(Settings::tenhou(), &mut walls, &mut |_| ()).expect("a preset");
    let mut actions = Actions::new();
    let mut taken = 0;
    while let Some(seat) = table.asked().first() {
        actions.clear();
        table.legal(seat, &mut actions);
        let action = actions[choice.below(actions.len())];
        table.apply(seat, action, &mut walls, &mut |_| ());
        taken += 1;
    }
    taken
}

fn theirs(seed: u64) -> u64 {
    let mut choice = Random(!seed);
    let mut state = GameState::new(HALF, true, Some(seed), 0, GameRule::default_tenhou());
    let mut taken = 0;
    while !state.is_done {
        let mut actions = HashMap::new();
        for player in state.active_players.clone() {
            let legal = state.get_observation(player).legal_actions_method();
            if !legal.is_empty() {
                actions.insert(player, legal[choice.below(legal.len())].clone());
            }
        }
        taken += actions.len() as u64;
        state.step(&actions);
    }
    taken
}

/// A pass of hanchan, each with a seed of its own.
fn pass(play: fn(u64) -> u64) -> impl FnMut() -> u64 {
    let mut seed = 0;
    move || {
        (0..GAMES)
            .map(|_| {
                seed += 1;
                play(seed)
            })
            .sum()
    }
}

/// Races the two and prints how many times as fast ours is.
pub(crate) fn run() {
    let actions = [pass(ours)(), pass(theirs)()].map(|sum| sum as usize / GAMES);
    println!("random hanchan: {} actions in one of ours, {} in one of theirs", actions[0], actions[1]);
    let best = race(
        GAMES,
        &mut [
            Contestant { name: "parlor-riichi, random hanchan", pass: Box::new(pass(ours)) },
            Contestant { name: "riichienv-core, random hanchan, no log", pass: Box::new(pass(theirs)) },
        ],
    );
    println!("{:.1} times as fast", best[0] / best[1]);
}
