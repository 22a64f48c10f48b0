//! `parlor replay show` and `parlor replay check`.

use crate::tools::{Dir, parlor};

#[test]
fn a_match_is_shown_step_by_step_to_its_result() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    let shown = parlor(&["replay", "show", &file]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.starts_with("oxo, rules 2, 2 seats, match 1\n"), "{}", shown.out);
    let steps = parlor(&["replay", "show", &file, "--json"]).json_lines();
    let records = std::fs::read_to_string(&file).expect("the log").lines().count() - 2;
    assert_eq!(steps.len(), records + 1, "the start, and every record");
    for (n, step) in steps.iter().enumerate() {
        assert_eq!(step["seq"], n);
        assert!(n == 0 || shown.out.contains(&format!("\n#{n} at ")), "record {n} is shown");
        // Each record of bots alone is a move; the ninth is made by itself with the eighth.
        let turn = if n == 8 { 9 } else { n };
        assert_eq!(step["views"]["gallery"]["turn"], turn);
    }
    let reason =
        steps.last().expect("a last step")["outcome"]["reason"].as_str().expect("a reason").to_owned();
    assert!(shown.out.trim_end().ends_with(&reason), "{}", shown.out);
}

#[test]
fn one_record_can_be_looked_at_through_chosen_eyes() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    let step = parlor(&["replay", "show", &file, "--at", "3", "--as", "1", "--json"]).json();
    assert_eq!((&step["seq"], &step["views"]["1"]["turn"]), (&3.into(), &3.into()));
    assert!(step["views"].get("gallery").is_none());
    let all = parlor(&["replay", "show", &file, "--at", "3", "--as", "all", "--json"]).json();
    let eyes: Vec<&String> = all["views"].as_object().expect("views").keys().collect();
    assert_eq!(eyes, ["0", "1", "gallery"]);
    assert!(
        parlor(&["replay", "show", &file, "--at", "3", "--as", "all"])
            .out
            .contains("seat 0, seat 1, gallery:")
    );
}

#[test]
fn what_is_not_there_cannot_be_shown() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    for (more, code, why) in [
        (["--at", "99"], 1, "has no record 99"),
        (["--as", "2"], 2, "there is no seat 2, this table has 2"),
        (["--as", "everybody"], 2, "expected a seat number, 'gallery' or 'all'"),
    ] {
        let ran = parlor(&["replay", "show", &file, more[0], more[1]]);
        assert_eq!(ran.code, code, "{more:?}");
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    let missing = parlor(&["replay", "show", &dir.file("nothing.jsonl")]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("error: cannot read"), "{}", missing.err);
}

#[test]
fn a_tampered_log_fails_and_the_difference_is_named() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    for (name, from, to, why) in [
        ("answer", "\"selection\":[\"", "\"selection\":[\"z", "record 1: Selection z"),
        ("time", "\"at\":1,", "\"at\":0,", "the chain differs"),
        ("digest", "{\"digest\":\"", "{\"digest\":\"f", "the digest differs"),
        ("chain", "\"chain\":\"", "\"chain\":\"f", "the chain differs"),
        ("order", "{\"seq\":2,", "{\"seq\":3,", "expected record 2, found 3"),
        ("rules", "\"rules\":2", "\"rules\":3", "this match of oxo needs rules 3, this build has rules 2"),
        ("game", "\"game\":\"oxo\"", "\"game\":\"go\"", "a match of 'go', which this build does not have"),
        ("format", "\"format\":2", "\"format\":9", "this log has format 9, this build reads 2"),
        ("field", "{\"seq\":2,", "{\"seq\":2,\"why\":0,", "line 3: a record has no field 'why'"),
        ("torn", "{\"seq\":2,", "{\"seq\":", "line 3: not JSON"),
        ("footer", "{\"digest\":", "{\"seq\":0,\"do\":", "line"),
    ] {
        let bad = dir.tampered(&file, name, from, to);
        let ran = parlor(&["replay", "check", &bad]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.out);
        assert!(
            ran.out.contains(&format!("{bad}: FAILED: ")) && ran.out.contains(why),
            "{name}: {}",
            ran.out
        );
        let fault = parlor(&["replay", "check", &bad, "--json"]).json();
        assert_eq!(fault["ok"], false);
        assert!(fault["faults"].to_string().contains(&why.replace('"', "\\\"")), "{fault}");
    }
}

#[test]
fn a_log_that_was_cut_off_is_told_from_a_whole_one() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    let text = std::fs::read_to_string(&file).expect("the log");
    let whole = text.trim_end().rsplit_once('\n').expect("several lines").0;
    let cut = dir.file("cut.jsonl");
    std::fs::write(&cut, format!("{whole}\n")).expect("the copy can be written");
    let ran = parlor(&["replay", "check", &cut]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("the file has no footer"), "{}", ran.out);
    assert_eq!(parlor(&["replay", "show", &cut]).code, 0, "it can be looked at all the same");
}

#[test]
fn many_files_get_a_line_each_and_one_failure_fails_all() {
    let dir = Dir::new();
    let good = dir.match_of_bots("good.jsonl");
    let bad = dir.tampered(&good, "bad.jsonl", "\"chain\":\"", "\"chain\":\"f");
    let ran = parlor(&["replay", "check", &good, &bad, &good]);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains(": ok, ") && lines[1].contains(": FAILED: ") && lines[2].contains(": ok, "));
    assert_eq!(parlor(&["replay", "check", &good, &good]).code, 0);
}
