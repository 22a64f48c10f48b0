//! PokerStars' text as rooms write it: three made-up hands with everything that is easily lost.

use parlor_poker::notation::{Record, Step, phh, pokerstars, seed};
use parlor_poker::replay::Replay;
use parlor_poker::{Amount, Hand, Interpretation, Scale};

use crate::data;

fn hands() -> Vec<Record> {
    let text = std::fs::read_to_string(data::fixture("pokerstars.txt")).unwrap();
    pokerstars::read(&text).unwrap().into_iter().map(|(_, record)| record).collect()
}

fn play(record: &Record) -> Hand {
    Replay::start(record, Interpretation::House).unwrap().finish().unwrap()
}

fn cents(amounts: &[Amount]) -> Vec<i64> {
    amounts.iter().map(|&amount| Scale::new(2).chips(amount).unwrap()).collect()
}

/// 004-24: who sits out and who paid dead blinds survives the way from text to PHH and back.
#[test]
fn sitting_out_and_dead_blinds_are_kept() {
    let record = &hands()[0];
    let names: Vec<String> = (0..6).map(|player| record.name(player)).collect();
    assert_eq!(names, ["Di (x)", "Ed", "Flo", "Ann: the first", "Bob", "Cy"]);
    assert_eq!(
        (0..6).map(|p| record.is_inactive(p)).collect::<Vec<_>>(),
        [false, false, false, false, true, false]
    );
    // Ann posts both blinds: the big one is live, the small one dead; Flo's second small blind is dead.
    assert_eq!(cents(&record.blinds), [50, 100, 0, -100, 0, 0]);
    assert_eq!(cents(&record.amounts("_paidDead").unwrap()), [0, 0, 50, 50, 0, 0]);
    assert_eq!(cents(&record.starting_stacks), [10_000, 9_850, 1_950, 10_100, 4_000, 5_525]);

    let again = &phh::read(&phh::write(record)).unwrap()[0].1;
    assert_eq!(again, record);
    let stars = pokerstars::write(record).unwrap();
    for line in [
        "Seat 2: Bob ($40 in chips) is sitting out",
        "Ann: the first: posts small & big blinds $1.50",
        "Flo: posts small blind $0.50",
    ] {
        assert!(stars.contains(line), "{line}\n{stars}");
    }
    let back = &pokerstars::read(&stars).unwrap()[0].1;
    assert_eq!(back.rest, record.rest);
    assert_eq!(play(back), play(record));
}

/// 004/R2: foreign files keep dead blinds in the stack and in `_deadBlinds`.
#[test]
fn dead_blinds_of_a_player_who_plays_are_paid() {
    let record = &hands()[0];
    let foreign = seed::write(&record.with_foreign_dead_blinds());
    assert!(foreign.contains("\"_deadBlinds\":[0,0,0.50,0.5,0,0]"), "{foreign}");
    assert!(!foreign.contains("_paidDead"));
    let back = &seed::read(&foreign).unwrap()[0].1;
    assert_eq!(cents(&back.starting_stacks), cents(&record.starting_stacks));
    assert_eq!(play(back).stacks(), play(record).stacks());
}

#[test]
fn chat_time_rake_and_the_uncalled_bet_are_kept() {
    let record = &hands()[0];
    assert!(record.actions.iter().any(|entry| entry.step == Step::Chat(4, "back soon # 1".into())));
    for (field, value) in [
        ("hand", "70000000001"),
        ("time", "20:15:09"),
        ("time_zone_abbreviation", "MSK"),
        ("year", "2024"),
        ("seat_count", "6"),
        ("table", "Made up I"),
        ("currency", "USD"),
        ("_rake", "3"),
    ] {
        assert_eq!(record.text(field).as_deref(), Some(value), "{field}");
    }
    let hand = play(record);
    assert_eq!(hand.raked(), 300);
    assert_eq!(hand.uncalled(), Some((3, 4_575)));
    assert_eq!(hand.won()[3], 11_300);
    // Flo's stack is less by her dead blind; chips are conserved with it.
    assert_eq!(hand.stacks(), [9_950, 9_450, 1_950, 4_575 + 11_300, 4_000, 0]);
}

#[test]
fn a_tournament_hand_has_antes_a_straddle_and_side_pots() {
    let record = &hands()[1];
    // c3 sits out but posts and folds, as in a tournament: he takes part.
    assert!((0..4).all(|player| !record.is_inactive(player)));
    let hand = play(record);
    assert_eq!(hand.stacks(), [335, 1_415, 1_000, 900]);
    let pots: Vec<i64> = hand.final_pots().iter().map(|(pot, _)| pot.chips).collect();
    assert_eq!(pots, [335, 1_000]);
    let stars = pokerstars::write(record).unwrap();
    assert!(stars.contains("Total pot 1335 Main pot 335. Side pot 1000. | Rake 0"), "{stars}");
    assert!(stars.contains("d4: posts straddle 60"));
}

#[test]
fn in_stud_only_the_open_cards_of_others_are_known() {
    let record = &hands()[2];
    let deals: Vec<String> = record.actions.iter().map(ToString::to_string).take(3).collect();
    assert_eq!(deals, ["d dh p1 ????Ts", "d dh p2 AhKh2h", "d dh p3 ????Jc"]);
    assert_eq!(play(record).stacks(), [5_230, 4_775, 4_975]);
}

#[test]
fn an_error_names_its_line() {
    let text = std::fs::read_to_string(data::fixture("pokerstars.txt")).unwrap();
    let error = |from: &str, to: &str| pokerstars::read(&text.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(
        error("Cy: raises $3 to $4", "Cy: raises $3 to $1.50"),
        "line 18, column 1: expected a raise to between 200 and 5525, got 150"
    );
    assert_eq!(
        error("Cy: raises $3 to $4", "Cy: dances"),
        "line 18, column 1: expected an action such as folds, calls $2 or raises $2 to $4"
    );
    assert_eq!(error("[2c 7d Kh]", "[2c 7d K]"), "line 23, column 1: expected cards such as [As Kd]");
    assert_eq!(
        error("Hold'em No Limit", "Hold'em Pot Limit"),
        "line 1, column 1: expected a game PHH knows, such as Hold'em No Limit"
    );
}
