//! The rules, in the order of play.

use parlor_core::{Facts, Lobby, Outcome, Refusal, Rng, Seat, Seats, Slot, Undo, Viewer};
use parlor_script::{
    Cards, CheckedAnswer, GameLog, Interrupt, Line, Next, Offer, Pick, Script, Sight, Table, Zone,
};
use serde::{Deserialize, Serialize};

use crate::cube::{self, Card};
use crate::event::Event;
use crate::view::View;

const CUBE: Zone = Zone(0);
const PICK: &str = "Draft a card";
const BUILD: &str = "Build your deck";

/// What a table may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Packs for each player, from 1.
    pub packs: u8,
    /// Cards in a pack, from 2.
    pub pack: u8,
    /// Cards in a deck.
    pub deck: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self { packs: 2, pack: 5, deck: 6 }
    }
}

/// A draft between two requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Draft {
    pub(crate) settings: Settings,
    pub(crate) seats: u8,
    pub(crate) round: u8,
    pub(crate) cards: Cards,
    /// The packs before each seat, the one it looks at first.
    pub(crate) waiting: Vec<Vec<Vec<Slot>>>,
    /// What each seat has picked, in order.
    pub(crate) picked: Vec<Vec<Slot>>,
    /// The packs that each seat has looked at, in order: how many cards each had, and those cards.
    pub(crate) looked: Vec<Vec<Vec<Slot>>>,
    pub(crate) decks: Vec<Vec<Slot>>,
    pub(crate) log: GameLog,
}

impl Script for Draft {
    const NAME: &'static str = "draft";
    const TITLE: &'static str = "Cube draft";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 8);
    const UNDO: Undo = Undo::Own;
    const LOBBY: Lobby = Lobby { order: 5, seats: Some(4), ..Lobby::DEFAULT };

    type Settings = Settings;
    type View<'a> = View<'a>;

    fn setup(settings: &Settings, seats: u8) -> Result<Self, Refusal> {
        let needed = usize::from(settings.packs) * usize::from(settings.pack) * usize::from(seats);
        let own = usize::from(settings.packs) * usize::from(settings.pack);
        if settings.packs == 0
            || settings.pack < 2
            || needed > cube::CARDS
            || usize::from(settings.deck) > own
        {
            return Err(Refusal::of(
                "settings",
                "packs >= 1, pack >= 2, deck <= packs × pack, and 120 cards for all",
            ));
        }
        let mut sights = vec![Sight::Hidden; 1 + usize::from(seats)];
        sights[0] = Sight::Hidden;
        let empty = || vec![Vec::new(); seats.into()];
        Ok(Self {
            settings: *settings,
            seats,
            round: 0,
            cards: Cards::new(0..cube::CARDS as u16, &sights),
            waiting: vec![Vec::new(); seats.into()],
            picked: empty(),
            looked: vec![Vec::new(); seats.into()],
            decks: empty(),
            log: GameLog::default(),
        })
    }

    /// One round of packs; after the last one, the decks.
    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        if t.game.round < t.game.settings.packs {
            deal(t);
            while !t.game.drafting().is_empty() {
                pick(t).await?;
            }
            t.game.round += 1;
            return Ok(Next::Again);
        }
        build(t).await
    }

    fn view(&self, viewer: Viewer) -> View<'_> {
        View::of(self, viewer)
    }

    /// Takes the strongest card, and prefers colours it already has.
    fn bot(view: &View<'_>, offer: &Offer<'_>, _: &mut Rng) -> Option<CheckedAnswer> {
        let have =
            |card: Card| view.picked.iter().filter(|other| other.colour() == card.colour()).count() as u32;
        let worth = |n: &usize| {
            let card = Card::of(offer.keys[*n] as u16);
            card.power() * 2 + have(card)
        };
        let mut order: Vec<usize> = (0..offer.keys.len()).collect();
        order.sort_by_key(|n| std::cmp::Reverse(worth(n)));
        order.truncate(offer.min);
        Some(CheckedAnswer::picks(order))
    }

    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        self.cards.resample(viewers, rng);
        true
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        // Slots are not shown, so a card is identified by where it was shown: the pack and the position in it.
        let packs = viewer.seat().map(|seat| self.looked[seat.index()].as_slice()).unwrap_or_default();
        for (n, pack) in packs.iter().enumerate() {
            let mut faces: Vec<u16> = pack.iter().map(|card| self.cards.truth(*card)).collect();
            faces.sort_unstable();
            facts.extend(faces.iter().enumerate().map(|(k, face)| ((n * 64 + k) as u32, u32::from(*face))));
        }
        for (seat, deck) in self.decks.iter().enumerate() {
            let mut faces: Vec<u16> = deck.iter().map(|card| self.cards.truth(*card)).collect();
            faces.sort_unstable();
            facts.extend(
                faces.iter().enumerate().map(|(k, f)| ((100_000 + seat * 64 + k) as u32, u32::from(*f))),
            );
        }
    }
}

fn deal(t: &mut Table<Draft>) {
    let game = &mut t.game;
    if game.round == 0 {
        game.cards.shuffle(CUBE, &mut t.rng);
    }
    t.out.emit_all(Event::Round { round: game.round });
    game.log.add(Line::new("round", "Round {round} begins").arg("round", game.round + 1), &mut t.out);
    for seat in (0..t.game.seats).map(Seat::new) {
        let pack = (0..t.game.settings.pack)
            .filter_map(|_| t.game.cards.draw(CUBE, Zone(1 + seat.index() as u8), &mut t.out))
            .collect();
        t.game.waiting[seat.index()].push(pack);
        look(t, seat);
    }
}

/// Shows a seat the pack that is now in front of it.
fn look(t: &mut Table<Draft>, seat: Seat) {
    let Some(pack) = t.game.waiting[seat.index()].first().cloned() else { return };
    for card in &pack {
        t.game.cards.show(*card, Seats::only(seat), &mut t.out);
    }
    t.game.looked[seat.index()].push(pack);
    t.out.emit(Seats::only(seat), Event::Pack);
}

/// The first seat to answer picks; the other seats' requests stay open.
async fn pick(t: &mut Table<Draft>) -> Result<(), Interrupt> {
    let drafting = t.game.drafting();
    let pick = t.any(drafting.iter(), |game, seat| Pick::one(PICK, game.pack(seat)).secret()).await?;
    let (seat, mut pack) = (pick.seat, t.game.waiting[pick.seat.index()].remove(0));
    let place = pack.iter().position(|card| t.game.cards.truth(*card) == pick.answer.face());
    let card = pack.remove(place.expect("the card is in the pack"));
    t.game.picked[seat.index()].push(card);
    t.out.emit(Seats::only(seat), Event::Picked { card: pick.answer });
    t.out.emit_all(Event::Took { seat });
    let line = Line::new("picked", "You took {card}").arg("card", pick.answer.name());
    let redacted = Line::new("picked", "Seat {seat} took a card").arg("seat", seat);
    t.game.log.add_private(Seats::only(seat), line, redacted, &mut t.out);
    // The rest goes to the left, behind the packs that wait there; the next round goes the other way.
    let step = if t.game.round.is_multiple_of(2) { 1 } else { t.game.seats - 1 };
    let next = Seat::new((seat.index() as u8 + step) % t.game.seats);
    let idle = t.game.waiting[next.index()].is_empty();
    if !pack.is_empty() {
        t.game.waiting[next.index()].push(pack);
        if idle {
            look(t, next);
        }
    }
    if next != seat {
        look(t, seat);
    }
    Ok(())
}

/// All seats choose a deck; the decks are revealed at once.
async fn build(t: &mut Table<Draft>) -> Result<Next, Interrupt> {
    let count = u16::from(t.game.settings.deck);
    let decks = t
        .many(t.everybody().iter(), move |game, seat| Pick::of(BUILD, game.pool(seat)).count(count).secret())
        .await?;
    for deck in decks {
        for card in deck.answer {
            let own = &t.game.picked[deck.seat.index()];
            let slot = own.iter().copied().find(|slot| t.game.cards.truth(*slot) == card.face());
            let slot = slot.expect("the card was picked");
            t.game.cards.reveal(slot, &mut t.out);
            t.game.decks[deck.seat.index()].push(slot);
        }
    }
    let scores: Vec<i64> = (0..t.game.seats).map(|seat| t.game.score(seat.into())).collect();
    t.out.emit_all(Event::Decks { scores: scores.clone() });
    Ok(Next::Over(Outcome::ranked(&scores, "strongest deck")))
}

impl Draft {
    /// The seats with a pack in front of them.
    fn drafting(&self) -> Seats {
        (0..self.seats).map(Seat::new).filter(|seat| !self.waiting[seat.index()].is_empty()).collect()
    }

    /// The pack in front of a seat, sorted by name.
    pub(crate) fn pack(&self, seat: Seat) -> Vec<Card> {
        self.sorted(self.waiting[seat.index()].first().map(Vec::as_slice).unwrap_or_default())
    }

    /// Everything a seat has picked.
    pub(crate) fn pool(&self, seat: Seat) -> Vec<Card> {
        self.sorted(&self.picked[seat.index()])
    }

    pub(crate) fn sorted(&self, slots: &[Slot]) -> Vec<Card> {
        let mut cards: Vec<Card> = slots.iter().map(|slot| Card::of(self.cards.truth(*slot))).collect();
        cards.sort_by_key(|card| card.face());
        cards
    }

    /// The strength of a deck: its cards, and a bonus for every pair of one colour.
    fn score(&self, seat: usize) -> i64 {
        let deck = self.sorted(&self.decks[seat]);
        let power: i64 = deck.iter().map(|card| i64::from(card.power())).sum();
        let of = |colour: usize| deck.iter().filter(|card| card.colour() == colour).count() as i64;
        power + (0..cube::COLOURS.len()).map(|colour| of(colour) / 2).sum::<i64>()
    }
}
