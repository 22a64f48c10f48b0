//! What the checker finds beyond mistakes of spelling: each kind at its place, with what to do.

use parlor_ruleset::{Level, compile};

/// A ruleset with each section on a line of its own.
const SMALL: [(&str, &str); 12] = [
    ("ir", "\"parlor-ir/1\""),
    ("name", "\"Small\""),
    ("author", "\"test\""),
    ("players", r#"{"min": 2, "max": 2}"#),
    ("enums", r#"{"kind": ["big", "small", "odd"]}"#),
    ("attributes", r#"{"kind": {"type": "enum:kind"}, "size": {"type": "int", "default": 1}}"#),
    ("vars", r#"{"n": {"owner": "game", "type": "int", "default": 0, "min": 0, "max": 9}}"#),
    ("zones", r#"{"table": {"owner": "player", "order": "ordered", "see": "all"}}"#),
    ("events", r#"{"Ping": {"n": "int"}}"#),
    ("cards", r#"{"ox": {"kind": "big", "size": 3}, "ant": {"kind": "small"}}"#),
    (
        "actions",
        r#"{"press": {"do": [{"shuffle": {"zone": ["table", "you"]}}, {"emit": {"event": "Ping", "payload": {"n": {"var": "n"}}}}]}}"#,
    ),
    ("turnStructure", r#"{"phases": [{"id": "p", "steps": [{"id": "s"}]}]}"#),
];

/// Changes one section; `§` stands where the finding is to be, and is no part of the text. Gives text, line, column.
fn changed(section: &str, with: &str) -> (String, usize, usize) {
    let mut lines: Vec<String> = SMALL
        .iter()
        .filter(|(name, _)| *name != section)
        .map(|(name, text)| format!("\"{name}\": {text}"))
        .collect();
    let line = format!("\"{section}\": {}", with.replace('§', ""));
    let marked = format!("\"{section}\": {with}");
    let column = marked.chars().take_while(|c| *c != '§').count() + 1;
    lines.push(line);
    let text = format!("{{\n{}\n}}", lines.join(",\n"));
    (text, lines.len() + 1, column)
}

/// Section, its text with a mark, level, code, pointer, message, help.
type Case = (&'static str, &'static str, Level, &'static str, &'static str, &'static str, &'static str);

fn look(cases: &[Case]) {
    for (section, with, level, code, pointer, message, help) in cases {
        let (text, line, column) = changed(section, with);
        let findings = match compile(&text) {
            Ok(compiled) => compiled.warnings,
            Err(findings) => findings,
        };
        let hit = findings.iter().find(|finding| finding.code == *code && finding.message.contains(message));
        let hit = hit.unwrap_or_else(|| panic!("{section} {with}: nobody says '{message}': {findings:#?}"));
        assert_eq!((hit.level, hit.pointer.as_str()), (*level, *pointer), "{with}: {hit:?}");
        assert_eq!(hit.place(&text), (line, column), "{with}: {hit:?}");
        assert!(hit.help.as_deref().unwrap_or("").contains(help), "{with}: {hit:?}");
    }
}

#[test]
fn the_small_ruleset_itself_is_clean() {
    let (text, ..) = changed("author", "\"test\"");
    let compiled = compile(&text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    assert_eq!(compiled.warnings, Vec::new());
}

#[test]
fn data_is_followed_to_where_a_name_is_bound() {
    use Level::Error;
    look(&[
        (
            "flow",
            r#"[{"set": {"var": "n", "to": §"x"}}, {"let": {"as": "x", "to": 1}}]"#,
            Error,
            "before",
            "/flow/0/set/to",
            "'x' is read before it is bound",
            "it is bound at /flow/1/let: move that up",
        ),
        (
            "flow",
            r#"[{"if": [{"==": [{"var": "n"}, 1]}, [{"let": {"as": "x", "to": 1}}]]}, {"set": {"var": "n", "to": §"x"}}]"#,
            Error,
            "path",
            "/flow/1/set/to",
            "'x' is not bound on every way to here",
            "inside the `if` at /flow/0/if/1/0/let",
        ),
        (
            "flow",
            r#"[{"forEach": {"seats": "all", "as": "p", "do": [{"let": {"as": "x", "to": 1}}]}}, {"set": {"var": "n", "to": §"x"}}]"#,
            Error,
            "path",
            "/flow/1/set/to",
            "'x' is not bound on every way to here",
            "inside the `forEach`",
        ),
        (
            "flow",
            r#"[{"set": {"var": "n", "to": {"answer": [§"a", {"seat": 0}]}}}, {"ask": {"id": "q", "who": "all", "mode": "all", "as": "a", "number": {"min": 1, "max": 2}}}]"#,
            Error,
            "before",
            "/flow/0/set/to/answer/0",
            "the answer 'a' is read before it is asked for",
            "at /flow/1/ask",
        ),
        (
            "actions",
            r#"{"hit": {"targets": [{"id": "t", "from": "table"}], "do": []}, "press": {"do": [{"emit": {"event": "Ping"}}, {"setAttr": {"of": §"t", "attr": "size", "to": 1}}]}}"#,
            Error,
            "target",
            "/actions/press/do/1/setAttr/of",
            "'t' is a target of /actions/hit",
            "in the payload of an event",
        ),
        (
            "rules",
            r#"[{"id": "r", "on": {"event": "Ping"}, "do": [{"let": {"as": "x", "to": 1}}, {"add": {"var": "n", "by": "x"}}]}, {"id": "q", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": §"x"}}]}]"#,
            Error,
            "scope",
            "/rules/1/do/0/add/by",
            "'x' is bound in another block",
            "it is bound at /rules/0/do/0/let",
        ),
        // What nobody binds is a slip of the finger.
        (
            "flow",
            r#"[{"let": {"as": "total", "to": 1}}, {"set": {"var": "n", "to": §"totla"}}]"#,
            Error,
            "unknown",
            "/flow/1/set/to",
            "there is no name 'totla'",
            "did you mean 'total'?",
        ),
    ]);
}

#[test]
fn what_is_declared_and_never_used_is_a_warning() {
    use Level::Warning;
    look(&[
        (
            "zones",
            r#"{"table": {"owner": "player", "see": "all"}, §"bin": {"see": "all"}}"#,
            Warning,
            "unused",
            "/zones/bin",
            "nothing speaks of the zone bin",
            "leave it out",
        ),
        (
            "vars",
            r#"{"n": {"owner": "game", "type": "int", "default": 0}, §"m": {"owner": "game", "type": "int"}}"#,
            Warning,
            "unused",
            "/vars/m",
            "the variable m",
            "leave it out",
        ),
        (
            "resources",
            r#"{§"gold": {"owner": "player"}}"#,
            Warning,
            "unused",
            "/resources/gold",
            "the resource gold",
            "leave it out",
        ),
        (
            "enums",
            r#"{"kind": ["big", "small"], §"hue": ["red"]}"#,
            Warning,
            "unused",
            "/enums/hue",
            "the enum hue",
            "leave it out",
        ),
        (
            "attributes",
            r#"{"kind": {"type": "enum:kind"}, "size": {"type": "int", "default": 1}, §"mood": {"type": "int", "default": 0}}"#,
            Warning,
            "unused",
            "/attributes/mood",
            "the attribute mood",
            "leave it out",
        ),
        (
            "counters",
            r#"{§"rust": {}}"#,
            Warning,
            "unused",
            "/counters/rust",
            "the counter rust",
            "leave it out",
        ),
        (
            "keywords",
            r#"{§"wild": {}}"#,
            Warning,
            "unused",
            "/keywords/wild",
            "the keyword wild",
            "leave it out",
        ),
        (
            "events",
            r#"{"Ping": {"n": "int"}, §"Pong": {"n": "int"}}"#,
            Warning,
            "unused",
            "/events/Pong",
            "the event Pong",
            "leave it out",
        ),
        (
            "config",
            r#"{§"speed": {"type": "int", "default": 1}}"#,
            Warning,
            "unused",
            "/config/speed",
            "the knob speed",
            "leave it out",
        ),
        ("procs", r#"{"idle": §[]}"#, Warning, "unused", "/procs/idle", "nothing calls idle", "call it"),
    ]);
}

#[test]
fn conditions_with_one_value_are_found() {
    use Level::Warning;
    let cases: Vec<(&str, &str)> = vec![
        (r#"{"<": [{"count": "table"}, 0]}"#, "always false"),
        (r#"{">=": [{"count": "table"}, 0]}"#, "always true"),
        (r#"{"==": [1, 1]}"#, "always true"),
        (r#"{"<": [{"var": "n"}, 0]}"#, "always false"),
        (r#"{">": [{"var": "n"}, 9]}"#, "always false"),
        (r#"{"==": [{"%": [{"var": "n"}, 4]}, 4]}"#, "always false"),
        (r#"{"==": [{"var": "n"}, {"var": "n"}]}"#, "always true"),
        (r#"{"and": [{"==": [{"var": "n"}, 1]}, {"==": [{"var": "n"}, 2]}]}"#, "always false"),
        (r#"{"or": [true, {"==": [{"var": "n"}, 1]}]}"#, "always true"),
        (r#"{"not": {"or": [true, {"==": [{"var": "n"}, 1]}]}}"#, "always true"),
    ];
    for (condition, what) in cases {
        let with = format!(r#"[{{"if": [§{condition}, [{{"emit": {{"event": "Ping"}}}}]]}}]"#);
        let (text, line, column) = changed("flow", &with);
        let warnings =
            compile(&text).unwrap_or_else(|findings| panic!("{condition}: {findings:#?}")).warnings;
        let found: Vec<_> = warnings.iter().filter(|finding| finding.code == "always").collect();
        assert_eq!(found.len(), 1, "{condition}: it is said once, of its smallest part: {warnings:#?}");
        assert!(found[0].message.contains(what), "{condition}: {warnings:#?}");
        assert_eq!((found[0].level, found[0].place(&text).0), (Warning, line), "{condition}");
        assert!(
            found[0].place(&text).1 >= column && found[0].pointer.starts_with("/flow/0/if/0"),
            "{condition}"
        );
        assert!(found[0].help.is_some());
    }
    // What depends on something is left alone.
    for condition in
        [r#"{"<": [{"var": "n"}, 9]}"#, r#"{"==": [{"var": "n"}, 9]}"#, r#"{">": [{"count": "table"}, 0]}"#]
    {
        let (text, ..) =
            changed("flow", &format!(r#"[{{"if": [{condition}, [{{"emit": {{"event": "Ping"}}}}]]}}]"#));
        let warnings = compile(&text).expect("it compiles").warnings;
        assert!(warnings.iter().all(|finding| finding.code != "always"), "{condition}: {warnings:#?}");
    }
}

#[test]
fn selections_that_never_match_are_found() {
    use Level::Warning;
    look(&[
        (
            "flow",
            r#"[{"reveal": {"what": §{"zones": ["table"], "where": {"==": [{"attr": ["it", "kind"]}, "odd"]}}}}]"#,
            Warning,
            "never",
            "/flow/0/reveal/what",
            "this selection can never match",
            "no card has this printed on it",
        ),
        (
            "flow",
            r#"[{"reveal": {"what": §{"zones": ["table"], "where": {"and": [{"==": [{"attr": ["it", "kind"]}, "big"]}, {"==": [{"attr": ["it", "kind"]}, "small"]}]}}}}]"#,
            Warning,
            "never",
            "/flow/0/reveal/what",
            "this selection can never match",
            "its `where` is always false",
        ),
        (
            "flow",
            r#"[{"reveal": {"what": §{"zones": ["table"], "where": false}}}]"#,
            Warning,
            "never",
            "/flow/0/reveal/what",
            "this selection can never match",
            "always false",
        ),
        (
            "flow",
            r#"[{"reveal": {"what": §{"zones": []}}}]"#,
            Warning,
            "never",
            "/flow/0/reveal/what",
            "this selection can never match",
            "name a zone",
        ),
    ]);
    let (text, ..) = changed(
        "flow",
        r#"[{"reveal": {"what": {"zones": ["table"], "where": {"==": [{"attr": ["it", "kind"]}, "big"]}}}}, {"emit": {"event": "Ping"}}]"#,
    );
    assert!(compile(&text).expect("it compiles").warnings.iter().all(|finding| finding.code != "never"));
}

#[test]
fn what_is_never_reached_or_never_happens_is_found() {
    use Level::{Error, Warning};
    look(&[
        (
            "flow",
            r#"[{"finish": {}}, §{"emit": {"event": "Ping"}}]"#,
            Warning,
            "unreachable",
            "/flow/1",
            "this is never reached",
            "always ends here",
        ),
        (
            "flow",
            r#"[{"win": {"seat": 0}}, §{"emit": {"event": "Ping"}}]"#,
            Warning,
            "unreachable",
            "/flow/1",
            "this is never reached",
            "",
        ),
        (
            "flow",
            r#"[{"if": [{"==": [{"var": "n"}, 1]}, [{"finish": {}}], [{"drawGame": {}}]]}, §{"emit": {"event": "Ping"}}]"#,
            Warning,
            "unreachable",
            "/flow/1",
            "this is never reached",
            "",
        ),
        (
            "flow",
            r#"[{"loop": {"max": 3, "do": [{"break": true}, §{"emit": {"event": "Ping"}}]}}]"#,
            Warning,
            "unreachable",
            "/flow/0/loop/do/1",
            "this is never reached",
            "",
        ),
        (
            "flow",
            r#"[{"loop": {"max": §0, "do": [{"emit": {"event": "Ping"}}]}}]"#,
            Warning,
            "never",
            "/flow/0/loop",
            "this loop never runs",
            "its `max` is 0",
        ),
        (
            "flow",
            r#"[{"repeat": {"n": §0, "do": [{"emit": {"event": "Ping"}}]}}]"#,
            Warning,
            "never",
            "/flow/0/repeat",
            "this repeat never runs",
            "its `n` is 0",
        ),
        (
            "turnStructure",
            r#"{"phases": [{"id": "p", "steps": [{"id": "s", "do": [{"finish": {}}]}, §{"id": "t"}]}]}"#,
            Warning,
            "unreachable",
            "/turnStructure/phases/0/steps/1",
            "the step t is never reached",
            "always ends the match",
        ),
        (
            "turnStructure",
            r#"{"phases": [{"id": "p", "steps": [{"id": "s"}, §{"id": "t"}]}], "priorityWindows": [{"step": "s"}]}"#,
            Warning,
            "idle",
            "/turnStructure/phases/0/steps/1",
            "nothing can happen in the step t",
            "list it in priorityWindows",
        ),
        (
            "turnStructure",
            r#"{"phases": [{"id": "main", "steps": [{"id": "main"}]}], "priorityWindows": [{"phase": "main", "step": §"mian"}]}"#,
            Error,
            "unknown",
            "/turnStructure/priorityWindows/0/step",
            "there is no step 'mian'",
            "did you mean 'main'?",
        ),
        (
            "actions",
            r#"{"press": {"do": []}, "ring": {"event": "Ping", "do": []}, "act": {"when": {"and": [{"inStep": §"late"}, {"stackEmpty": true}]}, "do": []}}"#,
            Error,
            "unknown",
            "/actions/act/when/and/0/inStep",
            "there is no value of step 'late'",
            "",
        ),
        (
            "rules",
            r#"[{"id": "r", "on": {"event": §"Pong"}, "do": []}]"#,
            Error,
            "unknown",
            "/rules/0/on",
            "there is no event 'Pong'",
            "did you mean 'Ping'?",
        ),
    ]);
    // A reaction to an event that nothing lets happen, and an action in a step in which nobody may act.
    let (text, line, column) = changed("actions", r#"{"press": {"do": [{"add": {"var": "n", "by": 1}}]}}"#);
    let with =
        text.replace("\n}", ",\n\"rules\": [{\"id\": \"r\", \"on\": {\"event\": \"Ping\"}, \"do\": []}]\n}");
    let warnings = compile(&with).expect("it compiles").warnings;
    let hit =
        warnings.iter().find(|finding| finding.code == "never").unwrap_or_else(|| panic!("{warnings:#?}"));
    assert_eq!(
        (hit.pointer.as_str(), hit.message.as_str()),
        ("/rules/0/on/event", "nothing lets Ping happen"),
        "{line} {column}"
    );
    let steps = r#"{"phases": [{"id": "p", "steps": [{"id": "s"}, {"id": "t", "do": [{"add": {"var": "n", "by": 1}}]}]}], "priorityWindows": [{"step": "s"}]}"#;
    let (text, ..) = changed("turnStructure", steps);
    let acts = r#"{"press": {"when": {"and": [{"inStep": "t"}, {"stackEmpty": true}]}, "do": [{"emit": {"event": "Ping"}}]}}"#;
    let with = text.replace(SMALL[10].1, acts);
    let warnings = compile(&with).expect("it compiles").warnings;
    let hit =
        warnings.iter().find(|finding| finding.code == "never").unwrap_or_else(|| panic!("{warnings:#?}"));
    assert_eq!(
        (hit.pointer.as_str(), hit.help.as_deref()),
        ("/actions/press/when/and/0", Some("list the step in priorityWindows"))
    );
    assert!(hit.message.contains("press can never be done: nobody may act in the step t"));
}

#[test]
fn more_findings_than_are_listed_are_counted() {
    let wrong: Vec<&str> = vec![r#"{"emti": {}}"#; 150];
    let (text, ..) = changed("flow", &format!("[{}]", wrong.join(", ")));
    let findings = compile(&text).expect_err("it is wrong");
    assert_eq!(findings.len(), parlor_ruleset::internals::FINDINGS_MAX + 1);
    let last = findings.iter().find(|finding| finding.code == "more").expect("the rest is counted");
    assert_eq!(last.message, "50 more findings are not listed");
}

#[test]
fn nothing_comes_before_what_never_waits_on_the_stack() {
    look(&[
        (
            "rules",
            r#"[{"id": "r", "on": {"event": "Ping", "moment": §"before"}, "do": [{"prevent": true}]}]"#,
            Level::Warning,
            "never",
            "/rules/0/on/moment",
            "nothing can come before Ping: it never waits on the stack",
            "`replaces`",
        ),
        (
            "rules",
            r#"[{"id": "r", "when": {"eventType": "StepStart", "moment": §"before"}, "effects": []}]"#,
            Level::Warning,
            "never",
            "/rules/0/when/moment",
            "nothing can come before StepStart",
            "`push`",
        ),
    ]);
    // An action waits, and so does what is pushed.
    let (text, ..) =
        changed("rules", r#"[{"id": "r", "on": {"event": "Press", "moment": "before"}, "do": []}]"#);
    assert_eq!(compile(&text).expect("it compiles").warnings, Vec::new());
    let push = r#"{"press": {"do": [{"shuffle": {"zone": ["table", "you"]}}, {"push": {"event": "Ping", "payload": {"n": {"var": "n"}}}}]}}"#;
    let (text, ..) = changed("actions", push);
    let rule = r#""rules": [{"id": "r", "on": {"event": "Ping", "moment": "before"}, "do": []}],"#;
    let text = text.replacen('{', &format!("{{{rule}"), 1);
    assert_eq!(compile(&text).expect("it compiles").warnings, Vec::new());
}

#[test]
fn a_rank_is_no_number_and_the_help_says_what_to_do() {
    look(&[(
        "actions",
        r#"{"press": {"do": [{"let": {"as": "c", "to": {"maxBy": {"from": "table", "key": {"+": [1, §{"attr": ["it", "kind"]}]}}}}}, {"move": {"what": "c", "to": {"zone": ["table", "you"]}}}]}}"#,
        Level::Error,
        "type",
        "/actions/press/do/0/let/to/maxBy/key/+/1",
        "a number is expected here, and this is a value of kind",
        "use them as the `key` of maxBy",
    )]);
}

#[test]
fn words_that_are_meant_otherwise_are_told_so() {
    look(&[
        (
            "actions",
            r#"{"press": {"when": {§"phase": "p"}, "do": [{"shuffle": {"zone": ["table", "you"]}}, {"emit": {"event": "Ping", "payload": {"n": {"var": "n"}}}}]}}"#,
            Level::Error,
            "unknown",
            "/actions/press/when/phase",
            "there is no expression 'phase'",
            "did you mean 'inPhase'?",
        ),
        (
            "actions",
            r#"{"press": {"do": [{"move": {"what": §"it", "to": {"zone": ["table", "you"]}}}]}}"#,
            Level::Error,
            "unknown",
            "/actions/press/do/0/move/what",
            "there is no `it` here",
            "inside its `where`",
        ),
        (
            "rules",
            r#"[{"id": "r", "on": §"Ping", "do": []}]"#,
            Level::Error,
            "shape",
            "/rules/0/on",
            "`event` (or `eventType`) is missing",
            r#"write {"event": "Ping"}"#,
        ),
    ]);
}
