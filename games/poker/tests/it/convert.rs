//! phh → json → phh → pokerstars → phh keeps everything that the notations have a place for.

use parlor_poker::notation::pokerstars::{self, WriteError};
use parlor_poker::notation::{Record, Step, Value, phh, seed};
use parlor_poker::replay::{Replay, book_of};
use parlor_poker::{Amount, Hand, Scale, Variant};

use crate::{data, oracle};

fn synthetic() -> Vec<(String, Record)> {
    let mut hands = Vec::new();
    for entry in std::fs::read_dir(data::fixture("synthetic")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        hands.extend(
            phh::read(&text).unwrap().into_iter().map(|(key, record)| (format!("{name} {key}"), record)),
        );
    }
    assert_eq!(hands.len(), 275);
    hands
}

/// Hands of our own and, where the data folder is, all real ones.
fn all() -> Vec<(String, Record)> {
    let mut hands = synthetic();
    if let Some(root) = data::shared("corpus") {
        hands.extend(
            oracle::corpus(&root).into_iter().map(|((file, key), record)| (format!("{file} {key}"), record)),
        );
    }
    hands
}

#[test]
fn phh_and_json_round_trip_exactly() {
    for (name, record) in all() {
        let text = phh::write(&record);
        let again = &phh::read(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"))[0].1;
        let turned = record.reordered(&record.order_of_play());
        assert_eq!(again, &turned, "{name}");
        let json = seed::write(&record);
        let from_json = &seed::read(&json).unwrap_or_else(|e| panic!("{name}: {e}\n{json}"))[0].1;
        assert_eq!(from_json, &record, "{name}");
        assert_eq!(seed::write(from_json), json, "{name}");
        assert_eq!(phh::write(from_json), text, "{name}");
    }
}

/// The lines of a log that players decide, with amounts in units.
fn decisions(record: &Record, scale: Scale) -> Vec<String> {
    let line = |step: &Step| match step {
        Step::Raise(player, to) => Some(format!("p{player} to {:?}", scale.chips(*to))),
        Step::Call(player, _) => Some(format!("p{player} calls")),
        Step::Fold(_) | Step::BringIn(_) | Step::Draw(..) | Step::Muck(_) | Step::Chat(..) => {
            Some(step.to_string())
        }
        _ => None,
    };
    record.actions.iter().filter_map(|entry| line(&entry.step)).collect()
}

fn play(record: &Record) -> Hand {
    Replay::start(record, book_of(record)).unwrap().finish().unwrap()
}

fn same_hand(name: &str, a: &Record, b: &Record) {
    let scale = a.scale();
    assert_eq!(scale, b.scale(), "{name}: unit");
    let chips = |amounts: &[Amount]| amounts.iter().map(|&x| scale.chips(x).unwrap()).collect::<Vec<_>>();
    assert_eq!(a.variant, b.variant, "{name}");
    assert_eq!(a.button, b.button, "{name}: button");
    assert_eq!(chips(&a.antes), chips(&b.antes), "{name}: antes");
    assert_eq!(chips(&a.blinds), chips(&b.blinds), "{name}: blinds, straddles and posts");
    assert_eq!(chips(&a.starting_stacks), chips(&b.starting_stacks), "{name}: stacks");
    for (x, y) in
        [(a.bring_in, b.bring_in), (a.small_bet, b.small_bet), (a.big_bet, b.big_bet), (a.min_bet, b.min_bet)]
    {
        assert_eq!(x.map(|x| scale.chips(x)), y.map(|y| scale.chips(y)), "{name}: bets");
    }
    for player in 0..a.players() {
        assert_eq!(a.name(player), b.name(player), "{name}: players");
        assert_eq!(a.is_inactive(player), b.is_inactive(player), "{name}: sitting out");
    }
    for field in ["seats", "_paidDead"] {
        let nothing = |values: &Vec<Amount>| values.iter().all(|v| v.is_zero());
        if let Some(values) = a.amounts(field).filter(|values| !nothing(values)) {
            assert_eq!(chips(&values), chips(&b.amounts(field).unwrap()), "{name}: {field}");
        }
    }
    for field in ["hand", "table", "seat_count", "currency", "currency_symbol"] {
        if a.field(field).is_some() {
            assert_eq!(a.text(field), b.text(field), "{name}: {field}");
        }
    }
    if ["year", "month", "day"].iter().all(|part| a.field(part).is_some()) {
        for field in ["year", "month", "day", "time", "time_zone_abbreviation"] {
            assert_eq!(a.text(field), b.text(field), "{name}: {field}");
        }
    }
    assert_eq!(decisions(a, scale), decisions(b, scale), "{name}: actions");
    let (x, y) = (play(a), play(b));
    assert_eq!((x.phase(), x.stacks(), x.won()), (y.phase(), y.stacks(), y.won()), "{name}: result");
    assert_eq!((x.raked(), x.uncalled()), (y.raked(), y.uncalled()), "{name}: rake and uncalled bet");
    assert_eq!(x.final_pots(), y.final_pots(), "{name}: pots");
    assert_eq!((x.board(0), x.board(1)), (y.board(0), y.board(1)), "{name}: board");
    for seat in 0..a.players() {
        let up = |hand: &Hand| hand.face_up(seat).collect::<Vec<_>>();
        assert_eq!((x.hole(seat), up(&x)), (y.hole(seat), up(&y)), "{name}: cards");
    }
}

#[test]
fn pokerstars_text_keeps_every_hand_it_can_spread() {
    let mut written = 0;
    for (name, record) in all() {
        let record = record.reordered(&record.order_of_play());
        let text = match pokerstars::write(&record) {
            Ok(text) => text,
            Err(WriteError::Variant(variant)) => {
                assert_eq!(variant, Variant::ShortDeck, "{name}");
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        let read = pokerstars::read(&text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(read.len(), 1, "{name}");
        same_hand(&name, &record, &read[0].1);
        let again = pokerstars::write(&read[0].1).unwrap();
        assert_eq!(again, text, "{name}");
        written += 1;
    }
    assert!(written >= 275 - 25, "{written}");
}

#[test]
fn a_game_pokerstars_does_not_spread_is_refused_by_name() {
    let text = std::fs::read_to_string(data::fixture("synthetic/NS.phhs")).unwrap();
    let (_, record) = &phh::read(&text).unwrap()[0];
    let error = pokerstars::write(record).unwrap_err();
    assert_eq!(error.to_string(), "PokerStars' text has no form for NS (no-limit short-deck hold'em)");
}

#[test]
fn fields_of_a_round_trip_are_really_there() {
    // A test of the test: a hand that differs in one thing must not pass for the same.
    let (_, record) = synthetic().into_iter().find(|(_, r)| r.variant == Variant::NoLimitHoldem).unwrap();
    let mut other = record.clone();
    other.set(
        "seats",
        Value::Array((0..record.players()).map(|p| Value::Number(Amount::whole(p as i64 + 2))).collect()),
    );
    let result = std::panic::catch_unwind(|| same_hand("seats", &other, &record));
    assert!(result.is_err());
}
