//! Shanten from counts per kind, which is what both take; and from a hand that is kept as it is in a game.

use std::hint::black_box;

use parlor_riichi::hand::Hand;
use parlor_riichi::shanten::{shanten, shanten_of_counts};
use riichienv_core::shanten::calc_shanten_from_counts;
use serde_json::Value;

use crate::{Contestant, hands, race};

pub(crate) fn run(vectors: &[Value]) {
    let counts: Vec<[u8; 34]> = vectors
        .iter()
        .map(|vector| {
            let mut counts = [0; 34];
            hands::ids(&vector["hand"]).iter().for_each(|id| counts[usize::from(id / 4)] += 1);
            counts
        })
        .collect();
    let kept: Vec<Hand> = counts.iter().map(|counts| Hand::from_counts(counts).expect("a hand")).collect();
    let ours = |counts: &[u8; 34]| shanten_of_counts(counts).unwrap_or(99);
    let theirs = |counts: &[u8; 34]| {
        let tiles: u8 = counts.iter().sum();
        calc_shanten_from_counts(counts, tiles / 3)
    };
    let differ = counts.iter().filter(|counts| ours(counts) != theirs(counts)).count();
    let expected = |vector: &Value| vector["best"].as_i64().expect("a shanten") as i8;
    let wrong = kept.iter().zip(vectors).filter(|(hand, vector)| shanten(hand) != expected(vector)).count();
    println!(
        "\nshanten of {} hands; {differ} answers differ between the two, {wrong} of ours from the vectors",
        counts.len()
    );
    let sum = |answers: &mut dyn Iterator<Item = i8>| {
        answers.fold(0, |sum: u64, answer| sum.wrapping_add(answer as u64))
    };
    let rates = race(
        counts.len(),
        &mut [
            Contestant {
                name: "riichienv-core, from counts",
                pass: Box::new(|| sum(&mut counts.iter().map(|counts| theirs(black_box(counts))))),
            },
            Contestant {
                name: "parlor-riichi, from counts (checked)",
                pass: Box::new(|| sum(&mut counts.iter().map(|counts| ours(black_box(counts))))),
            },
            Contestant {
                name: "parlor-riichi, of a kept hand",
                pass: Box::new(|| sum(&mut kept.iter().map(|hand| shanten(black_box(hand))))),
            },
        ],
    );
    println!("ratio, from counts: {:.2}; of a kept hand: {:.2}", rates[1] / rates[0], rates[2] / rates[0]);
}
