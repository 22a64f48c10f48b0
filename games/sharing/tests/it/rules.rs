//! Sharing: one seat or several are asked, depending on the state.

use parlor_core::{Json, Match, Seat, Viewer};
use parlor_script::Script as _;
use parlor_sharing::Sharing;

use parlor_testkit::moves::{answer, asked, bot, choices, start, title};

/// A match in which all seats have laid a first card, and the seat whose turn it is.
fn begun(n: u32) -> (Match, Seat) {
    let mut play = start(Sharing::def(), 3, Json::Null, &format!("sharing {n}"));
    while title(&play, asked(&play)[0]).as_deref() == Some("Lay your first card") {
        let seat = asked(&play)[0];
        bot(&mut play, seat);
    }
    let seat = asked(&play)[0];
    (play, seat)
}

#[test]
fn first_cards_are_laid_at_once_and_put_in_order_by_name() {
    // cites 000-23, 000-9
    for n in 0..20 {
        let mut play = start(Sharing::def(), 3, Json::Null, &format!("first {n}"));
        let mut laid: Vec<(String, Seat)> = Vec::new();
        for seat in [Seat::new(2), Seat::new(1), Seat::new(0)] {
            let card = choices(&play, seat)[0].clone();
            answer(&mut play, seat, &[&card]).expect("laid");
            laid.push((card, seat));
        }
        laid.sort();
        assert_eq!(asked(&play), [laid[0].1], "{laid:?}");
    }
}

#[test]
fn a_call_asks_one_or_many_as_the_table_stands() {
    // cites 000-11, 000-23
    let (mut alone, mut shared) = (0, 0);
    for n in 0..40 {
        let (mut play, caller) = begun(n);
        let view = play.view(Viewer::Gallery);
        let symbols = |seat: Seat| view["seats"][seat.index()]["symbols"].as_u64();
        let sharing: Vec<Seat> = (0..3)
            .map(Seat::new)
            .filter(|seat| *seat == caller || symbols(*seat) >= symbols(caller))
            .collect();
        answer(&mut play, caller, &["call"]).expect("called");
        assert_eq!(asked(&play), sharing, "whoever shows as many symbols joins in");
        if sharing.len() == 1 {
            alone += 1
        } else {
            shared += 1
        }
        let points = |play: &Match| {
            (0..3).map(|n| play.view(Viewer::Gallery)["seats"][n]["points"].as_i64()).sum::<Option<i64>>()
        };
        for (k, seat) in sharing.iter().enumerate() {
            assert_eq!(
                (points(&play), title(&play, *seat).as_deref()),
                (Some(0), Some("Score a card")),
                "{k}"
            );
            bot(&mut play, *seat);
        }
        assert!(points(&play) > Some(0));
    }
    assert!(alone > 3 && shared > 3, "both happened: {alone} alone, {shared} shared");
}

#[test]
fn points_remember_where_they_came_from() {
    let (mut play, caller) = begun(1);
    answer(&mut play, caller, &["call"]).expect("called");
    let card = choices(&play, caller)[0].clone();
    answer(&mut play, caller, &[&card]).expect("scored");
    while let Some(seat) =
        asked(&play).into_iter().find(|seat| title(&play, *seat).as_deref() == Some("Score a card"))
    {
        bot(&mut play, seat);
    }
    let history = &play.view(Viewer::Gallery)["seats"][caller.index()]["history"][0];
    assert_eq!((history["source"].as_str(), history["round"].as_u64()), (Some(card.as_str()), Some(1)));
}
