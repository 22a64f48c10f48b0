//! Bad input gets a clear answer that names the fault.

use parlor_riichi::vectors::{LineError, score_line, shanten_line, waits_line};
use serde_json::{Value, json};

use crate::random::Random;

/// A plain win: 123m 456p 789s 11z 222z, south, on 2z.
fn good() -> Value {
    json!({
        "rules": "tenhou", "hand": [0, 4, 8, 48, 52, 56, 96, 100, 104, 108, 109, 112, 113, 114], "melds": [], "win": 114,
        "dora": [20], "ura": [], "seat_wind": 1, "round_wind": 0, "honba": 0, "sticks": 0, "flags": ["tsumo"],
    })
}

fn fault(change: impl FnOnce(&mut Value)) -> LineError {
    let mut line = good();
    change(&mut line);
    score_line(&line.to_string()).expect_err("a fault")
}

#[test]
fn the_good_line_is_good() {
    let out = score_line(&good().to_string()).unwrap();
    assert_eq!(out["yaku"], json!([["Aka Dora", 1], ["Menzen Tsumo", 1], ["Yakuhai (seat wind south)", 1]]));
}

#[test]
fn tiles_that_cannot_be_are_named() {
    let error = fault(|line| line["hand"][0] = json!(136));
    assert_eq!((error.code, error.message.as_str()), ("unknown_tile", "hand: tile 136; ids are 0 to 135"));
    assert_eq!(fault(|line| line["win"] = json!(-1)).code, "unknown_tile");
    let error = fault(|line| line["dora"] = json!([114]));
    assert_eq!((error.code, error.message.as_str()), ("same_tile_twice", "tile 114 (2z) is in two places"));
    let error =
        fault(|line| line["hand"] = json!([0, 1, 2, 3, 3, 56, 96, 100, 104, 108, 109, 112, 113, 114]));
    assert_eq!(error.code, "five_of_a_kind");
    assert!(error.message.contains("1m"), "{}", error.message);
    let error = fault(|line| line["win"] = json!(120));
    assert_eq!(error.code, "winning_tile_not_in_hand");
    assert!(error.message.contains("120 (4z)"), "{}", error.message);
}

#[test]
fn wrong_counts_are_named() {
    let error = fault(|line| line["hand"] = json!([0, 4, 8]));
    assert_eq!(error.code, "wrong_count");
    assert!(error.message.contains("3 concealed tiles") && error.message.contains("14"), "{}", error.message);
    assert_eq!(fault(|line| line["melds"] = json!([["chi", [120, 124, 128]]])).code, "invalid_meld");
    assert_eq!(fault(|line| line["melds"] = json!([["kan", [120, 121, 122, 123]]])).code, "unknown_meld");
    assert_eq!(fault(|line| line["melds"] = json!([["pon", [120, 121, 122]]])).code, "wrong_count");
    let five = json!([
        ["pon", [120, 121, 122]],
        ["pon", [124, 125, 126]],
        ["pon", [128, 129, 130]],
        ["pon", [132, 133, 134]],
        ["pon", [60, 61, 62]]
    ]);
    assert_eq!(fault(|line| line["melds"] = five).code, "too_many_melds");
    assert_eq!(fault(|line| line["dora"] = json!([20, 21, 22, 24, 25, 26])).code, "too_many_indicators");
    let more_ura = fault(|line| {
        line["flags"] = json!(["riichi"]);
        line["ura"] = json!([40, 41]);
    });
    assert_eq!(more_ura.code, "too_many_indicators", "one dora has one ura");
    assert_eq!(fault(|line| line["honba"] = json!(-1)).code, "out_of_range");
    assert_eq!(fault(|line| line["sticks"] = json!(1_000_000)).code, "out_of_range");
}

#[test]
fn unknown_words_are_named() {
    assert!(fault(|line| line["rules"] = json!("riichi city")).message.contains("renhou_yakuman"));
    assert!(fault(|line| line["flags"] = json!(["tsumogiri"])).message.contains("tsumogiri"));
    assert_eq!(fault(|line| line["seat_wind"] = json!(4)).code, "unknown_wind");
    assert_eq!(fault(|line| line["hand"] = json!("123m")).code, "invalid_line");
    assert_eq!(score_line("").unwrap_err().code, "invalid_line");
    assert_eq!(score_line("[]").unwrap_err().code, "invalid_line");
}

#[test]
fn flags_that_cannot_be_are_named() {
    let with = |flags: &[&str], seat: u8| {
        fault(|line| {
            line["flags"] = json!(flags);
            line["seat_wind"] = json!(seat);
        })
        .code
    };
    for (flags, seat, code) in [
        (&["ippatsu"][..], 1, "ippatsu_without_riichi"),
        (&["tsumo", "chankan"], 1, "chankan_with_tsumo"),
        (&["chankan"], 1, "chankan_tile_held"),
        (&["rinshan"], 1, "rinshan_without_tsumo"),
        (&["tsumo", "rinshan"], 1, "rinshan_without_kan"),
        (&["haitei"], 1, "haitei_without_tsumo"),
        (&["tsumo", "houtei"], 1, "houtei_with_tsumo"),
        (&["tsumo", "tenhou"], 1, "tenhou_not_dealer"),
        (&["tenhou"], 0, "tenhou_without_tsumo"),
        (&["tsumo", "chiihou"], 0, "chiihou_as_dealer"),
        (&["chiihou"], 1, "chiihou_without_tsumo"),
        (&["renhou"], 0, "renhou_as_dealer"),
        (&["tsumo", "renhou"], 1, "renhou_with_tsumo"),
        (&["tsumo", "chiihou", "riichi"], 1, "first_turn_with_other"),
        (&["tsumo", "tenhou", "haitei"], 0, "first_turn_with_other"),
        (&["open_riichi"], 1, "open_riichi_without_riichi"),
        (&["paarenchan"], 1, "paarenchan_not_dealer"),
    ] {
        assert_eq!(with(flags, seat), code, "{flags:?}");
    }
    assert_eq!(fault(|line| line["ura"] = json!([40])).code, "ura_without_riichi");
    let meld = |kind: &str, ids: &[u8], flags: &[&str]| {
        let line = json!({ "rules": "ronin", "hand": [0, 4, 8, 48, 52, 56, 96, 100, 104, 108, 109],
            "melds": [[kind, ids]], "win": 0, "seat_wind": 1, "round_wind": 0, "flags": flags });
        score_line(&line.to_string()).expect_err("a fault").code
    };
    assert_eq!(meld("pon", &[112, 113, 114], &["riichi"]), "riichi_open_hand");
    let kan = [112, 113, 114, 115];
    assert_eq!(meld("ankan", &kan, &["tsumo", "riichi", "ippatsu", "rinshan"]), "ippatsu_with_rinshan");
    assert_eq!(meld("ankan", &kan, &["tsumo", "haitei", "rinshan"]), "haitei_with_rinshan");
    assert_eq!(meld("ankan", &kan, &["renhou"]), "first_turn_with_melds");
    assert_eq!(meld("ankan", &kan, &["houtei", "chankan"]), "houtei_with_chankan");
}

#[test]
fn hands_that_cannot_be_are_named() {
    let code = |melds: i64, hand: &[i64]| {
        shanten_line(&json!({ "melds": melds, "hand": hand }).to_string()).unwrap_err()
    };
    assert_eq!(code(0, &[0, 1, 2, 3, 4]).code, "wrong_count");
    assert_eq!(code(5, &[0]).code, "wrong_count");
    assert_eq!(code(-1, &[0]).code, "wrong_count");
    assert_eq!(code(4, &[0, 0]).code, "same_tile_twice");
    assert_eq!(code(4, &[0, 999]).code, "unknown_tile");
    assert_eq!(code(3, &[0, 1, 2, 3, 3]).code, "five_of_a_kind");
    let error = waits_line(r#"{"melds":4,"hand":[0,1]}"#).unwrap_err();
    assert_eq!(error.message, "2 tiles in hand; with 4 melds it must be 1");
}

#[test]
fn a_complete_hand_without_yaku_and_an_incomplete_one_are_answers() {
    let mut line = good();
    line["seat_wind"] = json!(2);
    line["flags"] = json!([]);
    assert_eq!(score_line(&line.to_string()), Ok(json!({ "error": "no_yaku" })));
    line["hand"][0] = json!(16);
    assert_eq!(score_line(&line.to_string()), Ok(json!({ "error": "hand_not_winning" })));
}

#[test]
fn no_line_makes_it_panic() {
    let mut random = Random(4);
    let flags =
        ["tsumo", "riichi", "double_riichi", "ippatsu", "rinshan", "chankan", "haitei", "houtei", "tenhou"];
    let mut answered = 0;
    for _ in 0..20_000 {
        let mut line = good();
        for _ in 0..=random.below(3) {
            let id = random.below(140) as i64 - 2;
            let place = random.below(line["hand"].as_array().map_or(1, |hand| hand.len().max(1)));
            match random.below(8) {
                0 if line["hand"].is_array() => line["hand"][place] = json!(id),
                1 => line["win"] = line["hand"].get(place).cloned().unwrap_or_default(),
                2 => line["dora"] = json!([id, id + 1]),
                3 => line["flags"] = json!([random.pick(&flags), random.pick(&flags)]),
                4 => {
                    line["melds"] = json!([[
                        random.pick(&["chi", "pon", "ankan", "kakan"]),
                        [id, id + 1, id + 2, id + 3]
                    ]])
                }
                5 => drop(line["hand"].as_array_mut().and_then(Vec::pop)),
                6 => line["seat_wind"] = json!(random.below(6)),
                _ => line[random.pick(&["hand", "melds", "win", "honba", "flags"])] = json!(null),
            }
        }
        let text = line.to_string();
        answered += usize::from(score_line(&text).is_ok());
        let cut = random.below(text.len());
        assert!(score_line(&text[..cut]).is_err(), "half a line is no line");
        // Whatever these say, they say it.
        let _ = (shanten_line(&text), waits_line(&text));
    }
    assert!(answered > 1000, "{answered}");
}
