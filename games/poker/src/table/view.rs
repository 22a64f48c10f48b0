//! What one viewer sees of a table, and the hand as a record of the notation.
//!
//! A view is built from what the viewer may know: their own cards, cards that lie face up, and nothing of what others have
//! prepared. The record holds everything; `personalize` makes one viewer's of it.

use serde::Serialize;

use crate::hand::Phase;
use crate::legal::Action;
use crate::money::{Amount, Chips, Scale};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::row::Row;
use crate::table::input::Options;
use crate::table::live::Table;
use crate::table::seat_state::{Flags, Intent};
use crate::variant::Limit;

/// A table as one viewer sees it. Seats count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TableView {
    /// The number of the hand.
    pub hand: u64,
    /// The game's code.
    pub variant: &'static str,
    /// `waiting`, `deal`, `draw`, `bet`, `reveal` or `over`.
    #[cfg_attr(feature = "game", ts(type = "'waiting' | 'deal' | 'draw' | 'bet' | 'reveal' | 'over'"))]
    pub phase: &'static str,
    pub button: Option<usize>,
    /// One board, or two.
    pub boards: Vec<String>,
    /// All chips in the middle.
    pub pot: Chips,
    /// Collected chips and who can win them, main pot first.
    pub pots: Vec<PotView>,
    pub turn: Option<usize>,
    /// One for each seat, `None` for an empty one.
    pub seats: Vec<Option<SeatView>>,
    /// The viewer's own seat and what only they know.
    pub own: Option<OwnView>,
}

/// A pot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct PotView {
    pub chips: Chips,
    /// Seats that can win it.
    pub seats: Vec<usize>,
}

/// A seat as everybody sees it; the cards are the viewer's own or lie face up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SeatView {
    pub stack: Chips,
    /// Bet on this street.
    pub bet: Chips,
    pub inactive: bool,
    pub intent: u8,
    pub dead_blinds: Chips,
    /// Whether the seat has a hand.
    pub in_hand: bool,
    /// Cards, `??` for those the viewer does not see.
    pub cards: String,
    pub away: bool,
}

/// What only the player of a seat knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OwnView {
    pub seat: usize,
    /// Chips that are added before the next hand.
    pub top_up: Chips,
    /// Whether those that find no room then stay for later hands.
    pub auto_top_up: bool,
    pub straddle: bool,
    pub run_twice: bool,
    pub auto_muck: bool,
    pub prepared: Option<crate::table::input::PreAction>,
    /// What may be done now.
    #[serde(skip)]
    pub options: Options,
}

impl Table {
    /// The table as a viewer sees it; `None` is somebody without a seat.
    #[must_use]
    pub fn view(&self, viewer: Option<usize>) -> TableView {
        let hand = self.hand();
        let phase = match hand.map(|hand| hand.phase()) {
            None => "waiting",
            Some(Phase::Deal) => "deal",
            Some(Phase::Draw) => "draw",
            Some(Phase::Bet) => "bet",
            Some(Phase::Reveal) => "reveal",
            Some(Phase::Over) => "over",
        };
        let pots = hand.map(|hand| hand.pots()).unwrap_or_default();
        let pots = pots.iter().map(|pot| PotView {
            chips: pot.chips,
            seats: pot.eligible.iter().map(|place| self.seats[place] as usize).collect(),
        });
        TableView {
            hand: self.number,
            variant: self.variant().code(),
            phase,
            button: self.last.map(|last| last.button),
            boards: hand.map_or_else(Vec::new, |hand| {
                (0..hand.boards()).map(|run| hand.board(run).to_string()).collect()
            }),
            pot: hand.map_or(0, |hand| hand.pot_total()),
            pots: pots.collect(),
            turn: self.turn(),
            seats: (0..self.settings.seat_count).map(|seat| self.seat_view(seat, viewer)).collect(),
            own: viewer.and_then(|seat| self.own_view(seat)),
        }
    }

    fn seat_view(&self, seat: usize, viewer: Option<usize>) -> Option<SeatView> {
        let flags = self.chairs[seat].state.flags()?;
        let place = self.place(seat);
        let of_hand = self.hand().zip(place);
        let cards = of_hand.map_or(Row::EMPTY, |(hand, place)| {
            let folded = !hand.live().contains(place);
            let hole = hand.hole(place).as_slice().iter().enumerate();
            if viewer == Some(seat) {
                *hand.hole(place)
            } else if folded {
                Row::EMPTY
            } else {
                hole.map(|(i, &card)| card.filter(|_| hand.is_up(place, i))).collect()
            }
        });
        Some(SeatView {
            stack: self.stack(seat),
            bet: of_hand.map_or(0, |(hand, place)| hand.bets()[place]),
            inactive: flags.inactive,
            intent: flags.intent.number(),
            dead_blinds: flags.debt,
            in_hand: self.is_live(seat),
            cards: cards.to_string(),
            away: self.players[seat].away,
        })
    }

    fn own_view(&self, seat: usize) -> Option<OwnView> {
        let player = self.players.get(seat)?;
        self.chairs[seat].state.is_taken().then(|| OwnView {
            seat,
            top_up: player.top_up,
            straddle: player.straddles,
            run_twice: player.runs_twice,
            auto_top_up: player.keeps_full,
            auto_muck: !player.decides_showdown,
            prepared: player.prepared.map(|(action, _)| action),
            options: self.legal(seat),
        })
    }

    /// The hand that runs, or the last one, as a record: one column for each seat in order, those that sat down since it
    /// began last. `None` before the first hand.
    #[must_use]
    pub fn record(&self, name: impl Fn(usize) -> String) -> Option<Record> {
        let hand = self.hand()?;
        let setup = hand.setup();
        let scale = Scale::new(self.settings.decimals);
        let columns = self.columns();
        let amount = |chips: Chips| trim(scale, chips);
        let of = |pick: &dyn Fn(usize) -> Chips, rest: &dyn Fn(usize) -> Chips| -> Vec<Amount> {
            let one = |&seat: &usize| amount(self.place(seat).map_or_else(|| rest(seat), pick));
            columns.iter().map(one).collect()
        };
        let zero = |_: usize| 0;
        let (fixed, stud) = (setup.variant.limit() == Limit::Fixed, setup.variant.is_stud());
        let positions = self.last?;
        let mut record = Record {
            variant: setup.variant,
            button: self.button_column(&columns, positions.button),
            ante_trimming: None,
            antes: of(&|place| setup.antes[place], &zero),
            blinds: if stud { Vec::new() } else { of(&|place| setup.blinds[place], &zero) },
            bring_in: stud.then(|| amount(setup.bring_in)),
            small_bet: fixed.then(|| amount(setup.small_bet)),
            big_bet: fixed.then(|| amount(setup.big_bet)),
            min_bet: (!fixed).then(|| amount(setup.small_bet)),
            starting_stacks: of(&|place| setup.stacks[place], &|seat| self.chairs[seat].stack),
            actions: self.entries(&columns, scale),
            rest: Vec::new(),
        };
        let whole = |n: usize| Value::Number(Amount::whole(n as Chips));
        let numbers = |amounts: Vec<Amount>| Value::Array(amounts.into_iter().map(Value::Number).collect());
        record.set("hand", whole(self.number as usize));
        record.set("seat_count", whole(self.settings.seat_count));
        record.set("players", Value::Array(columns.iter().map(|&seat| Value::Text(name(seat))).collect()));
        record.set("seats", Value::Array(columns.iter().map(|&seat| whole(seat + 1)).collect()));
        if hand.phase() == Phase::Over {
            let finishing = of(&|place| hand.stacks()[place], &|seat| self.chairs[seat].stack);
            record.set("finishing_stacks", numbers(finishing));
            record.set("winnings", numbers(of(&|place| hand.won()[place], &zero)));
        }
        self.set_rake_and_boards(&mut record, amount);
        self.set_flags(&mut record, &columns);
        if setup.paid_dead[..setup.players].iter().any(|&dead| dead > 0) {
            record.set("_paidDead", numbers(of(&|place| setup.paid_dead[place], &zero)));
        }
        let places = [positions.button, positions.small, positions.big];
        record.set("_blindSeats", Value::Array(places.iter().map(|&seat| whole(seat + 1)).collect()));
        Some(record)
    }

    /// What each column's player wants and owes; a player who has gone since has left.
    fn set_flags(&self, record: &mut Record, columns: &[usize]) {
        let gone = Flags { inactive: true, intent: Intent::Leave, debt: 0 };
        let flags: Vec<_> =
            columns.iter().map(|&seat| self.chairs[seat].state.flags().unwrap_or(gone)).collect();
        let scale = Scale::new(self.settings.decimals);
        let of = |pick: &dyn Fn(&Flags) -> Amount| {
            Value::Array(flags.iter().map(|flags| Value::Number(pick(flags))).collect())
        };
        record.set("_inactive", of(&|f| Amount::whole(Chips::from(u8::from(f.inactive)))));
        record.set("_intents", of(&|f| Amount::whole(Chips::from(f.intent.number()))));
        record.set("_deadBlinds", of(&|f| trim(scale, f.debt)));
    }

    /// The table as a record without a hand: everybody who sits here, nothing posted.
    #[must_use]
    pub fn waiting_record(&self, name: impl Fn(usize) -> String) -> Record {
        let variant = self.variant();
        let scale = Scale::new(self.settings.decimals);
        let columns: Vec<usize> =
            (0..self.settings.seat_count).filter(|&seat| self.chairs[seat].state.is_taken()).collect();
        let stakes = self.settings.stakes(variant);
        let (fixed, stud) = (variant.limit() == Limit::Fixed, variant.is_stud());
        let mut record = Record {
            variant,
            button: columns.len().saturating_sub(1),
            ante_trimming: None,
            antes: vec![Amount::ZERO; columns.len()],
            blinds: if stud { Vec::new() } else { vec![Amount::ZERO; columns.len()] },
            bring_in: stud.then(|| trim(scale, stakes.bring_in)),
            small_bet: fixed.then(|| trim(scale, stakes.small_bet)),
            big_bet: fixed.then(|| trim(scale, stakes.big_bet)),
            min_bet: (!fixed).then(|| trim(scale, stakes.small_bet)),
            starting_stacks: columns.iter().map(|&seat| trim(scale, self.chairs[seat].stack)).collect(),
            actions: Vec::new(),
            rest: Vec::new(),
        };
        let whole = |n: usize| Value::Number(Amount::whole(n as Chips));
        record.set("hand", whole(self.number as usize));
        record.set("seat_count", whole(self.settings.seat_count));
        record.set("players", Value::Array(columns.iter().map(|&seat| Value::Text(name(seat))).collect()));
        record.set("seats", Value::Array(columns.iter().map(|&seat| whole(seat + 1)).collect()));
        self.set_flags(&mut record, &columns);
        record
    }

    fn set_rake_and_boards(&self, record: &mut Record, amount: impl Fn(Chips) -> Amount) {
        let Some(hand) = self.hand() else { return };
        let setup = hand.setup();
        if setup.rake.basis_points > 0 {
            let share = Scale::new(4).amount(Chips::from(setup.rake.basis_points));
            record.set("_rakePercentage", Value::Number(share));
            if let Some(cap) = setup.rake.cap {
                record.set("_rakeCap", Value::Number(amount(cap)));
            }
            if hand.phase() == Phase::Over {
                record.set("_rake", Value::Number(amount(hand.raked())));
            }
        }
        if setup.bomb_pot {
            record.set("_bombPot", Value::Bool(true));
        }
        if setup.runs > 1 {
            let boards = (0..2).map(|run| Value::Text(hand.board(run).to_string()));
            record.set("_boards", Value::Array(boards.collect()));
        }
    }

    /// Seats of the record's columns.
    fn columns(&self) -> Vec<usize> {
        let here = |seat: &usize| self.chairs[*seat].state.is_taken() || self.place(*seat).is_some();
        let mut columns: Vec<usize> = (0..self.settings.seat_count).filter(here).collect();
        columns.sort_by_key(|&seat| (self.is_late(seat), seat));
        columns
    }

    /// Whether somebody sat down after the hand had begun; their column stands behind the others.
    fn is_late(&self, seat: usize) -> bool {
        self.place(seat).is_none() && self.players[seat].sat_at == self.number
    }

    /// The column of the button, or the last one before it where its seat had none when the hand began.
    fn button_column(&self, columns: &[usize], button: usize) -> usize {
        let count = self.settings.seat_count;
        let before = (0..count).map(|step| (button + count - step) % count);
        let column = |seat: usize| columns.iter().position(|&other| other == seat && !self.is_late(seat));
        before.filter_map(column).next().unwrap_or(0)
    }

    fn entries(&self, columns: &[usize], scale: Scale) -> Vec<Entry> {
        let column = |place: usize| {
            let seat = self.seats[place] as usize;
            columns.iter().position(|&other| other == seat).unwrap_or(0)
        };
        let mut boards = 0;
        let mut entries = Vec::with_capacity(self.log.len());
        for action in &self.log {
            let step = match *action {
                Action::DealHole(place, row) => Step::DealHole(column(place), row),
                Action::DealBoard(row) => {
                    boards += row.len();
                    // The second board stands in `_boards`.
                    if boards > self.hand().map_or(0, |hand| hand.board(0).len()) {
                        continue;
                    }
                    Step::DealBoard(row)
                }
                Action::Fold(place) => Step::Fold(column(place)),
                Action::Call(place) => Step::Call(column(place), None),
                Action::Raise(place, to) => Step::Raise(column(place), trim(scale, to)),
                Action::BringIn(place) => Step::BringIn(column(place)),
                Action::Draw(place, row) => Step::Draw(column(place), row),
                Action::Show(place, row) => Step::Show(column(place), row),
                Action::ShowAll(place) => Step::ShowAll(column(place)),
                Action::Muck(place) => Step::Muck(column(place)),
            };
            entries.push(step.into());
        }
        entries
    }
}

/// The shortest amount of so many units.
pub(crate) fn trim(scale: Scale, chips: Chips) -> Amount {
    crate::notation::phh::trimmed(scale.amount(chips), Amount::ZERO)
}
