//! The cases of the language: small rulesets in `tests/cases`, each for one point, with a scenario beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_core::{AskId, DynGame, Json, Rng, Seat};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::{Finding, Program, RulesetGame, compile, scenario};
use serde_json::json;

/// The text of a file among the cases.
fn text(name: &str) -> String {
    let path = folder().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// The program of a case.
pub(crate) fn case(name: &str) -> Arc<Program> {
    let compiled = compile(&text(&format!("{name}.json")));
    Arc::new(compiled.unwrap_or_else(|findings| panic!("{name}: {findings:#?}")).program)
}

/// The scenarios of a case.
fn tests(name: &str) -> Vec<Json> {
    let file: Json = serde_json::from_str(&text(&format!("{name}.tests.json"))).expect("scenarios are JSON");
    file["tests"].as_array().expect("a list of scenarios").clone()
}

/// Every scenario of every case holds. `all-differences` is there to fail. Cites 001-2, 001-5, 001-9, 001-10, 001-14,
/// 001-16, 001-20, 001-22, 001-26, 001-27, 001-28, 001-29.
#[test]
fn the_cases_hold() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder of the cases")
        .filter_map(|entry| entry.expect("a readable folder").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".tests.json").map(str::to_owned))
        .filter(|name| name != "all-differences")
        .collect();
    names.sort();
    assert!(names.len() >= 25, "cases are missing: {names:?}");
    let mut faults = Vec::new();
    for name in names {
        match compile(&text(&format!("{name}.json"))) {
            Err(findings) => faults.push(format!("{name}: {findings:#?}")),
            Ok(compiled) => {
                let program = Arc::new(compiled.program);
                for test in tests(&name) {
                    if let Err(all) = scenario::differences(&program, &test) {
                        faults.extend(all.iter().map(|failure| format!("{name}: {failure}")));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Everything that differs is named in one run.
#[test]
fn a_scenario_names_all_that_differs() {
    let test = &tests("all-differences")[0];
    let all = scenario::differences(&case("all-differences"), test).expect_err("it differs");
    let places: Vec<&str> = all.iter().map(|failure| failure.pointer.as_str()).collect();
    assert_eq!(places, ["/script/0/events/0", "/script/0/events/1", "/then/vars/a", "/then/vars/b"]);
}

fn findings(name: &str) -> Vec<Finding> {
    compile(&text(&format!("{name}.json"))).map_or_else(|findings| findings, |compiled| compiled.warnings)
}

/// A hole that names nothing is an error at the prompt, and what a hole names is not unused. Cites 001-23.
#[test]
fn a_hole_of_a_prompt_that_names_nothing_is_an_error() {
    let found = findings("prompt-holes");
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((finding.code, finding.pointer.as_str()), ("unknown", "/flow/2/ask/prompt"));
    assert!(finding.help.as_deref().is_some_and(|help| help.contains("boaster")), "{finding:?}");
}

/// The holes of a prompt are filled with what stands there. Cites 001-5, 001-23.
#[test]
fn the_holes_of_a_prompt_are_filled() {
    let fixed = text("prompt-holes.json").replace("boster", "boaster");
    let program = Arc::new(compile(&fixed).unwrap_or_else(|findings| panic!("{findings:#?}")).program);
    let game = RulesetGame::start(program, Vec::new(), 2, &mut Rng::fast(1), &mut Sink::silent());
    let asked = game.request(Seat::new(0), AskId(0));
    assert_eq!(asked.title, "Does Player 1 have a Plum?");
}

/// A verdict in the flow says where it fell and why, to a scenario and to whoever reads why a line is left over.
/// Cites 001/R11.
#[test]
fn a_verdict_has_its_place_and_its_reason() {
    let program = case("verdict-place");
    let verdict = json!({"type": "Verdict", "payload": {"at": "/flow/1/pay", "why": "0 coins of 3"}});
    let paid = json!({"script": [{"seat": 0, "say": "yes", "events": [verdict, "GameEnded"]}], "then": {"over": true}});
    scenario::run(&program, &paid).unwrap_or_else(|why| panic!("{why}"));
    let more = json!({"script": [{"seat": 0, "say": "yes"}, {"seat": 0, "say": "yes"}], "then": {}});
    let failure = scenario::run(&program, &more).expect_err("the match is over");
    assert!(failure.what.contains("verdict: rules at /flow/1/pay: 0 coins of 3"), "{failure}");
}

/// What is wrong in the document's own form is named by its place in the file. Cites 001/R12.
#[test]
fn findings_in_the_documents_form_point_into_the_file() {
    let wrong =
        text("document-payload.json").replace("\"defenderId\": \"entity\"", "\"defenderId\": \"int\"");
    let found = compile(&wrong).expect_err("an entity is no number");
    assert!(found.iter().any(|finding| finding.pointer == "/actions/0/effects/0/defender"), "{found:#?}");
}
