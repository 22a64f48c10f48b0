//! The one layout of a ruleset file.

use std::path::Path;

use parlor_ruleset::{compile, format};

/// Every ruleset of the checkout: those that are shipped, and the cases.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [root.join("../../rulesets"), root.join("tests/cases")] {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.ends_with(".json") && !name.ends_with(".tests.json") {
                files.push((name, std::fs::read_to_string(&path).expect("a readable file")));
            }
        }
    }
    files.sort();
    files
}

/// The rules stay what they are, to the last operation: running matches go on.
#[test]
fn a_ruleset_that_was_laid_out_is_the_same() {
    let files = files();
    assert!(files.len() > 30, "rulesets are missing");
    for (name, text) in files {
        let laid_out = format(&text).unwrap_or_else(|finding| panic!("{name}: {finding:?}"));
        assert_eq!(format(&laid_out).expect("it is JSON"), laid_out, "{name}: a second time changes it");
        match (compile(&text), compile(&laid_out)) {
            (Ok(one), Ok(other)) => {
                assert_eq!(one.program.hash, other.program.hash, "{name}");
                assert_eq!(format!("{:?}", one.program), format!("{:?}", other.program), "{name}");
            }
            (Err(one), Err(other)) => assert_eq!(one.len(), other.len(), "{name}"),
            (one, other) => panic!("{name}: {one:?} {other:?}"),
        }
    }
}

/// Fields have the order of the reference; what an author declares stays in theirs; a comment stays before its field.
#[test]
fn fields_come_in_order_and_short_values_stand_on_one_line() {
    let text = r#"{"flow": [{"ask": {"confirm": true, "as": "y", "who": {"seat": 0}, "id": "go", "prompt": "A long question, so that this does not fit"}}, {"set": {"to": 1, "var": "b"}}],
        "vars": {"b": {"type": "int", "owner": "game"}, "a": {"type": "int"}},
        "// who": "a comment", "players": {"max": 2, "min": 1},
        "name": "Ä \"game\"", "ir": "parlor-ir/1"}"#;
    let expected = r#"{
  "ir": "parlor-ir/1",
  "name": "Ä \"game\"",
  "// who": "a comment",
  "players": {"min": 1, "max": 2},
  "vars": {"b": {"owner": "game", "type": "int"}, "a": {"type": "int"}},
  "flow": [
    {
      "ask": {
        "id": "go",
        "who": {"seat": 0},
        "prompt": "A long question, so that this does not fit",
        "as": "y",
        "confirm": true
      }
    },
    {"set": {"var": "b", "to": 1}}
  ]
}
"#;
    assert_eq!(format(text).expect("it is JSON"), expected);
}

/// Lists of plain values fill their lines, and none is longer than it must be.
#[test]
fn long_lists_fill_their_lines() {
    let names: Vec<String> = (0..60).map(|n| format!("\"card-{n}\"")).collect();
    let text = format!("{{\"name\": \"L\", \"layers\": [{}]}}", names.join(","));
    let laid_out = format(&text).expect("it is JSON");
    let lines: Vec<&str> = laid_out.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 120), "{laid_out}");
    assert!(lines.len() < 12, "{laid_out}");
    assert!(format("{\"name\": }").is_err());
}
