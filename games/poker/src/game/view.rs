//! What one viewer may know, built by naming it; and what a bot makes of it.

use parlor_core::{Json, Rng, Viewer};
use serde::{Serialize, Serializer};
use ts_rs::TS;

use super::answer::Move;
use super::clocks::Clock;
use super::deck::{BotRng, OpenedCard, PublishedDeck};
use super::made::{Made, made};
use super::{Format, Poker, odds};
use crate::card::Card;
use crate::hand::{Hand, Phase};
use crate::money::Chips;
use crate::notation::{Record, Table, Value, phh, pokerstars, seed};
use crate::table::{
    Bot, Level, MissedBlinds, Newcomers, PotView, SeatState, SitAndGo, Standing, TableView, Timer,
    personalize,
};

/// A table as one viewer sees it. It is written out only where it is sent.
pub struct View<'a> {
    game: &'a Poker,
    viewer: Viewer,
}

/// What is written: the table as everybody sees it, then what a screen needs around it.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "View")]
pub struct Shown<'a> {
    #[serde(flatten)]
    table: TableView,
    format: Format,
    /// Where the small and the big blind are.
    blinds: Option<[usize; 2]>,
    stakes: Stakes,
    terms: Terms,
    /// Who sits where, and with how much; `null` for an empty seat.
    players: Vec<Option<PlayerView>>,
    /// What each seat's cards make, as far as the viewer sees them all: a high hand, a low one, or both.
    made: Vec<Vec<Made>>,
    /// What each seat wins on average, in thousandths, while cards are dealt out and all hands are open.
    shares: Vec<Option<u16>>,
    /// How the hand ended.
    ended: Option<Ended>,
    /// Clocks longer than a decision, as they were when the viewer was last told of them.
    clocks: Vec<ClockView>,
    /// The hand in the document's notation, for this viewer. Players are called by their seats.
    #[ts(type = "Record<string, unknown>")]
    notation: Json,
    /// The deck's commitments, card by card in the order of dealing.
    #[ts(as = "Vec<String>")]
    commitments: PublishedDeck<'a>,
    /// Cards that everybody has seen, with what opens their commitments.
    #[ts(as = "Vec<OpenedCard>")]
    opened: &'a [OpenedCard],
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    tournament: Option<Tournament>,
    closed: bool,
}

/// The bets that are played for.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct Stakes {
    small_blind: Chips,
    big_blind: Chips,
    ante: Chips,
    small_bet: Chips,
    big_bet: Chips,
    bring_in: Chips,
    buy_in_min: Chips,
    buy_in_max: Chips,
    decimals: u8,
}

/// What the table does with those who come, pause and come back.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct Terms {
    #[ts(type = "'free' | 'postBigBlind' | 'waitForBigBlind'")]
    newcomers: Newcomers,
    #[ts(type = "'dead' | 'live'")]
    missed_blinds: MissedBlinds,
    /// Whether whoever pauses plays their hand to its end.
    finish_hand: bool,
    /// The most that anybody owes.
    debt_max: Chips,
    /// Hundredths of a percent of the pot.
    rake_basis_points: u32,
    rake_cap: Chips,
}

/// The player of a seat.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct PlayerView {
    #[ts(type = "'newcomer' | 'playing' | 'paused' | 'returning' | 'broke' | 'leaving'")]
    state: &'static str,
    /// Chips brought since sitting down.
    bought: Chips,
    /// Hands played since sitting down.
    hands: u32,
}

/// How a hand ended.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct Ended {
    /// The pots before they were paid out, main pot first.
    pots: Vec<PotView>,
    /// Every payment out of them.
    awards: Vec<AwardView>,
    rake: Chips,
    /// The hand in the notation of PHH, for this viewer.
    phh: String,
    /// The hand as PokerStars writes it, for this viewer; not every game has such a form.
    pokerstars: Option<String>,
}

/// One payment out of a pot.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct AwardView {
    /// Which pot, main pot first.
    pot: usize,
    /// Which board decided it.
    run: usize,
    /// Whether it is the low half of a hi-lo pot.
    low: bool,
    seat: usize,
    chips: Chips,
}

/// A clock longer than a decision.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct ClockView {
    #[ts(type = "'level' | 'rebuy' | 'pause' | 'away'")]
    what: &'static str,
    /// Whose it is; the level is everybody's.
    seat: Option<usize>,
    left_ms: u32,
}

/// How a sit-and-go stands.
#[derive(Serialize, TS)]
#[serde(rename_all = "camelCase")]
struct Tournament {
    level: usize,
    blinds: Level,
    levels: Vec<Level>,
    prize_pool: Chips,
    /// What each place wins, the first first.
    prizes: Vec<Chips>,
    standings: Vec<Standing>,
    away: Vec<usize>,
}

/// The name of a seat in the notation, where the house puts its player's.
pub(super) fn seat_name(seat: usize) -> String {
    format!("seat {}", seat + 1)
}

/// The notation as plain JSON. A view has whole numbers only: other amounts are text, exact.
fn json(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(is) => is.into(),
        Value::Text(text) => text.into(),
        Value::Number(amount) => {
            let text = amount.to_string();
            text.parse::<i64>().map_or(Json::String(text), Json::from)
        }
        Value::Array(values) => values.into_iter().map(json).collect(),
        Value::Table(fields) => table_json(fields),
        other => format!("{other:?}").into(),
    }
}

fn table_json(fields: Table) -> Json {
    fields.into_iter().map(|(name, value)| (name, json(value))).collect::<serde_json::Map<_, _>>().into()
}

impl Poker {
    /// The hand as a record, or the table that waits for one.
    pub(super) fn record(&self, name: impl Fn(usize) -> String + Copy) -> Record {
        let table = self.table();
        table.record(name).unwrap_or_else(|| table.waiting_record(name))
    }
}

impl<'a> View<'a> {
    pub(super) const fn new(game: &'a Poker, viewer: Viewer) -> Self {
        Self { game, viewer }
    }

    fn seat(&self) -> Option<usize> {
        self.viewer.seat().map(parlor_core::Seat::index)
    }

    /// What the bot of this seat does. A player without chips buys in again.
    pub(super) fn decide(&self, bot: Bot, legal: &[Move], rng: &mut Rng) -> Move {
        let table = self.game.table();
        if legal.iter().any(Move::is_turn)
            && let Some(seat) = self.seat()
            && let Some(sight) = table.sight(seat)
        {
            let answer = bot.decide(&sight, &mut BotRng(rng));
            if let Ok(mv) = table.check(seat, &answer) {
                return Move::Table(mv);
            }
        }
        legal[0]
    }

    fn shown(&self) -> Shown<'a> {
        let (game, table) = (self.game, self.game.table());
        let seat = self.seat();
        let own = seat.map(seat_name);
        let record = personalize(&game.record(seat_name), own.as_deref());
        Shown {
            table: table.view(seat),
            format: game.rules.format,
            blinds: table.positions().map(|at| [at.small, at.big]),
            stakes: self.stakes(),
            terms: self.terms(),
            players: (0..table.settings().seat_count).map(|seat| self.player(seat)).collect(),
            made: (0..table.settings().seat_count).map(|seat| self.made(seat)).collect(),
            shares: self.shares(),
            ended: self.hand_over().map(|hand| self.ended(hand, &record)),
            clocks: game.clocks.shown().filter_map(clock_view).collect(),
            notation: table_json(seed::to_fields(&record)),
            commitments: game.deck.published(),
            opened: &game.opened,
            tournament: game.room.tournament().map(|tournament| self.tournament(tournament)),
            closed: game.closed,
        }
    }

    fn stakes(&self) -> Stakes {
        let table = self.game.table();
        let settings = table.settings();
        let stakes = settings.stakes(table.variant());
        Stakes {
            small_blind: stakes.small_blind,
            big_blind: stakes.big_blind,
            ante: settings.ante,
            small_bet: stakes.small_bet,
            big_bet: stakes.big_bet,
            bring_in: stakes.bring_in,
            buy_in_min: settings.buy_in_min,
            buy_in_max: settings.buy_in_max,
            decimals: settings.decimals,
        }
    }

    fn terms(&self) -> Terms {
        let table = self.game.table();
        let settings = table.settings();
        Terms {
            newcomers: settings.newcomers,
            missed_blinds: settings.missed_blinds,
            finish_hand: settings.finish_hand_before_pause,
            debt_max: settings.stakes(table.variant()).debt_max(),
            rake_basis_points: settings.rake_basis_points,
            rake_cap: settings.rake_cap,
        }
    }

    fn player(&self, seat: usize) -> Option<PlayerView> {
        let table = self.game.table();
        let state = match table.state(seat) {
            SeatState::Empty => return None,
            SeatState::Newcomer(_) => "newcomer",
            SeatState::Playing { .. } => "playing",
            SeatState::Paused { .. } => "paused",
            SeatState::Returning { .. } => "returning",
            SeatState::Broke => "broke",
            SeatState::Leaving => "leaving",
        };
        let (bought, hands) = table.brought(seat);
        Some(PlayerView { state, bought, hands })
    }

    /// What a seat's cards make, if the viewer sees all of them. With two boards it is the first that counts.
    fn made(&self, seat: usize) -> Vec<Made> {
        let table = self.game.table();
        let (Some(hand), Some(place)) = (table.hand(), table.place(seat)) else { return Vec::new() };
        let hole = hand.hole(place);
        let own = self.seat() == Some(seat);
        let seen = |at: usize| own || hand.is_up(place, at);
        let folded = !hand.live().contains(place);
        if (folded && !own) || hole.is_empty() || hole.unseen() > 0 || !(0..hole.len()).all(seen) {
            return Vec::new();
        }
        let (hole, board): (Vec<Card>, Vec<Card>) = (hole.known().collect(), hand.board(0).known().collect());
        made(hand.setup().variant, &hole, &board)
    }

    fn shares(&self) -> Vec<Option<u16>> {
        let table = self.game.table();
        let mut shares = vec![None; table.settings().seat_count];
        for (place, share) in table.hand().map(odds::shares).unwrap_or_default() {
            shares[table.seats[place] as usize] = Some(share);
        }
        shares
    }

    fn hand_over(&self) -> Option<&'a Hand> {
        self.game.table().hand().filter(|hand| hand.phase() == Phase::Over)
    }

    fn ended(&self, hand: &Hand, record: &Record) -> Ended {
        let seats = &self.game.table().seats;
        let seat = |place: usize| seats[place] as usize;
        let pot = |pot: &crate::pot::Pot| PotView {
            chips: pot.chips,
            seats: pot.eligible.iter().map(seat).collect(),
        };
        let award = |award: crate::Award| AwardView {
            pot: award.pot,
            run: award.run,
            low: award.low,
            seat: seat(award.seat),
            chips: award.chips,
        };
        Ended {
            pots: hand.final_pots().iter().map(|(each, _)| pot(each)).collect(),
            awards: hand.awards().into_iter().map(award).collect(),
            rake: hand.raked(),
            phh: phh::write(record),
            pokerstars: pokerstars::write(record).ok(),
        }
    }

    fn tournament(&self, tournament: &SitAndGo) -> Tournament {
        let settings = tournament.settings();
        let seats = tournament.table().settings().seat_count;
        Tournament {
            level: tournament.level().0,
            blinds: tournament.level().1,
            levels: settings.levels.clone(),
            prize_pool: tournament.prize_pool(),
            prizes: (1..=settings.payouts.len()).map(|place| tournament.prize(place)).collect(),
            standings: tournament.standings(),
            away: (0..seats).filter(|&seat| tournament.is_away(seat)).collect(),
        }
    }
}

fn clock_view((clock, left_ms): (Clock, u32)) -> Option<ClockView> {
    let (what, seat) = match clock {
        Clock::Level => ("level", None),
        Clock::Seat(Timer::Rebuy(seat)) => ("rebuy", Some(seat)),
        Clock::Seat(Timer::Pause(seat)) => ("pause", Some(seat)),
        Clock::Seat(Timer::Away(seat)) => ("away", Some(seat)),
        Clock::Seat(Timer::Turn | Timer::NextHand | Timer::Rathole(_)) => return None,
    };
    Some(ClockView { what, seat, left_ms })
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.shown().serialize(to)
    }
}
