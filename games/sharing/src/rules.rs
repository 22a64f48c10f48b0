//! The rules, in the order of play.

use parlor_core::{Facts, Lobby, Outcome, Refusal, Rng, Seat, Seats, Slot, Undo, Viewer};
use parlor_script::{
    Cards, CheckedAnswer, Interrupt, Next, Offer, Pick, Players, Script, Sight, Table, Zone,
};
use serde::{Deserialize, Serialize};

use crate::animal::{self, Animal};
use crate::event::Event;
use crate::view::View;

pub(crate) const DECK: Zone = Zone(0);
const FIRST: &str = "Lay your first card";
const ACT: &str = "Your turn";
const LAY: &str = "Lay a card";
const SCORE: &str = "Score a card";
const ACTIONS: [&str; 3] = ["draw", "lay", "call"];
pub(crate) const POINTS: &str = "points";

pub(crate) fn hand(seat: Seat) -> Zone {
    Zone(1 + 2 * seat.index() as u8)
}

/// The open cards in front of a seat.
pub(crate) fn table(seat: Seat) -> Zone {
    Zone(2 + 2 * seat.index() as u8)
}

/// What a table may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Turns of each player, from 1 to 20.
    pub rounds: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rounds: 4 }
    }
}

/// A match between two requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sharing {
    pub(crate) rounds: u32,
    pub(crate) cards: Cards,
    pub(crate) players: Players,
    pub(crate) active: Seat,
    /// Cards in the order in which each seat drew them.
    pub(crate) drawn: Vec<Vec<Slot>>,
    /// Cards in the order in which they were laid open.
    pub(crate) opened: Vec<Slot>,
    /// Cards that were scored: out of the game, and seen by all.
    pub(crate) scored: Vec<Vec<Slot>>,
}

impl Script for Sharing {
    const NAME: &'static str = "sharing";
    const TITLE: &'static str = "Sharing";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 5);
    const UNDO: Undo = Undo::Consent;
    const LOBBY: Lobby = Lobby { order: 11, seats: Some(3), tags: &["developer"], ..Lobby::DEFAULT };

    type Settings = Settings;
    type View<'a> = View;

    fn setup(settings: &Settings, seats: u8) -> Result<Self, Refusal> {
        if !(1..=20).contains(&settings.rounds) {
            return Err(Refusal::of("settings", "rounds: from 1 to 20"));
        }
        let mut sights = vec![Sight::Hidden];
        for seat in (0..seats).map(Seat::new) {
            sights.extend([Sight::Private(seat), Sight::Public]);
        }
        Ok(Self {
            rounds: settings.rounds,
            cards: Cards::new(0..animal::NAMES.len() as u16, &sights),
            players: Players::new(seats),
            active: Seat::new(0),
            drawn: vec![Vec::new(); seats.into()],
            opened: Vec::new(),
            scored: vec![Vec::new(); seats.into()],
        })
    }

    /// The first cards, and then one turn.
    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        if t.game.players.round == 0 {
            begin(t).await?;
        } else {
            turn(t).await?;
        }
        Ok(next_turn(t))
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    /// Calls if its best card is worth enough, otherwise draws or lays at random, and scores its best card.
    fn bot(view: &View, offer: &Offer<'_>, rng: &mut Rng) -> Option<CheckedAnswer> {
        if offer.title == ACT {
            let best = view.hand.iter().map(|card| card.value()).max().unwrap_or(0);
            let action = if best >= 4 { 2 } else { rng.below(2) as usize };
            return Some(CheckedAnswer::one(action.min(offer.keys.len() - 1)));
        }
        let best = (0..offer.keys.len()).max_by_key(|n| Animal::of(offer.keys[*n] as u16).value())?;
        Some(CheckedAnswer::one(best))
    }

    fn resample(&mut self, viewers: Seats, rng: &mut Rng) -> bool {
        self.cards.resample(viewers, rng);
        true
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        let mut fact = |id: usize, card: &Slot| facts.add(id as u32, u32::from(self.cards.truth(*card)));
        if let Some(seat) = viewer.seat().map(Seat::index) {
            self.drawn[seat].iter().enumerate().for_each(|(n, card)| fact(seat * 64 + n, card));
        }
        self.opened.iter().enumerate().for_each(|(n, card)| fact(1000 + n, card));
    }
}

fn draw(t: &mut Table<Sharing>, seat: Seat) {
    let Some(card) = t.game.cards.draw(DECK, hand(seat), &mut t.out) else { return };
    t.game.drawn[seat.index()].push(card);
    t.out.emit(Seats::only(seat), Event::Card { card: t.game.animal(card) });
    t.out.emit_all(Event::Drew { seat });
}

/// Moves a card from a hand to the table and reveals it; returns its slot.
fn lay_open(t: &mut Table<Sharing>, seat: Seat, card: Animal) -> Slot {
    let slot = t.game.cards.find(hand(seat), card.face()).expect("the card is in the hand");
    t.game.cards.put(slot, table(seat), &mut t.out);
    t.game.opened.push(slot);
    slot
}

/// All seats lay a first card at once; the seat whose card is first by name begins.
async fn begin(t: &mut Table<Sharing>) -> Result<(), Interrupt> {
    t.game.cards.shuffle(DECK, &mut t.rng);
    for seat in t.everybody().iter() {
        draw(t, seat);
        draw(t, seat);
    }
    let firsts =
        t.many(t.everybody().iter(), |game, seat| Pick::one(FIRST, game.hand(seat)).secret()).await?;
    let mut order: Vec<(Animal, Seat)> = firsts.iter().map(|first| (first.answer, first.seat)).collect();
    for first in firsts {
        lay_open(t, first.seat, first.answer);
        t.out.emit_all(Event::Laid { seat: first.seat, card: first.answer });
    }
    order.sort_by_key(|(card, _)| card.name());
    let order: Vec<Seat> = order.into_iter().map(|(_, seat)| seat).collect();
    t.game.players.reorder(order.clone());
    t.out.emit_all(Event::Order { order });
    Ok(())
}

async fn turn(t: &mut Table<Sharing>) -> Result<(), Interrupt> {
    let seat = t.game.active;
    let action = t.choose(seat, ACT, move |game| game.actions(seat)).await?;
    match action.first() {
        Some(&"lay") => {
            let card = t.choose_card(seat, LAY, move |game| game.hand(seat)).await?;
            lay_open(t, seat, card);
            t.out.emit_all(Event::Laid { seat, card });
        }
        Some(&"call") => call(t, seat).await?,
        _ => draw(t, seat),
    }
    Ok(())
}

/// Every seat that shows at least as many symbols as the caller shares. They all choose together, or the caller chooses
/// alone.
async fn call(t: &mut Table<Sharing>, caller: Seat) -> Result<(), Interrupt> {
    let sharing = t.game.sharing(caller);
    t.out.emit_all(Event::Called { seat: caller, sharing: sharing.clone() });
    let scored = if sharing.is_empty() {
        let card = t.choose_card(caller, SCORE, move |game| game.hand(caller)).await?;
        vec![(caller, card)]
    } else {
        let all: Vec<Seat> = std::iter::once(caller).chain(sharing.iter().copied()).collect();
        let cards = t.many(all, |game, seat| Pick::one(SCORE, game.hand(seat)).secret()).await?;
        cards.into_iter().map(|given| (given.seat, given.answer)).collect()
    };
    for (seat, card) in scored {
        let slot = lay_open(t, seat, card);
        t.game.scored[seat.index()].push(slot);
        t.game.players.count(seat, POINTS, card.value().into(), card.name());
        t.out.emit_all(Event::Scored { seat, card });
    }
    // A caller who lets others share draws a card for it.
    if !sharing.is_empty() {
        draw(t, caller);
    }
    Ok(())
}

fn next_turn(t: &mut Table<Sharing>) -> Next {
    let players = &mut t.game.players;
    let first = players.all().next().unwrap_or(t.game.active);
    let next = if players.round == 0 { first } else { players.after(t.game.active) };
    players.turn += 1;
    if next == first {
        players.round += 1;
    }
    t.game.active = next;
    if players.round > t.game.rounds {
        let scores: Vec<i64> = (0..t.seats()).map(|n| t.game.players.total(Seat::new(n), POINTS)).collect();
        return Next::Over(Outcome::ranked(&scores, "points"));
    }
    t.out.emit_all(Event::Turn { seat: next });
    Next::Again
}

impl Sharing {
    fn animal(&self, card: Slot) -> Animal {
        Animal::of(self.cards.truth(card))
    }

    /// The cards of a hand, sorted by name.
    pub(crate) fn hand(&self, seat: Seat) -> Vec<Animal> {
        self.sorted(self.cards.zone(hand(seat)))
    }

    pub(crate) fn sorted(&self, cards: &[Slot]) -> Vec<Animal> {
        let mut cards: Vec<Animal> = cards.iter().map(|card| self.animal(*card)).collect();
        cards.sort_by_key(|card| card.face());
        cards
    }

    /// The actions of a seat. They depend on the number of its cards, which is public.
    fn actions(&self, seat: Seat) -> Vec<&'static str> {
        let empty = self.cards.zone(hand(seat)).is_empty();
        ACTIONS.into_iter().filter(|action| *action == "draw" || !empty).collect()
    }

    /// The symbols on a seat's open cards that were not scored.
    pub(crate) fn symbols(&self, seat: Seat) -> u32 {
        let shown =
            self.cards.zone(table(seat)).iter().filter(|card| !self.scored[seat.index()].contains(card));
        shown.map(|card| self.animal(*card).symbols()).sum()
    }

    /// The seats that join in when this seat calls: at least as many symbols, and a card to score.
    fn sharing(&self, caller: Seat) -> Vec<Seat> {
        let joins = |seat: &Seat| {
            *seat != caller
                && self.symbols(*seat) >= self.symbols(caller)
                && !self.cards.zone(hand(*seat)).is_empty()
        };
        self.players.from(caller).filter(joins).collect()
    }
}
