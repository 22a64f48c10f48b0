//! `parlor sim`.

use serde_json::Value;

use crate::tools::{Dir, parlor};

fn sim(more: &[&str]) -> Value {
    let ran = parlor(&[&["sim", "oxo", "--matches", "3000", "--json"], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

#[test]
fn the_digest_is_the_same_whatever_the_threads() {
    let one = sim(&["--seed", "7", "--threads", "1"]);
    for threads in ["2", "5", "0"] {
        let many = sim(&["--seed", "7", "--threads", threads]);
        for field in ["digest", "matches", "inputs", "endless"] {
            assert_eq!(one[field], many[field], "{field} on {threads} threads");
        }
    }
}

#[test]
fn another_seed_other_bots_or_another_number_of_matches_is_another_digest() {
    let base = sim(&["--seed", "7"]);
    assert_ne!(base["digest"], sim(&["--seed", "8"])["digest"]);
    assert_ne!(base["digest"], sim(&["--seed", "spring"])["digest"]);
    assert_ne!(base["digest"], sim(&["--seed", "7", "--bots", "own"])["digest"]);
    let fewer = parlor(&["sim", "oxo", "--matches", "2999", "--seed", "7", "--json"]).json();
    assert_ne!(base["digest"], fewer["digest"]);
}

#[test]
fn the_result_has_all_its_figures() {
    let result = sim(&[]);
    assert_eq!(result["game"], "oxo");
    assert_eq!(result["matches"], 3000);
    assert_eq!(result["endless"], 0);
    // Oxo takes five to nine moves.
    assert!((15_000..=27_000).contains(&result["inputs"].as_u64().expect("a number")));
    let digest = result["digest"].as_str().expect("a text");
    assert!(digest.len() == 16 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    for field in ["seconds", "cpu_seconds", "per_second"] {
        assert!(result[field].is_number(), "{field}");
    }
}

#[test]
fn no_matches_are_no_trouble() {
    let none = parlor(&["sim", "oxo", "--matches", "0", "--json"]).json();
    assert_eq!((&none["matches"], &none["digest"]), (&0.into(), &"0000000000000000".into()));
}

#[test]
fn a_recorded_match_replays_and_verifies() {
    let dir = Dir::new();
    for bots in ["random", "own"] {
        let file = dir.file(&format!("{bots}.jsonl"));
        sim(&["--seed", "7", "--bots", bots, "--record", &file]);
        let checked = parlor(&["replay", "check", &file]);
        assert_eq!(checked.code, 0, "{}", checked.out);
        assert_eq!(parlor(&["verify", &file]).code, 0);
        let steps = parlor(&["replay", "show", &file, "--json"]).json_lines();
        assert!(
            steps.last().is_some_and(|last| !last["outcome"].is_null()),
            "the match was played to its end"
        );
    }
}

/// A ruleset in a file: a question, and what is done with the answer.
fn ruleset(dir: &Dir, flow: &str, more: &str) -> String {
    let file = dir.file("game.json");
    let text = format!(
        r#"{{"ir": "parlor-ir/1", "id": "small", "name": "Small", "author": "test", "players": {{"min": 2, "max": 2}},
        "vars": {{"n": {{"type": "int", "default": 0}}}}, {more} "end": {{"rank": {{"by": {{"seatNo": "it"}}}}}}, "flow": {flow}}}"#
    );
    std::fs::write(&file, text).expect("a file");
    file
}

const ASK: &str = r#"{"ask": {"id": "a", "who": {"seat": 0}, "as": "x", "number": {"min": 0, "max": 9}}}, {"add": {"var": "n", "by": "x"}}"#;

#[test]
fn a_match_that_stands_still_stops_the_run_and_is_named() {
    let dir = Dir::new();
    let flow = format!(r#"[{{"repeat": {{"n": 9, "do": [{ASK}]}}}}, {{"finish": {{}}}}]"#);
    let file = ruleset(&dir, &flow, r#""invariants": [{"<": [{"var": "n"}, 60]}],"#);
    let mut seen = Vec::new();
    for threads in ["1", "3"] {
        let ran = parlor(&["sim", &file, "--matches", "2000", "--seed", "7", "--threads", threads, "--json"]);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        let still = ran.json()["still"].clone();
        let (number, inputs) =
            (still["match"].as_u64().expect("a number"), still["inputs"].as_u64().expect("a number"));
        assert!((7..=9).contains(&inputs), "60 takes seven answers at least: {still}");
        let why = still["why"].as_str().expect("a text");
        assert!(why.starts_with("invariant 0 does not hold: n < 60 (now n is "), "{why}");
        let said = format!("match {number} of seed 7 is stuck after {inputs} inputs: {why}");
        assert!(ran.err.contains(&said), "{}", ran.err);
        seen.push(still);
    }
    assert_eq!(seen[0], seen[1], "the same match, whatever the threads");
    // All matches before it were played; without it, no match is stuck.
    let number = seen[0]["match"].to_string();
    let before = parlor(&["sim", &file, "--matches", &number, "--seed", "7", "--json"]);
    assert_eq!((before.code, before.json()["matches"].to_string()), (0, number), "{}", before.err);
}

#[test]
fn what_matches_came_to_is_told() {
    let dir = Dir::new();
    // Who says more than 4 wins; 0 is a draw; otherwise the last seat is first by rank.
    let flow = format!(
        r#"[{ASK}, {{"if": [{{"==": ["x", 0]}}, [{{"drawGame": {{"reason": "nought"}}}}]]}},
        {{"if": [{{">": ["x", 4]}}, [{{"win": {{"who": {{"seat": 0}}, "reason": "more"}}}}]]}}, {{"finish": {{"reason": "less"}}}}]"#
    );
    let file = ruleset(&dir, &flow, "");
    let ran = parlor(&["sim", &file, "--matches", "1000", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json = ran.json();
    let count = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{json}"));
    assert_eq!(json["wins"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!(json["reasons"].as_object().map(serde_json::Map::len), Some(3), "{json}");
    assert_eq!(json["wins"][0], json["reasons"]["more"]);
    assert_eq!(json["wins"][1], json["reasons"]["less"]);
    assert_eq!(json["draws"], json["reasons"]["nought"]);
    assert!((400..600).contains(&count(&json["wins"][0])), "{json}");
    assert_eq!(count(&json["wins"][0]) + count(&json["wins"][1]) + count(&json["draws"]), 1000);
    assert_eq!(json["verdicts"], 0);
    let told = parlor(&["sim", &file, "--matches", "1000"]).out;
    assert!(
        told.contains(&format!(
            "winners     seat 0 {}, seat 1 {}; {} draws",
            json["wins"][0], json["wins"][1], json["draws"]
        )),
        "{told}"
    );
    assert!(
        told.contains(&format!(
            "reasons     less {}, more {}, nought {}",
            json["wins"][1], json["wins"][0], json["draws"]
        )),
        "{told}"
    );
    assert!(!told.contains("verdicts"), "{told}");
    // Games that are no rulesets come to something too.
    let oxo = sim(&[]);
    assert_eq!(count(&oxo["wins"][0]) + count(&oxo["wins"][1]) + count(&oxo["draws"]), 3000, "{oxo}");
}

#[test]
fn a_match_that_a_guardrail_ended_is_counted_and_named() {
    let dir = Dir::new();
    let file =
        ruleset(&dir, r#"[{"loop": {"max": 4000000000, "do": [{"add": {"var": "n", "by": 1}}]}}]"#, "");
    let ran = parlor(&["sim", &file, "--matches", "3", "--json"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["verdicts"], &json["draws"]), (0, &3.into(), &3.into()), "{json}");
    let reasons = json["reasons"].as_object().expect("an object");
    assert!(reasons.keys().all(|reason| reason.starts_with("verdict: ")), "{json}");
    let told = parlor(&["sim", &file, "--matches", "3"]).out;
    assert!(told.contains("verdicts    3 of 3 matches were ended by a guardrail"), "{told}");
}

#[test]
fn bots_by_name_are_compared_over_the_same_deals() {
    let arena = |more: &[&str]| {
        let ran = parlor(&[&["sim", "hearts", "--walls", "10", "--json", "--bots"], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json()
    };
    let result = arena(&["house,random,random,random", "--seatings", "4", "--settings", r#"{"until": 30}"#]);
    assert_eq!(
        (&result["matches"], &result["seatings"], &result["endless"]),
        (&40.into(), &4.into(), &0.into())
    );
    let [house, random] = result["by_bot"].as_array().expect("a list").as_slice() else { panic!("{result}") };
    assert_eq!((&house["bot"], &house["games"]), (&"house".into(), &40.into()), "{result}");
    assert_eq!((&random["bot"], &random["games"]), (&"random".into(), &120.into()), "{result}");
    for bot in [house, random] {
        let games: u64 = bot["places"].as_array().expect("a list").iter().filter_map(Value::as_u64).sum();
        assert_eq!(bot["games"], games, "{bot}");
        assert!(
            bot["decisions"].as_u64() > Some(100) && bot["us_per_decision"].as_f64() > Some(0.0),
            "{bot}"
        );
        assert!(bot["rank_error"].as_f64() > Some(0.0), "{bot}");
    }
    assert!(house["average_rank"].as_f64() < random["average_rank"].as_f64(), "{result}");
    let two = arena(&["house,random,random,random", "--threads", "2", "--settings", r#"{"until": 30}"#]);
    let one = arena(&["house,random,random,random", "--settings", r#"{"until": 30}"#]);
    assert_eq!(one["by_bot"][0]["places"], two["by_bot"][0]["places"], "whatever the threads");
}

/// Riichi counts rounds, wins, deal-ins, calls and riichi for each bot. Cites 003/R7.
#[test]
fn riichi_counts_what_its_bots_do() {
    let settings = r#"{"game_type": "east", "enchousen": "none"}"#;
    let bots = "fair,greedy,tsumogiri,tsumogiri";
    let ran = parlor(&["sim", "riichi", "--bots", bots, "--walls", "2", "--settings", settings, "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let result = ran.json();
    let [fair, greedy, still] = result["by_bot"].as_array().expect("a list").as_slice() else {
        panic!("{result}")
    };
    let count = |bot: &Value, what: &str| bot["counts"][what].as_u64().unwrap_or(0);
    assert!(count(fair, "rounds") >= 8 && 2 * count(fair, "rounds") == count(still, "rounds"), "{result}");
    assert_eq!((count(greedy, "calls"), count(still, "calls")), (0, 0), "only the fair bot calls: {result}");
    assert!(count(greedy, "riichi") > 0 && count(fair, "wins") + count(greedy, "wins") > 0, "{result}");
    assert_eq!(count(still, "riichi"), 0, "{result}");
    let rate = greedy["rates"]["riichi"].as_f64().expect("a rate");
    let expected = count(greedy, "riichi") as f64 / count(greedy, "rounds") as f64;
    assert!((rate - expected).abs() < 1e-5, "{result}");
}

#[test]
fn a_bot_that_the_game_has_not_is_named() {
    let ran = parlor(&["sim", "riichi", "--bots", "fai"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("riichi has no bot 'fai'; bots: fair, greedy, random, tsumogiri, own"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("did you mean 'fair'?"), "{}", ran.err);
    let ran = parlor(&["sim", "riichi", "--bots", "fair,fair"]);
    assert!(ran.code == 2 && ran.err.contains("riichi has 4 seats, not 2"), "{}", ran.err);
    let ran = parlor(&["sim", "riichi", "--bots", "fair", "--seatings", "5"]);
    assert!(ran.code == 2 && ran.err.contains("--seatings must be 1 to 4"), "{}", ran.err);
}
