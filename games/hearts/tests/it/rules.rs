//! The rules of hearts, and its bot.

use parlor_core::{Json, Match, Rng, Seat, Viewer};
use parlor_hearts::Hearts;
use parlor_script::Script as _;
use serde_json::json;

use parlor_testkit::moves::{asked, bot, choices, start, title};

fn deal(seed: &str) -> Match {
    start(Hearts::def(), 4, Json::Null, seed)
}

fn sample(play: &mut Match, seat: Seat, rng: &mut Rng) {
    let ask = play.open_requests(seat)[0].ask;
    let answer = play.sample(seat, ask, rng).expect("the rules can sample");
    let body = parlor_core::Body::Answer { seat, ask, answer };
    play.apply(0, parlor_core::By::Human, None, body).expect("a legal answer");
}

#[test]
fn three_cards_are_passed_by_all_before_anybody_gets_any() {
    // cites 000-9, 000-3
    let mut play = deal("pass");
    let hand = |play: &Match, seat: u8| play.view(Seat::new(seat).into())["hand"].clone();
    let before: Vec<Json> = (0..4).map(|seat| hand(&play, seat)).collect();
    for seat in [2, 0, 3] {
        assert_eq!(title(&play, Seat::new(seat)).as_deref(), Some("Pass three cards"));
        bot(&mut play, Seat::new(seat));
        assert!((0..4).all(|n| hand(&play, n) == before[n as usize]), "nothing moves yet");
    }
    bot(&mut play, Seat::new(1));
    assert!((0..4).all(|n| hand(&play, n) != before[n as usize]));
    let trick = play.view(Viewer::Gallery)["trick"].clone();
    assert_eq!(trick, json!(["2♣"]), "and the two of clubs is led");
}

/// Replays each deal with a slow and simple reading of the rules: the legal cards follow from the hand and the trick.
#[test]
fn what_may_be_played_follows_the_rules() {
    let mut rng = Rng::fast(3);
    let (mut hearts_refused, mut points_refused) = (0, 0);
    for n in 0..60 {
        let mut play = deal(&format!("rules {n}"));
        while let Some(seat) = asked(&play).first().copied() {
            if title(&play, seat).as_deref() == Some("Play a card") {
                let view = play.view(seat.into());
                let cards = |name: &str| -> Vec<String> {
                    view[name]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Json::as_str)
                        .map(str::to_owned)
                        .collect()
                };
                let (hand, trick) = (cards("hand"), cards("trick"));
                let suit = |card: &str| card.chars().last();
                let costs = |card: &String| suit(card) == Some('♥') || card == "Q♠";
                let mut want = hand.clone();
                if let Some(led) = trick.first() {
                    let follows: Vec<String> =
                        hand.iter().filter(|c| suit(c) == suit(led)).cloned().collect();
                    if !follows.is_empty() {
                        want = follows;
                    }
                    if view["tricks"] == 0 && want.iter().any(|card| !costs(card)) {
                        points_refused += want.iter().filter(|card| costs(card)).count();
                        want.retain(|card| !costs(card));
                    }
                } else if view["broken"] == false && want.iter().any(|card| suit(card) != Some('♥')) {
                    hearts_refused += want.iter().filter(|card| suit(card) == Some('♥')).count();
                    want.retain(|card| suit(card) != Some('♥'));
                }
                assert_eq!(choices(&play, seat), want, "{view}");
            }
            sample(&mut play, seat, &mut rng);
        }
        let scores = play.view(Viewer::Gallery)["scores"].clone();
        let sum: u64 = scores.as_array().into_iter().flatten().filter_map(Json::as_u64).sum();
        assert!(sum == 26 || sum == 78, "{scores}");
    }
    assert!(hearts_refused > 0 && points_refused > 0, "both rules came into play");
}

#[test]
fn whoever_takes_everything_has_shot_the_moon() {
    // One seat takes all it can against three that duck: one deal in a few hundred shoots the moon.
    let moon = (0..400).find_map(|n| {
        let mut play = deal(&format!("moon {n}"));
        while let Some(seat) = asked(&play).first().copied() {
            if seat.index() == 0 && title(&play, seat).as_deref() == Some("Play a card") {
                let all = choices(&play, seat);
                let best = all
                    .iter()
                    .max_by_key(|card| "23456789TJQKA".find(&card.replace("10", "T")[..1]))
                    .cloned()?;
                parlor_testkit::moves::answer(&mut play, seat, &[&best]).ok()?;
            } else {
                bot(&mut play, seat);
            }
        }
        let view = play.view(Viewer::Gallery);
        (view["points"][0] == 26).then_some(view)
    });
    let view = moon.expect("somebody shoots the moon in 400 deals");
    assert_eq!(view["scores"], json!([0, 26, 26, 26]));
}

#[test]
fn to_a_hundred_is_many_deals() {
    let mut play = start(Hearts::def(), 4, json!({"until": 100}), "long");
    let mut rng = Rng::fast(9);
    while let Some(seat) = asked(&play).first().copied() {
        sample(&mut play, seat, &mut rng);
    }
    let view = play.view(Viewer::Gallery);
    assert!(view["deal"].as_u64() > Some(4), "{view}");
    let scores: Vec<u64> = view["scores"].as_array().into_iter().flatten().filter_map(Json::as_u64).collect();
    assert!(scores.iter().any(|score| *score >= 100));
    let best = scores.iter().min().expect("four scores");
    let outcome = play.outcome().expect("over");
    assert!((0..4).all(|n| outcome.winners.has(Seat::new(n)) == (scores[n as usize] == *best)));
}

#[test]
fn the_bot_takes_few_points_from_three_random_players() {
    let deals = std::env::var("PARLOR_SOAK_DEALS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let (mut points, mut rng) = (0, Rng::fast(5));
    for n in 0..deals {
        let mut play = deal(&format!("bot {n}"));
        let seat = Seat::new((n % 4) as u8);
        while let Some(next) = asked(&play).first().copied() {
            if next == seat { bot(&mut play, next) } else { sample(&mut play, next, &mut rng) }
        }
        points += play.view(Viewer::Gallery)["scores"][seat.index()].as_u64().unwrap_or(26);
    }
    let hundredths = points * 100 / deals;
    println!("hearts bot: {}.{:02} points a deal over {deals} deals", hundredths / 100, hundredths % 100);
    assert!(hundredths <= 450, "{hundredths} hundredths of a point");
}
