//! The notation as the state on the wire: the document's four scenarios as legal hands with its numbers, and client states
//! mutated at random.

use parlor_poker::notation::value::{Table as Fields, Value};
use parlor_poker::notation::{Record, json, seed};
use parlor_poker::table::{
    Ignored, Merged, Newcomers, Settings, TimeoutAction, advance, auto, join, merge, next, pause,
    personalize, quit, resume, validate, wait_for_bb,
};
use parlor_poker::{Amount, Stacked};

use crate::data::{self, Progress};
use crate::live::Game;
use crate::random::Random;

fn read(json: &str) -> Record {
    seed::read(json).unwrap_or_else(|error| panic!("{error}: {json}")).remove(0).1
}

fn value(json: &str) -> Value {
    json::read_all(json).unwrap().remove(0)
}

fn of(record: &Record) -> Value {
    Value::Table(seed::to_fields(record))
}

fn rules() -> Settings {
    Settings::document()
}

fn send(old: &Record, new: &Record, author: &str) -> Merged {
    merge(old, &of(&personalize(new, Some(author))), author, &rules(), None)
}

/// The numbers of one array, as text.
fn array(record: &Record, name: &str) -> String {
    match name {
        "startingStacks" => join_text(&record.starting_stacks),
        "blinds" => join_text(&record.blinds),
        "antes" => join_text(&record.antes),
        _ => record.amounts(name).map_or_else(|| "none".into(), |amounts| join_text(&amounts)),
    }
}

fn join_text(amounts: &[Amount]) -> String {
    amounts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn lines(record: &Record) -> Vec<String> {
    record.actions.iter().map(ToString::to_string).collect()
}

fn act(record: &Record, line: &str) -> Record {
    let mut new = record.clone();
    let entry = parlor_poker::notation::Entry::parse(line).unwrap();
    let author = record.name(entry.player().unwrap());
    new.actions.push(entry);
    let merged = send(record, &new, &author);
    assert_eq!(merged.ignored, [], "{line}");
    advance(&merged.hand, &mut Stacked::new([])).unwrap()
}

/// Checks or calls until the hand is over.
fn finish(mut record: Record) -> Record {
    while record.field("finishing_stacks").is_none() {
        let entry = auto(&record, None, &rules()).unwrap().expect("somebody is to act");
        let line = match entry.to_string() {
            fold if fold.ends_with(" f") => fold.replace(" f", " cc"),
            other => other,
        };
        record = act(&record, &line);
    }
    record
}

const HAND_1: &str = r#"{"variant":"NT","hand":1,"players":["Player1","Player2"],"startingStacks":[50,100],
    "blindsOrStraddles":[1,2],"antes":[0,0],"minBet":2,"seatCount":6,"seed":"s3cret",
    "actions":["d dh p1 AsKs","d dh p2 AhKh","p1 cc","p2 cc","d db 2d7cJh"],"_inactive":[0,0],"_intents":[0,0]}"#;

/// Player3 joins a running hand as the document writes it, and plays the next. Cites 004-1, 004-4, 004-11, 004-12, 004-13,
/// 004-14, 004-15, 004/R1, 004/R5, 004/R9, 004/R10.
#[test]
fn joining_a_running_hand() {
    let old = read(HAND_1);
    // The document's block: arrays of different lengths, a seat count in brackets.
    let proposal = value(
        r#"{"author":"Player3","hand":1,"players":["Player1","Player2","Player3"],"startingStacks":[50,100,100],
        "blindsOrStraddles":[1,2,0],"antes":[0,0],"seatCount":[6],
        "actions":["d dh p1 ????","d dh p2 ????","p1 cc","p2 cc","d db 2d7cJh"],"_inactive":[0,0],"_intents":[0,0,0]}"#,
    );
    let owned = Some(Amount::parse("75.25").unwrap());
    let merged = merge(&old, &proposal, "Player3", &rules(), owned);
    assert_eq!(
        merged.ignored,
        [Ignored { path: "seatCount".into(), reason: "only the server changes this".into() }]
    );
    let hand = merged.hand;
    assert_eq!(array(&hand, "startingStacks"), "50 100 75.25");
    assert_eq!((array(&hand, "blinds").as_str(), array(&hand, "antes").as_str()), ("1 2 0", "0 0 0"));
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 0 1", "0 0 0"));
    assert_eq!(array(&hand, "seats"), "1 2 3");
    assert_eq!(validate(&hand), []);
    // The others finish; the two hands are equal, so the stacks are the document's.
    let hand = next(&finish(hand), &rules(), Some("other")).unwrap();
    assert_eq!(hand.number("hand"), Some(2));
    assert_eq!(array(&hand, "startingStacks"), "50 100 75.25");
    assert_eq!(array(&hand, "blinds"), "0 1 2");
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 0 0", "0 0 0"));
    let hand = advance(&hand, &mut Stacked::new([])).unwrap();
    assert_eq!(lines(&hand).len(), 3);
    // Each sees only their own cards, and nobody the seed.
    let seen = personalize(&hand, Some("Player3"));
    assert!(lines(&seen).iter().all(|line| line.contains("p3") != line.contains("????")));
    assert_eq!((seen.text("author").as_deref(), seen.field("_seed")), (Some("Player3"), None));
    for nobody in [None, Some("Nobody")] {
        let seen = personalize(&hand, nobody);
        assert!(lines(&seen).iter().all(|line| line.ends_with("????")));
        assert_eq!(seen.field("_seed"), None);
    }
}

/// A newcomer stands behind the others until the hand is over; then the columns follow the seats. Cites 004-15, 004/R5.
#[test]
fn the_next_hand_orders_its_columns_by_seat() {
    let old = read(&HAND_1.replace("\"seatCount\":6", "\"seatCount\":6,\"seats\":[2,5]"));
    let new = join(&old, "Player3", Amount::whole(60), Some(1));
    let hand = send(&old, &new, "Player3").hand;
    assert_eq!((array(&hand, "seats").as_str(), hand.name(2).as_str()), ("2 5 1", "Player3"));
    let hand = next(&finish(hand), &rules(), Some("other")).unwrap();
    assert_eq!((array(&hand, "seats").as_str(), hand.name(0).as_str()), ("1 2 5", "Player3"));
    assert_eq!(array(&hand, "startingStacks"), "60 50 100");
}

/// What is written for a player who is not there is named, and nothing comes of it. Cites 004-3, 004/R9.
#[test]
fn an_entry_for_nobody_is_ignored_with_its_place() {
    let old = read(HAND_1);
    for (json, path) in [
        (r#"{"author":"Player1","_intents":[0,0,2]}"#, "_intents[2]"),
        (r#"{"author":"Player1","startingStacks":[50,100,70]}"#, "startingStacks[2]"),
    ] {
        let merged = merge(&old, &value(json), "Player1", &rules(), None);
        assert_eq!(merged.ignored, [Ignored { path: path.into(), reason: "there is no such player".into() }]);
        assert_eq!(merged.hand, old);
    }
}

/// A client's own `join` and the reasons why somebody cannot sit down. Cites 004-11, 004/R9.
#[test]
fn joining_is_refused_with_its_reason() {
    let old = read(HAND_1);
    let stack = Amount::whole(60);
    let new = join(&old, "Player3", stack, Some(5));
    assert_eq!(array(&send(&old, &new, "Player3").hand, "seats"), "1 2 5");
    assert_eq!(join(&old, "Player1", stack, None), old);
    assert_eq!(join(&old, "", stack, None), old);
    assert_eq!(join(&old, "Player3", Amount::ZERO, None), old);
    assert_eq!(join(&old, "Player3", stack, Some(2)), old);
    for (json, path, reason) in [
        (
            r#"{"players":["Player1","Player2","Me"],"startingStacks":[50,100,0]}"#,
            "startingStacks[2]",
            "expected a positive stack of the hand's chips",
        ),
        (
            r#"{"players":["Player1","Player2","Me"],"startingStacks":[50,100]}"#,
            "startingStacks[2]",
            "expected the stack you want to bring",
        ),
        (
            r#"{"players":["Player1","Player2","Me"],"startingStacks":[50,100,9],"seats":[1,2,2]}"#,
            "seats[2]",
            "expected a free seat from 1 to 6",
        ),
        (
            r#"{"players":["Player1","Player2","Me"],"startingStacks":[50,100,9],"_intents":[0,0,3]}"#,
            "_intents[2]",
            "expected 0, 1 or 2",
        ),
        (r#"{"players":["Player1","Player2"]}"#, "players", "you do not sit here: add your name to join"),
        ("[]", "", "expected an object"),
    ] {
        let merged = merge(&old, &value(json), "Me", &rules(), None);
        assert_eq!(merged.hand, old, "{json}");
        assert_eq!(merged.ignored, [Ignored { path: path.into(), reason: reason.into() }], "{json}");
    }
    let poor = merge(&old, &of(&personalize(&new, Some("Player3"))), "Player3", &rules(), Some(Amount::ZERO));
    assert_eq!((poor.hand, poor.ignored[0].reason.as_str()), (old, "you have no chips to bring"));
}

const HAND_3: &str = r#"{"variant":"NT","hand":3,"players":["Player1","Player2","Player3"],
    "startingStacks":[50,100,75.25],"blindsOrStraddles":[0,1,2],"antes":[0,0,0],"minBet":2,"seatCount":6,
    "actions":["d dh p1 AsKs","d dh p2 3s3d","d dh p3 AhKh","p1 cc"],"_inactive":[0,0,0],"_intents":[0,0,0]}"#;

/// Case A: Player2 posted the small blind, pauses until the big blind, sits out hand 4 and is back in hand 5 without
/// paying. Cites 004-6, 004-8, 004-16, 004-17, 004-18, 004-20, 004/R1, 004/R4.
#[test]
fn case_a_pausing_until_the_big_blind() {
    let old = read(HAND_3);
    let merged = send(&old, &wait_for_bb(&personalize(&old, Some("Player2")), "Player2"), "Player2");
    assert_eq!(merged.ignored, []);
    let hand = merged.hand;
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 1 0", "0 1 0"));
    assert_eq!(array(&hand, "_deadBlinds"), "none");
    // Folded in turn, so that the log stays legal.
    let hand = advance(&hand, &mut Stacked::new([])).unwrap();
    assert_eq!(lines(&hand).last().unwrap(), "p2 f");
    // Inactive, only the intent may change.
    let mut late = hand.clone();
    late.actions.push(parlor_poker::notation::Entry::parse("p2 cc").unwrap());
    assert_eq!(send(&hand, &late, "Player2").ignored[0].reason, "you are sitting out");
    let hand = next(&finish(hand), &rules(), None).unwrap();
    assert_eq!((hand.number("hand"), array(&hand, "blinds").as_str()), (Some(4), "2 0 1"));
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 1 0", "0 1 0"));
    assert_eq!(validate(&hand), []);
    let hand = advance(&hand, &mut Stacked::new([])).unwrap();
    assert!(lines(&hand).iter().all(|line| !line.contains("p2")), "no cards for who sits out");
    let hand = next(&finish(hand), &rules(), None).unwrap();
    assert_eq!((hand.number("hand"), array(&hand, "blinds").as_str()), (Some(5), "1 2 0"));
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 0 0", "0 0 0"));
    assert_eq!((array(&hand, "_deadBlinds").as_str(), array(&hand, "_paidDead").as_str()), ("none", "none"));
}

const HAND_6: &str = r#"{"variant":"NT","hand":6,"players":["Player1","Player2","Player3"],
    "startingStacks":[50,100,75.25],"blindsOrStraddles":[1,0,2],"antes":[0,0,0],"minBet":2,"seatCount":6,
    "actions":["d dh p1 AsKs","d dh p3 AhKh"],"_inactive":[0,1,0],"_intents":[0,2,0],"_deadBlinds":[0,3,0]}"#;

/// Case B: Player2 owes the most, 3, comes back before the big blind and pays: 100 becomes 97, and the 3 lie in the pot.
/// Cites 004-3, 004-9, 004-16, 004-21, 004/R1, 004/R2, 004/R3.
#[test]
fn case_b_coming_back_pays_the_debt() {
    let old = read(HAND_6);
    let mut proposal = resume(&personalize(&old, Some("Player2")), "Player2");
    // The client cannot forgive itself.
    proposal.set("_deadBlinds", Value::Array(vec![Value::Number(Amount::ZERO); 3]));
    let merged = send(&old, &proposal, "Player2");
    assert_eq!(merged.ignored.len(), 1);
    assert_eq!(merged.ignored[0].path, "_deadBlinds[1]");
    let hand = merged.hand;
    assert_eq!((array(&hand, "_intents").as_str(), array(&hand, "_deadBlinds").as_str()), ("0 0 0", "0 3 0"));
    let hand = next(&finish(hand), &rules(), None).unwrap();
    assert_eq!(hand.number("hand"), Some(7));
    assert_eq!(array(&hand, "startingStacks"), "50 97 75.25");
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 0 0", "0 0 0"));
    assert_eq!(
        (array(&hand, "_deadBlinds").as_str(), array(&hand, "_paidDead").as_str()),
        ("0 0 0", "0 3 0")
    );
    // Chips are conserved: the dead blind is in the pot, in no bet.
    let over = finish(advance(&hand, &mut Stacked::new([])).unwrap());
    let cents = parlor_poker::Scale::new(2);
    let sum: i64 = over.amounts("finishing_stacks").unwrap().iter().map(|&a| cents.chips(a).unwrap()).sum();
    assert_eq!(sum, 22_525);
}

const HAND_8: &str = r#"{"variant":"NT","hand":8,"players":["Player1","Player2","Player3"],
    "startingStacks":[50,100,75.25],"blindsOrStraddles":[0,1,2],"antes":[0,0,0],"minBet":2,"seatCount":6,
    "actions":["d dh p1 AsKs","d dh p2 3s3d","d dh p3 3h3c","p1 cc","p2 cc","p3 cc","d db 5hAdQc"],
    "_inactive":[0,0,0],"_intents":[0,0,0]}"#;

/// Leaving: inactive at once, folded in turn, and no column in the next hand; the big blind moves on, or stays as in the
/// document. Cites 004-10, 004-22, 004/R1, 004/R6, 004/R7.
#[test]
fn leaving_for_good() {
    let old = read(HAND_8);
    let hand = send(&old, &quit(&personalize(&old, Some("Player1")), "Player1"), "Player1").hand;
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("1 0 0", "3 0 0"));
    let back = send(&hand, &resume(&hand, "Player1"), "Player1");
    assert_eq!((back.hand, back.ignored[0].reason.as_str()), (hand.clone(), "leaving is final"));
    let hand = act(&act(&hand, "p2 cc"), "p3 cc");
    assert_eq!(lines(&hand)[9], "p1 f");
    let over = finish(hand);
    let after = next(&over, &rules(), None).unwrap();
    assert_eq!(after.number("hand"), Some(9));
    assert_eq!((after.name(0), after.name(1), after.players()), ("Player2".into(), "Player3".into(), 2));
    assert_eq!(array(&after, "blinds"), "2 1");
    assert_eq!((array(&after, "antes").as_str(), array(&after, "_intents").as_str()), ("0 0", "0 0"));
    let strict = Settings { strict_seed: true, ..rules() };
    assert_eq!(array(&next(&over, &strict, None).unwrap(), "blinds"), "1 2");
}

/// Own actions are taken, checked and stamped by nobody else; dealer's and others' lines are not. Cites 004-3, 004-4,
/// 004/R9.
#[test]
fn only_own_actions_are_taken() {
    let old = read(HAND_3);
    for (extra, reason) in [
        ("p3 cc", "only your own actions are taken"),
        ("d db 2c3c4c", "only your own actions are taken"),
        ("d dh p2 2c3c", "only your own actions are taken"),
        ("p2 cbr 3", "expected a raise to between 400 and 10000, got 300"),
        ("p2 sm", "the hand waits for a bet"),
        ("hello", "expected an action such as \"p1 cbr 300\", got \"hello\""),
    ] {
        let mut fields = seed::to_fields(&personalize(&old, Some("Player2")));
        push_line(&mut fields, extra);
        let merged = merge(&old, &Value::Table(fields), "Player2", &rules(), None);
        assert_eq!(merged.hand, old);
        assert_eq!(merged.ignored, [Ignored { path: "actions[4]".into(), reason: reason.into() }]);
    }
    let mut fields = seed::to_fields(&personalize(&old, Some("Player2")));
    ["p2 m nice hand", "p2 cbr 8 #1700000000000", "p3 f"]
        .iter()
        .for_each(|line| push_line(&mut fields, line));
    let merged = merge(&old, &Value::Table(fields), "Player2", &rules(), None);
    assert_eq!(lines(&merged.hand)[4..], ["p2 m nice hand", "p2 cbr 8"]);
    assert_eq!(merged.ignored.len(), 1);
    // A pause and a bet in one message: the bet is made first.
    let mut both = pause(&old, "Player2");
    both.actions.push(parlor_poker::notation::Entry::parse("p2 cc").unwrap());
    let merged = send(&old, &both, "Player2");
    assert_eq!(
        (lines(&merged.hand)[4].as_str(), array(&merged.hand, "_inactive").as_str()),
        ("p2 cc", "0 1 0")
    );
    // Whoever sends it is the author, whatever it says.
    let forged =
        merge(&old, &of(&pause(&personalize(&old, Some("Player1")), "Player2")), "Player1", &rules(), None);
    assert_eq!(forged.hand, old);
    let paths: Vec<&str> = forged.ignored.iter().map(|ignored| ignored.path.as_str()).collect();
    assert_eq!(paths, ["_intents[1]", "author"]);
    // The log must be the server's.
    let mut other = old.clone();
    other.actions[3] = parlor_poker::notation::Entry::parse("p1 f").unwrap();
    assert_eq!(send(&old, &other, "Player1").ignored[0].reason, "the log is not like this");
    // An intent is one of four.
    let fields = of(&personalize(&old, Some("Player2")));
    let text = {
        let mut out = String::new();
        json::write(&fields, &mut out);
        out
    };
    let odd = value(&text.replace(r#""_intents":[0,0,0]"#, r#""_intents":[0,4,0]"#));
    let merged = merge(&old, &odd, "Player2", &rules(), None);
    assert_eq!((merged.hand, merged.ignored[0].reason.as_str()), (old.clone(), "expected 0, 1, 2 or 3"));
    // The document's theoretical blind of somebody who sits out is ignored with a reason, not refused.
    let out = read(HAND_6);
    let odd = of(&resume(&personalize(&out, Some("Player2")), "Player2"));
    let text = {
        let mut out = String::new();
        json::write(&odd, &mut out);
        out
    };
    let odd = value(&text.replace(r#""blindsOrStraddles":[1,0,2]"#, r#""blindsOrStraddles":[0,1,2]"#));
    let merged = merge(&out, &odd, "Player2", &rules(), None);
    assert_eq!(array(&merged.hand, "_intents"), "0 0 0");
    assert_eq!(merged.ignored.len(), 2);
}

/// A guess at what one was not sent is ignored the same way whether it is right or wrong. Cites 004/R9, 004/R10.
#[test]
fn a_right_guess_looks_like_a_wrong_one() {
    let old = read(HAND_1);
    let seen = personalize(&old, Some("Player2"));
    let guess = |cards: &str, seed: &str| {
        let mut new = seen.clone();
        new.actions[0] = parlor_poker::notation::Entry::parse(&format!("d dh p1 {cards}")).unwrap();
        new.set("_seed", Value::Text(seed.into()));
        merge(&old, &of(&new), "Player2", &rules(), None)
    };
    assert_eq!(guess("AsKs", "s3cret"), guess("QsJs", "other"));
    let paths: Vec<String> =
        guess("AsKs", "s3cret").ignored.into_iter().map(|ignored| ignored.path).collect();
    assert_eq!(paths, ["actions[0]", "seed"]);
}

fn push_line(fields: &mut Fields, line: &str) {
    for (name, value) in fields {
        if let ("actions", Value::Array(lines)) = (name.as_str(), value) {
            lines.push(Value::Text(line.into()));
        }
    }
}

/// Where players finish their hand first, rows (0,1|2|3,0) of the matrix stand. Cites 004-5, 004/R4.
#[test]
fn finishing_first_keeps_the_player_active() {
    let old = read(HAND_3);
    let finishing = Settings { finish_hand_before_pause: true, ..rules() };
    let merged =
        merge(&old, &of(&pause(&personalize(&old, Some("Player2")), "Player2")), "Player2", &finishing, None);
    assert_eq!(
        (array(&merged.hand, "_inactive").as_str(), array(&merged.hand, "_intents").as_str()),
        ("0 0 0", "0 2 0")
    );
    let hand = next(&finish(merged.hand), &finishing, None).unwrap();
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 1 0", "0 2 0"));
}

/// A debtor who cannot pay debt and blind gets `_inactive` 1 and `_intents` 3 and is gone with the hand after. Cites 004-19.
#[test]
fn a_debtor_who_cannot_pay_leaves() {
    let old = read(
        &HAND_6
            .replace("[50,100,75.25]", "[50,4,75.25]")
            .replace("\"_intents\":[0,2,0]", "\"_intents\":[0,0,0]"),
    );
    let hand = next(&finish(old), &rules(), None).unwrap();
    assert_eq!((array(&hand, "_inactive").as_str(), array(&hand, "_intents").as_str()), ("0 1 0", "0 3 0"));
    let hand = next(&finish(advance(&hand, &mut Stacked::new([])).unwrap()), &rules(), None).unwrap();
    assert_eq!(hand.players(), 2);
}

/// `auto` checks where it is free and folds otherwise, or folds by the document's word. Cites 004-22, 004/R8.
#[test]
fn auto_checks_or_folds() {
    let facing = read(HAND_3);
    let free = read(HAND_8);
    let line = |record: &Record, player, settings: &Settings| {
        auto(record, player, settings).unwrap().map(|entry| entry.to_string())
    };
    let fold = Settings { timeout_action: TimeoutAction::Fold, ..rules() };
    assert_eq!(line(&facing, None, &rules()).as_deref(), Some("p2 f"));
    assert_eq!(line(&free, None, &rules()).as_deref(), Some("p2 cc"));
    assert_eq!(line(&free, None, &fold).as_deref(), Some("p2 f"));
    assert_eq!(line(&free, Some(0), &rules()), None);
    assert!(next(&free, &rules(), None).unwrap_err().to_string().starts_with("the hand is not over"));
}

/// What `validate` finds. Cites 004-5, 004/R7.
#[test]
fn a_state_that_cannot_be_is_named() {
    let check = |from: &str, to: &str| {
        let text = HAND_6.replace(from, to);
        assert_ne!(text, HAND_6);
        let faults = validate(&read(&text));
        faults.iter().map(|fault| format!("{}: {}", fault.path, fault.problem)).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(validate(&read(HAND_6)), []);
    let blind = check("[1,0,2]", "[1,2,2]");
    assert!(
        blind.starts_with("blindsOrStraddles[1]: a player who sits out posts nothing (got 2)"),
        "{blind}"
    );
    assert!(check("\"Player2\"", "\"Player1\"").starts_with("players[1]: "));
    assert!(check("\"seatCount\":6", "\"seatCount\":2").starts_with("players: expected at most 2"));
    assert!(check("\"seatCount\":6", "\"seatCount\":6,\"seats\":[1,1,2]").starts_with("seats[1]: "));
    let debt = check("\"_deadBlinds\":[0,3,0]", "\"_deadBlinds\":[0,-3,0]");
    assert!(debt.starts_with("_deadBlinds[1]: expected dead blinds of 0 or more"), "{debt}");
}

fn number(random: &mut Random) -> Value {
    let texts = ["0", "1", "2", "3", "-1", "7", "0.5", "1000000", "inf"];
    Value::Number(Amount::parse(texts[random.below(texts.len())]).unwrap())
}

fn junk(random: &mut Random) -> Value {
    match random.below(6) {
        0 => Value::Null,
        1 => Value::Bool(true),
        2 => Value::Text(["p1 f", "Player0", "", "d db AsKsQs", "nobody"][random.below(5)].into()),
        3 => Value::Array(vec![number(random); random.below(12)]),
        4 => Value::Table(vec![("x".into(), Value::Null)]),
        _ => number(random),
    }
}

fn mutate(random: &mut Random, fields: &mut Fields, players: usize, own: Option<usize>) {
    // Something they may do is among it more often than chance has it.
    if let (Some(own), true) = (own, random.one_in(2)) {
        let line = [format!("p{} cc", own + 1), format!("p{} f", own + 1), format!("p{} m hello", own + 1)];
        push_line(fields, &line[random.below(3)]);
        for (name, value) in fields.iter_mut() {
            if let ("_intents", Value::Array(values)) = (name.as_str(), value) {
                values[own] = number(random);
            }
        }
    }
    for _ in 0..1 + random.below(4) {
        let at = random.below(fields.len());
        match random.below(8) {
            0 => fields[at].1 = junk(random),
            1 => {
                fields.remove(at);
            }
            2 => fields.push((["_mine", "rake", "seed", "author"][random.below(4)].into(), junk(random))),
            3 => {
                let who = 1 + random.below(players + 1);
                let line = [
                    format!("p{who} f"),
                    format!("p{who} cc"),
                    format!("p{who} cbr {}", random.below(500)),
                    format!("p{who} m hello"),
                    format!("p{who} sm"),
                    format!("p{who} sd"),
                    format!("p{who} pb"),
                    "d db 2c3c4c".into(),
                    format!("d dh p{who} 2c3c"),
                ];
                push_line(fields, &line[random.below(line.len())]);
            }
            _ => {
                if let Value::Array(values) = &mut fields[at].1 {
                    let i = random.below(values.len() + 1);
                    match random.below(3) {
                        0 if i < values.len() => {
                            values.remove(i);
                        }
                        1 => values.insert(i, junk(random)),
                        _ if i < values.len() => values[i] = junk(random),
                        _ => {}
                    }
                }
            }
        }
        if fields.is_empty() {
            return;
        }
    }
}

/// A record without what its author may change: their numbers and the lines after the old ones.
fn rest_of(record: &Record, column: Option<usize>, lines: usize) -> Record {
    let mut rest = record.clone();
    rest.actions.truncate(lines);
    for name in ["_inactive", "_intents", "_deadBlinds", "_newcomers"] {
        if let Some(Value::Array(mut values)) = rest.take(name) {
            if let Some(value) = column.and_then(|column| values.get_mut(column)) {
                *value = Value::Null;
            }
            if values.iter().any(|value| !matches!(value, Value::Null | Value::Number(Amount::ZERO))) {
                rest.set(name, Value::Array(values));
            }
        }
    }
    rest
}

/// Without the last column.
fn without_last(record: &Record) -> Record {
    let mut new = record.clone();
    new.starting_stacks.pop();
    new.antes.pop();
    new.blinds.pop();
    let columns = record.players();
    for (name, value) in &mut new.rest {
        match value {
            Value::Array(values) if values.len() == columns && name != "_blindSeats" => {
                values.pop();
            }
            _ => {}
        }
    }
    new.take("_newcomers");
    new
}

/// Mutated client states: merge never fails, changes nothing but the author's own column and own lines, and says why for
/// what it leaves out. Cites 004-3, 004/R9.
#[test]
fn mutated_states_change_nothing_but_the_authors_own() {
    let total = data::count("PARLOR_SOAK_STATES", 2_000);
    let mut progress = Progress::of("merge-states");
    let (mut changed, mut joined, mut listed, mut done) = (0, 0, 0, 0);
    while progress.done < total {
        let mut random = Random(0x6d65_7267 + progress.next);
        let mut game = Game::new(0x5eed + progress.next);
        game.play(1 + random.below(4));
        for _ in 0..random.below(8) {
            if game.table.is_running() {
                game.act();
            }
        }
        let Some(old) = game.table.record(|seat| format!("Player{seat}")) else {
            progress.add(0);
            continue;
        };
        let rules = Settings {
            newcomers: [Newcomers::Free, Newcomers::PostBigBlind][random.below(2)],
            finish_hand_before_pause: random.one_in(2),
            ..Settings::document()
        };
        for _ in 0..20 {
            let sits = random.below(5) > 0;
            let column = sits.then(|| random.below(old.players()));
            let author = column.map_or_else(|| "Somebody".into(), |column| old.name(column));
            let state = personalize(&old, Some(&author));
            let unchanged = merge(&old, &of(&state), &author, &rules, None);
            assert!(
                !sits || (unchanged.ignored.is_empty() && unchanged.hand == old),
                "{:?}",
                unchanged.ignored
            );
            let state = if sits { state } else { join(&state, &author, Amount::whole(50), None) };
            let mut fields = seed::to_fields(&state);
            mutate(&mut random, &mut fields, old.players(), column);
            let Merged { hand, ignored } = merge(&old, &Value::Table(fields), &author, &rules, None);
            assert!(ignored.iter().all(|ignored| !ignored.reason.is_empty()));
            listed += usize::from(!ignored.is_empty());
            let new_lines = &hand.actions[old.actions.len()..];
            assert!(new_lines.iter().all(|entry| entry.player() == column && sits));
            if hand.players() > old.players() {
                joined += 1;
                assert!(!sits && hand.players() == old.players() + 1);
                assert_eq!(hand.name(old.players()), author);
                let (kept, before) = (without_last(&hand), rest_of(&old, None, usize::MAX));
                assert_eq!(rest_of(&kept, None, usize::MAX), before);
            } else {
                assert_eq!(rest_of(&hand, column, old.actions.len()), rest_of(&old, column, usize::MAX));
                changed += usize::from(hand != old);
                assert!(sits || hand == old);
            }
            assert_eq!(&hand.actions[..old.actions.len()], &old.actions[..]);
            done += 1;
        }
        progress.add(20);
    }
    println!("{} states: {changed} changed something, {joined} joined, of {done} now", progress.done);
    assert!(changed * 50 > done && joined * 50 > done, "{changed} changed and {joined} joined of {done}");
    assert!(listed * 2 > done, "something was listed as ignored in {listed} of {done}");
}
