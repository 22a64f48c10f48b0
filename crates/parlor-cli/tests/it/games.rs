//! `parlor games`, and names of games everywhere.

use crate::tools::parlor;

#[test]
fn every_game_is_listed_with_what_a_table_needs_to_know() {
    let listed = parlor(&["games", "--json"]).json();
    let oxo =
        listed.as_array().expect("a list").iter().find(|game| game["name"] == "oxo").expect("oxo is there");
    assert_eq!(oxo["title"], "Oxo");
    assert_eq!(oxo["seats"], serde_json::json!({"min": 2, "max": 2}));
    assert_eq!(oxo["undo"], "consent");
    assert_eq!(oxo["rules"], 2);
    assert!(oxo.as_object().is_some_and(|oxo| oxo.contains_key("settings")));
}

#[test]
fn the_list_for_people_has_a_line_for_each_game() {
    let people = parlor(&["games"]).out;
    for game in parlor(&["games", "--json"]).json().as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        assert!(people.lines().any(|line| line.split_whitespace().next() == Some(name)), "{people}");
    }
}

#[test]
fn the_columns_stand_under_one_another() {
    let people = parlor(&["games"]).out;
    let lines: Vec<Vec<char>> = people.lines().map(|line| line.chars().collect()).collect();
    let head: String = lines[0].iter().collect();
    for title in ["TITLE", "SEATS", "UNDO", "RULES", "SETTINGS"] {
        let column = head.find(title).expect("a column");
        for line in &lines {
            assert_eq!(line[column - 1], ' ', "{title} of {}", line.iter().collect::<String>());
            assert_ne!(line[column], ' ', "{title} of {}", line.iter().collect::<String>());
        }
    }
}

#[test]
fn a_game_that_is_not_there_is_wrong_usage_and_the_nearest_is_suggested() {
    for command in ["try", "play", "sim"] {
        let ran = parlor(&[command, "oxi"]);
        assert_eq!(ran.code, 2, "{command}");
        assert!(ran.err.contains("error: there is no game 'oxi'; games: oxo"), "{}", ran.err);
        assert!(ran.err.contains("hint: did you mean 'oxo'?"), "{}", ran.err);
        assert_eq!(ran.out, "", "{command}");
    }
}

#[test]
fn a_table_of_the_wrong_size_is_wrong_usage() {
    for args in [["try", "oxo", "--seats", "3"], ["sim", "oxo", "--seats", "3"]] {
        let ran = parlor(&args);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("oxo has 2 seats, not 3"), "{}", ran.err);
    }
}

#[test]
fn settings_that_the_game_does_not_take_are_wrong_usage() {
    for args in [["try", "oxo", "--settings", "{\"speed\":9}"], ["sim", "oxo", "--settings", "{\"speed\":9}"]]
    {
        let ran = parlor(&args);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("cannot start a match: settings:"), "{}", ran.err);
    }
    assert_eq!(parlor(&["sim", "oxo", "--settings", "{speed"]).code, 2);
}
