//! Cards, log and players.

use parlor_core::{OutputBuffer, Rng, Seat, Seats, Viewer};
use parlor_script::{Cards, GameLog, Line, Players, ScriptOutput, Sight, Zone};

const DECK: Zone = Zone(0);
const HAND: Zone = Zone(1);
const TABLE: Zone = Zone(2);
const A: Seat = Seat::new(0);
const B: Seat = Seat::new(1);

fn cards() -> (Cards, ScriptOutput) {
    (Cards::new(0..10, &[Sight::Hidden, Sight::Private(A), Sight::Public]), ScriptOutput::default())
}

fn known_facts(cards: &Cards, zone: Zone, viewer: Viewer) -> usize {
    cards.faces(zone, viewer).flatten().count()
}

#[test]
fn a_card_is_seen_by_whoever_sees_the_zone_it_comes_to() {
    let (mut cards, mut out) = cards();
    cards.shuffle(DECK, &mut Rng::fast(1));
    assert_eq!(known_facts(&cards, DECK, A.into()), 0);
    let card = cards.draw(DECK, HAND, &mut out).expect("there is a card");
    assert_eq!((cards.place(card), cards.top(HAND), cards.zone(DECK).len()), (HAND, Some(card), 9));
    assert_eq!(cards.face(card, A.into()), Some(cards.truth(card)));
    assert_eq!((cards.face(card, B.into()), cards.face(card, Viewer::Gallery)), (None, None));
    cards.put(card, TABLE, &mut out);
    assert!(Viewer::all(2).all(|viewer| cards.face(card, viewer).is_some()));
    cards.put_under(card, DECK, &mut out);
    assert_eq!(
        (cards.bottom(DECK), known_facts(&cards, DECK, B.into())),
        (Some(card), 1),
        "it is still known there"
    );
    cards.shuffle(DECK, &mut Rng::fast(2));
    assert_eq!(known_facts(&cards, DECK, B.into()), 0, "and no more once it is shuffled");
}

#[test]
fn cards_are_shown_revealed_and_peeked_at_where_they_lie() {
    let (mut cards, mut out) = cards();
    let top = cards.peek(DECK, 2, B, &mut out);
    assert_eq!(top.first().copied(), cards.top(DECK));
    assert_eq!([A, B].map(|seat| known_facts(&cards, DECK, seat.into())), [0, 2]);
    let bottom = cards.bottom(DECK).expect("there is a card");
    cards.show(bottom, Seats::only(A), &mut out);
    assert_eq!([A, B].map(|seat| known_facts(&cards, DECK, seat.into())), [1, 2]);
    cards.reveal(bottom, &mut out);
    assert_eq!(known_facts(&cards, DECK, Viewer::Gallery), 1);
    cards.shuffle_top(DECK, 2, &mut Rng::fast(3));
    assert_eq!([A, B].map(|seat| known_facts(&cards, DECK, seat.into())), [1, 1]);
    cards.shuffle_bottom(DECK, 1, &mut Rng::fast(3));
    assert_eq!([A, B].map(|seat| known_facts(&cards, DECK, seat.into())), [0, 0]);
}

#[test]
fn another_world_differs_only_in_what_the_viewer_was_not_shown() {
    let (mut cards, mut out) = cards();
    cards.shuffle(DECK, &mut Rng::fast(4));
    for _ in 0..4 {
        cards.draw(DECK, HAND, &mut out);
    }
    let mut twin = cards.clone();
    twin.resample(Seats::only(A), &mut Rng::fast(5));
    assert!(cards.faces(HAND, A.into()).eq(twin.faces(HAND, A.into())));
    let truth = |cards: &Cards| cards.zone(DECK).iter().map(|card| cards.truth(*card)).collect::<Vec<_>>();
    assert_ne!(truth(&cards), truth(&twin));
}

#[test]
fn a_private_line_of_the_log_is_redacted_for_the_rest() {
    let mut log = GameLog::default();
    let mut out = ScriptOutput::default();
    log.add(Line::new("turn", "Turn of {who}").arg("who", "Ann"), &mut out);
    let line = Line::new("drew", "You drew {card}").arg("card", "Q♠").indent(1);
    log.add_private(Seats::only(A), line, Line::new("drew", "{who} drew a card").arg("who", "Ann"), &mut out);
    let read = |viewer: Viewer| log.view(viewer).iter().map(|seen| seen.line.text()).collect::<Vec<_>>();
    assert_eq!(read(A.into()), ["Turn of Ann", "You drew Q♠"]);
    assert_eq!(read(B.into()), ["Turn of Ann", "Ann drew a card"]);
    assert_eq!(read(Viewer::Gallery), read(B.into()));
    for n in 0..100 {
        log.add(Line::new("n", "{n}").arg("n", n), &mut out);
    }
    assert_eq!(log.view(B.into()).len(), parlor_script::log::LINES_MAX, "old lines go");
    let _ = OutputBuffer::default();
}

#[test]
fn players_have_an_order_teams_and_counters_that_remember() {
    let seats = |list: &[u8]| list.iter().map(|n| Seat::new(*n)).collect::<Vec<_>>();
    let mut players = Players::new(4).teams(&[0, 1, 0, 1]);
    assert_eq!(players.side(A), [0, 2].map(Seat::new).into_iter().collect());
    players.reorder(seats(&[2, 0, 3, 1]));
    assert_eq!(players.from(Seat::new(3)).collect::<Vec<_>>(), seats(&[3, 1, 2, 0]));
    players.eliminate(Seat::new(1));
    assert_eq!((players.after(Seat::new(3)), players.all().count()), (Seat::new(2), 3));
    (players.round, players.turn) = (2, 7);
    players.count(A, "points", 3, "trick");
    players.count(A, "points", -1, "penalty");
    let counter = players.counter(A, "points").expect("it was counted");
    assert_eq!(
        (counter.total(), counter.history()[1].total, counter.history()[0].source.as_str()),
        (2, 2, "trick")
    );
    assert_eq!(
        (counter.history()[0].round, counter.history()[0].turn, players.total(B, "points")),
        (2, 7, 0)
    );
}
