//! `parlor try` and `parlor play`, driven by piped answers.

use crate::tools::{Dir, parlor, parlor_told};

/// Both seats at one terminal: x takes the top row while o takes the middle one.
const X_WINS: &str = "a3\na2\nb3\nb2\nc3\n";

/// A table at which both seats are played from this terminal.
fn two_people<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["try", "oxo", "--bots", "none"][..], more].concat()
}

#[test]
fn a_match_played_by_piped_answers_comes_to_its_end() {
    let ran = parlor_told(&two_people(&[]), X_WINS);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Take a cell (pick one)"), "{}", ran.out);
    assert!(ran.out.contains("· Player 1: taken, cell b2"), "{}", ran.out);
    assert!(ran.out.contains("  board  x x x\n         o o .\n         . . .\n"), "{}", ran.out);
    assert!(ran.out.ends_with("Player 0 wins due to three in a row\n"), "{}", ran.out);
}

#[test]
fn numbers_titles_and_titles_in_capitals_mean_the_same() {
    let by_title = parlor_told(&two_people(&["--json", "--seed", "spring"]), X_WINS);
    // Each number counts among the cells that are still free.
    for same in ["1\n3\n1\n2\n1\n", "A3\nA2\nB3\nB2\nC3\n", "\"a3\"\n 3 \nb3\nb2\nc3"] {
        assert_eq!(
            parlor_told(&two_people(&["--json", "--seed", "spring"]), same).out,
            by_title.out,
            "{same}"
        );
    }
}

#[test]
fn a_recorded_match_replays_and_verifies() {
    let dir = Dir::new();
    for (name, seed) in [("seeded.jsonl", &["--seed", "spring"][..]), ("secret.jsonl", &[])] {
        let file = dir.file(name);
        let ran = parlor_told(&two_people(&[&["--record", &file], seed].concat()), X_WINS);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let checked = parlor(&["replay", "check", &file]);
        assert_eq!((checked.code, checked.err.as_str()), (0, ""), "{}", checked.out);
        assert!(checked.out.contains(": ok, oxo rules 2, 7 records"), "{}", checked.out);
        let verified = parlor(&["verify", &file]);
        assert_eq!(verified.code, 0, "{}", verified.out);
    }
}

#[test]
fn bots_answer_and_the_same_seed_is_the_same_match() {
    let play = |seed| parlor_told(&["play", "--fast", "--seed", seed], &"1\n".repeat(9));
    let spring = play("spring");
    assert_eq!(spring.code, 0, "{}", spring.err);
    assert!(spring.out.contains("· Bot 1: taken"), "{}", spring.out);
    assert!(
        spring.out.lines().last().is_some_and(|last| last.contains(" — ") || last.contains(" wins due to "))
    );
    assert_eq!(spring.out, play("spring").out);
    let others = ["summer", "autumn", "winter"].map(|seed| play(seed).out);
    assert!(others.iter().any(|other| *other != spring.out), "random numbers depend on the seed");
}

#[test]
fn whoever_only_watches_sees_every_move() {
    let ran = parlor(&["try", "oxo", "--bots", "all", "--fast", "--seed", "spring"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let moves = ran.out.matches("taken, cell").count();
    assert!((5..=9).contains(&moves), "{}", ran.out);
    assert!(!ran.out.contains("Take a cell"), "nobody is asked: {}", ran.out);
}

#[test]
fn a_refused_answer_says_every_fault_and_the_player_may_try_again() {
    let ran = parlor_told(&two_people(&[]), &format!("z9, y8\n99\n{X_WINS}"));
    assert!(ran.out.contains("  - Selection z9 didn't exist in the choices\n"), "{}", ran.out);
    assert!(ran.out.contains("  - Selection y8 didn't exist in the choices\n"), "{}", ran.out);
    assert!(ran.out.contains("  - Invalid number of options selected: expected 1-1, got 2\n"), "{}", ran.out);
    assert!(ran.out.contains("there is no choice 99: choices are numbered from 1 to 9"), "{}", ran.out);
    assert!(ran.out.ends_with("Player 0 wins due to three in a row\n"), "{}", ran.out);
}

#[test]
fn undo_takes_back_the_last_answer_when_the_others_agree() {
    let dir = Dir::new();
    let file = dir.file("undone.jsonl");
    let ran = parlor_told(&["try", "oxo", "--fast", "--seed", "spring", "--record", &file], "a3\nu\nq\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("· the match was rewound"), "{}", ran.out);
    let last = parlor(&["replay", "show", &file, "--json"]).json_lines().pop().expect("a last step");
    assert_eq!(last["views"]["gallery"]["board"], ".........");
    assert_eq!(last["undone"], true);
    assert_eq!(parlor(&["replay", "check", &file]).code, 0, "records that were taken back stay in the log");
}

#[test]
fn the_other_at_the_terminal_may_grant_an_undo_or_refuse_it() {
    let dir = Dir::new();
    // x takes a3 and asks to take it back; o switches from their move to that request and answers it.
    for (says, board) in [("yes", "........."), ("no", "x........")] {
        let file = dir.file(says);
        let ran = parlor_told(&two_people(&["--record", &file]), &format!("a3\nu\no\n{says}\nq\n"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("May seat 0 take back what was done? (pick one)"), "{}", ran.out);
        let last = parlor(&["replay", "show", &file, "--json"]).json_lines().pop().expect("a last step");
        assert_eq!(last["views"]["gallery"]["board"], board);
    }
}

#[test]
fn at_a_shared_terminal_an_undo_is_of_whoever_answered_last() {
    let ran = parlor_told(&two_people(&[]), "a3\na2\nu\no\nq\n");
    assert!(ran.out.contains("May seat 1 take back what was done? (pick one)"), "{}", ran.out);
}

#[test]
fn leaving_and_the_end_of_the_input_keep_the_log() {
    let dir = Dir::new();
    for (name, input) in [("left.jsonl", "a3\nq\n"), ("ended.jsonl", "a3\n")] {
        let file = dir.file(name);
        let ran = parlor_told(&two_people(&["--record", &file]), input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("you have left the table") || ran.out.contains("You have left the table"));
        let steps = parlor(&["replay", "show", &file, "--json"]).json_lines();
        assert_eq!(steps.last().expect("a last step")["views"]["gallery"]["board"], "x........");
        assert_eq!(parlor(&["replay", "check", &file]).code, 0);
    }
}

#[test]
fn help_is_at_hand_and_costs_nothing() {
    let ran = parlor_told(&two_people(&[]), &format!("?\n\n{X_WINS}"));
    assert!(ran.out.contains("ask to take back your last answer"), "{}", ran.out);
    assert!(ran.out.ends_with("Player 0 wins due to three in a row\n"), "{}", ran.out);
}

#[test]
fn a_seat_is_not_both_a_players_and_a_bots() {
    for (args, why) in [
        (&["try", "oxo", "--seat", "2"][..], "there is no seat 2, this table has 2"),
        (&["try", "oxo", "--bots", "0,4"], "there is no seat 4, this table has 2"),
        (&["try", "oxo", "--seat", "1", "--bots", "1"], "seat 1 cannot be both yours and a bot's"),
        (&["try", "oxo", "--bots", "some"], "expected 'all', 'none' or a seat number"),
    ] {
        let ran = parlor(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}

#[test]
fn a_log_that_cannot_be_written_is_a_failure_before_anything_is_played() {
    let dir = Dir::new();
    let ran = parlor(&["try", "oxo", "--record", &dir.file("no/such/folder.jsonl")]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("error: cannot write"), "{}", ran.err);
    assert!(!ran.out.contains("Take a cell"), "{}", ran.out);
}
