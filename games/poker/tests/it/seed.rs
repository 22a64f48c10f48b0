//! The JSON form: arrays in the order of seats, blinds as each player posts them, and fields of the live table.

use parlor_poker::notation::{Record, phh, seed};
use parlor_poker::replay::Replay;
use parlor_poker::{Hand, Interpretation};

fn read(json: &str) -> Record {
    seed::read(json).unwrap_or_else(|e| panic!("{e}")).remove(0).1
}

fn play(record: &Record) -> Hand {
    Replay::start(record, Interpretation::House).unwrap().finish().unwrap()
}

/// Between two players the one with the small blind has the button and acts first; PHH writes the arrays reversed.
#[test]
fn heads_up_arrays_are_not_reversed_in_json_but_in_phh() {
    let record = read(
        r#"{"variant":"NT","players":["Player1","Player2"],"startingStacks":[50,100],"blindsOrStraddles":[1,2],
            "antes":[0,0],"minBet":2,"actions":["d dh p1 2h2d","d dh p2 3s3d","p1 cc","p2 cc","d db 4d7cJh"]}"#,
    );
    assert_eq!(record.button, 0);
    let text = phh::write(&record);
    assert!(text.contains("blinds_or_straddles = [1, 2]"), "{text}");
    assert!(text.contains("players = ['Player2', 'Player1']"), "{text}");
    assert!(text.contains("'p2 cc', 'p1 cc'"), "{text}");
    let again = &phh::read(&text).unwrap()[0].1;
    assert_eq!(play(again), play(&record));
}

/// The blinds move along the array from hand to hand; the array stays in the order of seats.
#[test]
fn seat_order_stays_while_the_blinds_move() {
    for (blinds, opener) in [("[1,2,0]", "p3"), ("[0,1,2]", "p1"), ("[2,0,1]", "p2")] {
        let record = read(&format!(
            r#"{{"variant":"NT","startingStacks":[50,100,75.25],"blindsOrStraddles":{blinds},"antes":[0,0,0],"minBet":2,
                "actions":["d dh p1 ????","d dh p2 ????","d dh p3 ????","{opener} f"]}}"#
        ));
        play(&record);
        let json = seed::write(&record);
        assert!(json.contains(&format!("\"blindsOrStraddles\":{blinds}")), "{json}");
        assert!(json.contains("\"startingStacks\":[50,100,75.25]"), "{json}");
    }
}

/// 004-20: a player who sits out gets no cards and does not act.
#[test]
fn a_paused_player_is_not_dealt_in() {
    let json = r#"{"variant":"NT","players":["Player1","Player2","Player3"],"startingStacks":[50,100,75.25],
        "blindsOrStraddles":[2,0,1],"antes":[0,0,0],"minBet":2,"seatCount":6,
        "actions":["d dh p1 ????","d dh p3 ????","p3 cc","p1 cc","d db 5cAhQh"],
        "_inactive":[0,1,0],"_intents":[0,1,0],"_deadBlinds":[0,3,0]}"#;
    let record = read(json);
    let hand = play(&record);
    assert_eq!(hand.live().len(), 2);
    assert_eq!(hand.pot_total(), 400);
    // A debt of one who does not play is no money in the pot.
    assert_eq!(record.amounts("_deadBlinds").unwrap()[1].to_string(), "3");
    let dealt_in = json.replace("\"d dh p3 ????\",", "\"d dh p2 ????\",\"d dh p3 ????\",");
    let refused = Replay::start(&read(&dealt_in), Interpretation::House).unwrap().finish().unwrap_err();
    assert_eq!(refused.to_string(), "actions[1] (d dh p2 ????): expected 1 to 0 cards, got 2");
}

#[test]
fn times_messages_and_call_amounts_are_kept_and_checked() {
    let json = r#"{"variant":"NT","antes":[0,0,0],"blindsOrStraddles":[1,2,0],"minBet":2,"startingStacks":[100,100,100],"actions":["d dh p1 ????","d dh p2 ????","d dh p3 ????","p3 cc 2 #1700000000000","p1 m nice #1 hand #1700000000001","p1 cc 1","p2 cc 0"],"timeLimit":30}"#;
    let record = read(json);
    assert_eq!(seed::write(&record).trim_end(), json);
    play(&record);
    let wrong = read(&json.replace("p1 cc 1\"", "p1 cc 5\""));
    let error = Replay::start(&wrong, Interpretation::House).unwrap().finish().unwrap_err();
    assert_eq!(error.to_string(), "actions[5]: expected a call of 1, got 5");
}

#[test]
fn an_unknown_field_is_kept_and_a_wrong_one_named() {
    let json = |extra: &str| {
        format!(
            r#"{{"variant":"NT","startingStacks":[100,100],"blindsOrStraddles":[1,2],"antes":[0,0],"minBet":2,"actions":[]{extra}}}"#
        )
    };
    let record = read(&json(r#","_mine":{"a":[1,"x",null,true]},"rake":0.5"#));
    assert!(seed::write(&record).contains(r#""_mine":{"a":[1,"x",null,true]},"rake":0.5"#));
    let error = |extra: &str| seed::read(&json(extra)).unwrap_err().to_string();
    assert_eq!(error(r#","seats":[1]"#), "seats: expected 2 entries, one per player, got 1");
    assert_eq!(error(r#","_button":3"#), "_button: expected the number of a player, got a number");
    let bad = json("").replace(r#""actions":[]"#, r#""actions":["p3 f"]"#);
    assert_eq!(seed::read(&bad).unwrap_err().to_string(), "actions[0]: expected a player up to p2, got p3");
}
