//! What one viewer may know, built by naming it; and what a bot makes of it.

use parlor_core::{Json, Rng, Viewer};
use serde::{Serialize, Serializer};

use super::answer::Move;
use super::deck::{BotRng, OpenedCard};
use super::{Format, Poker};
use crate::money::Chips;
use crate::notation::{Record, Table, Value, seed};
use crate::table::{Bot, Level, Standing, TableView, personalize};

/// A table as one viewer sees it. It is written out only where it is sent.
pub struct View<'a> {
    game: &'a Poker,
    viewer: Viewer,
}

/// What is written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    #[serde(flatten)]
    table: TableView,
    format: Format,
    /// Where the small and the big blind are.
    blinds: Option<[usize; 2]>,
    stakes: Stakes,
    /// The hand in the document's notation, for this viewer. Players are called by their seats.
    notation: Json,
    /// The deck's commitments, card by card in the order of dealing.
    commitments: &'a [String],
    /// Cards that everybody has seen, with what opens their commitments.
    opened: &'a [OpenedCard],
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<Tournament>,
    closed: bool,
}

/// The bets that are played for.
#[derive(Serialize)]
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

/// How a sit-and-go stands.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tournament {
    level: usize,
    blinds: Level,
    prize_pool: Chips,
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
        let settings = table.settings();
        let stakes = settings.stakes(table.variant());
        let seat = self.seat();
        let own = seat.map(seat_name);
        let record = personalize(&game.record(seat_name), own.as_deref());
        Shown {
            table: table.view(seat),
            format: game.rules.format,
            blinds: table.positions().map(|at| [at.small, at.big]),
            stakes: Stakes {
                small_blind: stakes.small_blind,
                big_blind: stakes.big_blind,
                ante: settings.ante,
                small_bet: stakes.small_bet,
                big_bet: stakes.big_bet,
                bring_in: stakes.bring_in,
                buy_in_min: settings.buy_in_min,
                buy_in_max: settings.buy_in_max,
                decimals: settings.decimals,
            },
            notation: table_json(seed::to_fields(&record)),
            commitments: game.deck.published(),
            opened: &game.opened,
            tournament: game.room.tournament().map(|tournament| Tournament {
                level: tournament.level().0,
                blinds: tournament.level().1,
                prize_pool: tournament.prize_pool(),
                standings: tournament.standings(),
                away: (0..settings.seat_count).filter(|&seat| tournament.is_away(seat)).collect(),
            }),
            closed: game.closed,
        }
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.shown().serialize(to)
    }
}
