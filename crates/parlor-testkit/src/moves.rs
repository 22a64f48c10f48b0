//! Plays a match by hand, for the tests of a game.

use parlor_core::{Applied, Body, By, GameDef, Header, Json, Match, Refusal, Seat, Seed};

/// A match of so many seats, from a seed.
///
/// # Panics
/// If it cannot start.
pub fn start(def: GameDef, seats: u8, settings: Json, seed: &str) -> Match {
    let header = Header::seeded(&def, seats, settings, Seed::from_text(seed));
    Match::start(def, header).unwrap_or_else(|why| panic!("{why}")).0
}

/// The title of a seat's open request.
pub fn title(play: &Match, seat: Seat) -> Option<String> {
    let stand = play.open_requests(seat).first()?;
    Some(play.request(seat, stand.ask).title)
}

/// The choices of a seat's open request.
pub fn choices(play: &Match, seat: Seat) -> Vec<String> {
    let Some(stand) = play.open_requests(seat).first() else { return Vec::new() };
    play.request(seat, stand.ask).choices.into_iter().map(|choice| choice.title).collect()
}

/// Answers the seat's open request with these choices.
///
/// # Errors
/// Why the rules refuse it.
pub fn answer(play: &mut Match, seat: Seat, picks: &[&str]) -> Result<Applied, Refusal> {
    let Some(stand) = play.open_requests(seat).first() else {
        return Err(Refusal::of("not_asked", "not asked"));
    };
    let answer = serde_json::json!({"title": play.request(seat, stand.ask).title, "selection": picks});
    play.apply(0, By::Human, None, Body::Answer { seat, ask: stand.ask, answer })
}

/// Lets the seat's bot answer.
///
/// # Panics
/// If the seat has no request, or the rules refuse what the bot says.
pub fn bot(play: &mut Match, seat: Seat) {
    let ask = play.open_requests(seat)[0].ask;
    let answer = play.bot(seat, ask, &parlor_core::BotChoice::default()).expect("the bot answers");
    play.apply(0, By::Bot, None, Body::Answer { seat, ask, answer }).expect("what the bot says is taken");
}

/// Every seat with an open request.
pub fn asked(play: &Match) -> Vec<Seat> {
    (0..play.header().seats).map(Seat::new).filter(|seat| !play.open_requests(*seat).is_empty()).collect()
}
