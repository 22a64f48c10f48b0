//! The fast answers against their slow twins, on random hands.

use parlor_riichi::hand::Hand;
use parlor_riichi::rules::{DoubleYakuman, Kazoe, Renhou, Rules};
use parlor_riichi::score::{NoScore, Score, score};
use parlor_riichi::shanten::{shanten, shanten_by_shape, shanten_of_counts};
use parlor_riichi::waits::waits;
use parlor_riichi::win::Win;

use crate::random::{Case, Random, counts, hands_wanted, rng, win};
use crate::twin_score::{Worth, readings};
use crate::twin_shape;

#[test]
fn shanten_is_what_a_search_finds() {
    let mut random = rng(1);
    for _ in 0..hands_wanted() {
        let tiles = random.pick(&[14, 14, 13, 13, 11, 10, 8, 7, 5, 4, 2, 1]);
        let counts = counts(&mut random, tiles);
        let hand = Hand::from_counts(&counts).unwrap();
        let found = shanten_by_shape(&hand);
        assert_eq!(found.regular, twin_shape::regular(&counts), "{hand:?}");
        let whole = tiles >= 13;
        assert_eq!(found.seven_pairs, whole.then(|| twin_shape::seven_pairs(&counts)), "{hand:?}");
        assert_eq!(found.thirteen_orphans, whole.then(|| twin_shape::thirteen_orphans(&counts)), "{hand:?}");
        assert_eq!(shanten(&hand), found.best(), "{hand:?}");
        assert_eq!(shanten_of_counts(&counts), Ok(found.best()), "{hand:?}");
    }
}

#[test]
fn waits_are_what_trying_every_kind_finds() {
    let mut random = rng(2);
    let mut tenpai = 0;
    for _ in 0..hands_wanted() {
        let tiles = random.pick(&[13, 13, 13, 10, 7, 4, 1]);
        let mut counts = counts(&mut random, tiles);
        if tiles == 13 && random.chance(50) {
            // A complete hand less a tile, of the kind that scoring sees.
            let case = win(&mut random);
            if case.melds.is_empty() {
                counts = [0; 34];
                case.hand.iter().for_each(|tile| counts[tile.kind().index()] += 1);
                counts[case.win.kind().index()] -= 1;
            }
        }
        let hand = Hand::from_counts(&counts).unwrap();
        let found: Vec<u8> = waits(&hand).iter().map(|kind| kind.number()).collect();
        assert_eq!(found, twin_shape::waits(&counts), "{hand:?}");
        tenpai += usize::from(!found.is_empty());
    }
    assert!(tenpai * 5 > hands_wanted(), "too few of the hands are tenpai to say anything: {tenpai}");
}

/// Rules with every setting at random.
fn rules(random: &mut Random) -> Rules {
    let mut rules = Rules::ronin();
    let mut flip = |flag: &mut bool| *flag = random.chance(50);
    flip(&mut rules.open_tanyao);
    flip(&mut rules.red_fives);
    flip(&mut rules.ippatsu);
    flip(&mut rules.ura_dora);
    flip(&mut rules.kiriage_mangan);
    flip(&mut rules.open_pinfu_fu);
    flip(&mut rules.pinfu_tsumo_fu);
    flip(&mut rules.rinshan_fu);
    flip(&mut rules.daisharin);
    flip(&mut rules.daisharin_other_suits);
    flip(&mut rules.daichisei);
    flip(&mut rules.sashikomi);
    flip(&mut rules.paarenchan_needs_yaku);
    let DoubleYakuman { kokushi_thirteen, suuankou_tanki, junsei_chuuren, daisuushii } =
        &mut rules.double_yakuman;
    [kokushi_thirteen, suuankou_tanki, junsei_chuuren, daisuushii].into_iter().for_each(flip);
    rules.yakuman_max = random.pick(&[1, 2, 6]);
    rules.double_wind_pair_fu = random.pick(&[2, 4]);
    rules.kazoe = random.pick(&[Kazoe::Yakuman, Kazoe::Sanbaiman, Kazoe::Unlimited]);
    rules.renhou = random.pick(&[Renhou::Off, Renhou::Han(5), Renhou::Han(8), Renhou::Yakuman]);
    rules
}

/// A score in the words of the twin.
fn in_words(score: &Score, case: &Case, rules: &Rules) -> Worth {
    let open = case.melds.iter().any(|meld| meld.kind().is_open());
    let mut yaku: Vec<(String, u32)> =
        score.yaku.iter().map(|yaku| (yaku.name().to_owned(), u32::from(rules.han(yaku, open)))).collect();
    let bonus = [("Dora", score.dora), ("Aka Dora", score.reds), ("Ura Dora", score.ura)];
    yaku.extend(
        bonus.into_iter().filter(|(_, han)| *han > 0).map(|(name, han)| (name.to_owned(), u32::from(han))),
    );
    yaku.sort();
    let real_yakuman = score.yaku.iter().any(|yaku| yaku.is_yakuman());
    Worth { base: score.base, real_yakuman, han: score.han.into(), fu: score.fu.into(), yaku }
}

#[test]
fn a_score_is_the_best_of_all_readings() {
    // cites 003-16
    let mut random = rng(3);
    let (mut scored, mut without_yaku, mut incomplete) = (0, 0, 0);
    for _ in 0..hands_wanted() {
        let (case, rules) = (win(&mut random), rules(&mut random));
        let believed = Win::new(&case.claim()).unwrap_or_else(|error| panic!("{error}: {case:?}"));
        let found = score(&believed, &rules);
        match readings(&case, &rules) {
            None => {
                assert_eq!(found, Err(NoScore::NotComplete), "{case:?}");
                incomplete += 1;
            }
            Some(worths) if worths.is_empty() => {
                assert_eq!(found, Err(NoScore::NoYaku), "{case:?}");
                without_yaku += 1;
            }
            Some(worths) => {
                let score = found.unwrap_or_else(|error| panic!("{error}: {case:?} {worths:?}"));
                let found = in_words(&score, &case, &rules);
                let key = |worth: &Worth| (worth.base, worth.real_yakuman, worth.han, worth.fu);
                let best = worths.iter().map(key).max();
                let among_best = worths.contains(&found);
                assert!(
                    among_best && best == Some(key(&found)),
                    "{case:?}\n{rules:?}\n{found:?}\n{worths:?}"
                );
                scored += 1;
            }
        }
    }
    let enough = hands_wanted() / 200;
    assert!(
        scored > enough && without_yaku > enough && incomplete > enough,
        "{scored} {without_yaku} {incomplete}"
    );
}
