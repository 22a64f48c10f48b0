//! The rules, in the order of play.

use arrayvec::ArrayVec;
use parlor_core::schema::Schema;
use parlor_core::{Facts, Json, Lobby, Outcome, Refusal, Rng, Seat, Seats, Viewer};
use parlor_script::{Cards, CheckedAnswer, Interrupt, Next, Offer, Pick, Script, Sight, Table, Zone};
use serde::{Deserialize, Serialize};

use crate::bot;
use crate::card::{Card, Suit};
use crate::event::Event;
use crate::view::View;

const SEATS: u8 = 4;
/// Points in one deal.
const POINTS: u8 = 26;
const DECK: Zone = Zone(0);
const TRICK: Zone = Zone(1);
const TAKEN: Zone = Zone(2);
const PASS: &str = "Pass three cards";
const PLAY: &str = "Play a card";

pub(crate) fn hand(seat: Seat) -> Zone {
    Zone(3 + seat.index() as u8)
}

/// What a table may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The match ends when a seat has this many points; 0 for one deal.
    pub until: u16,
}

/// A match between two requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hearts {
    pub(crate) until: u16,
    pub(crate) deal: u32,
    pub(crate) scores: [u16; SEATS as usize],
    pub(crate) cards: Cards,
    /// Whether cards are being passed.
    pub(crate) passing: bool,
    /// Who began the trick that lies on the table.
    pub(crate) leader: Seat,
    pub(crate) tricks: u8,
    /// Points taken in this deal.
    pub(crate) points: [u8; SEATS as usize],
    pub(crate) broken: bool,
    /// The hand each seat was dealt, one bit for each face.
    pub(crate) dealt: [u64; SEATS as usize],
    /// What each seat was passed.
    pub(crate) received: [u64; SEATS as usize],
    /// Every card played in this deal, and by whom: face + 64 × seat.
    pub(crate) plays: ArrayVec<u8, 52>,
}

impl Script for Hearts {
    const NAME: &'static str = "hearts";
    const TITLE: &'static str = "Hearts";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (SEATS, SEATS);
    const LOBBY: Lobby = Lobby { order: 2, scores: Some("/scores"), ..Lobby::DEFAULT };

    type Settings = Settings;
    type View<'a> = View;

    fn schema() -> Json {
        Schema::of(&serde_json::to_value(Settings::default()).expect("settings are plain data"))
            .range("until", 0, u16::MAX.into())
            .text("until", "The match ends when somebody has this many points; 0 for one deal")
            .json()
    }

    fn setup(settings: &Settings, _: u8) -> Result<Self, Refusal> {
        let mut sights = vec![Sight::Hidden, Sight::Public, Sight::Public];
        sights.extend((0..SEATS).map(|seat| Sight::Private(Seat::new(seat))));
        Ok(Self {
            until: settings.until,
            deal: 0,
            scores: [0; 4],
            cards: Cards::new(0..52, &sights),
            passing: false,
            leader: Seat::new(0),
            tricks: 0,
            points: [0; 4],
            broken: false,
            dealt: [0; 4],
            received: [0; 4],
            plays: ArrayVec::new(),
        })
    }

    /// One deal.
    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        deal(t);
        if let Some(distance) = pass_distance(t.game.deal) {
            pass(t, distance).await?;
        }
        find_leader(t);
        while t.game.tricks < 13 {
            trick(t).await?;
        }
        Ok(score(t))
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn bot(view: &View, offer: &Offer<'_>, _: &mut Rng) -> Option<CheckedAnswer> {
        if offer.title == PASS { Some(bot::pass(view, offer)) } else { Some(bot::play(view, offer)) }
    }

    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        self.cards.resample(viewers, rng);
        true
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        // A viewer knows the cards they were dealt and passed, and every card played. Slots cannot serve as facts:
        // hands are shown sorted, so no viewer knows which slot a card was in.
        let mut fact = |id: u32, value: u64| facts.add(self.deal * 256 + id, value as u32);
        if let Some(seat) = viewer.seat().map(Seat::index) {
            for (id, set) in [(0, self.dealt[seat]), (2, self.received[seat])] {
                fact(id, set & 0x3ff_ffff);
                fact(id + 1, set >> 26);
            }
        }
        for (n, play) in self.plays.iter().enumerate() {
            fact(16 + n as u32, u64::from(*play));
        }
    }
}

/// Passes go to the left, to the right, across, and not at all, in turn.
fn pass_distance(deal: u32) -> Option<u8> {
    [Some(1), Some(3), Some(2), None][(deal % 4) as usize]
}

fn deal(t: &mut Table<Hearts>) {
    let game = &mut t.game;
    game.cards.gather(DECK);
    game.cards.shuffle(DECK, &mut t.rng);
    for seat in (0..SEATS).map(Seat::new) {
        for _ in 0..13 {
            game.cards.draw(DECK, hand(seat), &mut t.out);
        }
    }
    (game.tricks, game.points, game.broken) = (0, [0; 4], false);
    game.dealt = [0, 1, 2, 3].map(|seat| game.held(Seat::new(seat)));
    game.received = [0; 4];
    game.plays.clear();
    game.passing = pass_distance(game.deal).is_some();
    t.out.emit_all(Event::Dealt { deal: game.deal });
}

/// All seats choose three cards before any seat receives cards.
async fn pass(t: &mut Table<Hearts>, distance: u8) -> Result<(), Interrupt> {
    let passes =
        t.many(t.everybody().iter(), |game, seat| Pick::of(PASS, game.hand(seat)).count(3).secret()).await?;
    for pass in passes {
        let to = Seat::new((pass.seat.index() as u8 + distance) % SEATS);
        for card in &pass.answer {
            let slot = t.game.cards.find(hand(pass.seat), card.face()).expect("the card is in the hand");
            t.game.cards.put(slot, hand(to), &mut t.out);
            t.game.received[to.index()] |= card.bit();
        }
        let cards = [pass.answer[0], pass.answer[1], pass.answer[2]];
        t.out.emit(Seats::only(pass.seat).with(to), Event::Passed { to, cards });
    }
    t.game.passing = false;
    Ok(())
}

/// The holder of the two of clubs must lead it, so all viewers know where it is from here on.
fn find_leader(t: &mut Table<Hearts>) {
    let holder = (0..SEATS).map(Seat::new).find_map(|seat| {
        let slot = t.game.cards.find(hand(seat), Card::TWO_OF_CLUBS.face())?;
        Some((seat, slot))
    });
    let (seat, slot) = holder.expect("somebody has the two of clubs");
    t.game.cards.reveal(slot, &mut t.out);
    t.game.leader = seat;
    t.out.emit_all(Event::Leads { seat });
}

async fn trick(t: &mut Table<Hearts>) -> Result<(), Interrupt> {
    for n in 0..SEATS {
        let seat = Seat::new((t.game.leader.index() as u8 + n) % SEATS);
        let card = if t.game.tricks == 0 && n == 0 {
            Card::TWO_OF_CLUBS
        } else {
            t.choose_card(seat, PLAY, move |game| game.playable(seat)).await?
        };
        play(t, seat, card);
    }
    let game = &mut t.game;
    let (winner, points) = game.trick_goes_to();
    game.points[winner.index()] += points;
    game.leader = winner;
    game.tricks += 1;
    while game.cards.draw(TRICK, TAKEN, &mut t.out).is_some() {}
    t.out.emit_all(Event::Took { seat: winner, points });
    Ok(())
}

fn play(t: &mut Table<Hearts>, seat: Seat, card: Card) {
    let slot = t.game.cards.find(hand(seat), card.face()).expect("the card is in the hand");
    t.game.cards.put(slot, TRICK, &mut t.out);
    t.game.broken |= card.suit() == Suit::Hearts;
    t.game.plays.push(card.face() as u8 + 64 * seat.index() as u8);
    t.out.emit_all(Event::Played { seat, card });
}

/// A seat that took all points has shot the moon: the points count for the others.
fn score(t: &mut Table<Hearts>) -> Next {
    let game = &mut t.game;
    let moon = game.points.iter().position(|points| *points == POINTS);
    for seat in 0..SEATS.into() {
        let points = match moon {
            Some(shooter) if shooter == seat => 0,
            Some(_) => POINTS,
            None => game.points[seat],
        };
        game.scores[seat] += u16::from(points);
    }
    game.deal += 1;
    let moon = moon.map(|seat| Seat::new(seat as u8));
    t.out.emit_all(Event::Scored { points: game.points, scores: game.scores, moon });
    if game.scores.iter().any(|score| *score >= game.until) {
        let worst_last: Vec<i64> = game.scores.iter().map(|score| -i64::from(*score)).collect();
        return Next::Over(Outcome::ranked(&worst_last, "fewest points"));
    }
    Next::Again
}

impl Hearts {
    /// The cards of a hand, as a set.
    fn held(&self, seat: Seat) -> u64 {
        self.cards.zone(hand(seat)).iter().fold(0, |set, slot| set | Card::of(self.cards.truth(*slot)).bit())
    }

    /// The cards of a hand, sorted, so that their order reveals nothing.
    pub(crate) fn hand(&self, seat: Seat) -> ArrayVec<Card, 13> {
        Card::all(self.held(seat)).collect()
    }

    fn led(&self) -> Option<Suit> {
        self.cards.bottom(TRICK).map(|slot| Card::of(self.cards.truth(slot)).suit())
    }

    /// The legal cards: follow suit; no points in the first trick; no hearts led before one was played. Each rule
    /// applies only while the hand has another card.
    fn playable(&self, seat: Seat) -> ArrayVec<Card, 13> {
        let held = self.held(seat);
        let only = |set: u64, rule: u64| if set & rule == 0 { set } else { set & rule };
        let playable = match self.led() {
            Some(led) if self.tricks == 0 => only(only(held, led.cards()), !Card::POINTS),
            Some(led) => only(held, led.cards()),
            None if !self.broken => only(held, !Suit::Hearts.cards()),
            None => held,
        };
        Card::all(playable).collect()
    }

    /// The cards of the trick, from its leader on.
    pub(crate) fn trick(&self) -> ArrayVec<Card, 4> {
        self.cards.zone(TRICK).iter().map(|slot| Card::of(self.cards.truth(*slot))).collect()
    }

    fn trick_goes_to(&self) -> (Seat, u8) {
        let trick = self.trick();
        let best =
            (0..trick.len()).filter(|n| trick[*n].suit() == trick[0].suit()).max_by_key(|n| trick[*n].rank());
        let winner = (self.leader.index() + best.unwrap_or(0)) % usize::from(SEATS);
        (Seat::new(winner as u8), trick.iter().map(|card| card.points()).sum())
    }

    /// Whose turn it is, once cards are played.
    pub(crate) fn turn(&self) -> Option<Seat> {
        let on_table = self.cards.zone(TRICK).len();
        let to_play = !self.passing && self.tricks < 13 && on_table < 4;
        to_play.then(|| Seat::new(((self.leader.index() + on_table) % 4) as u8))
    }
}
