//! Settings: presets, messages that name the fields, and the table of presets in RULES.md.

use parlor_riichi::rules::Rules;
use parlor_riichi::table::{Pace, Preset, Settings};
use serde_json::{Value, json};

fn read(given: &Value) -> Result<Settings, String> {
    Settings::read(given).map_err(|error| error.to_string())
}

/// Cites 003/R12: the default table is `ronin`; fields that are not named come from the preset that is.
#[test]
fn fields_that_are_not_named_come_from_the_preset() {
    assert_eq!(read(&json!({})).unwrap(), Settings::ronin());
    assert_eq!(read(&json!({ "preset": "tenhou" })).unwrap(), Settings::tenhou());
    let changed = read(&json!({ "preset": "ema", "red_fives": true })).unwrap();
    assert_eq!(changed, Settings { red_fives: true, ..Settings::ema() });
}

/// Cites 003/R14: the old name of the swap restriction is accepted.
#[test]
fn the_old_name_of_kuikae_is_accepted() {
    let given = json!({ "has_kuikae": false, "suji_kuikae_forbidden": false });
    assert!(!read(&given).unwrap().kuikae_forbidden);
}

/// Cites 003/R8, 003-17.
#[test]
fn a_fault_names_its_fields() {
    for (given, fields) in [
        (json!({ "uma": [10, 10, -10, -20] }), &["uma"][..]),
        (json!({ "uma": [-20, -10, 10, 20] }), &["uma"]),
        (json!({ "kuikae_forbidden": false }), &["suji_kuikae_forbidden", "kuikae_forbidden"]),
        (json!({ "kan_dora": false }), &["kan_ura_dora", "kan_dora"]),
        (json!({ "omote_dora": false }), &["kan_ura_dora", "omote_dora"]),
        (json!({ "tobi_threshold": 30_000 }), &["tobi_threshold", "start_points"]),
        (json!({ "max_kans": 3 }), &["abort_four_kans", "max_kans"]),
        (json!({ "tenpai_yame": true }), &["tenpai_yame", "agari_yame"]),
        (json!({ "noten_pool": 1000 }), &["noten_pool"]),
        (json!({ "num_players": 3 }), &["num_players"]),
        (json!({ "sashikomi": true }), &["sashikomi"]),
        (json!({ "double_wind_pair_fu": 3 }), &["double_wind_pair_fu"]),
        (json!({ "no_such": 1 }), &["no_such", "is not a setting"]),
        (json!({ "tobi": "yes" }), &["tobi"]),
        (json!({ "preset": "mleague" }), &["preset", "ronin, tenhou, soul and ema"]),
    ] {
        let message = read(&given).expect_err(&given.to_string());
        assert!(fields.iter().all(|field| message.contains(field)), "{given}: {message}");
    }
}

/// Cites 003/R8: what the original refuses as unsupported is a setting here.
#[test]
fn agari_yame_renhou_and_ties_can_be_set() {
    let given = json!({
        "agari_yame": true, "renhou": { "han": 8 }, "tie_break": "share", "leftover_riichi_bets": "lost",
        "enchousen": "none",
    });
    assert!(read(&given).is_ok());
}

/// The part that scores hands is the one that the vectors and real wins were compared with. Cites 003/R12.
#[test]
fn a_preset_scores_as_the_hands_of_its_name() {
    for preset in Preset::ALL {
        assert_eq!(Settings::of(preset).rules(), Rules::preset(preset.name()).unwrap(), "{preset:?}");
        assert_eq!(Settings::of(preset).validate(), Ok(()));
    }
}

/// Cites 003/R6: profiles are pace alone.
#[test]
fn the_profiles_have_the_timers_of_the_ruling() {
    let document = Pace::document();
    assert_eq!(
        (document.bank_start_ms, document.bank_per_round_ms, document.call_base_ms),
        (3000, 2000, 2000)
    );
    assert_eq!((document.round_advance_ms, document.call_window_min_ms), (15_000, 0));
    let standard = Pace::standard();
    assert_eq!(
        (standard.turn_base_ms, standard.bank_start_ms, standard.bank_max_ms),
        (5000, 20_000, Some(60_000))
    );
    assert_eq!(
        (standard.bank_per_round_ms, standard.call_base_ms, standard.call_window_min_ms),
        (10_000, 5000, 800)
    );
    assert!(standard.timeout_takes_win && !document.timeout_takes_win);
    assert_eq!((Pace::profile("standard"), Pace::profile("fast")), (Some(standard), None));
}

/// Every setting has a row in RULES.md, every cell is the preset's value, and every cell has a source. Cites 003/R14.
#[test]
fn the_table_of_presets_is_what_is_played() {
    let text = include_str!("../../RULES.md");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let presets: Vec<Value> =
        Preset::ALL.iter().map(|preset| serde_json::to_value(Settings::of(*preset)).unwrap()).collect();
    let fields = presets[0].as_object().unwrap();
    for name in fields.keys().filter(|name| *name != "preset") {
        let row = rows
            .iter()
            .find(|row| row[0] == format!("`{name}`"))
            .unwrap_or_else(|| panic!("no row for {name}"));
        assert_eq!(row.len(), 6, "{name}");
        let sources: Vec<&str> = row[5].split_whitespace().collect();
        assert!(
            sources.len() == 1 || sources.len() == 4,
            "{name}: one source, or one per preset: {sources:?}"
        );
        for (cell, preset) in row[1..5].iter().zip(&presets) {
            let value = match &preset[name] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(*cell, value, "{name}");
        }
    }
    assert_eq!(rows.len(), fields.len() - 1, "a row for every setting, and none for anything else");
}
