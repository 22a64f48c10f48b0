//! Which of two hands wins: 1,350 lines in nine ways of comparing.

use parlor_poker::eval::Question;
use serde_json::Value;

use crate::data;

#[test]
fn every_pair_of_hands_compares_as_written() {
    let text = std::fs::read_to_string(data::fixture("eval.jsonl")).unwrap();
    let mut checked = 0;
    for line in text.lines() {
        let question: Question = serde_json::from_str(line).unwrap();
        let expected: Value = serde_json::from_str(line).unwrap();
        let answer = question.answer().unwrap();
        assert_eq!(expected["cmp"], answer.cmp, "{line}");
        assert_eq!(
            (&expected["qa"], &expected["qb"]),
            (&Value::Bool(answer.qa), &Value::Bool(answer.qb)),
            "{line}"
        );
        checked += 1;
    }
    assert_eq!(checked, 1350);
}

#[test]
fn a_question_with_unknown_or_repeated_cards_is_refused() {
    let ask = |t: &str, a: &str, b: &str, board: &str| {
        Question { t: t.into(), a: a.into(), b: b.into(), board: board.into() }
            .answer()
            .map_err(|e| e.to_string())
    };
    assert!(ask("high", "As??", "KdKc", "2c3c4c5c6d").unwrap_err().starts_with("a: expected"));
    assert!(ask("high", "AsAs", "KdKc", "2c3c4c5c6d").unwrap_err().starts_with("a: expected"));
    assert!(ask("short", "As5d", "KdKc", "7c8c9cTcJd").unwrap_err().starts_with("a: expected"));
    assert!(ask("poker", "As5d", "KdKc", "").unwrap_err().starts_with("t: expected"));
}
